"""Who connects from where, and how much of it one address may do.

Owns the counts by address; of IPv6 a /64 is one address, for whoever has one has all of it. Bounded: an address
that is quiet and has no connection is forgotten.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from sleep.relay.server.windows import Window


@dataclass(slots=True)
class _Address:
    connections: int
    window: Window


class Addresses:
    """The addresses that are connected, or were a moment ago."""

    def __init__(self, frames: int, connections: int, span: float) -> None:
        self._frames = frames
        self._most = connections
        self._span = span
        self._known: dict[str, _Address] = {}

    def enter(self, address: str) -> None:
        """Count a connection."""
        record = self._known.setdefault(_group(address), _Address(0, Window(self._frames, self._span)))
        record.connections += 1

    def leave(self, address: str) -> None:
        """Count it out."""
        if record := self._known.get(_group(address)):
            record.connections -= 1

    def crowded(self, address: str) -> bool:
        """Return whether there are more connections than allowed."""
        return bool(self._most) and self._known[_group(address)].connections > self._most

    def allow(self, address: str, now: float) -> bool:
        """Count a frame, and return whether it was within the limit."""
        return not self._frames or self._known[_group(address)].window.allow(now)

    def sweep(self, now: float) -> None:
        """Forget who is gone and quiet."""
        for group in [
            name for name, record in self._known.items() if not record.connections and record.window.idle(now)
        ]:
            del self._known[group]


def _group(address: str) -> str:
    if ":" not in address:
        return address
    try:
        return str(ipaddress.IPv6Network((address.partition("%")[0], 64), strict=False).network_address)
    except ValueError:
        return address
