"""Disputes: what an agent claimed or put forward, and its own session did not leave standing.

Owns which of its words a person contradicted or refused right away, which are only guesses, and which errors later work
left behind. Refuses to say what holds instead: what was said later is told for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import dialogue
from sleep.journal.capture import deeds
from sleep.language import sentences
from sleep.language.acts.grammar import has
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.compression.passages import Passage
    from sleep.journal.capture.material import Fault
    from sleep.transcripts.events import Event

_HEAD = 2  # sentences of a reply in which it says that something is not so
_CLAIMS = ("text", "plan")


class Objections(NamedTuple):
    """The numbers of an agent's messages that a person's next words contradict, and of those whose plan they refuse."""

    contradicted: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()


def objections(turns: Sequence[Event]) -> Objections:
    """Return what persons objected to: that something is so or works, a plan, a proposal, or the call that followed."""
    contradicted = set[int]()
    refused = {choice.proposal for choice in dialogue.choices(turns) if choice.vetoes}
    claims: list[int] = []  # since a person's last words
    for number, turn in enumerate(turns):
        if turn.role == "person" and turn.kind in UTTERANCES:
            contradicted.update(claims if _contradicts(turn.text) else ())
            refused.update(claims if turn.kind == "answer" and not turn.asked else ())  # a call was refused
            claims = []
        elif turn.kind in _CLAIMS:
            claims.append(number)
    return Objections(frozenset(contradicted), frozenset(refused))


def _contradicts(reply: str) -> bool:
    return any(has(words, "dialogue.disputes") for words in sentences.split(reply)[:_HEAD])


def without_refused(passages: Iterable[Passage], refused: Collection[int]) -> Iterator[Passage]:
    """Yield passages without refused plans, and without what an agent puts forward or announces in refused messages."""
    for passage in passages:
        if passage.message not in refused or passage.role != "agent" or passage.states:
            yield passage
        elif passage.kind != "plan":
            parts = deeds.parts(passage.text)
            left = [part for part in parts if not has(part, "dialogue.proposes", "stated.promises")]
            if words := "".join(left).strip(" ·"):
                yield passage if len(left) == len(parts) else passage._replace(text=words)


def is_guess(text: str) -> bool:
    """Return whether an agent only supposes what the matter is."""
    return has(text, "signs.guess")


def without_past(faults: Iterable[Fault], turns: Sequence[Event]) -> tuple[Fault, ...]:
    """Return errors without those that stand open only because nobody looked back.

    Behind them a person asked for something else, or the agent reported that all went well.
    """
    return tuple(fault for fault in faults if fault.solved or not any(_is_past(fault, turn) for turn in turns))


def _is_past(fault: Fault, turn: Event) -> bool:
    if not 0 < fault.line < turn.line:
        return False
    return turn.kind == "prompt" or (turn.kind == "text" and has(turn.text, "reports.well", "findings.all"))
