"""Which path is which page, and the headers that all of them carry.

Owns the paths and the content security policy. Reading a memory takes a while and is work for a thread: such a page is
handed out as a function. A relay is handed a site when it is made
(`sleep.relay.server.site_protocol` says what it asks of one).
"""

from __future__ import annotations

import threading
import time
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from sleep.dashboard import memory_page, overview
from sleep.dashboard.board import Board
from sleep.errors import SleepError
from sleep.store import private

if TYPE_CHECKING:
    from collections.abc import Callable

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
EVENTS = "/events"
_HTML = "text/html; charset=utf-8"
_STATIC = {
    "/": ("index.html", _HTML),
    "/app.js": ("app.js", "text/javascript; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
_MEMORY = "/memory"
_COMMIT = "/commit/"
_SHELF_LIFE = 5.0  # seconds for which the facts of a memory are good enough


class Page(NamedTuple):
    """An answer: its status, content and kind."""

    status: int
    content: bytes
    kind: str = _HTML


class Site:
    """The pages of a relay that was started in a folder, and the streams of what happens on it."""

    events = EVENTS
    headers = HEADERS

    def __init__(self, start: str) -> None:
        self.board = Board()
        folder = resources.files(__package__) / "static"
        self._static = {path: Page(200, (folder / name).read_bytes(), kind) for path, (name, kind) in _STATIC.items()}
        self._reader = overview.Reader(start)
        self._reading = threading.Lock()  # one at a time, whoever asks
        self._read: tuple[float, overview.Facts] | None = None

    def find(self, path: str) -> Page | Callable[[], Page] | None:
        """Return the page of a path, or a function for a thread that makes it, or None."""
        if path in self._static:
            return self._static[path]
        if path == _MEMORY:
            return self._memory
        if path.startswith(_COMMIT):
            return lambda: self._commit(path.removeprefix(_COMMIT))
        return None

    def is_private(self, path: str) -> bool:
        """Return whether a page shows words of the memory, which its owner alone may read."""
        return path == _MEMORY or path.startswith(_COMMIT)

    def closed(self) -> Page:
        """Return the page for who asks for the memory without the key."""
        return _html(401, memory_page.closed())

    def _memory(self) -> Page:
        with self._reading:
            return _html(200, memory_page.memory(self._facts()))

    def _commit(self, sha: str) -> Page:
        with self._reading:
            shas = {step.sha for cycle in self._facts().cycles for step in cycle.steps}
            if sha not in shas:  # nothing that a stranger wrote ever becomes a word of git's
                return _html(404, memory_page.missing())
            try:
                return _html(200, memory_page.commit(self._reader.commit(sha)))
            except SleepError:
                return _html(404, memory_page.missing())

    def _facts(self) -> overview.Facts:
        if self._read is None or time.monotonic() - self._read[0] > _SHELF_LIFE:
            latest = self._reader.read()
            self._read = (time.monotonic(), latest)
        return self._read[1]


def _html(status: int, text: str) -> Page:
    """Return a page without secrets and home directories: a memory may hold some from before a rule knew them."""
    return Page(status, private.clean(text).encode("utf-8", "replace"))
