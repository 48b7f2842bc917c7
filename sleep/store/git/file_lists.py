"""What git lists of files: changes, attributes, what the index leaves out, what a stash holds, where history begins.

Owns these lists, read by plain git processes as in `history`. Refuses to change anything, or to empty a stash.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.errors import SleepError
from sleep.store import history
from sleep.store.git import content_filters
from sleep.store.history import Change, ask, specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.store.layout import Root

_MOST = 5  # stashes that are looked into
NO_NAMES = ("unspecified", "set", "unset")  # values of an attribute that name nothing


def skipped(root: Root, paths: Sequence[str]) -> dict[str, str]:
    """Return by path the blobs' ids of those files at or below the paths that the index marks as left out."""
    _, out, _ = ask(root, "ls-files", "-t", "--stage", "-z", "--", *specs(root, paths))
    names = {}
    for line in filter(None, out.split(b"\0")):  # <tag> SP <mode> SP <id> SP <stage> TAB <path>
        meta, _, path = line.partition(b"\t")
        tag, _, name, _ = meta.decode().split(" ")
        if tag == "S":
            names[root.from_tree(os.fsdecode(path))] = name
    content_filters.note(root, names.items())
    return names


def attributes(root: Root, path: str, *names: str) -> tuple[str, ...]:
    """Return the values of git's attributes for a file, in the order of the names; `unspecified` where none is set."""
    _, out, _ = ask(root, "check-attr", "-z", *names, "--", root.in_tree(path))
    return tuple(out.decode(errors="replace").split("\0")[2::3])


def touched(root: Root, shas: Iterable[str]) -> dict[str, tuple[Change, ...]]:
    """Return by id what commits of one parent changed, by one process; those of none and of several are left out.

    All files are told, also those outside the memory root, whose paths begin with `/` (the top of the work tree).
    """
    return dict(_compared(root, shas))


def sides(root: Root, merges: Iterable[str], paths: Sequence[str]) -> dict[str, list[tuple[Change, ...]]]:
    """Return by id what merges changed of each of their parents, by one process; some at or below the paths of each."""
    changes: dict[str, list[tuple[Change, ...]]] = {}
    for sha, changed in _compared(root, merges, "-m", "--", *specs(root, paths)):
        changes.setdefault(sha, []).append(changed)
    return changes


def _compared(root: Root, shas: Iterable[str], *more: str) -> list[tuple[str, tuple[Change, ...]]]:
    """Return commits with what they changed of a parent."""
    feed = "".join(f"{sha}\n" for sha in shas).encode()
    words = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    parts = iter(ask(root, *words, *more, feed=feed)[1].split(b"\0") if feed else ())
    compared: list[tuple[str, tuple[Change, ...]]] = []
    for part in parts:
        if part.startswith(b":"):
            name = os.fsdecode(next(parts))
            path = root.from_tree(name) if name.startswith(root.in_tree("") + "/" * bool(root.prefix)) else f"/{name}"
            sha, changed = compared.pop()
            compared.append((sha, (*changed, history.change(path, part))))
        elif part:
            compared.append((part.decode().strip(), ()))
    rows = (row for _, changed in compared for row in changed if not row.path.startswith("/"))
    content_filters.note(root, ((row.path, name) for row in rows for name in (row.before, row.after)))
    return compared


def differences(root: Root, a: str, b: str) -> list[Change]:
    """Return the files below the root that differ between two commits, by path; "" stands for nothing at all.

    A side that is no regular file has no id.

    Raises:
        GitStateError: git has no such commit, or cannot compare them.
    """
    ends = [rev or ask(root, "hash-object", "-t", "tree", "--stdin")[1].decode().strip() for rev in (a, b)]
    words = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    parts = ask(root, *words, *ends, "--", *specs(root, ()))[1].split(b"\0")
    rows = []
    for row, path in zip(parts[::2], parts[1::2], strict=False):  # :<mode> <mode> <id> <id> <letter>, then the path
        modes, names = (row.decode()[1:].split(" ")[at : at + 2] for at in (0, 2))
        ids = (name if mode.startswith("100") else "" for mode, name in zip(modes, names, strict=True))
        rows.append(Change(root.from_tree(os.fsdecode(path)), *ids))
    content_filters.note(root, ((row.path, name) for row in rows for name in (row.before, row.after)))
    return sorted(rows)


def boundary(root: Root) -> frozenset[str]:
    """Return the commits of a shallow clone whose parents are not in it: what they changed cannot be told."""
    place = os.path.join(root.common_dir, "shallow")
    try:
        with open(place, encoding="ascii") as file:
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()


def stashed(root: Root, folder: str) -> dict[str, tuple[str, str]]:
    """Return by path, of untracked files below a folder that the last stashes hold, (revision, text); newest first."""
    files: dict[str, tuple[str, str]] = {}
    for number in range(_stashes(root)):
        try:  # the third parent of a stash has what was not tracked, where it was asked to take that along
            rev = history.resolve(root, f"stash@{{{number}}}^3")
        except SleepError:
            continue
        for path, text in history.texts(root, history.listing(root, rev, folder)).items():
            files.setdefault(path, (f"stash@{{{number}}}^3", text))
    return files


def _stashes(root: Root) -> int:
    words = ("log", "--walk-reflogs", "--format=tformat:x", "refs/stash", "--")
    return min(ask(root, *words, fine=(0, 128))[1].count(b"x"), _MOST)
