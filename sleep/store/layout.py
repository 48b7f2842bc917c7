"""Where memory lives: the root, its git directories, and which paths are ours.

Owns finding the memory root and its git work tree by reading files only, so that a hook can load it: no git process, no
environment, nothing heavy. Refuses to create anything.
"""

from __future__ import annotations

import os

from sleep.errors import NoMemoryError
from sleep.tuples import NamedTuple

OWNED = ("main.md", "journal", "memory")
SETTINGS = os.path.join("memory", "sleep.yaml")
_MACHINE_LOCAL = "memory/state/."  # the tasks beside what is machine-local are memory
_TEMPORARY = ".sleepwake-"
_POINTER = "sleepwake/root"  # in the common git directory


class Root(NamedTuple):
    """A memory root and the git directories around it; all paths absolute and free of symbolic links.

    `path` is the folder that has `memory/sleep.yaml`, `work_tree` the top of the git work tree around it, `git_dir` the
    git directory of this worktree, `common_dir` the one that all worktrees share, and `prefix` is `path` seen from
    `work_tree`, with `/`, "" at the top.
    """

    path: str
    work_tree: str
    git_dir: str
    common_dir: str
    prefix: str

    @property
    def state_dir(self) -> str:
        """The folder of what belongs to this worktree alone: the intent record, logs."""
        return os.path.join(self.git_dir, "sleepwake")

    @property
    def intent(self) -> str:
        """Where the record of a step is, while the step is under way or was cut off."""
        return os.path.join(self.state_dir, "intent.json")

    @property
    def shared_dir(self) -> str:
        """The folder of what all worktrees share: the lock, the pointer to a separate memory."""
        return os.path.join(self.common_dir, "sleepwake")

    def absolute(self, path: str) -> str:
        """Return where `path`, relative to the root, is on disk."""
        return os.path.join(self.path, *path.split("/"))

    def in_tree(self, path: str) -> str:
        """Return `path`, relative to the root, as git names it from the top of the work tree."""
        return "/".join(part for part in (self.prefix, path) if part)

    def from_tree(self, path: str) -> str:
        """Return the inverse of `in_tree`."""
        return path[len(self.prefix) + 1 :] if self.prefix else path


def is_owned(path: str) -> bool:
    """Return whether `path`, relative to the root, is memory that is committed; machine-local state is not."""
    if path == "main.md":
        return True
    parts = path.split("/")
    if len(parts) == 1 or parts[0] not in {"journal", "memory"} or ".." in parts:
        return False
    return not path.startswith(_MACHINE_LOCAL) and not is_temporary(parts[-1])


def is_temporary(name: str) -> bool:
    """Return whether a file name is one that `files` gives to what it is still writing."""
    return name.startswith(".") and _TEMPORARY in name


def find_root(start: str, explicit: str | None = None) -> Root:
    """Return the memory root for a folder.

    The folders from `start` upwards are asked in turn, without a fixed depth: one that has `memory/sleep.yaml` is the
    root, and one that is the top of a git work tree may point to a separate memory repository, in the file
    `sleepwake/root` of its common git directory.

    Args:
        start: the folder to begin with; need not exist.
        explicit: the root as a person named it (relative to `start`, or absolute): nothing else is tried then.

    Raises:
        NoMemoryError: nothing was found, or what was named or pointed at is no memory root.
    """
    start = os.path.realpath(start)
    if explicit:
        return _root_at(os.path.realpath(os.path.join(start, explicit)), "named")
    for folder in upwards(start):
        if os.path.isfile(os.path.join(folder, SETTINGS)):
            return _root_at(folder, "found")
        if there := pointed(folder):
            return _root_at(there, "pointed at", f"write where it is now into {pointer(folder)}")
    raise NoMemoryError(
        "no memory here (a folder with memory/sleep.yaml, at or above this one)", where=start, hint="sleepwake init"
    )


def find_git(start: str) -> tuple[str, str, str] | None:
    """Return (work tree, git directory, common git directory) around a folder, or None."""
    return next(filter(None, map(_git_at, upwards(os.path.realpath(start)))), None)


def repository_name(folder: str, base: str) -> str:
    """Return the name of a folder's repository, "" where it is that of a memory, or a home's, or there is none.

    It is alike in every clone and work tree: as at its origin, else that of the folder of its git directory. A clone of
    the memory's own repository has none either.

    Args:
        folder: where somebody works, or a file lies; "" for nowhere.
        base: the folder of the memory.
    """
    git, own = find_git(folder) if folder else None, find_git(base)
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
            section = file.read().partition('[remote "origin"]')[2].partition("\n[")[0]
    except OSError:
        return ""
    rows = (row.partition("=") for row in section.split("\n"))
    url = next((value.strip().strip('"') for name, _, value in rows if name.strip() == "url"), "")
    words = url.rstrip("/").removesuffix(".git").rstrip("/").replace(":", "/").split("/")
    return "/".join(words[-2:])


def pointed(folder: str) -> str | None:
    """Return the separate memory that a git work tree whose top is `folder` points to, or None."""
    git, place = _git_at(folder), pointer(folder)
    line = _first_line(place) if git and os.path.isfile(place) else ""
    return os.path.realpath(os.path.join(git[2], line)) if git and line else None


def pointer(folder: str) -> str:
    """Return the file in which the git directory of a work tree names its separate memory, "" without git there."""
    git = _git_at(folder)
    return os.path.join(git[2], *_POINTER.split("/")) if git else ""


def _root_at(path: str, how: str, hint: str = "sleepwake init") -> Root:
    if not os.path.isfile(os.path.join(path, SETTINGS)):
        raise NoMemoryError(f"{how}, but there is no memory (a folder with memory/sleep.yaml)", where=path, hint=hint)
    git = find_git(path)
    if git is None:
        raise NoMemoryError(
            "the memory is not inside a git work tree (memory is kept in git)",
            where=path,
            hint="git init, then sleepwake init",
        )
    return root_in(git, path)


def root_in(git: tuple[str, str, str], path: str) -> Root:
    """Return a folder of a work tree as a memory root, whatever is there; `git` is as `find_git` returns it."""
    prefix = os.path.relpath(path, git[0])
    return Root(path, *git, "" if prefix == os.curdir else prefix.replace(os.sep, "/"))


def upwards(folder: str) -> list[str]:
    """Return a folder and all above it, nearest first."""
    folders = [folder]
    while (above := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(above)
    return folders


def _git_at(folder: str) -> tuple[str, str, str] | None:
    """Return the git directories of the work tree whose top is `folder`; the format is gitrepository-layout(5)."""
    git_dir = os.path.join(folder, ".git")
    if os.path.isfile(git_dir):
        label, _, target = _first_line(git_dir).partition(":")
        git_dir = os.path.join(folder, target.strip()) if label == "gitdir" else ""
    if not os.path.isfile(os.path.join(git_dir, "HEAD")) or not git_dir:
        return None
    common = os.path.join(git_dir, "commondir")
    common_dir = os.path.join(git_dir, _first_line(common)) if os.path.isfile(common) else git_dir
    return folder, os.path.realpath(git_dir), os.path.realpath(common_dir)


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        return lines.readline().rstrip("\r\n")
