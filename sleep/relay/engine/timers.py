"""One heap of timers for sleeps, callbacks and everything else that is due at some time.

Owns the order: earliest first, and of equals the one that was set first. A key has one timer; setting it again moves
it. Each costs O(log n); of what was cancelled no more stays behind than what is due. Refuses to read a clock: times are
seconds of whatever clock the caller has, which must never go back.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

Key = TypeVar("Key")


class Timers(Generic[Key]):
    """A heap of (when, number, key), in which an entry counts if its number is that of its key."""

    __slots__ = ("_count", "_heap", "_numbers")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Key]] = []
        self._numbers: dict[Key, int] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, key: Key) -> bool:
        return key in self._numbers

    def set(self, key: Key, when: float) -> None:
        """Make a key due at a time, whatever it was before."""
        self._count += 1
        self._numbers[key] = self._count
        heappush(self._heap, (when, self._count, key))
        self._tidy()

    def cancel(self, key: Key) -> bool:
        """Forget a key; return whether there was one."""
        known = self._numbers.pop(key, None) is not None
        self._tidy()
        return known

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
            if self._counts(entry):
                yield entry[2]
            for below in range(2 * index + 1, min(2 * index + 3, len(heap))):
                heappush(ahead, (heap[below], below))

    def dump(self) -> tuple[int, list[tuple[float, int, Key]]]:
        """Return everything that is here, for `load`."""
        return self._count, sorted(filter(self._counts, self._heap))

    def load(self, count: int, heap: list[tuple[float, int, Key]]) -> None:
        """Become what another one was when it was taken."""
        self._count, self._heap = count, heap
        self._numbers = {key: number for _, number, key in heap}

    def _counts(self, entry: tuple[float, int, Key]) -> bool:
        return self._numbers.get(entry[2]) == entry[1]

    def _tidy(self) -> None:
        """Have an entry that counts come first, and no more behind it that do not than those that do."""
        if len(self._heap) > 2 * len(self._numbers):
            self._heap = list(filter(self._counts, self._heap))
            heapify(self._heap)
        while self._heap and not self._counts(self._heap[0]):
            heappop(self._heap)
