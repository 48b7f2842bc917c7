"""What the arguments of a command mean: where it works, when, numbers, files to read and files to write.

Owns the sentences for an argument that is none.
"""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.memory import place
from sleep.store import files

if TYPE_CHECKING:
    from sleep.memory.place import Place

_LINE = 4096  # bytes of a first line that are looked at
_SMALLEST = 1e-9  # of a number above 0: what is divided by one that is smaller is no number
_DIGITS = 30  # of a number, and characters of what is none that are repeated


def here(root: str | None) -> Place:
    """Return the place that a task works in."""
    return place.find(os.getcwd(), root or None)


def now() -> str:
    """Return the time as journals write it: ISO 8601, UTC, seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def prose(text: str | None) -> str:
    """Return what `--text` gives: the words, or standard input for `-`."""
    if text == "-":
        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    return text or ""


def content(path: str, what: str = "") -> bytes:
    """Return the bytes of a file that is named to be read, of a pipe too.

    Raises:
        UsageError: there is no such file, with `what` would be right.
        StorageError: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{path}: no such file (would be right: {what or 'the path of one that is there'})") from None
    except OSError as error:
        raise files.refusal(error, path) from error


def number(value: str, name: str) -> int | None:
    """Return the whole number that a flag gives, None for none; raises UsageError that names the flag."""
    if not value.strip():
        return None
    if not value.strip().isdecimal() or len(value) > _DIGITS:
        raise UsageError(f"--{name} is {_shown(value)} (would be right: a whole number)")
    return int(value)


def decimal(value: str, name: str) -> float | None:
    """Return the positive number that a flag gives, None for none; raises UsageError that names the flag."""
    if not value.strip():
        return None
    try:
        amount = float(value)
    except ValueError:
        amount = 0.0
    if not _SMALLEST <= amount < float("inf"):
        raise UsageError(f"--{name} is {_shown(value)} (would be right: a number above 0)")
    return amount


def wanted(value: str | None, name: str, *command: str) -> str:
    """Return a flag's value, or raise UsageError that names the flag; its hint is the command with the flag."""
    if not (value or "").strip():
        raise UsageError(f"--{name} is needed", hint=f'sleepwake {shlex.join(command)} --{name} "..."')
    return value or ""


def target(path: str, name: str, own: str = "") -> str:
    """Return the absolute path of a file that a flag names and a task is to write: a new one, or an earlier result.

    Args:
        path: what the flag gives.
        name: the flag.
        own: what stands in the first line of earlier results and nowhere else; "" refuses whatever is there.

    Raises:
        UsageError: something else is there, or its folder is not.
    """
    place = os.path.abspath(path)
    folder = os.path.dirname(place)
    if not os.path.isdir(folder):
        raise UsageError(f"--{name}: there is no folder {folder}", hint=f"mkdir -p {folder}")
    if os.path.lexists(place) and not (own and _begins(place, own)):
        raise UsageError(f"{path}: is there already, and is left as it is (would be right: a new name for --{name})")
    return place


def _begins(path: str, own: str) -> bool:
    """Return whether a regular file is empty, or has this in the first of its lines."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        line = file.readline(_LINE)
    return not line or own.encode() in line


def _shown(value: str) -> str:
    return repr(value if len(value) <= _DIGITS else f"{value[:_DIGITS]}…")
