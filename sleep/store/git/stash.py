"""Files that git has put aside: what stands in the stash.

Owns listing them, tracked or not, by plain git processes. Refuses to take anything out of the stash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.errors import SleepError
from sleep.store import history

if TYPE_CHECKING:
    from sleep.store.layout import Root

_MOST = 5  # stashes that are looked into


def untracked(root: Root, folder: str) -> dict[str, tuple[str, str]]:
    """Return by path, of untracked files below a folder that the last stashes hold, (revision, text); newest first."""
    files: dict[str, tuple[str, str]] = {}
    for number in range(_count(root)):
        try:  # the third parent of a stash has what was not tracked, where it was asked to take that along
            rev = history.resolve(root, f"stash@{{{number}}}^3")
        except SleepError:
            continue
        for path, text in history.read_many(root, rev, history.list_tree(root, rev, folder)).items():
            files.setdefault(path, (f"stash@{{{number}}}^3", text))
    return files


def _count(root: Root) -> int:
    words = ("log", "--walk-reflogs", "--format=tformat:x", "refs/stash", "--")
    return min(history.ask(root, *words, fine=(0, 128))[1].count(b"x"), _MOST)
