"""What `git status` says, as values, and how a path is told to git. Pure.

Owns the format of porcelain version 2 (git-status(1), "Porcelain Format Version 2"), NUL-separated.
"""

from __future__ import annotations

import os
import re

from sleep.tuples import NamedTuple

_PLAIN = re.compile(rb"[\w/. -]+")  # of a path that git takes as it is


class Change(NamedTuple):
    """One path that differs between HEAD, index and work tree.

    `partly_staged`: the index differs from HEAD and the work tree from the index, so committing the path would lose
    the split that a person made.
    """

    path: str
    staged: bool = False
    unstaged: bool = False
    untracked: bool = False
    conflicted: bool = False

    @property
    def partly_staged(self) -> bool:
        """Return whether part of the change is staged and part is not."""
        return self.staged and (self.unstaged or self.untracked)


def parse(output: bytes) -> list[Change]:
    """Return the changes of `git status --porcelain=v2 -z --no-renames`, sorted by path, one for each path."""
    changes: dict[str, Change] = {}
    for line in filter(None, output.split(b"\0")):
        change = _change(line)
        if change is not None:
            before = changes.get(change.path, Change(change.path))
            merged = (old or other for old, other in zip(before[1:], change[1:], strict=True))
            changes[change.path] = Change(change.path, *merged)
    return [changes[path] for path in sorted(changes)]


def quoted(path: str) -> bytes:
    """Return a path as a line of git's standard input."""
    raw = os.fsencode(path)
    return raw + b"\n" if _PLAIN.fullmatch(raw) else b'"' + b"".join(b"\\%03o" % byte for byte in raw) + b'"\n'


def _change(line: bytes) -> Change | None:
    match line[:1]:
        case b"1":  # 1 XY sub mH mI mW hH hI path
            path = os.fsdecode(line.split(b" ", 8)[8])
            return Change(path, staged=line[2:3] != b".", unstaged=line[3:4] != b".")
        case b"u":  # u XY sub m1 m2 m3 mW h1 h2 h3 path
            return Change(os.fsdecode(line.split(b" ", 10)[10]), conflicted=True)
        case b"?":
            return Change(os.fsdecode(line[2:]), untracked=True)
        case _:
            return None
