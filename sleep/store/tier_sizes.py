"""The tokens of the tiers in trees of history: what memory held after a commit.

Owns which documents count for which tier, and that a document which several trees have is counted once. Refuses to know
cycles: whoever asks names the commits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.language import tokens
from sleep.store import history
from sleep.store.files import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sleep.store.layout import Root

TIERS = ("hot", "warm", "cold")
_BATCH = 256  # blobs that are read at a time


def read(
    root: Root,
    revs: Iterable[str],
    known: Mapping[str, int],
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[dict[str, tuple[int, ...]], dict[str, int]]:
    """Return the tokens of each tier in the trees of commits, by commit, and those of each document, by its blob's id.

    `known` are the tokens of documents counted before; `notice` is called with the documents counted, and with all.
    """
    trees = {
        rev: [(tier, name) for path, name in tree.items() if (tier := tier_of(path))]
        for rev, tree in history.listings(root, revs, paths.MEMORY.rstrip("/")).items()
    }
    names = {name for tree in trees.values() for _, name in tree}
    sizes = {name: size for name, size in known.items() if name in names}
    fresh = sorted(names - sizes.keys())
    for done in range(0, len(fresh), _BATCH):
        notice(done, len(fresh))
        for name, content in history.blobs(root, fresh[done : done + _BATCH]).items():
            sizes[name] = tokens.count(decode(content or b""))
    notice(len(fresh), len(fresh))
    held = {}
    for rev, tree in trees.items():
        held[rev] = tuple(sum(sizes[name] for tier, name in tree if tier == wanted) for wanted in TIERS)
    return held, sizes


def tier_of(path: str) -> str:
    """Return the tier that a path's tokens count for, or ""."""
    return paths.tier_of(path) if path.endswith(".md") else ""
