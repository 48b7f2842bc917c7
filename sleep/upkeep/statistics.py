"""The memory in figures: what each tier holds, how big the topics are, and how that came about over the cycles.

Owns the figures; they come from the documents, the table of cycles, and the pages of fates (of cycles that have none,
from the trees that their last commits left).
Refuses to judge them, and to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import own_steps
from sleep.cycle.topics import base
from sleep.documents import cycles, fates_page, paths
from sleep.language import tokens
from sleep.memory import memory_figures
from sleep.memory.view import View
from sleep.records.kinds import RECORDS, key
from sleep.store import history
from sleep.store.files import decode
from sleep.store.git import checkout
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.memory.place import Place
    from sleep.store.layout import Root


class Tier(NamedTuple):
    """What a tier holds: files, fragments, tokens, and of its fragments the records by kind, with those still open."""

    files: int
    fragments: int
    tokens: int
    records: dict[str, int]
    open: dict[str, int]


class Topic(NamedTuple):
    """A topic in warm or cold memory, all its parts together."""

    topic: str
    tier: str
    files: int
    fragments: int
    tokens: int


class After(NamedTuple):
    """Tokens after a cycle: of its journal, of what that became in hot (`hot_share`), and of each tier.

    The tiers are None where history no longer holds the cycle; `journals` are the tokens of all journals so far.
    """

    cycle: int
    instance: str
    slept: str
    journal: int
    hot_share: int
    journals: int
    hot: int | None
    warm: int | None
    cold: int | None

    @property
    def ratio(self) -> float | None:
        """Tokens of the journal for one in hot memory; None where nothing was kept."""
        return round(self.journal / self.hot_share, 2) if self.hot_share else None

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """Tokens of each tier."""
        known = tuple(size for size in (self.hot, self.warm, self.cold) if size is not None)
        return known if len(known) == len(paths.TIER_NAMES) else None

    @property
    def memory(self) -> int | None:
        """Tokens of all tiers."""
        return None if self.sizes is None else sum(self.sizes)

    @property
    def overall(self) -> float | None:
        """Tokens of all journals so far for one in any tier."""
        return round(self.journals / self.memory, 2) if self.memory else None


class Stats(NamedTuple):
    """All the figures: tiers by name, topics by size, and what was there after each cycle, oldest first."""

    tiers: dict[str, Tier]
    topics: tuple[Topic, ...]
    over_time: tuple[After, ...]


def read(where: Place, notice: Callable[[int, int], None] = lambda _done, _all: None) -> Stats:
    """Return the figures; `notice` is called with the cycles counted in history, and with all of them."""
    view = View(WorkTree(where.root))
    return Stats({name: tier(view, name) for name in paths.TIER_NAMES}, topics(view), over_time(where, notice))


def tier(view: View, name: str) -> Tier:
    """Return what a tier holds."""
    size = memory_figures.tier_size(view, name)
    files = view.files(f"{paths.MEMORY}{name}/")
    records = [fragment for path in files for fragment in view.tier(path).fragments if fragment.is_record]
    return Tier(
        size.files,
        size.fragments,
        size.tokens,
        {key(kind.name): sum(record.kind == kind.name for record in records) for kind in RECORDS},
        {key(kind.name): sum(record.kind == kind.name and record.is_open for record in records) for kind in RECORDS},
    )


def topics(view: View) -> tuple[Topic, ...]:
    """Return the topics of warm and cold memory, the biggest first."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for folder in (paths.WARM, paths.COLD):
        for path in view.files(folder):
            grouped.setdefault((base(paths.topic_of(path)), paths.tier_of(path)), []).append(path)
    rows = [
        Topic(
            name,
            tier_,
            len(files),
            sum(len(view.tier(path).fragments) for path in files),
            sum(tokens.count(view.read(path) or "") for path in files),
        )
        for (name, tier_), files in grouped.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.tokens, row.topic, row.tier)))


def over_time(where: Place, notice: Callable[[int, int], None] = lambda _done, _all: None) -> tuple[After, ...]:
    """Return the tokens after each cycle: as its page has them, else counted in the tree of its last commit."""
    view = View(WorkTree(where.root))
    rows = view.cycles
    keys = [row.key for row in rows]
    sizes = {key: fates_page.read(view.read(fates_page.path(*key))).sizes for key in keys}
    notice(len(rows), len(rows))
    sizes |= _count_in_history(where, [key for key in keys if not sizes[key]], notice)
    result = []
    journals = 0
    for row, cycle in zip(rows, keys, strict=True):
        journals += row.before
        spent: tuple[int | None, ...] = sizes[cycle] or (None, None, None)
        result.append(After(*row.key, row.slept, row.before, row.after, journals, *spent))
    return tuple(result)


def _count_in_history(
    where: Place, keys: Sequence[tuple[int, str]], notice: Callable[[int, int], None]
) -> dict[tuple[int, str], tuple[int, ...]]:
    """Return the tokens of each tier after cycles that wrote none down, nothing of those that history does not hold."""
    if not keys:
        return {}
    last: dict[tuple[int, str], str] = {}
    if checkout.head(where.root):
        for commit in history.commits(where.root, paths=(cycles.PATH, *paths.TIERS)):  # newest first
            claim = own_steps.claim(commit)
            if claim and claim.step != own_steps.UNDO:
                last.setdefault(claim.key, commit.sha)
    counted: dict[str, int] = {}
    sizes = {}
    for done, cycle in enumerate(keys):
        notice(done, len(keys))
        if cycle in last:
            sizes[cycle] = _sizes(where.root, last[cycle], counted)
    notice(len(keys), len(keys))
    return sizes


def _sizes(root: Root, sha: str, counted: dict[str, int]) -> tuple[int, ...]:
    """Return the tokens of each tier in a commit; those of each document are kept in `counted`, by its blob's id."""
    listed = history.listing(root, sha, paths.MEMORY.rstrip("/")).items()
    pages = [(paths.tier_of(path), name) for path, name in listed if path.endswith(".md")]
    fresh = {name for tier, name in pages if tier and name not in counted}
    for name, content in history.blobs(root, fresh).items():
        counted[name] = tokens.count(decode(content or b""))
    return tuple(sum(counted[name] for tier, name in pages if tier == wanted) for wanted in paths.TIER_NAMES)
