"""Every connection there is, and the heartbeat that finds the dead ones.

Owns whose turn it is to be pinged: who was pinged longest ago is first, so a beat costs what it has to do.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.relay.server.connection import Connection


class Heartbeat:
    """The connections, of which each is pinged every `every` seconds and dropped after `silence` without a sign.

    Who speaks and answers no ping is let go too: what is kept until it has arrived would grow without end. Who never
    said who it is, and who is closing, is told why: to drop a connection takes back what it has not read yet.
    """

    def __init__(self, every: float, silence: float) -> None:
        self._every = every
        self._silence = silence
        self._due: OrderedDict[Connection, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._due)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._due))

    def enter(self, connection: Connection, now: float) -> None:
        """Take in a connection."""
        self._due[connection] = now + self._every

    def leave(self, connection: Connection) -> None:
        """Let go of one."""
        self._due.pop(connection, None)

    def beat(self, now: float) -> None:
        """Ping those whose turn it is, and drop those that are silent, or never said who they are."""
        loop = asyncio.get_running_loop()
        while self._due:
            connection, due = next(iter(self._due.items()))
            if due > now:
                break
            self._due[connection] = now + self._every
            self._due.move_to_end(connection)
            if connection.agent and connection.heard + self._every < now:  # the last ping was not answered
                loop.call_later(max(0.0, connection.heard + self._silence - now), self._reap, connection)
            if not connection.agent and now - connection.since > self._silence:
                connection.close(1008, "IDENTIFY first")
            elif connection.marks and connection.is_free and now - connection.asked > self._silence:
                connection.close(1008, "pings are not answered")  # what it may not have received is kept until then
            else:
                connection.ping(b"")

    def _reap(self, connection: Connection) -> None:
        if connection.is_open and asyncio.get_running_loop().time() - connection.heard >= self._silence:
            connection.abort()
