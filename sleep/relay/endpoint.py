"""Where a relay leaves its files, and how the other commands find one that runs.

Owns two files beside the memory (or in the user's state folder where there is none): the journal, and a note of each
running relay with its port, token, the secret that ends sessions and the key of the dashboard. Only its owner can read
that.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sleep.errors import RelayError, UsageError
from sleep.store import context, files, lock

if TYPE_CHECKING:
    from collections.abc import Mapping

JOURNAL = ".relay.db"  # a file of this name is a relay's own, whatever is in it
_NOTES = ".relay.json"
_LOCK = ".relay.lock"
_PRIVATE = 0o600


class Endpoint(NamedTuple):
    """A relay that runs, or ran until it was killed.

    `pages` is the key of its dashboard, "" if that is not known. `site` is the URL at which browsers open it, "" where
    that is the relay's own.
    """

    url: str
    token: str
    admin: str
    pid: int
    pages: str = ""
    site: str = ""

    @property
    def dashboard(self) -> str:
        """The link that opens the dashboard, and the memory in it, in a browser."""
        at = (self.site or "http" + self.url.removeprefix("ws")).rstrip("/") + "/"
        return f"{at}?token={self.pages}" if self.pages else at


def folder(start: str, environ: Mapping[str, str]) -> str:
    """Return where the files of a relay are that is started in a folder; both begin with a dot, as git ignores them."""
    memory = context.find(start)
    if memory is not None:
        return memory.state
    home = environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "sleepwake")


def journal(start: str, environ: Mapping[str, str]) -> str:
    """Return the path of the journal."""
    return os.path.join(folder(start, environ), JOURNAL)


def write(start: str, environ: Mapping[str, str], running: Endpoint) -> None:
    """Note that a relay runs, besides others of the same memory that run."""
    with _hold(start, environ):
        others = [note for note in _read(start, environ) if note.url != running.url and files.is_running(note.pid)]
        _note(start, environ, [*others, running])


def erase(start: str, environ: Mapping[str, str], running: Endpoint) -> None:
    """Forget it; what is noted of others stays."""
    with _hold(start, environ):
        _note(start, environ, [note for note in _read(start, environ) if note != running])


def _hold(start: str, environ: Mapping[str, str]) -> lock.Lock:
    """Return the lock of the notes, not yet taken: relays that start at once know of each other."""
    return lock.Lock(os.path.join(folder(start, environ), _LOCK), "relay")


def _note(start: str, environ: Mapping[str, str], relays: list[Endpoint]) -> None:
    path = os.path.join(folder(start, environ), _NOTES)
    if relays:
        files.write(path, json.dumps([relay._asdict() for relay in relays]) + "\n", _PRIVATE)
    else:
        files.delete(path)


def find(start: str, environ: Mapping[str, str], url: str = "", token: str = "") -> Endpoint:
    """Return the relay that runs here, of several the youngest, or the one at a URL.

    Raises:
        RelayError: none is noted, and no URL is given.
        UsageError: the URL is none of a relay.
    """
    notes = _read(start, environ)
    if url:
        if not _is_url(url):
            raise UsageError(f"--url is {url!r} (would be right: ws://host:port or wss://host:port, a port to 65535)")
        there = next((note for note in notes if note.url == url), Endpoint(url, token, "", 0))
        return there._replace(token=token, pid=0) if token else there
    running = [note for note in notes if files.is_running(note.pid)]
    if not running:
        raise RelayError(
            "no relay runs here",
            where=folder(start, environ),
            hint="sleepwake relay.serve starts one; --url ws://HOST:PORT names another",
        )
    return running[-1]


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:  # no port, no address, or no name of a host
        return False
    is_plain = url.isprintable() and " " not in url and not parts.fragment
    return is_plain and parts.scheme in ("ws", "wss") and bool(host) and port != 0


def _read(start: str, environ: Mapping[str, str]) -> list[Endpoint]:
    text = files.read(os.path.join(folder(start, environ), _NOTES))
    try:
        notes = json.loads(text or "[]")
        return [Endpoint(**note) for note in (notes if isinstance(notes, list) else [notes])]  # of an older version
    except (ValueError, TypeError):
        return []
