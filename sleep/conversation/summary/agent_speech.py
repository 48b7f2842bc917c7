"""What an agent's sentence tells: it binds nobody unless it says so, and its moves are over when they are read.

Owns the judgment on what marks say of a sentence, where an agent spoke it, and the line that a short item of a list
stands under: `Default: 4` says nothing alone. Refuses to judge what people say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary import marks, results
from sleep.conversation.summary.fact import PART, bare
from sleep.conversation.summary.marks import CONSTRAINT, DECISION, ERROR, FACT, QUESTION, TODO
from sleep.language import sentences
from sleep.language.acts import grammar
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn
    from sleep.conversation.summary.fact import Fact

LABEL = re.compile(r"[\W_]{0,6}([A-Za-z][\w /'-]{0,30}?)\s?[*_]{0,2}:(?=[\s*_]|$)")
_STRONG = 2.6  # worth of a choice from which on it is one, also where the agent announces a move
_SURE = 2.4  # what the marks of a choice weigh at the least that no form of the grammar tells
_OPEN = 2.0  # what the marks of a to-do weigh at the least
_NAME = re.compile(r"`[^`]{1,300}`|\w+(?:/\w+)+")
_CHOSEN = 1.5  # worth from which on a sentence is a choice
_ABOUT = frozenset((TODO, ERROR, CONSTRAINT, QUESTION))  # what may be said of a move
_TOLD_LATER = frozenset((FACT, ERROR, QUESTION))  # what a move may be taken for
_STAGES = frozenset((FACT, ERROR, TODO))  # what may be said of work that goes on
_STAGE = 100  # characters of a sentence that only says so
_FEW = 40  # characters of a question that asks nothing
_MEANS = {ERROR: "signs.intends", TODO: "signs.promises", QUESTION: "signs.promises"}
_OPTION = re.compile(r"\(?[A-F]\) ")
_ITEM_LENGTH = 60  # characters of an item that leans on its list
_LEAD = 80  # characters of a line that it may stand under
_ABOVE = 16  # lines above an item in which that line is looked for
_NEAR = 2_000  # characters before it
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s|\s*\|")
_TITLE = re.compile(r"\s*(?:#{1,6}\s|[*_]{2}[^*_]{1,80}[*_]{2}:?\s*$)")
_SIGNS = " \t#*_:-—|."
_LETTER = re.compile(r"[^\W\d_a-zA-Z]")  # of another script, or with a sign: not a quotation mark
_NARRATES = re.compile(
    r"(?:next,? |now,? |then,? )?(?:let me|i['’]ll|i will|i['’]m|i am|looking|reading|i have (?:read|looked)|we see)\b",
    re.IGNORECASE,
)
# `Lint passes. Now let's run the tests.`
_MOVES_ON = re.compile(
    r"[.!:] (?=(?:(?:now|next|then),? )?(?:let me(?! know)|let['’]s|i['’]ll|i need to|i['’]m (?:now )?\w+ing)\b)",
    re.IGNORECASE,
)


def weigh(kind: str, worth: float, text: str, mark: float) -> tuple[str, float]:
    """Return the kind of an agent's sentence and what it is worth, "" for one that is not worth keeping.

    `mark` is what its marks say by themselves.
    """
    if _is_over(kind, worth, text):
        return "", 0.0
    is_rule = kind == CONSTRAINT and not sentences.asks(text)
    kind = _kind(kind, worth, text, mark)
    if not kind or (kind in _TOLD_LATER and ". " not in text and not text.endswith("?") and narrates(text)):
        return "", 0.0
    return kind, worth - (0.6 if is_rule else 0.0) - (0.8 if _NARRATES.match(text) else 0.0)


def _kind(kind: str, worth: float, text: str, mark: float) -> str:
    """Return the kind that an agent's sentence has where its marks say this one, "" for none."""
    if kind in (TODO, QUESTION):  # what a person may choose from; what comes next or is asked in what is explained
        return FACT if _OPTION.match(text) or (mark < _OPEN and "?" not in text) else kind
    if kind == ERROR:  # `fix: keep the order` is a name, pass/fail a range
        rest = _NAME.sub(" ", text)
        rest = form("signs.tests first").written().sub(" ", rest)
        return FACT if rest != text and not _errs(rest) else kind
    if kind == CONSTRAINT:  # `Depth limit: how far back do we look?`; else its "must" and its "only" explain
        return QUESTION if sentences.asks(text) else kind if _lays_down(text) else FACT
    if kind == DECISION and not _chooses(worth, text, mark):
        return "" if form("signs.promises").search(text) else FACT
    return kind


def _chooses(worth: float, text: str, mark: float) -> bool:
    """Return whether an agent's sentence is a choice: a reason alone is none, and `rather than` alone is none."""
    return worth >= _CHOSEN and (mark >= _SURE or grammar.has(text, *grammar.DECISION.sections))


