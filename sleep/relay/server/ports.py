"""The ports of a relay: its own, and one for browsers where they refuse to open that.

Owns the sockets that are listened on, and what can be told of an address before anybody connects.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING

from sleep.errors import RelayError

if TYPE_CHECKING:
    from collections.abc import Callable

_BACKLOG = 1024
# Ports that no browser opens, from 1024 on: https://fetch.spec.whatwg.org/#port-blocking
_REFUSED = frozenset(
    (1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080)
)


def is_refused_by_browsers(port: int) -> bool:
    """Return whether browsers refuse to open a port, because other protocols have it; IRC's 6667 is one."""
    return port in _REFUSED


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine and nothing else."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class Ports:
    """What is listened on; `connect` makes the protocol of a new connection."""

    def __init__(self, host: str, connect: Callable[[], asyncio.BaseProtocol]) -> None:
        self._host = host
        self._connect = connect
        self._own: asyncio.Server | None = None
        self._for_browsers: asyncio.Server | None = None

    async def open(self, port: int, browser_port: int) -> None:
        """Listen, 0 being any free port; where a browser's port is taken another one is.

        Raises:
            RelayError: the address cannot be had.
        """
        try:
            self._own = await self._listen(port)
            if is_refused_by_browsers(self.port):
                try:
                    self._for_browsers = await self._listen(browser_port)
                except OSError:  # another relay's dashboard is there
                    self._for_browsers = await self._listen(0)
        except OSError as problem:
            raise RelayError(
                f"cannot listen on {self._host}:{port}: {problem.strerror or problem}",
                hint="sleepwake relay.status shows one that runs; sleepwake relay.serve --port 0 takes a free port",
            ) from None

    async def _listen(self, port: int) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        return await loop.create_server(self._connect, self._host, port, backlog=_BACKLOG)

    @property
    def port(self) -> int:
        """The relay's own port, 0 before it is open."""
        return _number(self._own)

    @property
    def browser_port(self) -> int:
        """The port at which a browser opens the dashboard."""
        return _number(self._for_browsers or self._own)

    def close(self) -> None:
        """Take no more connections."""
        for listener in (self._own, self._for_browsers):
            if listener is not None:
                listener.close()


def _number(listener: asyncio.Server | None) -> int:
    sockets = listener.sockets if listener else ()
    return int(sockets[0].getsockname()[1]) if sockets else 0
