"""Pictures, sounds and files in a history: what goes with the messages that go is counted, and with which it came.

Owns counting them. Refuses to keep any: a summary is text.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import MEDIUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.shapes import Turn

KIND = "image"  # as they are counted among what was dropped


class Pictures(NamedTuple):
    """How many came with the messages of people, by their numbers, and how many from tools and agents."""

    shown: dict[int, int]
    others: int

    @property
    def losses(self) -> dict[str, int]:
        """How many there are, by the kind that a report has; empty for none."""
        number = sum(self.shown.values()) + self.others
        return {KIND: number} if number else {}

    def line(self) -> str:
        """Return what the state of the work says of them: `1 with @2, 3 of tools`; "" for none."""
        words = [f"{number} with @{at}" for at, number in sorted(self.shown.items())]
        return ", ".join([*words, *([f"{self.others} of tools"] if self.others else [])])


def of_turns(turns: Sequence[Turn], numbers: Sequence[int]) -> Pictures:
    """Return the pictures in turns; `numbers` are those of people's messages by the index of a turn."""
    places = [at for at, turn in enumerate(turns) for part in turn.parts if part.kind == MEDIUM]
    shown = Counter(max(1, numbers[at]) for at in places if turns[at].role == "user")
    return Pictures(dict(shown), len(places) - sum(shown.values()))
