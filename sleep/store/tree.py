"""Trees of texts: the work tree, a commit, a dictionary, or any of them with changes laid over it.

Owns one way to read memory wherever it is, so that planning does not care. Refuses to write to disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sleep.store import files, history
from sleep.store.git import checkout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.layout import Root


class Tree(Protocol):
    """Texts by path, relative to the memory root, with `/`."""

    def read(self, path: str) -> str | None:
        """Return a text, None when there is none."""
        ...

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the sorted paths of all files below a folder; "" is the root."""
        ...


class WorkTree:
    """What is on disk now, read anew each time; and from git what a sparse checkout leaves out, which is not gone.

    Which files those are is asked once.
    """

    __slots__ = ("_absent", "_root")

    def __init__(self, root: Root) -> None:
        self._root = root
        self._absent: dict[str, str] | None = None

    def read(self, path: str) -> str | None:
        """Return a text as it is on disk; StorageError when it cannot be read, or is no regular file of the memory."""
        text = files.read(self._root.absolute(path), within=self._root.path)
        if text is None and (name := self._left_out().get(path)):
            return history.texts(self._root, {path: name}).get(path)
        return text

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths that are on disk, and those that are left out."""
        folder = prefix.rstrip("/")
        there = files.list_files(self._root.path, folder)
        more = [path for path in self._left_out() if not folder or path.startswith(f"{folder}/")]
        return tuple(sorted({*there, *more})) if more else there

    def _left_out(self) -> dict[str, str]:
        if self._absent is None:
            self._absent = checkout.absent(self._root)
        return self._absent


class FixedTree:
    """Another tree as it was when it was first asked: each text and each folder is read once, and kept.

    Args:
        base: the tree that is asked.
    """

    __slots__ = ("_base", "_listed", "_texts")

    def __init__(self, base: Tree) -> None:
        self._base = base
        self._texts: dict[str, str | None] = {}
        self._listed: dict[str, tuple[str, ...]] = {}

    def read(self, path: str) -> str | None:
        """Return a text as it was when it was first read."""
        if path not in self._texts:
            self._texts[path] = self._base.read(path)
        return self._texts[path]

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths as they were when the folder was first listed."""
        if prefix not in self._listed:
            self._listed[prefix] = self._base.list(prefix)
        return self._listed[prefix]


class CommitTree:
    """A commit, which never changes: what is listed and what is read is asked for once, a folder at a time.

    Args:
        root: the memory root.
        rev: the commit; UsageError when there is none of this name.
    """

    __slots__ = ("_listed", "_root", "_texts", "sha")

    def __init__(self, root: Root, rev: str) -> None:
        self._root = root
        self.sha = rev if history.is_id(rev) else history.resolve(root, rev)
        self._listed: dict[str, dict[str, str]] = {}
        self._texts: dict[str, dict[str, str]] = {}

    def read(self, path: str) -> str | None:
        """Return a text as it was committed; its whole folder is read along, but not the top one."""
        folder = path.rpartition("/")[0]
        key = folder or f"/{path}"
        if key not in self._texts:
            self._texts[key] = self._beside(folder) if folder else history.read_many(self._root, self.sha, (path,))
        return self._texts[key].get(path)

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths that were committed."""
        folder = prefix.rstrip("/")
        return tuple(path for path in self._names(folder) if not folder or path.startswith(f"{folder}/"))

    def _beside(self, folder: str) -> dict[str, str]:
        """Return the texts that are in a folder, without those of the folders below it."""
        names = {path: name for path, name in self._names(folder).items() if path.rpartition("/")[0] == folder}
        return history.texts(self._root, names)

    def _names(self, folder: str) -> dict[str, str]:
        """Return the blobs' ids by path of all that is below the top folder that a folder is in."""
        top = folder.partition("/")[0]
        if top not in self._listed:
            self._listed[top] = history.listing(self._root, self.sha, top)
        return self._listed[top]


class InMemory:
    """Texts in a dictionary: a memory of hundreds of cycles that needs no disk.

    Args:
        texts: what is there at the start, by path.
    """

    __slots__ = ("texts",)

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.texts = dict(texts or {})

    def read(self, path: str) -> str | None:
        """Return a text, None when there is none."""
        return self.texts.get(path)

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths below a folder."""
        folder = f"{prefix.rstrip('/')}/" if prefix else ""
        return tuple(sorted(path for path in self.texts if path.startswith(folder)))

    def take(self, writes: Mapping[str, str | None]) -> None:
        """Carry a step's writes out: a text replaces or adds, None removes."""
        for path, text in writes.items():
            if text is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = text


class Overlay:
    """A tree with changes laid over it: a text replaces or adds, None removes."""

    __slots__ = ("_base", "_writes")

    def __init__(self, base: Tree, writes: Mapping[str, str | None]) -> None:
        self._base = base
        self._writes = dict(writes)

    def read(self, path: str) -> str | None:
        """Return the text laid over, else the one below."""
        return self._writes[path] if path in self._writes else self._base.read(path)

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths below with those added and without those removed."""
        folder = f"{prefix.rstrip('/')}/" if prefix else ""
        below = self._base.list(prefix)
        changed = {path for path in self._writes if path.startswith(folder)}
        if not changed:
            return below
        added = {path for path in changed if self._writes[path] is not None}
        return tuple(sorted((set(below) - changed) | added))
