"""The grammar of speech acts: what a sentence does, told by explicit forms, for whoever asks.

Owns the one table of forms and three forces. What is `STATED` the speaker does in so many words: chooses, lays down a
rule, leaves to do. What is `SAID` stands there, by the way or of somebody else. What is `HINTED` at is suggested by a
word. Journals read from `SAID` on, sessions from `STATED` on, conversations from `HINTED` on (`marks`): another
threshold, the same forms. Refuses headings, labels and quotations: `statements` and `classification` know of those.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from sleep.language import sentences
from sleep.language.acts import marks
from sleep.language.acts.forms import form
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PERSON, AGENT = "person", "agent"


class Force(IntEnum):
    """How plainly a sentence does something."""

    HINTED = 1
    SAID = 2
    STATED = 3


class Form(NamedTuple):
    """A kind of act, the sections whose rows tell it, and who does it by them ("" for anybody)."""

    kind: str
    sections: tuple[str, ...]
    speaker: str = ""


class Act(NamedTuple):
    """What a sentence does: its kind, how plainly, where its cue begins and ends, and the form that told it."""

    kind: str
    force: Force
    start: int
    end: int
    form: str


_CHOOSES = ("stated.decided", "stated.goes", "stated.between", "stated.lets", "marks.decision.firm")
DEAD_END = Form("dead end", ("phrases.dead end",))
QUESTION = Form("question", ("phrases.question",))
DOUBT = Form("doubt", ("phrases.doubt",))
DECISION = Form("decision", ("phrases.decision", *_CHOOSES))
CONSTRAINT = Form("constraint", ("phrases.constraint",))
THREAD = Form("thread", ("phrases.thread",))
TASK = Form("task", ("phrases.task",))
CHOICE = Form("decision", ("phrases.choice",))  # from one thing to another: reports are full of them
CONDITION = Form("constraint", ("phrases.condition",))
CHANGE = Form("change", ("phrases.change",))
BLOCKED = Form("blocker", ("stated.blocked",), AGENT)
# In order of what must not be missed.
SAYS = (
    *(QUESTION, DOUBT, DECISION, CONSTRAINT, DEAD_END, THREAD, TASK, CHOICE, CONDITION),
    *(Form("tone", ("phrases.tone",)), CHANGE, Form("insight", ("phrases.insight",))),
    Form("relation", ("phrases.relation",)),
)
# By who speaks: a person bids where an agent narrates its next move.
STATES = (
    *(Form("decision", ("stated.decided",)), Form("decision", ("stated.lets",), PERSON)),
    Form("decision", ("stated.goes", "stated.between"), AGENT),
    *(Form("dead end", ("phrases.dead end",), AGENT), BLOCKED, Form("task", ("stated.to do",), AGENT)),
)


def acts(sentence: str, speaker: str = "", least: Force = Force.SAID) -> Iterator[Act]:
    """Yield what a sentence does at least so plainly, the plainest first; quotations in it are blanked.

    `speaker` is `PERSON`, `AGENT` or "" where that is not known.
    """
    for force in sorted(Force, reverse=True):
        if force >= least:
            yield from _READ[force](sentence, speaker)


def first(text: str, table: Iterable[Form] = SAYS) -> str:
    """Return the kind of the first form in a table that a text has, "" for none."""
    return next((row.kind for row in table if form(*row.sections).search(text)), "")


def has(text: str, *sections: str) -> bool:
    """Return whether a text has a form of these sections."""
    return form(*sections).search(text)


def rule(sentence: str) -> int:
    """Return where a person's rule begins in a sentence, behind what only leads to it; -1 where it lays down none.

    Refuses requests (`the button must be blue`), turns of speech (`never mind`), what holds for now, what is asked, and
    all that somebody does or did (`I always forget`).
    """
    lead = form("rules.lead").written().match(sentence)
    starts = [
        lead.end() if lead else 0,
        *(clause.end() for clause in form("rules.clause").written().finditer(sentence)),
    ]
    return next((start for start in starts if _is_rule(sentence[start:], is_whole=not start)), -1)


def _is_rule(clause: str, *, is_whole: bool) -> bool:
    if form("rules.asked").written().match(clause) or (is_whole and sentences.asks(clause)):
        return False
    return has(clause, "rules.rule") and not has(clause, "rules.passes")


def _stated(sentence: str, speaker: str) -> Iterator[Act]:
    if sentences.asks(sentence):
        return
    start = rule(sentence) if speaker != AGENT else -1
    if start >= 0:
        yield Act("constraint", Force.STATED, start, len(sentence), "rules.rule")
    supposes = has(sentence, "stated.supposes")  # a choice that is spoken of is not made here
    for act in (BLOCKED,) if supposes else STATES:
        if not (speaker and act.speaker) or speaker == act.speaker:
            yield from _matches(sentence, act, Force.STATED)


def _says(sentence: str, _: str) -> Iterator[Act]:
    for act in SAYS:
        yield from _matches(sentence, act, Force.SAID)


def _hinted(sentence: str, _: str) -> Iterator[Act]:
    return (Act(mark.kind, Force.HINTED, 0, len(sentence), f"marks.{mark.kind}") for mark in marks.find(sentence))


def _matches(sentence: str, act: Form, force: Force) -> Iterator[Act]:
    for section in act.sections:
        if span := form(section).span(sentence):
            yield Act(act.kind, force, *span, section)


_READ = {Force.STATED: _stated, Force.SAID: _says, Force.HINTED: _hinted}
