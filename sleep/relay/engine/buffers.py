"""Buffers that never grow past their caps: the oldest goes first, and what went is counted.

Owns the caps: of a buffer, by number and by size, and of all buffers together. Refuses to know what they hold.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, NamedTuple, TypeVar

Thing = TypeVar("Thing")


class Entry(NamedTuple, Generic[Thing]):
    """A thing in a buffer: its number in the order of arrival over the whole relay, and its size."""

    number: int
    size: int
    thing: Thing


class Pool:
    """What many buffers hold together. While that is more than `room`, none of them may grow past its `share`."""

    __slots__ = ("room", "share", "used")

    def __init__(self, room: int, share: int) -> None:
        self.room = room
        self.share = share
        self.used = 0


class Buffer(Generic[Thing]):
    """The newest things, oldest first: at most `most` of them, and no more than `room` in size except for one alone."""

    __slots__ = ("_held", "_most", "_pool", "_room", "dropped", "size")

    def __init__(self, most: int, room: int, pool: Pool, dropped: int = 0) -> None:
        self._held: deque[Entry[Thing]] = deque()
        self._most = most
        self._room = room
        self._pool = pool
        self.size = 0
        self.dropped = dropped

    def __len__(self) -> int:
        return len(self._held)

    def push(self, number: int, size: int, thing: Thing) -> list[Entry[Thing]]:
        """Put a thing in at the end; return what had to go for it, which may be the thing itself."""
        self._held.append(Entry(number, size, thing))
        self.size += size
        self._pool.used += size
        dropped = []
        while self._held and self._is_over():
            dropped.append(self._held.popleft())
            self.size -= dropped[-1].size
            self._pool.used -= dropped[-1].size
        self.dropped += len(dropped)
        return dropped

    def _is_over(self) -> bool:
        if len(self._held) > self._most or (self.size > self._room and len(self._held) > 1):
            return True
        return self._pool.used > self._pool.room and self.size > self._pool.share

    def empty(self) -> list[Thing]:
        """Take everything out, oldest first."""
        things = self.things()
        self._held.clear()
        self._pool.used -= self.size
        self.size = 0
        return things

    def things(self) -> list[Thing]:
        """Return what is in it, oldest first."""
        return [entry.thing for entry in self._held]

    def dump(self) -> list[Entry[Thing]]:
        """Return everything that is here, for `give`; `dropped` is beside it."""
        return list(self._held)

    def load(self, entries: list[Entry[Thing]]) -> None:
        """Become what another one, of the same caps, was when it was taken."""
        self._held = deque(entries)
        self.size = sum(entry.size for entry in entries)
        self._pool.used += self.size

    def last(self) -> int:
        """Return the number of the newest thing, 0 where there is none."""
        return self._held[-1].number if self._held else 0
