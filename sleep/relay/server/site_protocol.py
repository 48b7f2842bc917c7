"""What the relay asks of a site: the pages that browsers may open on its port, and a stream of what happens.

Owns the shape alone. Which pages there are, and what they show, is somebody else's: a relay without a site serves none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Observation = Callable[[], Mapping[str, Any]]  # what may be seen of the relay now, as plain values
    Watchers = set[Callable[[Mapping[str, Any]], None]]  # each is called with every new entry of the feed


class Page(Protocol):
    """An answer: its status, content and media type."""

    @property
    def status(self) -> int:
        """The status code of HTTP."""

    @property
    def content(self) -> bytes:
        """The body."""

    @property
    def kind(self) -> str:
        """The media type."""


class Stream(Protocol):
    """What a board writes to."""

    @property
    def is_free(self) -> bool:
        """True if nothing waits to be written."""

    def write(self, data: bytes) -> None:
        """Write events."""


class Board(Protocol):
    """The streams of what happens on one relay."""

    @property
    def is_full(self) -> bool:
        """True if there is no room for another stream."""

    def attach(self, observe: Observation, watchers: Watchers) -> None:
        """Take what is shown from here on from this relay."""

    def enter(self, stream: Stream) -> None:
        """Write to a stream until it leaves."""

    def leave(self, stream: Stream) -> None:
        """Let go of a stream."""


class Site(Protocol):
    """Pages by path. `events` is the path of the stream, `headers` go with every answer."""

    events: str
    headers: Mapping[str, str]
    board: Board

    def find(self, path: str) -> Page | Callable[[], Page] | None:
        """Return the page of a path, or a function for a thread that makes it, or None."""

    def is_private(self, path: str) -> bool:
        """Return whether only who started the relay may read a page."""

    def closed(self) -> Page:
        """Return the page for who asks for a private one without the key."""
