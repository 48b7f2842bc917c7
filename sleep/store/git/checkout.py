"""What is checked out, as git's own files say it: branch, commit, what is left out of it, and what is under way.

Owns reading `HEAD`, the file of a branch (gitrepository-layout(5)) and the head of the index (gitformat-index(5)),
which spares processes. Where they do not say it plainly (packed refs, reftable, a link), git is asked. Refuses to look
for anything else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.errors import GitStateError
from sleep.store import history, layout
from sleep.store.git import file_lists, head_file

if TYPE_CHECKING:
    from sleep.store.layout import Root

_UNDER_WAY = {
    "MERGE_HEAD": ("a merge", "git merge --continue, or git merge --abort"),
    "rebase-merge": ("a rebase", "git rebase --continue, or git rebase --abort"),
    "rebase-apply/applying": ("a git am", "git am --continue, or git am --abort"),
    "rebase-apply": ("a rebase", "git rebase --continue, or git rebase --abort"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue, or git cherry-pick --abort"),
    "REVERT_HEAD": ("a revert", "git revert --continue, or git revert --abort"),
    "sequencer": ("a cherry-pick or revert of several commits", "git status names it; --continue or --abort it"),
}
_PLAIN = b"DIRC\0\0\0\2"  # the head of an index that has no room for the mark "not checked out"
_SETTINGS = layout.SETTINGS.replace(os.sep, "/")
_SHARED = "sharedindex."
_FOLDERS = (*layout.OWNED[1:], "memory/hot", "memory/warm", "memory/cold", "memory/fates")
_MOST = 3


def branch(root: Root) -> str | None:
    """Return the branch that is checked out (as in `main`), None on a detached HEAD."""
    line = head_file.line(os.path.join(root.git_dir, "HEAD"))
    if name := head_file.named(line):
        return name
    return None if history.is_id(line) else history.branch(root)


def head(root: Root) -> str | None:
    """Return the id of the commit that is checked out, None on a branch without commits."""
    return head_file.commit(root.git_dir, root.common_dir) or history.head(root)


def under_way(root: Root) -> tuple[str, str] | None:
    """Return what git is in the middle of, and the command that ends it, None for nothing."""
    there = (name for name in _UNDER_WAY if os.path.exists(os.path.join(root.git_dir, *name.split("/"))))
    return next((_UNDER_WAY[name] for name in there), None)


def is_squash(root: Root) -> bool:
    """Return whether `git merge --squash` left something to commit: what met a conflict git does not call a merge."""
    return os.path.exists(os.path.join(root.git_dir, "SQUASH_MSG"))


def has_stash(root: Root) -> bool:
    """Return whether something is stashed: a stash that met a conflict is kept."""
    return history.ask(root, "rev-parse", "--verify", "--quiet", "refs/stash", fine=(0, 1))[0] == 0


def absent(root: Root) -> dict[str, str]:
    """Return by path the blobs' ids of the memory's files that git has and the work tree is meant not to have.

    A sparse checkout leaves them out, or a person did (`git update-index --skip-worktree`). Git takes them for
    unchanged; who takes them for deleted loses them.
    """
    if not _may_be_absent(root):
        return {}
    skipped = file_lists.skipped(root, layout.OWNED)
    return {path: name for path, name in skipped.items() if not os.path.lexists(root.absolute(path))}


def refuse_damaged(root: Root) -> None:
    """Raise GitStateError, with what mends it, where `HEAD` or the file of its branch names neither branch nor commit.

    Git takes the first for no repository, and the second for a branch without commits until it is to make one.
    """
    place = head_file.damage(root.git_dir, root.common_dir)
    if not place:
        return
    if place == os.path.join(root.git_dir, "HEAD"):
        right = "ref: refs/heads/BRANCH"
        hint = f"with the branch that was checked out: echo 'ref: refs/heads/main' > '{place}'"
    else:
        name = os.path.relpath(place, root.common_dir)
        log = os.path.join(root.common_dir, "logs", name)
        right = "the id of a commit"
        hint = f"tail -n 1 '{log}' shows the ids of its last two commits; write the second into '{place}'"
    raise GitStateError(f"is damaged (would be right: {right}; nothing was changed)", where=place, hint=hint)


def refuse_absent(root: Root, folder: str = "") -> None:
    """Raise GitStateError, with the way out, where files of the memory (below a folder of it) are not checked out."""
    paths = sorted(path for path in absent(root) if path.startswith(folder))
    if not paths:
        return
    more = f" and {len(paths) - _MOST} more" if len(paths) > _MOST else ""
    raise GitStateError(
        f"{', '.join(paths[:_MOST])}{more}: not checked out here, so memory would be written without what stands there "
        "(nothing was changed)",
        where=root.path,
        hint="git sparse-checkout disable (or add these paths), and for what update-index left out: "
        f"git update-index --no-skip-worktree {paths[0]} && git checkout -- {paths[0]}",
    )


def refuse_links(root: Root) -> None:
    """Raise GitStateError where a folder of the memory is a link: git keeps the link, and nothing that is behind it."""
    for folder in _FOLDERS:
        place = root.absolute(folder)
        if os.path.islink(place):
            real = os.path.relpath(os.path.realpath(place), root.path)
            raise GitStateError(
                f"is a link to {real}, and git keeps the link, not the memory behind it (nothing was changed)",
                where=folder,
                hint=f"put the folder itself there: rm '{folder}' && mv '{real}' '{folder}'",
            )


def refuse_hidden(start: str) -> None:
    """Raise GitStateError, as `refuse_absent`, where there is a memory at or above a folder, but not checked out."""
    start = os.path.realpath(start)
    git, folders = layout.find_git(start), layout.upwards(start)
    if git is None:
        return
    for folder in folders[: folders.index(git[0]) + 1]:
        root = layout.root_in(git, folder)
        if _SETTINGS in absent(root):
            refuse_absent(root)


def _may_be_absent(root: Root) -> bool:
    """Return whether the index may say so of a file; most have no room for it, which its first bytes tell."""
    try:
        with open(os.path.join(root.git_dir, "index"), "rb") as file:
            if file.read(len(_PLAIN)) != _PLAIN:
                return True
        return any(name.startswith(_SHARED) for name in os.listdir(root.git_dir))
    except FileNotFoundError:
        return False
