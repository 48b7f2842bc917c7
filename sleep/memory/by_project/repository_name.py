"""The name of the git repository that a folder is in, where that is another than the memory's own.

Owns naming it alike in every clone and work tree: as at its origin, else as the folder of its git directory. Reads
files only, so that a hook can load it. Refuses to name a work tree or a clone of the memory's own repository.
"""

from __future__ import annotations

import os
import re

from sleep.store import layout

_ORIGIN = re.compile(r'(?m)^\[remote "origin"\][^\[]*?^[ \t]*url[ \t]*=[ \t]*"?([^"\n]+)')  # of git-config(1)


def of_folder(folder: str, base: str) -> str:
    """Return the name of a folder's repository, "" where it is that of a memory, or a home's, or there is none.

    Args:
        folder: where somebody works, or a file lies; "" for nowhere.
        base: the folder of the memory.
    """
    git, own = layout.find_git(folder) if folder else None, layout.find_git(base)
    if git is None or (own and git[2] == own[2]) or git[0] == os.path.realpath(os.path.expanduser("~")):
        return ""
    there = _origin(git[2])
    if own and there and there == _origin(own[2]):
        return ""
    return there.rpartition("/")[2] or os.path.basename(git[2].removesuffix(f"{os.sep}.git")).removesuffix(".git")


def _origin(common_dir: str) -> str:
    """Return the owner and name of a repository where it was cloned from (`acme/web`), "" where nothing says so."""
    try:
        with open(os.path.join(common_dir, "config"), encoding="utf-8", errors="replace") as file:
            url = _ORIGIN.search(file.read())
    except OSError:
        return ""
    words = url[1].strip().rstrip("/").removesuffix(".git").rstrip("/").replace(":", "/").split("/") if url else []
    return "/".join(words[-2:])
