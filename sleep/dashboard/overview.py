"""What the dashboard shows of a memory: debt, tiers, cycles with their commits, open threads and questions.

Owns the reading of it, from documents and from git, never through what writes either. What cannot be read is a sentence
in `troubles`, and the rest is shown all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.debt import ledger as ledgers
from sleep.debt import scores
from sleep.documents import cycles, paths, tier, yaml_reader
from sleep.errors import NoMemoryError, SleepError
from sleep.language import tokens
from sleep.store import context, files, history, layout
from sleep.store.files import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.cycles import Cycle
    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.store.history import Commit
    from sleep.store.layout import Root

TIERS = ("hot", "warm", "cold")
_CYCLES = 60  # that are shown, newest
_COMMITS = 2000  # that are looked at for theirs
_BATCH = 256  # blobs that are read at a time


class Debt(NamedTuple):
    """The debt and what it is called; `must` is where it becomes Must Sleep, `slept` when it was settled last."""

    points: int
    level: str
    must: int
    sessions: int
    slept: str


class Size(NamedTuple):
    """What a tier holds now."""

    tier: str
    files: int
    fragments: int
    tokens: int


class Step(NamedTuple):
    """A commit of a cycle."""

    sha: str
    step: str
    subject: str


class After(NamedTuple):
    """A cycle: tokens of its journal and of what that became, its commits, and the tokens of each tier after it.

    The tiers are None, and there are no commits, where history no longer holds the cycle.
    """

    cycle: int
    instance: str
    slept: str
    journal: int
    kept: int
    sizes: tuple[int, ...] | None
    steps: tuple[Step, ...]


class Record(NamedTuple):
    """An open thread or question; `says` is what comes next, or why it is asked."""

    handle: str
    text: str
    state: str
    says: str


class Facts(NamedTuple):
    """All of it; `where` is the memory's folder, "" if there is none. Cycles are oldest first."""

    where: str = ""
    debt: Debt | None = None
    sizes: tuple[Size, ...] = ()
    cycles: tuple[After, ...] = ()
    threads: tuple[Record, ...] = ()
    questions: tuple[Record, ...] = ()
    troubles: tuple[str, ...] = ()


class Shown(NamedTuple):
    """A commit as its page shows it, with the files that it changed."""

    commit: Commit
    paths: tuple[str, ...]


class Reader:
    """Reads the memory around a folder, again and again; what never changes (blobs) is counted once."""

    def __init__(self, start: str) -> None:
        self._start = start
        self._counted: dict[str, int] = {}

    def read(self) -> Facts:
        """Return the facts as they are now."""
        override = settings_.root_override()
        there = context.find(self._start, override)
        if there is None:
            return Facts(troubles=("There is no memory in the folder in which the relay was started.",))
        troubles: list[str] = []
        found = Facts(there.folder)
        try:
            given = _settings(there, troubles)
            found = found._replace(debt=_debt(there, given, troubles))
            root = layout.find_root(self._start, override)
            found = _documents(found, root)
            found = found._replace(cycles=self._cycles(root))
        except NoMemoryError:
            troubles.append("There is no memory/sleep.yaml in a git work tree: only the debt is known.")
        except SleepError as error:
            troubles.append(str(error))
        return found._replace(troubles=tuple(troubles))

    def commit(self, sha: str) -> Shown:
        """Return a commit.

        Raises:
            SleepError: it cannot be read.
        """
        root = layout.find_root(self._start, settings_.root_override())
        (commit,) = history.commits(root, sha, limit=1)
        before = commit.parents[0] if commit.parents else ""
        return Shown(commit, history.diff_paths(root, before, sha))

    def _cycles(self, root: Root) -> tuple[After, ...]:
        rows = cycles.read(files.read(root.absolute(cycles.PATH)))[-_CYCLES:]
        commits = _commits(root, rows)
        last = {number: steps[-1].sha for number, steps in commits.items()}
        trees = history.listings(root, last.values(), "memory")
        self._count(root, trees)
        found = []
        for row in rows:
            tree = trees.get(last.get(row.number, ""))
            sizes = None
            if tree is not None:
                counted = [(_tier(path), self._counted[name]) for path, name in tree.items() if _tier(path)]
                sizes = tuple(sum(size for name, size in counted if name == one) for one in TIERS)
            steps = commits.get(row.number, ())
            found.append(After(row.number, str(row.instance), row.slept, row.before, row.after, sizes, tuple(steps)))
        return tuple(found)

    def _count(self, root: Root, trees: dict[str, dict[str, str]]) -> None:
        names = {name for tree in trees.values() for path, name in tree.items() if _tier(path)}
        self._counted = {name: size for name, size in self._counted.items() if name in names}
        fresh = sorted(names - self._counted.keys())
        for at in range(0, len(fresh), _BATCH):
            for name, content in history.blobs(root, fresh[at : at + _BATCH]).items():
                self._counted[name] = tokens.count(decode(content or b""))


def _settings(there: Context, troubles: list[str]) -> Settings:
    try:
        return settings_.resolve(yaml_reader.load(files.read(there.settings) or ""), where=there.settings)
    except (ValueError, SleepError) as error:
        troubles.append(f"The settings could not be read, so defaults hold: {error}")
        return settings_.Settings()


def _debt(there: Context, given: Settings, troubles: list[str]) -> Debt:
    ledger = ledgers.parse(files.read(there.ledger))  # not by `debt.book`, which can also write
    if ledger.trouble:
        troubles.append(f"The ledger of debt {ledger.trouble}.")
    points = ledger.debt
    slept = ledger.last_sleep_at or ledger.last_sleep or ""
    return Debt(points, scores.level(points, given), given.debt_must, len(ledger.sessions), slept)


def _documents(found: Facts, root: Root) -> Facts:
    sizes, records = [], []
    for name in TIERS:
        there = [one for one in files.list_files(root.path, f"{paths.MEMORY}{name}") if one.endswith(".md")]
        texts = [files.read(root.absolute(one)) or "" for one in there]
        fragments = [one for text in texts for one in tier.parse(text).fragments]
        sizes.append(Size(name, len(there), len(fragments), sum(map(tokens.count, texts))))
        if name == "hot":
            records = [one for one in fragments if one.is_open]
    threads = [Record(one.handle, one.text, one.state, one.field("next")) for one in records if one.kind == "thread"]
    asked = [Record(one.handle, one.text, one.state, one.field("why")) for one in records if one.kind == "question"]
    return found._replace(sizes=tuple(sizes), threads=tuple(threads), questions=tuple(asked))


def _commits(root: Root, rows: Sequence[Cycle]) -> dict[int, list[Step]]:
    """Return the commits of cycles, oldest first, by their trailers."""
    if not rows or history.head(root) is None:
        return {}
    wanted = {row.number for row in rows}
    found: dict[int, list[Step]] = {}
    for commit in reversed(history.commits(root, paths=layout.OWNED, limit=_COMMITS)):
        said = dict(commit.trailers)
        number = said.get("Sleep-Cycle", "")
        step = said.get("Sleep-Step", "")
        if step and step != "undo" and number.isascii() and number.isdigit() and int(number) in wanted:
            found.setdefault(int(number), []).append(Step(commit.sha, step, commit.subject))
    return found


def _tier(path: str) -> str:
    """Return the tier that a path's tokens count for, or ""."""
    return paths.tier_of(path) if path.endswith(".md") else ""
