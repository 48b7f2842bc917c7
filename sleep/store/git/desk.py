"""A git directory of our own to commit from: same branch, same index, but nobody else's draft.

`git commit` writes its message to COMMIT_EDITMSG and reads it back, under no lock: of two commits at once, one can get
the other's words (measured: one in 150), and one in an open editor is overwritten. Here the message, and whatever else
`git commit` leaves or deletes in its directory, is ours alone. The layout is that of a linked worktree
(gitrepository-layout(5)), so git's own lock on the branch works as ever.

`git commit` also reads the index before it locks it, and takes out again what a person's `git add` put in between. So
the index is locked here first, as git itself does it, and `git commit` works on its second name.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.store.layout import Root

_LINKS = ("logs", "info", "config.worktree")
_TOOLS = ("git-crypt", "annex", "lfs")  # folders in which filters keep their keys and contents, by the git directory
_SHARED_INDEX = "sharedindex."  # of core.splitIndex: most of an index, beside the file that names it


def place(root: Root) -> str:
    """Return where the directory is."""
    return os.path.join(root.state_dir, "desk")


@contextlib.contextmanager
def sit(root: Root, branch: str) -> Iterator[dict[str, str] | None]:
    """Yield the variables that a git child commits on `branch` with, in its own directory, with the index locked.

    None where another git has locked it. Where links cannot be made the variables are none, and git works in its own
    directory.

    Raises:
        StorageError: the disk refuses.
    """
    desk, index = place(root), os.path.join(root.git_dir, "index")
    copy = os.path.join(desk, "index")
    files.remove(copy)
    files.remove(f"{copy}.lock")  # of a git that was killed: a living one would hold the lock that we have
    if not _lay(root, desk, branch):
        yield {}
        return
    lock = f"{index}.lock"
    if not _lock(lock):
        yield None
        return
    try:
        if not os.path.exists(index) or _link_index(root, desk):
            yield {"GIT_DIR": desk, "GIT_WORK_TREE": root.work_tree, "GIT_INDEX_FILE": copy}
            if os.path.exists(copy) and not (os.path.exists(index) and os.path.samefile(copy, index)):
                files.replace(copy, index, sync=False)  # git has synced it
            return
    finally:
        files.remove(lock)
    yield {}


def _lay(root: Root, desk: str, branch: str) -> bool:
    """Make the directory, and return whether all links of it could be made."""
    for name, line in (("HEAD", f"ref: refs/heads/{branch}\n"), ("commondir", f"{root.common_dir}\n")):
        if files.read(os.path.join(desk, name)) != line:
            files.write(os.path.join(desk, name), line)
    os.makedirs(os.path.join(root.git_dir, "logs"), exist_ok=True)
    tools = (name for name in _TOOLS if os.path.isdir(os.path.join(root.git_dir, name)))
    return all(_link(root, desk, name) for name in (*_LINKS, *tools))


def _link(root: Root, desk: str, name: str) -> bool:
    link = os.path.join(desk, name)
    with contextlib.suppress(OSError, NotImplementedError):
        os.symlink(os.path.relpath(os.path.join(root.git_dir, name), desk), link)
    return os.path.islink(link)


def _link_index(root: Root, desk: str) -> bool:
    """Give the index a second name, which git's next index takes without touching the first; and what it is split into.

    Its time stays, by which git tells what it has to look at again.
    """
    with contextlib.suppress(OSError, NotImplementedError):
        os.link(os.path.join(root.git_dir, "index"), os.path.join(desk, "index"))
        return all(_link(root, desk, name) for name in os.listdir(root.git_dir) if name.startswith(_SHARED_INDEX))
    return False


def _lock(path: str) -> bool:
    """Make a lock file, as git does it, and return whether there was none."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        return False
    except OSError as error:
        raise files.refusal(error, path) from error
    return True
