"""The commit that a name names now: `HEAD` and a branch move on, and a journal is read later."""

from __future__ import annotations

import re

from sleep.errors import SleepError
from sleep.store import history, layout

_ID = re.compile("[0-9a-f]{4,64}")
_LENGTH = 12  # characters of an id, which stay unambiguous in a large repository


def resolve(name: str, folder: str) -> str:
    """Return the id of the commit that a name names in the repository around a folder; a tag or no name stays."""
    git = layout.find_git(folder) if name and not _ID.fullmatch(name) else None
    if git is None:
        return name
    root = layout.Root(folder, *git, "")
    try:
        is_tag = history.ask(root, "rev-parse", "--verify", "--quiet", f"refs/tags/{name}", fine=(0, 1, 128))[0] == 0
        return name if is_tag else history.resolve(root, name)[:_LENGTH]
    except SleepError:
        return name
