"""What the arguments of a command mean: where it works, when, and numbers.

Owns the sentences for an argument that is none.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.memory import place

if TYPE_CHECKING:
    from sleep.memory.place import Place

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
    if not 0 < amount < float("inf"):
        raise UsageError(f"--{name} is {_shown(value)} (would be right: a number above 0)")
    return amount


def wanted(value: str | None, name: str) -> str:
    """Return a flag's value, or raise UsageError that names the flag."""
    if not (value or "").strip():
        raise UsageError(f"--{name} is needed", hint=f'--{name} "..."')
    return value or ""


def _shown(value: str) -> str:
    return repr(value if len(value) <= _DIGITS else f"{value[:_DIGITS]}…")