def without_move(line: str) -> str:
    """Return a line without what an agent announces at its end."""
    behind = _MOVES_ON.search(line)
    return line[: behind.start() + 1] if behind else line


def moves(text: str) -> bool:
    """Return whether an agent's sentence says what it is doing at the moment, whatever else stands in it."""
    return ". " not in text and form("signs.moves").written().match(text) is not None


def _errs(text: str) -> bool:
    """Return whether a word in a text tells that something failed or was mended."""
    plain = marks.plain(text)
    return any(mark.kind == ERROR for mark in marks.marks(plain, plain.split()))


def narrates(text: str) -> bool:
    """Return whether an agent's sentence says what it does next: what came of it is told by what it says later."""
    if moves(text):
        return True
    is_promise = form("stated.narrates").search(text) and form("stated.promises").search(text)
    return is_promise and not form("signs.perceives").search(text)


def _is_stage(text: str) -> bool:
    """Return whether an agent's sentence only says that work goes on or went well so far."""
    return len(text) <= _STAGE and form("reports.stage").search(text)


def _is_over(kind: str, worth: float, text: str) -> bool:
    """Return whether a sentence tells nothing any more when it is read: a move, an intention, how things stood."""
    if text.endswith((":", "：")) or (kind == QUESTION and len(text) < _FEW and not {"?", "？"} & set(text)):
        return True  # what it announces stands below it; `Good question!`
    if kind == ERROR and _is_as_meant(worth, text):
        return True
    if kind in _STAGES and (kind != ERROR or ". " not in text) and _is_stage(text):
        return True  # `The build is green so far.`
    return ". " not in text and _passes(kind, worth, text)  # else something stands behind it


def _is_as_meant(worth: float, text: str) -> bool:
    """Return whether a sentence about a failure tells none: `Lint passes.`, `The test fails as expected.`."""
    if worth < _CHOSEN and not results.is_telling(text):
        return True
    return len(text) <= _STAGE and form("signs.fails as meant").search(text)


def _passes(kind: str, worth: float, text: str) -> bool:
    """Return whether a sentence is about a move of the agent's, or about how things stand while it works."""
    if moves(text) or (kind in _MEANS and form(_MEANS[kind]).search(text)):
        return True
    is_slight = (kind in _ABOUT and not text.endswith("?")) or (kind == DECISION and worth < _STRONG)
    return is_slight and (
        form("signs.about to").written().match(text) is not None or form("signs.transient").search(text)
    )


def _lays_down(text: str) -> bool:
    """Return whether an agent's sentence is worded as a rule: by a label, as a command, or in another script."""
    label = LABEL.match(text)
    if label and marks.labels().get(label[1].lower().rsplit(None, 1)[-1], ("",))[0] == CONSTRAINT:
        return True
    return (not text.isascii() and _LETTER.search(text) is not None) or grammar.rule(text) >= 0


def with_leads(facts: Iterable[Fact], turns: Sequence[Turn]) -> Iterator[Fact]:
    """Yield facts, short items of lists with what they stand under before them: `Provider config: Default: 1`."""
    lines: dict[tuple[int, int], list[str]] = {}  # of the parts of turns
    for own in facts:
        lead = ""
        if own.kind == FACT and not own.name and len(own.text) <= _ITEM_LENGTH and 0 <= own.at < len(turns):
            above = _lines_to(own, turns[own.at], lines) if turns[own.at].role == "assistant" else []
            lead = _above(above) if above and _ITEM.match(above[-1]) else ""
        yield own._replace(text=f"{lead}: {own.text}") if lead else own


def _lines_to(fact: Fact, turn: Turn, known: dict[tuple[int, int], list[str]]) -> list[str]:
    """Return the lines above a fact and its own, told by its place: the index of its line, or its offset."""
    at, number = fact.part
    if number >= len(turn.parts) or turn.parts[number].kind != TEXT:
        return []
    text, place = turn.parts[number].text, fact.place & ((1 << PART) - 1)
    lines = known.get((at, number)) or known.setdefault((at, number), text.split("\n"))
    if place < len(lines) and fact.text in lines[place]:
        return lines[max(0, place - _ABOVE) : place + 1]
    stop = text.find("\n", place)
    near = text[max(0, place - _NEAR) : stop if stop >= 0 else len(text)].split("\n")
    return near if fact.text in near[-1] else []


def _above(lines: Sequence[str]) -> str:
    """Return what the last of these lines stands under."""
    depth = _depth(lines[-1])
    for line in reversed(lines[-1 - _ABOVE : -1]):
        if not line.strip() or (_ITEM.match(line) and _depth(line) >= depth):
            continue
        is_lead = _TITLE.match(line) or line.rstrip(" *_").endswith((":", "：")) or _ITEM.match(line)
        lead = bare(line).replace("**", "").rpartition(". ")[2].strip(_SIGNS)
        return lead if is_lead and len(lead) <= _LEAD else ""
    return ""


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
