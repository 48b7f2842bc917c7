"""The grammar of speech acts: what a sentence does, told by explicit forms, for whoever asks.

Owns the one table of forms. What a speaker `STATES` is done in so many words: a choice, a rule, what is left to do.
What a text `SAYS` stands there, by the way or of somebody else. Journals read what is said, sessions what is stated,
conversations also words that hint at it (`conversation.summary.marks`). Refuses headings, labels and quotations:
`statements` and `classification` know of those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language import sentences
from sleep.language.acts.forms import form
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

PERSON, AGENT = "person", "agent"


class Form(NamedTuple):
    """A kind of act, the sections whose rows tell it, and who does it by them ("" for anybody)."""

    kind: str
    sections: tuple[str, ...]
    speaker: str = ""


_CHOOSES = ("stated.decided", "stated.goes", "stated.between", "stated.lets", "marks.decision.firm")
DEAD_END = Form("dead end", ("phrases.dead end", "signs.attempt"))
QUESTION = Form("question", ("phrases.question",))
DOUBT = Form("doubt", ("phrases.doubt",))
DECISION = Form("decision", ("phrases.decision", *_CHOOSES))
CONSTRAINT = Form("constraint", ("phrases.constraint", "signs.told rule"))
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
    Form("decision", ("stated.wishes", "stated.settles"), PERSON),
    Form("decision", ("stated.goes", "stated.between", "stated.renounces"), AGENT),
    *(Form("dead end", ("phrases.dead end",), AGENT), BLOCKED, Form("task", ("stated.to do",), AGENT)),
)


def first(text: str, table: Iterable[Form] = SAYS) -> str:
    """Return the kind of the first form in a table that a text has, "" for none."""
    return next((row.kind for row in table if form(*row.sections).search(text)), "")


def has(text: str, *sections: str) -> bool:
    """Return whether a text has a form of these sections."""
    return form(*sections).search(text)


def stated(sentence: str, speaker: str = "") -> str:
    """Return the kind of what a sentence does in so many words, "" for nothing; quotations in it are blanked.

    `speaker` is `PERSON`, `AGENT` or "" where that is not known.
    """
    if sentences.asks(sentence):
        return ""
    if speaker != AGENT and rule(sentence) >= 0:
        return "constraint"
    table = (BLOCKED,) if has(sentence, "stated.supposes") else STATES  # a choice that is spoken of is not made here
    return first(sentence, (row for row in table if not speaker or row.speaker in ("", speaker)))


def without_tag(sentence: str, speaker: str) -> str:
    """Return a person's sentence without the question that only asks for a nod: `Run the linter first, ok?`."""
    tag = form("rules.tag").written().search(sentence) if speaker == PERSON else None
    return sentence[: tag.start()] if tag else sentence


def lead(sentence: str) -> int:
    """Return where a sentence begins behind words that only lead to it (`also`, `and`, `ach ja:`)."""
    match = form("rules.lead").written().match(sentence)
    return match.end() if match else 0


def rule(sentence: str) -> int:
    """Return where a person's rule begins in a sentence, behind what only leads to it; -1 where it lays down none.

    What leans on the words before it (`never truncate tables there`) begins with them.

    Refuses requests (`the button must be blue`), turns of speech (`never mind`), what holds for now, what is asked, and
    all that somebody does or did (`I always forget`).
    """
    starts = [
        lead(sentence),
        *(clause.end() for clause in form("rules.clause").written().finditer(sentence)),
    ]
    start = next((start for start in starts if _is_rule(sentence[start:], is_whole=not start)), -1)
    return starts[0] if has(sentence[max(0, start) :], "rules.leans") and start > 0 else start


def _is_rule(clause: str, *, is_whole: bool) -> bool:
    if form("rules.asked").written().match(clause) or (is_whole and sentences.asks(clause)):
        return False
    return has(clause, "rules.rule") and not has(clause, "rules.passes")
