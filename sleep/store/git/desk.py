"""A git directory of our own to commit from: same branch, same index, but nobody else's draft.

`git commit` writes its message to COMMIT_EDITMSG and reads it back, under no lock: of two commits at once, one can get
the other's words (measured: one in 150), and one in an open editor is overwritten. Here the message, and whatever else
`git commit` leaves or deletes in its directory, is ours alone. The layout is that of a linked worktree
(gitrepository-layout(5)), with the real index, so git's own locks on index and branch work as ever.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from sleep.store import files

if TYPE_CHECKING:
    from sleep.store.layout import Root

_SHARED = ("logs", "info", "config.worktree")


def place(root: Root) -> str:
    """Return where the directory is."""
    return os.path.join(root.state_dir, "desk")


def lay(root: Root, branch: str) -> dict[str, str]:
    """Make the directory for commits on `branch` and return the variables that a git child works there with.

    Where links cannot be made the variables are none, and git works in its own directory.
    """
    desk = place(root)
    for name, line in (("HEAD", f"ref: refs/heads/{branch}\n"), ("commondir", f"{root.common_dir}\n")):
        if files.read(os.path.join(desk, name)) != line:
            files.write(os.path.join(desk, name), line)
    os.makedirs(os.path.join(root.git_dir, "logs"), exist_ok=True)
    for name in _SHARED:
        link = os.path.join(desk, name)
        with contextlib.suppress(OSError, NotImplementedError):
            os.symlink(os.path.relpath(os.path.join(root.git_dir, name), desk), link)
        if not os.path.islink(link):
            return {}
    index = os.path.join(root.git_dir, "index")
    return {"GIT_DIR": desk, "GIT_WORK_TREE": root.work_tree, "GIT_INDEX_FILE": index}
