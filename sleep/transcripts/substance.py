"""What a conversation was worth beyond its edits: prompts, sentences that choose, and tokens that were written.

Owns what of these one event is. Tokens are those of the text that persons and agents wrote, counted as the product
counts: what a model was sent again, or a client stored twice, is not written again. A sentence counts as a decision by
cheap cues: this is for a score, not for a register.
"""

from __future__ import annotations

import re

from sleep.language import sentences, tokens
from sleep.language.acts import grammar
from sleep.transcripts.events import UTTERANCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.transcripts.events import Event

_SPEECH = (*UTTERANCES, "plan", "ask")
_CHOOSES = (*grammar.DECISION.sections, "phrases.preference")
_DIGIT = re.compile(r"\d+")


def of(event: Event) -> tuple[str, int, int, int] | None:
    """Return (key, turns, decisions, tokens) of what an event says, None where it says nothing.

    The key is the same wherever the same text was stored, and says nothing of it: who wrote it, when, and how long it
    is. Where the time is not known it is "".
    """
    if event.kind not in _SPEECH or not event.text:
        return None
    is_turn = event.kind == "prompt" and not event.side
    when = "".join(_DIGIT.findall(event.at[:40])) or event.at[:40]
    key = f"{'turn' if is_turn else event.role} {when} {len(event.text)}" if when else ""
    chosen = sum(
        _chooses(sentence, event.role) for line in event.text.split("\n") for sentence in sentences.split(line)
    )
    return key, int(is_turn), chosen, tokens.count(event.text)


def _chooses(sentence: str, role: str) -> bool:
    """Return whether a sentence plainly chooses; a question does not, and of a person what directs does."""
    if sentences.asks(sentence):
        return False
    return grammar.has(sentence, *_CHOOSES, *(("stated.directs",) if role == grammar.PERSON else ()))
