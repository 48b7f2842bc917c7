"""Prose from a compressor: what was said and had no room, shorter, and only if nothing in it is made up.

Owns asking through the port of `compression.contract`, and the gate: no name, number, path or denial that was not
said, no denial that is lost, no secret, no more than the room. What does not pass is left out and said so; the facts
stand without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import novelty
from sleep.compression.contract import Request
from sleep.conversation.messages import redactor
from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary.fact import PROSE, flat
from sleep.language import sentences
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.compression.contract import Compressor
    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Turn

STEP = "conversation"
_LEAST = 40  # tokens of room below which nobody is asked
_SPOKEN = InstanceId(0, "msg")  # messages have no address in a journal: theirs is their number
_LENGTH = 400  # characters of a fragment


def paraphrase(
    turns: Sequence[Turn],
    stands: Sequence[tuple[str, str]],
    room: int,
    compressor: Compressor,
    count: Counter,
    secrets: Sequence[str] = (),
) -> tuple[list[tuple[str, str]], str]:
    """Return prose as facts within `room` tokens, and what went wrong, "" if nothing."""
    fragments = _fragments(turns, {text for _, text in stands})
    if room < _LEAST or not fragments:
        return [], ""
    source = "\n".join(fragment.text for fragment in fragments)
    ratio = max(1.0, count(source) / room)
    try:
        answer = compressor(Request(STEP, ratio, room, fragments))
        written = [flat(fragment.text) for fragment in answer.fragments]
    except Exception as error:  # noqa: BLE001  # a compressor of the caller's: the summary stands without it
        return [], f"the compressor failed ({type(error).__name__}: {error}); the facts stand without prose"
    texts = redactor.clean_texts(written, secrets)
    facts: list[tuple[str, str]] = []
    refused = 0
    for text in dict.fromkeys(texts):
        if not text or novelty.strange(text, source) or novelty.lost_denials(text, source):
            refused += bool(text)
            continue
        cost = count(text) + 1
        if cost <= room:
            facts.append((PROSE, text))
            room -= cost
    note = (
        f"{refused} of {len(texts)} sentences of {answer.compressor} were refused: they say what was not said"
        if refused
        else ""
    )
    return facts, "; ".join(filter(None, (answer.note, note)))


def _fragments(turns: Sequence[Turn], stands: set[str]) -> tuple[Fragment, ...]:
    """Return what was said and does not stand in the summary, as fragments."""
    fragments: dict[str, Fragment] = {}
    for at, turn in enumerate(turns):
        if turn.role not in ("user", "assistant"):
            continue
        for part in turn.parts:
            if part.kind == TEXT:
                for line in part.text.split("\n"):
                    for sentence in sentences.split(flat(line)):
                        if sentence not in stands and len(sentence) <= _LENGTH:
                            fragments.setdefault(sentence, Fragment("note", sentence, (_SPOKEN.entry(at + 1),)))
    return tuple(fragments.values())
