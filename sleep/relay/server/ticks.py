"""When what is to be written is written: after it was committed, and together.

Owns the order of a tick (commit, then write) and its pace. What came in during one turn of the event loop is one tick.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.relay.server.connection import Connection

_LONG, _BREATH = 0.001, 0.004  # seconds of a tick that is long, and at most until the next one


class Ticks:
    """The ticks of a server; `commit` returns whether what was decided may be written."""

    def __init__(self, commit: Callable[[], bool]) -> None:
        self._commit = commit
        self._dirty: list[Connection] = []
        self._is_due = self._is_next = False
        self._breath = 0.0

    def write(self, connection: Connection) -> None:
        """Write to a connection when the tick ends."""
        self._dirty.append(connection)
        self.schedule()

    def schedule(self) -> None:
        """Have a tick soon; after a long one, not before more has come in to write along with it."""
        if not self._is_due:
            self._is_due = True
            loop = asyncio.get_running_loop()
            delay = self._breath - time.monotonic()
            self._is_next = delay <= 0
            if self._is_next:
                loop.call_soon(self.run)
            else:
                loop.call_later(delay, self.run)

    def settle(self) -> None:
        """Have the tick now that would be next anyway: nobody else has come in whom it could serve as well."""
        if self._is_next:
            ready = getattr(asyncio.get_running_loop(), "_ready", ())  # what runs next; another loop may have none
            if len(ready) == 1:
                self.run()

    def run(self) -> None:
        """Commit, and then write; nothing, where that was done meanwhile."""
        if not self._is_due:
            return
        began = time.monotonic()
        self._is_due = self._is_next = False
        if not self._commit():
            return
        dirty, self._dirty = self._dirty, []
        for connection in dirty:
            connection.flush()
        duration = time.monotonic() - began
        self._breath = began + duration + min(2 * duration, _BREATH) if duration > _LONG else 0.0
