"""Which projects a wake tells, in which order, and what share of the room each has.

Owns that whoever asks for a project by name gets mostly that one. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_ASKED = 0.75  # of the room, for projects that a task names
LEAST = 120  # tokens below which nothing of a project can be told
_WORD = re.compile(r"[^\W_]+")


class Shares(NamedTuple):
    """The projects that have a share of the room, in order, and the others; `asked` are those that the task names."""

    parts: tuple[tuple[str, float], ...]
    others: tuple[str, ...]
    asked: tuple[str, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """All of them, in the order in which they are told."""
        return (*(name for name, _ in self.parts), *self.others)


def divide(names: Sequence[str], task: str, room: int, own: str = "") -> Shares:
    """Return the shares of projects, of which the first are the newest, in so many tokens.

    What is of no project ("") is told first where `names` has it; projects that the task names come before others. Of
    whoever works in one (`own`) the others have no share, but where the task names them.
    """
    asked = tuple(name for name in names if name and is_named(name, task))
    order = sorted(names, key=lambda name: (bool(name), name not in asked))  # stable
    most = max(1, len(asked), room // LEAST) + ("" in names)
    if own and not asked and own in names:
        return _of_own(order, own)
    parts = order[:most]
    rest = len(parts) - len(asked)
    share = _ASKED if rest else 1.0
    shares = {name: share / len(asked) if name in asked else (1 - share) / rest for name in parts} if asked else {}
    return Shares(tuple((name, shares.get(name, 1 / len(parts))) for name in parts), tuple(order[most:]), asked)


def _of_own(order: Sequence[str], own: str) -> Shares:
    """Return the shares where one is told mostly, beside what is of no project."""
    parts = [("", 1 - _ASKED), (own, _ASKED)] if "" in order else [(own, 1.0)]
    return Shares(tuple(parts), tuple(name for name in order if name not in ("", own)), (own,))


def is_named(name: str, task: str) -> bool:
    """Return whether a task names a project: its words stand there one after the other."""
    own, words = (_WORD.findall(text.casefold()) for text in (name, task))
    return bool(own) and any(words[at : at + len(own)] == own for at in range(len(words)))
