"""What a connection asks of the server that it belongs to.

Owns the protocol. The server is `hub.Server`; a test may be another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from websockets.http11 import Request, Response

    from sleep.relay.server.connection import Connection


class Relay(Protocol):
    """What a connection needs of the server."""

    frame_size: int
    queue: int
    inlet: memoryview

    def opened(self, connection: Connection) -> None:
        """Somebody connected."""

    def answer(self, connection: Connection, request: Request) -> Response | None:
        """Return the answer to a request of plain HTTP, None to go on with the handshake of a WebSocket."""

    def heard(self, connection: Connection, text: str) -> None:
        """A message came in."""

    def arrived(self, connection: Connection, mark: bytes) -> None:
        """Everything that was sent before a mark has arrived."""

    def allows(self, connection: Connection) -> bool:
        """Return whether one more frame is within the limits."""

    def changed(self, connection: Connection) -> None:
        """Something is to be written when the tick ends."""

    def settle(self) -> None:
        """All that came in at once was handled."""

    def ending(self, connection: Connection) -> None:
        """The connection will soon be no more."""

    def lost(self, connection: Connection) -> None:
        """The connection is no more."""
