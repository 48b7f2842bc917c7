"""The tasks: one file a collection, a few lines a task. What they do is decided below."""

from __future__ import annotations

from typing import Any

__all__ = ["join", "namespace"]  # made when they are asked for: a command needs a part of them


def __getattr__(name: str) -> Any:
    """Return `namespace`, all tasks, for the `tasks.py` of a memory, or `join`, which puts them beside a person's."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sleep.tasks.command_line import invoke_program  # late: as above  # noqa: PLC0415

    return invoke_program.whole() if name == "namespace" else invoke_program.join
