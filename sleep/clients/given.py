"""Which addresses of the memory stand in the context of a session, so that none is given twice: on this machine only.

Owns the files `state/.given/KEY`, one a session, with an address (where there is none, a place) a line. What stands in
them spares repetition and proves nothing: without them something is said twice. A disk that refuses is no error.
"""

from __future__ import annotations

import os
import time

from sleep.debt.ids import hashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.store.context import Context

FOLDER = ".given"
_ADDRESS = r"(?a)\bi[0-9]{1,7}[a-z]{3}\.[0-9]{1,7}\b"  # compiled by a start, which has the time
_LONGEST = 1 << 20  # bytes of a file that are read
_AGED = 30 * 86_400.0  # seconds after which a session is not heard of again


def addresses(text: str) -> list[str]:
    """Return the addresses in a text, in order, each once."""
    import re  # late: see above  # noqa: PLC0415

    return list(dict.fromkeys(re.findall(_ADDRESS, text)))


def read(context: Context, session: str) -> set[str] | None:
    """Return the addresses that a session was given, None for one whose start was not written down."""
    try:
        with open(_path(context, session), "rb") as file:
            return set(file.read(_LONGEST).decode("utf-8", "replace").split())
    except OSError:
        return None


def begin(context: Context, session: str, given: Iterable[str], *, kept: bool = False) -> None:
    """Write down that a session starts and what it was given; `kept` if it still has what it had before.

    Files of sessions that are long over go.
    """
    _sweep(context)
    _write(context, session, given, os.O_APPEND if kept else os.O_TRUNC)


def add(context: Context, session: str, given: Iterable[str]) -> None:
    """Write down what a session was given now."""
    _write(context, session, given, os.O_APPEND)


def _write(context: Context, session: str, given: Iterable[str], how: int) -> None:
    lines = "".join(f"{one}\n" for one in given)
    path = _path(context, session)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
        try:
            os.write(descriptor, lines.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except OSError:
        return


def _sweep(context: Context) -> None:
    folder = os.path.join(context.state, FOLDER)
    before = time.time() - _AGED
    try:
        for one in list(os.scandir(folder)):
            if one.stat(follow_symlinks=False).st_mtime < before:
                os.unlink(one.path)
    except OSError:
        return


def _path(context: Context, session: str) -> str:
    return os.path.join(context.state, FOLDER, hashed(session.encode("utf-8", "replace")))
