"""The readers, by client: which one a transcript needs, told by its first bytes.

Owns the table. A reader is a module with `sniff(head)` and `read(lines)`; it is loaded when it is needed. Where a
client's transcript is lines, its module also has `SIGNS`: each line with an edit, or with a call that failed, has one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol

    from sleep.transcripts.events import Event

    class Reader(Protocol):
        """What a reader's module has; `SIGNS` only where a transcript is lines."""

        SIGNS: tuple[bytes, ...]

        def sniff(self, head: bytes) -> bool:
            """True if the first bytes of a file look like this client's."""
            ...

        def read(self, lines: Iterable[bytes]) -> Iterator[Event]:
            """Yield what happened, line by line."""
            ...


HEAD = 20_000  # bytes that tell the client
# The commonest first: to tell a client loads the readers before its own, too.
READERS = {
    "claude-code": "sleep.transcripts.formats.claude",
    "codex": "sleep.transcripts.formats.codex",
    "copilot-cli": "sleep.transcripts.formats.copilot",
    "qwen-code": "sleep.transcripts.formats.qwen",
    "gemini-cli": "sleep.transcripts.formats.gemini",
    "gemini-cli-json": "sleep.transcripts.formats.gemini_json",
    "cursor": "sleep.transcripts.formats.cursor",
    "opencode": "sleep.transcripts.formats.opencode",
    "swe-agent": "sleep.transcripts.formats.sweagent",
    "specstory": "sleep.transcripts.formats.specstory",
    "aider": "sleep.transcripts.formats.aider",
}
MARKDOWN = ("specstory", "aider")


def reader(client: str) -> Reader:
    """Return the reader of a client's transcripts; KeyError for a client that has none."""
    module: Any = __import__(READERS[client], fromlist=["read"])  # importlib costs a hook 0.3 ms
    known: Reader = module
    return known


def sniff(head: bytes) -> str:
    """Return the client that wrote a file that begins so, "" if no reader knows it."""
    is_json = head.lstrip(b"\xef\xbb\xbf\0 \t\r\n")[:1] in (b"{", b"[")
    # A history in Markdown quotes transcripts; where a line before the first object is broken, it is still one of JSON.
    asked = [client for client in READERS if client not in MARKDOWN]
    asked = asked if is_json else [*MARKDOWN, *asked]
    return next((client for client in asked if reader(client).sniff(head)), "")


def is_whole(client: str) -> bool:
    """True if a client's transcript is one document, which nobody can read on from where they stopped."""
    return client in READERS and not hasattr(reader(client), "SIGNS")
