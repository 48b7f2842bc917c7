"""What is checked out, as git's own files say it: the branch, and the commit it is at.

Owns reading `HEAD` and the file of a branch (gitrepository-layout(5)), which spares a step two processes. Where they do
not say it plainly (packed refs, reftable, a link), git is asked. Refuses to look for anything else.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sleep.store import files, history

if TYPE_CHECKING:
    from sleep.store.layout import Root

_BRANCH = "ref: refs/heads/"
_ELSEWHERE = ".invalid"  # what HEAD names where refs are kept in tables
_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


def branch(root: Root) -> str | None:
    """Return the branch that is checked out (as in `main`), None on a detached HEAD."""
    line = _line(os.path.join(root.git_dir, "HEAD"))
    if name := _named(line):
        return name
    return None if _ID.fullmatch(line) else history.branch(root)


def head(root: Root) -> str | None:
    """Return the id of the commit that is checked out, None on a branch without commits."""
    line = _line(os.path.join(root.git_dir, "HEAD"))
    if name := _named(line):
        line = _line(os.path.join(root.common_dir, "refs", "heads", *name.split("/")))
    return line if _ID.fullmatch(line) else history.head(root)


def _named(line: str) -> str:
    """Return the branch that a line of HEAD names, "" where it names none plainly."""
    name = line.removeprefix(_BRANCH)
    return "" if name in {line, _ELSEWHERE} else name


def _line(path: str) -> str:
    """Return the only line of a file, "" where there is no such file or where it is a link."""
    text = "" if os.path.islink(path) else files.read(path) or ""
    return text.removesuffix("\n")
