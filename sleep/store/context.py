"""Where the context folder is: `memory/`, or the folder that an older tool left (`_agent_context/`, `_dream_context/`).

Owns finding it by reading the file system only, git or no git, so that every hook can load it. Refuses to create
anything. A memory root (`layout.Root`) is a context with `memory/sleep.yaml` in a git work tree; a ledger and a
snapshot need no more than the folder.
"""

from __future__ import annotations

import os

from sleep.errors import NoMemoryError
from sleep.store import layout
from sleep.tuples import NamedTuple

FOLDERS = ("memory", "_agent_context", "_dream_context")
# What makes a folder called `memory` one of ours, and not a project's own.
_SIGNS = ("sleep.yaml", "core", "state", "hot")


class Context(NamedTuple):
    """A context folder: `base` is the directory it stands in, `folder` the folder itself, both absolute and real.

    `separate` is true where the code's repository points to it, as a memory in a repository of its own.
    """

    base: str
    folder: str
    separate: bool = False

    @property
    def is_own(self) -> bool:
        """True for `memory/`, false for the folder that an older tool left."""
        return os.path.basename(self.folder) == FOLDERS[0]

    @property
    def state(self) -> str:
        """The folder of tasks, and of what belongs to this machine alone."""
        return os.path.join(self.folder, "state")

    @property
    def ledger(self) -> str:
        """The ledger of sleep debt."""
        return os.path.join(self.state, ".sleep.json")

    @property
    def settings(self) -> str:
        """The settings file, which need not exist."""
        return os.path.join(self.folder, "sleep.yaml")


def here() -> str:
    """Return the folder that this runs in, "" where it was removed meanwhile."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def find(start: str, explicit: str | None = None) -> Context | None:
    """Return the context of a folder, or None where there is none.

    The folders from `start` upwards are asked in turn, without a fixed depth; the top of a git work tree may point to a
    separate memory repository, as in `layout.find_root`.

    Args:
        start: the folder to begin with; need not exist.
        explicit: the folder as a person named it (relative to `start`, or absolute): nothing else is tried then.
    """
    start = os.path.realpath(start)
    if explicit:
        return _at(os.path.realpath(os.path.join(start, explicit)))
    for folder in layout.upwards(start):
        if context := _at(folder):
            return context
        if pointed := layout.pointed(folder):
            there = _at(pointed)
            return there and there._replace(separate=True)
    return None


def require(start: str, explicit: str | None = None) -> Context:
    """Return the context of a folder; NoMemoryError where there is none."""
    context = find(start, explicit)
    if context is None:
        raise NoMemoryError(
            f"no memory here (a folder with {', '.join(f'{name}/' for name in FOLDERS)} at or above this one)",
            where=os.path.realpath(os.path.join(start, explicit or "")),
            hint="sleepwake init",
        )
    return context


def of(root: layout.Root) -> Context:
    """Return the context of a memory root."""
    return Context(root.path, os.path.join(root.path, FOLDERS[0]))


def _at(base: str) -> Context | None:
    for name in FOLDERS:
        folder = os.path.join(base, name)
        if os.path.isdir(folder) and (name != FOLDERS[0] or _is_ours(folder)):
            return Context(base, folder)
    return None


def _is_ours(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, sign)) for sign in _SIGNS)
