"""Where the code is that a memory is about, and which of its paths are the memory's own.

Owns finding it by reading files only: around the memory, or, for a memory in a repository of its own, the work tree
that points to it.
"""

from __future__ import annotations

import os

from sleep.store import context as contexts
from sleep.store import layout
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.store.context import Context


class Code(NamedTuple):
    """A git work tree with its directories, as in `layout.Root`.

    `memory` is the context folder seen from the top (`sub/memory`), "" for a memory in a repository of its own.
    """

    work_tree: str
    git_dir: str
    common_dir: str
    memory: str = ""

    def is_memory(self, path: str) -> bool:
        """Return whether a path from the top is the memory's own."""
        if not self.memory:
            return False
        prefix, _, folder = self.memory.rpartition("/")
        if prefix and not path.startswith(f"{prefix}/"):
            return False
        own = path[len(prefix) + 1 :] if prefix else path
        return own.startswith(f"{folder}/") or (folder == contexts.FOLDERS[0] and layout.is_owned(own))


def find(context: Context, start: str = "") -> Code | None:
    """Return the code of a memory, None where there is no git around it.

    Args:
        context: the memory.
        start: the folder that somebody works in; of several work trees that point to a memory, the one around it.
    """
    for folder in layout.upwards(os.path.realpath(start)) if start else ():
        if layout.pointed(folder) == context.base and (git := layout.find_git(folder)):
            return Code(*git)
    own = layout.find_git(context.base)
    if own is None:
        return None
    above = layout.find_git(os.path.dirname(own[0]))
    if above and layout.pointed(above[0]) == context.base:
        return Code(*above)
    return Code(*own, os.path.relpath(context.folder, own[0]).replace(os.sep, "/"))
