"""What a record states, in one sentence or two: what a list of records shows of it.

Owns parting that from the words around it: the label before it, the sentences that lead up to it or explain it, and the
items below it. Refuses to lose any: the rest is given back.
"""

from __future__ import annotations

import re

from sleep.language import sentences
from sleep.language.acts import first_words, grammar, kind_names
from sleep.language.acts.forms import form
from sleep.language.tokenizer import WIDE
from sleep.records import classification
from sleep.records.kinds import BINDING, OPEN

_LONG = 160  # columns: what is shorter is a statement as a whole
_FEW = 60  # columns of a sentence that needs what leads up to it, of a kind that says what is open
_MOST = 240  # columns of a statement of several sentences
_TWO_COLUMNS = re.compile(rf"[{WIDE}]")
_LABEL = re.compile(r" (?=(?:\*\*|__)[^*_]{1,40}(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：]))")  # ` **Outcome:** `
_OPENING = "([（"
_MARKS = re.compile(r"; |[()\[\]（）]")
_FORMS = {
    "constraint": (
        *(*grammar.CONSTRAINT.sections, *grammar.CONDITION.sections),
        *("rules.rule", "phrases.commanded", "signs.lesson rule"),
    ),
    "decision": (*grammar.DECISION.sections, "signs.decides"),
    "dead end": (*grammar.DEAD_END.sections, "signs.swaps"),
    "question": grammar.QUESTION.sections,
    "blocker": (*grammar.BLOCKED.sections, "signs.held up", "signs.needs help"),
    "task": grammar.TASK.sections,
}
_SIGNS = " ;:*_"
_CALLED = ("decision", "constraint", "question", "doubt", "dead end")  # whose label may say that alone
_DIGIT = re.compile(r"\d")
_BOLD = re.compile(r"^(?:\*\*|__)[^*_]{2,60}(?:\*\*|__)")
_GOES_ON = re.compile(r"^\W*(?:→|->|=>)|^[\s(\"'`]*[a-z]")


def unlabelled(kind: str, text: str) -> str:
    """Return a record's words without a label that says its kind again (`**Decision:** ...`), or none (`Lesson: ...`).

    One that says more stays: whose it is, where it holds (`Lesson (staging)`), what came of it (`Rejected decision`),
    a ticket; so does that of what is open but for `TODO: ...`: `Next: ...` holds until a later log says what is next.
    """
    label = first_words.LABEL.match(text) if kind in (*_CALLED, "task") else None
    if label is None or _DIGIT.search(label[0]):
        return text
    name = label[1].strip(_SIGNS)
    if kind == "task":
        says_again = bool(form("labels.empty task").fullmatch(name))
    else:
        says_again = form("labels.empty").fullmatch(name) or kind_names.is_label(kind, name)
    return classification.without_label(text).strip() or text if says_again else text


def parted(kind: str, text: str) -> tuple[str, str]:
    """Return what a record of this kind states, and the rest of its words.

    A short text is one as a whole. Of a long one those are the first sentences in a row that do so in so many words,
    with what leads up to them where that is short, else the first one; items below are rest.
    """
    bare = classification.without_label(text).strip()
    if not bare:
        return text, ""
    head, tail = (bare, "") if _width(bare) <= _LONG else _clauses(bare)
    forms = _FORMS.get(kind, ())
    before, head, after = _row(head, forms)
    tail = "; ".join(filter(None, (f"{before} {after}".strip(), tail)))
    if _width(head) <= _LONG:
        return head, tail
    start, end = _spoken(kind, head)
    rest = f"{head[:start].strip()} {head[end:].strip()}".strip()
    return head[start:end].strip(), "; ".join(filter(None, (rest, tail)))


def _clauses(text: str) -> tuple[str, str]:
    """Return a long text up to where another sentence or item was joined to it by `; `, and what is behind that.

    What goes on in small letters is the same sentence, parted only in a text of more than `_MOST` columns; what stands
    in brackets is never parted.
    """
    depth, clause = 0, None
    for mark in _MARKS.finditer(text):
        if mark[0] != "; ":
            depth = max(0, depth + (1 if mark[0] in _OPENING else -1))
        elif not depth:
            if not text[mark.end() : mark.end() + 1].islower():
                return text[: mark.start()], text[mark.end() :]
            clause = clause or mark
    return (text[: clause.start()], text[clause.end() :]) if clause and _width(text) > _MOST else (text, "")


def _spoken(kind: str, head: str) -> tuple[int, int]:
    """Return where the sentences of a long text stand that say what it states."""
    forms = _FORMS.get(kind, ())
    spans = [(start, end) for start, end in sentences.spans(head) if head[start:end].strip(_SIGNS)]
    tells = [bool(forms) and first_words.tells(head[start:end], *forms) for start, end in spans]
    first = tells.index(True) if True in tells else 0
    last = next((at for at in range(first, len(spans)) if at + 1 == len(spans) or not tells[at + 1]), first)
    leans = kind in OPEN and _width(head[spans[first][0] : spans[last][1]]) < _FEW
    room = _MOST if leans else _LONG
    first = 0 if _width(head[spans[0][0] : spans[last][1]]) <= room else first
    last = first if _width(head[spans[first][0] : spans[last][1]]) > _MOST else last
    if kind == "task":
        first, last = _with_name(head, spans, first, last)
    elif kind in BINDING:  # a short sentence may only name it (`**One renderer.**`)
        last = max(last, _with_next(head, spans, tells))
    return spans[first][0], spans[last][1]


def _with_name(head: str, spans: list[tuple[int, int]], first: int, last: int) -> tuple[int, int]:
    """Return the first and last sentence of a task with the name in bold that it begins with and what goes on with it.

    What begins in small letters, or with an arrow, goes on with the sentence before; a name alone wants what is next.
    """
    is_named = _BOLD.match(head) and _width(head[spans[0][0] : spans[last][1]]) <= _MOST
    first = 0 if is_named else first
    for at in range(last + 1, len(spans)):
        goes_on = _GOES_ON.match(head[spans[at][0] :]) or (at == 1 and _width(head[: spans[0][1]]) < _FEW)
        if not goes_on or _width(head[spans[first][0] : spans[at][1]]) > _MOST:
            break
        last = at
    return first, last


def _with_next(head: str, spans: list[tuple[int, int]], tells: list[bool]) -> int:
    """Return the last sentence of a text that says nothing in so many words: the second where the first only names."""
    only_names = len(spans) > 1 and True not in tells and _width(head[: spans[0][1]]) < _FEW
    return int(only_names and _width(head[: spans[1][1]]) <= _MOST)


def _row(text: str, forms: tuple[str, ...]) -> tuple[str, str, str]:
    """Return what stands before, in and after the row that says it, of a text that was a column of labels.

    `**Task:** ... **Outcome:** Decided on ...`: the words behind the label. Any other text is all one row.
    """
    rows = _LABEL.split(text) if forms else [text]
    at = next((at for at, row in enumerate(rows) if at and first_words.tells(first_words.behind_label(row), *forms)), 0)
    if not at or first_words.tells(rows[0], *forms):
        return "", text, ""
    words = first_words.behind_label(rows[at])
    label = rows[at].removesuffix(words).strip()
    return " ".join((*rows[:at], label)), words, " ".join(rows[at + 1 :])


def _width(text: str) -> int:
    """Return how many columns a text takes: characters of a script without spaces take two."""
    return len(text) if text.isascii() else len(text) + len(_TWO_COLUMNS.findall(text))
