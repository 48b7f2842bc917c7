"""How much of something one may do in a sliding window of time.

Owns the window. Refuses to read a clock. Memory is bounded by the limit.
"""

from __future__ import annotations

from collections import deque


class Window:
    """At most `most` of something in any `seconds`; 0 is no limit."""

    __slots__ = ("_most", "_seconds", "_times")

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: deque[float] = deque()

    def allow(self, now: float) -> bool:
        """Count one at a time, and return whether it was within the limit; one that was not does not count."""
        if not self._most:
            return True
        times = self._times
        if len(times) < self._most:
            times.append(now)
            return True
        if times[0] > now - self._seconds:
            return False
        times.popleft()
        times.append(now)
        return True

    def idle(self, now: float) -> bool:
        """Return whether nothing of the past counts any more."""
        return not self._times or self._times[-1] <= now - self._seconds
