"""Which entries of the memory a session has been shown on this machine, so that none is shown twice.

Owns the files `state/.given/KEY`, one a session: on each line an address (or a place, if it has none), and how many
characters of the entry were shown, because a line may only mention an entry. Without these files something is shown
twice, and nothing else goes wrong. A disk that refuses is no error.
"""

from __future__ import annotations

import os

from sleep.clients.hooks import session_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.store.context import Context

FOLDER = ".given"
_ADDRESS = r"(?a)\bi[0-9]{1,7}[a-z]{3}\.[0-9]{1,7}\b"  # compiled by a start, which has the time
WHOLE = 1 << 30  # characters of an entry that was given as it is
_SHOWN = "="  # between an address and how many characters of its entry were shown
_LONGEST = 1 << 20  # bytes of a file that are read
_AGED = 30 * 86_400.0  # seconds after which a session is not heard of again


def extents(text: str) -> list[str]:
    """Return the addresses in a text, in order, each with the characters of its line and of what is indented below."""
    import re  # late: see above  # noqa: PLC0415

    pattern = re.compile(_ADDRESS)
    sizes: dict[str, int] = {}
    here: list[str] = []
    depth = shown = 0
    for line in text.split("\n"):
        words = line.strip()
        inside = len(line) - len(line.lstrip())
        if own := pattern.findall(line):
            here, depth, shown = own, inside, 0
        elif not words or inside <= depth:
            here = []
        shown += len(words)
        sizes.update((address, max(shown, sizes.get(address, 0))) for address in here)
    return [f"{address}{_SHOWN}{shown}" for address, shown in sizes.items()]


def read(context: Context, session: str) -> dict[str, int] | None:
    """Return how many characters a session was given of what, by address, `WHOLE` for all of it.

    None for a session whose start was not written down.
    """
    try:
        with open(session_files.path(_folder(context), session), "rb") as file:
            lines = file.read(_LONGEST).decode("utf-8", "replace").split()
    except OSError:
        return None
    sizes: dict[str, int] = {}
    for line in lines:
        key, sign, shown = line.rpartition(_SHOWN)
        key, size = (key, int(shown)) if sign and shown.isdecimal() else (line, WHOLE)
        sizes[key] = max(size, sizes.get(key, 0))
    return sizes


def begin(context: Context, session: str, shown: Iterable[str], *, resumed: bool = False) -> None:
    """Write down that a session starts and what it was shown; `resumed` if it still has what it had before.

    Files of sessions that are long over go.
    """
    session_files.sweep(_folder(context), _AGED)
    _write(context, session, shown, os.O_APPEND if resumed else os.O_TRUNC)


def add(context: Context, session: str, shown: Iterable[str]) -> None:
    """Write down what a session was given now."""
    _write(context, session, shown, os.O_APPEND)


def _write(context: Context, session: str, shown: Iterable[str], how: int) -> None:
    lines = "".join(f"{extent}\n" for extent in shown)
    path = session_files.path(_folder(context), session)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
        try:
            os.write(descriptor, lines.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except OSError:
        return


def _folder(context: Context) -> str:
    return os.path.join(context.state, FOLDER)
