"""Opening an index: that of a memory root, up to date, and that of any tree, in memory.

Owns what happens where the file of the index is damaged or cannot be used: it is made anew, or the index is read and
brought up to date in memory.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
from typing import TYPE_CHECKING

from sleep.errors import HeldError, StorageError
from sleep.recall.index import index_file, index_form
from sleep.recall.index.database import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_TRIES = 3  # of opening a file that is damaged, or made anew by others meanwhile


def open_index(root: Root, progress: Callable[[int, int], None] | None = None) -> Index:
    """Return the index of a memory root, up to date; in memory where its file cannot be written or waited for."""
    path = os.path.join(root.state_dir, index_form.NAME)
    for _ in range(_TRIES):
        identity, index = index_file.identity(path), None
        try:
            index = Index(index_file.open_file(path))
            index.refresh(root.path, progress)
            index.renew = functools.partial(_renew, root, path, identity)
        except sqlite3.DatabaseError as error:
            if not index_file.is_damage(error):
                return _in_memory(index, path, root.path)
            if index:
                index.close()
            with contextlib.suppress(HeldError, StorageError, OSError):
                index_file.remove(path, identity)
        except (OSError, HeldError, StorageError):
            break
        else:
            return index
    return _in_memory(None, path, root.path)


def index_tree(tree: Tree) -> Index:
    """Return an index of any tree, in memory: of a commit, of texts that are on no disk."""
    index = Index.in_memory()
    index.take_all(tree)
    return index


def _renew(root: Root, path: str, identity: tuple[int, int] | None) -> Index:
    """Return the index of a root whose file was found damaged while it was asked."""
    with contextlib.suppress(HeldError, StorageError, OSError):
        index_file.remove(path, identity)
    return open_index(root)


def _in_memory(index: Index | None, path: str, root: str) -> Index:
    """Return an index in memory: what the file has, as far as it can be read, and what changed since."""
    with contextlib.suppress(sqlite3.Error, OSError):
        with contextlib.closing(index or Index(index_file.open_read_only(path))) as there:
            copy = there.copy()
        copy.refresh(root)
        return copy
    fresh = Index.in_memory()
    fresh.refresh(root)
    return fresh
