"""The readers, by client: which one a transcript needs, told by its first bytes.

Owns the table. A reader is a module with `NAME`, `sniff(head)` and `read(lines)`; it is loaded when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sleep.transcripts.events import Event

HEAD = 20_000  # bytes that tell the client
READERS = {"claude-code": "sleep.transcripts.claude", "codex": "sleep.transcripts.codex"}


class Reader(Protocol):
    """What a reader's module has."""

    NAME: str

    def sniff(self, head: bytes) -> bool:
        """True if the first bytes of a file look like this client's."""
        ...

    def read(self, lines: Iterable[bytes]) -> Iterator[Event]:
        """Yield what happened, line by line."""
        ...


def reader(client: str) -> Reader:
    """Return the reader of a client's transcripts; KeyError for a client that has none."""
    return cast("Reader", import_module(READERS[client]))


def sniff(head: bytes) -> str:
    """Return the client that wrote a file that begins so, "" if no reader knows it."""
    return next((client for client in READERS if reader(client).sniff(head)), "")
