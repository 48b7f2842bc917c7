"""The index of another time: of a commit, or of what is there now with what is gone laid beside it.

Owns making it from the index of now, in memory, by what differs: journals hardly change, so most of a past index is
known already. Refuses to write to the index on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.recall.index import database
from sleep.recall.index.database import Index
from sleep.recall.index.document_files import File

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sleep.store.tree import Tree


class PastIndex(Index):
    """An index in memory that is taken from another one and then goes its own way.

    Args:
        now: the index of what is there now; it stays open and as it is.
    """

    def __init__(self, now: Index) -> None:
        super().__init__(now.copy().base)

    def become(self, tree: Tree, progress: Callable[[int, int], None] | None = None) -> int:
        """Make it the index of a tree; returns how many documents came, changed or went.

        `progress` is told the bytes that are read in, and of how many.
        """
        texts = database.read_documents(tree)
        known = self._hashes()
        gone = [path for path in known if path not in texts]
        differing = {path: content for path, content in texts.items() if database.hashed(content) != known.get(path)}
        with self._writing():
            for path in (*gone, *differing):
                self._forget(self._numbers(path))
            self._take_in(differing, progress)
        return len(gone) + len(differing)

    def lay(self, texts: Mapping[str, str]) -> None:
        """Add documents, by paths that nothing has."""
        with self._writing():
            self._take_in({path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()})

    def _take_in(self, texts: Mapping[str, bytes], progress: Callable[[int, int], None] | None = None) -> None:
        total, done = sum(map(len, texts.values())), 0
        for path, content in texts.items():
            self._take(File(path, len(content), 0), content)
            done += len(content)
            if progress:
                progress(done, total)
        if texts:
            self._tell_alone()
