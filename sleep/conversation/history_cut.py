"""The plan of a consolidation: a history as it is read, and where it is cut.

Owns what goes and what of the system stays. Refuses to say where to cut: that is `consolidator`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages import counters, shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Message, Turn
    from sleep.conversation.messages.tail import Tail


class Plan(NamedTuple):
    """A history as it is read: its turns, indexes of summaries, where it is cut, and tokens, `fixed` the system's.

    `clipped` are the messages of the system that were clipped, as they were.
    """

    messages: Sequence[Message]
    turns: list[Turn]
    shape: str
    summaries: frozenset[int]
    at: int
    prompt: int
    fixed: int = 0
    target: int = 0
    clipped: tuple[Message, ...] = ()

    @property
    def removed(self) -> list[int]:
        """The indexes of what goes."""
        return [index for index in range(self.at) if self.turns[index].role != "system"]

    def cleaned(self, messages: Sequence[Message]) -> list[Turn]:
        """Return the turns of what goes, its messages cleaned."""
        return [
            self.turns[index] if message is self.messages[index] else shapes.read_turn(message)
            for index, message in zip(self.removed, messages, strict=True)
        ]

    @property
    def systems(self) -> list[Message]:
        """The messages of the system before the cut, which stay."""
        return [self.messages[index] for index in self._places]

    @property
    def system_turns(self) -> list[Turn]:
        """The same as they are read."""
        return [self.turns[index] for index in self._places]

    @property
    def _places(self) -> list[int]:
        return [index for index in range(self.at) if self.turns[index].role == "system"]

    def speaks(self, indexes: Iterable[int]) -> bool:
        """Return whether anything was said in some of the messages that stay, told by their places among them."""
        turns = (self.turns[self.at + index] for index in indexes)
        return any(part.kind == shapes.TEXT for turn in turns for part in turn.parts)

    def with_systems(self, systems: Tail) -> Plan:
        """Return a plan in which these stand for the messages of the system before the cut."""
        there = dict(zip(self._places, systems.messages, strict=True))
        messages = [there.get(index, message) for index, message in enumerate(self.messages)]
        whole = tuple(self.systems[index] for index in systems.clipped)
        return self._replace(messages=messages, fixed=self.prompt + systems.tokens, clipped=whole)

    def verdict(self, after: int, summary_tokens: int, count: Counter) -> str:
        """Return why a history of `after` tokens does not fit: what its parts take."""
        stays = [turn for turn in self.turns[self.at :] if turn.role != "system"]
        systems = [turn for turn in self.turns if turn.role == "system"]
        return (
            f"could not fit: {after:,} tokens, and the target is {self.target:,}"
            f" ({len(stays)} messages that stay: {counters.count_turns(stays, count):,};"
            f" {len(systems)} of the system or developer: {counters.count_turns(systems, count):,};"
            f" system prompt: {self.prompt:,}; summary: {summary_tokens:,})"
        )
