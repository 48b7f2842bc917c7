"""Lock files that a killed git left behind.

Owns telling a dead lock from a live one. Called while our own lock is held, where an interrupted step is on record or a
git child of ours was killed: none of them lives then, so what is left may be moved aside, unless some other git works
in this repository. Refuses to decide where that cannot be told.
"""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

from sleep.errors import GitStateError
from sleep.store import files
from sleep.store.git import checkout, desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.store.layout import Root

PATIENCE = 3.0
_PAUSE = 0.1
_NEVER_LOCK = {"cat-file", "fsmonitor--daemon", "credential-cache--daemon", "credential-store", "check-ignore"}


def clear(root: Root, patience: float = PATIENCE) -> tuple[str, ...]:
    """Move lock files of a dead git into the state folder and return where they were.

    Raises:
        GitStateError: a lock is still there after `patience` seconds and a git may be using it.
    """
    deadline = time.monotonic() + patience
    while locks := [path for path in _locks(root) if os.path.exists(path)]:
        if not any(_gits_at_work(root)):
            for path in locks:
                _move_aside(root, path)
            return tuple(locks)
        if time.monotonic() > deadline:
            raise GitStateError(
                "is locked, and a git that may hold it is running",
                where=locks[0],
                hint=f"let it end, then run the same command again; if no git is at work here: rm '{locks[0]}'",
            )
        time.sleep(_PAUSE)
    return ()


def _locks(root: Root) -> Iterator[str]:
    """Yield the lock files that a killed `git commit`, `add`, `reset` or `update-index` can leave."""
    branch = checkout.branch(root)
    yield os.path.join(root.git_dir, "index.lock")
    yield os.path.join(desk.place(root), "index.lock")
    if branch:
        yield os.path.join(root.common_dir, "refs", "heads", *f"{branch}.lock".split("/"))
    for folder in filter(os.path.isdir, (root.git_dir, desk.place(root))):
        yield os.path.join(folder, "HEAD.lock")
        for name in os.listdir(folder):
            if name.startswith("next-index-") and name.endswith(".lock"):
                yield os.path.join(folder, name)


def _move_aside(root: Root, path: str) -> None:
    os.makedirs(root.state_dir, exist_ok=True)
    name = os.path.basename(path)
    try:
        os.replace(path, os.path.join(root.state_dir, f"stale-{name}"))
    except FileNotFoundError:
        return
    except OSError as error:
        raise files.refusal(error, path) from error


def _gits_at_work(root: Root) -> Iterator[str]:
    """Yield the command of each running git that may hold a lock of this repository."""
    if os.path.isdir("/proc/self"):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            words = os.fsdecode(_command_line(pid)).split("\0")
            if _may_lock(words) and _is_inside(root, pid):
                yield " ".join(words)
    else:  # without /proc nobody says where a process works: any git may be it
        try:
            listing = subprocess.run(("ps", "-axo", "command="), capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            yield "a process that cannot be listed"
            return
        yield from (line for line in os.fsdecode(listing).splitlines() if _may_lock(line.split()))


def _command_line(pid: str) -> bytes:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as words:
            return words.read()
    except OSError:
        return b""  # it has ended


def _may_lock(words: list[str]) -> bool:
    name = os.path.basename(words[0]) if words else ""
    return (name == "git" or name.startswith("git-")) and not _NEVER_LOCK & {*words[1:], name.removeprefix("git-")}


def _is_inside(root: Root, pid: str) -> bool:
    """Return whether a process works in this repository; True when its folder may not be looked at."""
    try:
        folder = os.readlink(f"/proc/{pid}/cwd")
    except FileNotFoundError:
        return False  # it has ended
    except OSError:
        return True
    return any(f"{folder}/".startswith(f"{place}/") for place in (root.work_tree, root.git_dir, root.common_dir))
