"""The other worktrees of a repository, each with a memory and a ledger of its own.

Owns finding their context folders by reading files only, as `store.layout` does. Each worktree has the memory of its
branch, so each has its own debt; but a session may go from one to another, and is to be booked once.
"""

from __future__ import annotations

import os

from sleep.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.store.context import Context


def others(context: Context) -> list[Context]:
    """Return the same context folder of each other worktree that has it; none without git, or of a single worktree."""
    git = layout.find_git(context.base)
    linked = _linked(git[2]) if git else []
    if git is None or not linked:
        return []
    prefix = os.path.relpath(context.base, git[0])
    bases = {os.path.normpath(os.path.join(top, prefix)) for top in (os.path.dirname(git[2]), *linked)}
    name = os.path.basename(context.folder)
    contexts = (context._replace(base=base, folder=os.path.join(base, name)) for base in sorted(bases - {context.base}))
    return [other for other in contexts if os.path.isdir(other.state)]


def _linked(common_dir: str) -> list[str]:
    """Return the tops of the linked worktrees; the format is gitrepository-layout(5), `worktrees/ID/gitdir`."""
    folder = os.path.join(common_dir, "worktrees")
    tops = []
    try:
        for name in os.listdir(folder):
            pointer = os.path.join(folder, name, "gitdir")
            with open(pointer, encoding="utf-8", errors="surrogateescape") as file:
                there = os.path.join(folder, name, file.readline().rstrip("\r\n"))
            tops.append(os.path.realpath(os.path.dirname(there)))
    except OSError:
        return tops
    return tops
