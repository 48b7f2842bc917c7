"""The Invoke collections: one file each, a few lines a task. What they do is decided below."""

from __future__ import annotations

from typing import Any

__all__ = ["namespace"]  # made when it is asked for: a command needs a part of it


def __getattr__(name: str) -> Any:
    """Return `namespace`, all tasks, which `tasks.py` of a memory asks for."""
    if name != "namespace":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sleep.tasks import collection  # late: as above  # noqa: PLC0415

    return collection.whole()
