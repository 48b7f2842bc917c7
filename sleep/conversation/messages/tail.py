"""The messages that stay, within their room: what is too large in them is clipped, the least missed first.

Owns the order: results, those of the last messages last; then what calls were given; then what was said, the largest
first. The system's messages have a room of their own. Refuses to leave a message out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages import counters, truncation
from sleep.conversation.messages.truncation import CALLS, LEAST, RESULTS, SPEECH, SYSTEM
from sleep.language import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Message, Turn

_STEP = 0.7  # of a limit: the next one, where the first was not enough
_SHORTEST = 200  # characters that a clipped text has in the smallest window


class Tail(NamedTuple):
    """Messages that stay: as they are now, the tokens of each, and the indexes of those that were clipped."""

    messages: list[Message]
    sizes: list[int]
    clipped: list[int]

    @property
    def tokens(self) -> int:
        """The tokens of all."""
        return sum(self.sizes)


def whole(messages: Sequence[Message], turns: Sequence[Turn], count: Counter) -> Tail:
    """Return messages as they are, with their tokens as a budget counts them; `turns` are the messages as read."""
    sizes = [counters.upper_bound(message, count, turn) for message, turn in zip(messages, turns, strict=True)]
    return Tail(list(messages), sizes, [])


def fit(stays: Tail, room: int, keep: int, count: Counter) -> Tail:
    """Return messages within a room of tokens, as far as clipping can bring them there."""
    now, sizes = list(stays.messages), list(stays.sizes)
    everything = range(len(now))
    part = max(_SHORTEST, room * tokens.CHARACTERS // keep)  # of a small room, what a message has of it
    least = {RESULTS: min(part, LEAST[RESULTS]), CALLS: min(part, LEAST[CALLS]), SPEECH: LEAST[SPEECH]}
    for indexes, scope in (
        (range(len(now) - keep), RESULTS),
        *((everything, scope) for scope in (RESULTS, CALLS, SPEECH)),
    ):
        if sum(sizes) > room:
            _clip(now, sizes, indexes, scope, (room, least[scope]), count)
    return _compared(stays, now, sizes)


def fit_systems(systems: Tail, room: int, count: Counter) -> Tail:
    """Return the system's messages within a room of tokens, their largest texts clipped, as far as that goes."""
    now, sizes = list(systems.messages), list(systems.sizes)
    if systems.tokens > room:
        _clip(now, sizes, range(len(now)), SYSTEM, (room, LEAST[SYSTEM]), count)
    return _compared(systems, now, sizes)


def _compared(before: Tail, now: list[Message], sizes: list[int]) -> Tail:
    """Return messages as they are now, with the indexes of those that are others than before."""
    return Tail(now, sizes, [index for index, message in enumerate(before.messages) if now[index] is not message])


def _clip(
    now: list[Message], sizes: list[int], indexes: Iterable[int], scope: str, within: tuple[int, int], count: Counter
) -> None:
    """Clip the texts of a scope, in place, until the messages fit or nothing more can be clipped.

    `within` are the tokens of all, and the characters that a text keeps at the least.
    """
    room, least = within
    texts = {index: own for index in indexes if (own := truncation.texts(now[index], scope))}
    if not texts:
        return
    lengths = [len(text) for own in texts.values() for text in own]
    cost = sum(count(text) for own in texts.values() for text in own) or 1
    characters = int(sum(lengths) * (1 - (sum(sizes) - room) / cost))
    limit = truncation.limit_for(lengths, max(0, characters), least)
    whole = {index: now[index] for index in texts}
    while True:
        for index, message in whole.items():
            short = truncation.truncate_texts(message, limit, scope)
            if short is not message:
                now[index], sizes[index] = short, counters.upper_bound(short, count)
        if sum(sizes) <= room or limit <= least:
            return
        limit = max(least, int(limit * _STEP))
