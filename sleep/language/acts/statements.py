"""Statements: sentences of a session that say in so many words what they are, a rule, a choice, a question.

Owns what `grammar` calls stated, with what stands around it: a label (`**Decision:** ...`), a heading above that is
exactly a kind's name, who speaks and whether it is the last word, and the reason. Precision comes before recall, for
what is stated binds those who come after. Refuses quotations: it is given sentences in which they are blanked.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.language import lexicon, sentences, tokenizer
from sleep.language.acts import first_words, grammar, kind_names, reasons
from sleep.language.acts.forms import form

RECORDS = frozenset({"constraint", "decision", "question", "task", "blocker", "dead end"})


class Statement(NamedTuple):
    """What a sentence states: the kind, where in it its own words begin and end, and where its reason does.

    The reason is empty where both are equal.
    """

    kind: str
    start: int
    end: int
    why_start: int = 0
    why_end: int = 0


REASONED = frozenset({"decision", "constraint", "dead end", "task", "blocker"})
_NAMED = ("decision", "question", "task", "blocker", "dead end", "constraint", "insight", "fix")
_SIGNS = "*_` ~"
_ITEM = re.compile(r"^(?:\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?")
_LABEL = re.compile(
    r"^(?:\d{1,3}[.)]\s+)?(?:[*_]{1,3})?([^\W\d_][^*_:：\n`]{1,40}?)(?:[*_]{1,3})?\s?"
    r"(?:[:：](?:[*_]{1,3})?\s+|：(?:[*_]{1,3})?)(?=\S)"  # behind a wide colon stands no space
)
_MOST = 400  # characters of a statement; what is longer is prose
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def plainly(kind: str, words: str, why: str = "") -> str:
    """Return a text that states this again, with the label that gives it its kind: for what is read a second time."""
    label = {"task": "To do", "question": "Open question"}.get(kind, kind.capitalize())
    return f"**{label}:** {words}" + (f" Because {why}" if why else "")


def named(title: str) -> str:
    """Return the kind that a heading, or a line that ends in a colon, names exactly; "" for any other."""
    bare = kind_names.without_brackets(title).strip(_SIGNS + ":：#.—–- 0123456789)")
    return next((kind for kind in _NAMED if bare and form(f"names.{kind}").fullmatch(bare)), "")


def nods() -> frozenset[str]:
    """Return the words that only greet, agree or say that something was heard."""
    return lexicon.all_words("greetings", "assents", "acknowledges")


def acknowledges(sentence: str) -> bool:
    """True for a sentence that says nothing but that it was heard: `Done.`, `Got it.`."""
    is_nod = lexicon.all_words("acknowledges").issuperset(tokenizer.words(sentence))
    return is_nod and not first_words.leads(sentence)


def waits(sentence: str, *, ends: bool) -> bool:
    """True for a sentence that only says that work goes on; what still runs when all `ends` is worth saying."""
    return grammar.has(sentence, "stated.waits") or (not ends and grammar.has(sentence, "stated.pends"))


def answers(sentence: str) -> bool:
    """True for a sentence that answers the question before it, or looks for its answer (`Let me check.`)."""
    return grammar.has(sentence, "stated.answers", "stated.looks")


def is_courtesy(sentence: str) -> bool:
    """True for a sentence in which an agent only asks to be told more: `Let me know if you need anything else!`."""
    return grammar.has(sentence, "signs.courtesy")


def offers_more(sentence: str) -> bool:
    """True for a question that may go on with an offer: `Would you like me to: draw it? Write it? Both?`."""
    return grammar.has(sentence, "signs.offers more")


def names_another(sentence: str) -> bool:
    """True for a question that begins with the other side of a choice: `Or only in the tray?`."""
    return grammar.has(sentence, "signs.another")


def retells(sentence: str) -> bool:
    """True for an agent's thought of what it was asked, which the person's words tell: `The user wants me to ...`."""
    return grammar.has(sentence, "signs.retells")


def proffers(sentence: str) -> bool:
    """True for what an agent would do if it were asked: `If you want, I can add a chart.`."""
    return grammar.has(sentence, "signs.proffers", "signs.courtesy")


def only_intends(text: str, statement: Statement) -> bool:
    """True for an agent's choice that only says what it will do rather than something else, and gives no reason."""
    if statement.why_end > statement.why_start or statement.kind != "decision" or _labelled(text):
        return False
    is_firm = grammar.has(text, "stated.decided", "stated.goes", "stated.between")
    return not is_firm and grammar.has(text, "stated.renounces")


def state(sentence: str, role: str, section: str = "", *, last: bool = False) -> Statement | None:
    """Return what a sentence states, None where it states nothing.

    Args:
        sentence: its words, quotations blanked.
        role: `person` or `agent`.
        section: the kind that a heading exactly above it names (`named`), "" for none.
        last: it stands in the agent's last message, where what it asks and leaves undone is open.
    """
    sentence = grammar.without_tag(sentence, role)
    start = len(sentence) - len(_ITEM.sub("", sentence))
    label = _labelled(sentence)
    kind, start = label or (section or _kind_by_words(sentence, role, last=last), start)
    if label and role == "person" and kind == "insight":
        return None
    kind = _allowed(kind, role, last=last or bool(label) or section == "question")
    if not kind or len(sentence) - start > _MOST or not _WORD.search(sentence, start):
        return None
    if role == "person" and kind == "constraint" and not label and not section:
        return _rule(sentence)
    return reasoned(sentence, kind, start, is_argued=role == "person")


def _rule(sentence: str) -> Statement:
    """Return a person's rule, with the reason before it (`X, so please don't ...`) or in its own words."""
    start = max(0, grammar.rule(sentence))
    parts = reasons.before(sentence, start) if start else None
    return Statement("constraint", *parts) if parts else reasoned(sentence, "constraint", start, is_argued=True)


def _labelled(sentence: str) -> tuple[str, int] | None:
    label = _LABEL.match(sentence)
    if not label or not (kind := named(label[1])):
        return None
    return kind, label.end()


def _allowed(kind: str, role: str, *, last: bool) -> str:
    """Return the kind that a speaker may state: an agent lays down no rules, a person is asked and leaves no to-dos."""
    if role == "person":
        return kind if kind in ("constraint", "decision", "question", "insight") else ""
    if kind == "constraint":
        return "insight"
    return kind if last or kind not in ("task", "blocker", "question") else ""


def _kind_by_words(sentence: str, role: str, *, last: bool) -> str:
    """Return the kind by a sentence's words."""
    if sentences.asks(sentence):  # what an agent is about to look at, it asks itself
        is_open = role == grammar.AGENT and last and not grammar.has(sentence, "stated.looks")
        return "question" if is_open else ""
    if role == grammar.PERSON and grammar.has(sentence, "signs.inverted"):  # it asks, and goes on
        return ""
    return grammar.stated(sentence, role)


def tells_cause(text: str) -> bool:
    """True for a text that says what was the matter."""
    return grammar.has(text, "stated.cause")


def reasoned(sentence: str, kind: str, start: int, *, is_argued: bool = False) -> Statement:
    """Return a choice or a rule without the reason that its sentence gives, and the reason; any other as it is.

    What a person says behind a comma may argue for it (`is_argued`).
    """
    if kind not in REASONED:
        return Statement(kind, start, len(sentence))
    is_rule, is_open = kind == "constraint", kind in ("task", "blocker")
    parts = reasons.split(sentence, start, is_rule=is_rule, is_open=is_open)
    if parts is None and is_argued and not is_open:
        parts = reasons.argued(sentence, start)
    return Statement(kind, *parts) if parts else Statement(kind, start, len(sentence))
