"""One heap of timers for sleeps, callbacks and everything else that is due at some time.

Owns the order: earliest first, and of equals the one that was set first. A key has one timer; setting it again moves
it. Setting, moving and cancelling are O(log n), and nothing cancelled stays behind. Refuses to read a clock: times are
seconds of whatever clock the caller has, which must never go back.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

Key = TypeVar("Key")


class Timers(Generic[Key]):
    """A binary heap that knows where each of its keys stands."""

    __slots__ = ("_at", "_count", "_heap")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Key]] = []
        self._at: dict[Key, int] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def __contains__(self, key: Key) -> bool:
        return key in self._at

    def set(self, key: Key, when: float) -> None:
        """Make a key due at a time, whatever it was before."""
        self.cancel(key)
        self._count += 1
        self._heap.append((when, self._count, key))
        self._up(len(self._heap) - 1)

    def cancel(self, key: Key) -> bool:
        """Forget a key; return whether there was one."""
        hole = self._at.pop(key, None)
        if hole is None:
            return False
        last = self._heap.pop()
        if hole < len(self._heap):
            self._heap[hole] = last
            self._down(hole)
            if self._heap[hole] is last:
                self._up(hole)
        return True

    def next(self) -> float | None:
        """Return when the first key is due, None where there is none."""
        return self._heap[0][0] if self._heap else None

    def pop(self, now: float) -> Key | None:
        """Take and return the first key that is due at `now`, None if none is."""
        if not self._heap or self._heap[0][0] > now:
            return None
        key = self._heap[0][2]
        self.cancel(key)
        return key

    def __iter__(self) -> Iterator[Key]:
        """Yield the keys, first due first, in O(log n) for each that is taken; nothing may be set meanwhile."""
        heap = self._heap
        ahead = [(heap[0], 0)] if heap else []
        while ahead:
            entry, index = heappop(ahead)
            yield entry[2]
            for below in range(2 * index + 1, min(2 * index + 3, len(heap))):
                heappush(ahead, (heap[below], below))

    def dump(self) -> tuple[int, list[tuple[float, int, Key]]]:
        """Return everything that is here, for `give`."""
        return self._count, list(self._heap)

    def load(self, count: int, heap: list[tuple[float, int, Key]]) -> None:
        """Become what another one was when it was taken."""
        self._count, self._heap = count, heap
        self._at = {entry[2]: index for index, entry in enumerate(heap)}

    def _up(self, index: int) -> None:
        heap, at = self._heap, self._at
        entry = heap[index]
        while index:
            above = (index - 1) >> 1
            if heap[above] <= entry:
                break
            heap[index] = heap[above]
            at[heap[index][2]] = index
            index = above
        heap[index] = entry
        at[entry[2]] = index

    def _down(self, index: int) -> None:
        heap, at = self._heap, self._at
        entry, size = heap[index], len(heap)
        while (below := 2 * index + 1) < size:
            if below + 1 < size and heap[below + 1] < heap[below]:
                below += 1
            if entry <= heap[below]:
                break
            heap[index] = heap[below]
            at[heap[index][2]] = index
            index = below
        heap[index] = entry
        at[entry[2]] = index
