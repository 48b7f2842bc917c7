"""Lines in git's own list of what to ignore (`.git/info/exclude`) for files that an installation makes for one machine.

Owns each line and the comment above it, by which it is told from a person's line and taken out again. Refuses to touch
a `.gitignore`, which is the code's, and to add what git ignores already.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from sleep import settings
from sleep.documents.markdown import edit
from sleep.store import files, layout
from sleep.store.git import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARK = "# sleepwake clients.install"
_SIGNS = re.compile(r"([\\*?\[])")  # what a pattern takes for more than the character


def add(folder: str, paths: Sequence[str]) -> bool:
    """Have git ignore files in the work tree of a folder; return whether that needed a line."""
    place = _place(folder)
    if place is None:
        return False
    top, exclude = place
    inside = [path for path in _inside(top, paths) if not _asked(top, "check-ignore", "--quiet", "--no-index", path)]
    if not inside:
        return False
    text = files.read(exclude) or ""
    newline = edit.newline(text)
    lead = "" if not text or text.endswith("\n") else newline
    files.write(exclude, text + lead + "".join(_lines(path, newline) for path in inside))
    return True


def remove(folder: str, paths: Sequence[str]) -> bool:
    """Take out the lines that `add` wrote for files; return whether there were any."""
    place = _place(folder)
    text = files.read(place[1]) if place else None
    if place is None or not text or MARK not in text:
        return False
    after = text
    for path in _inside(place[0], paths):
        for newline in ("\r\n", "\n"):
            after = after.replace(_lines(path, newline), "")
    if after == text:
        return False
    if after:
        files.write(place[1], after)
    else:
        files.delete(place[1])
    return True


def is_tracked(folder: str, path: str) -> bool:
    """Return whether git tracks a file; no git, no."""
    return _asked(folder, "ls-files", "--error-unmatch", "--", path)


def _place(folder: str) -> tuple[str, str] | None:
    """Return the top of the work tree and its list of what to ignore, None outside of git."""
    git = layout.find_git(folder)
    return (git[0], os.path.join(git[2], "info", "exclude")) if git else None


def _inside(top: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield the paths as seen from the top, without those that lead elsewhere."""
    for path in paths:
        inside = os.path.relpath(os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)), top)
        if not inside.startswith(".." + os.sep):
            yield inside.replace(os.sep, "/")


def _lines(inside: str, newline: str) -> str:
    pattern = _SIGNS.sub(r"\\\1", inside)
    return f"{MARK}{newline}/{pattern}{newline}"


def _asked(folder: str, *words: str) -> bool:
    """Return whether git says yes; no git, no yes."""
    try:
        code = subprocess.run(
            ("git", *words),
            cwd=folder,
            env=environment.for_git(settings.environment(), reading=True),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        ).returncode
    except OSError:
        return False
    return code == 0
