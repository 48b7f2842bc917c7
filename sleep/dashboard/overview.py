"""What the dashboard shows of a memory: debt, tiers, cycles with their commits, open threads, questions, decisions.

Owns the reading of it, from documents and from git, never through what writes either. What cannot be read is a sentence
in `troubles`, and the rest is shown all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.debt import ledger as ledgers
from sleep.debt import scores
from sleep.documents import cycles, paths, tier, yaml_reader
from sleep.documents.project import brief_parts
from sleep.errors import NoMemoryError, SleepError
from sleep.language import tokens
from sleep.store import context, files, history, layout, tier_sizes
from sleep.store.git import checkout
from sleep.store.tier_sizes import TIERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.store.history import Commit
    from sleep.store.layout import Root

_CYCLES = 60  # that are shown, newest
_DECISIONS = 100  # that are shown, those of hot memory first
_COMMITS = 2000  # that are looked at for theirs


class Debt(NamedTuple):
    """The debt and what it is called; `must` is where it becomes Must Sleep, `slept` when it was settled last."""

    points: int
    level: str
    must: int
    sessions: int
    slept: str


class TierSize(NamedTuple):
    """What a tier holds now."""

    tier: str
    files: int
    fragments: int
    tokens: int


class CycleStep(NamedTuple):
    """A commit of a cycle."""

    sha: str
    step: str
    subject: str


class CycleSummary(NamedTuple):
    """A cycle: tokens of its journal and of what that became, its commits, and the tokens of each tier after it.

    The tiers are None, and there are no commits, where history no longer holds the cycle.
    """

    cycle: int
    instance: str
    slept: str
    journal: int
    hot: int
    sizes: tuple[int, ...] | None
    steps: tuple[CycleStep, ...]


class OpenRecord(NamedTuple):
    """A thread, question or decision that stands; `says` is what comes next, or the reason."""

    handle: str
    text: str
    state: str
    says: str


class Facts(NamedTuple):
    """All of it; `where` is the memory's folder, "" if there is none. Cycles are oldest first.

    Decisions are those of all tiers, hot ones first; `decided` says how many there are. `head` has lines by part of the
    brief: `purpose`, `state`, `next`.
    """

    where: str = ""
    debt: Debt | None = None
    sizes: tuple[TierSize, ...] = ()
    cycles: tuple[CycleSummary, ...] = ()
    threads: tuple[OpenRecord, ...] = ()
    questions: tuple[OpenRecord, ...] = ()
    decisions: tuple[OpenRecord, ...] = ()
    decided: int = 0
    troubles: tuple[str, ...] = ()
    head: Mapping[str, tuple[str, ...]] = {}


class CommitDetail(NamedTuple):
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
        facts = Facts(there.folder)
        try:
            settings = _settings(there, troubles)
            facts = facts._replace(debt=_debt(there, settings, troubles))
            root = layout.find_root(self._start, override)
            facts = _documents(facts, root)
            facts = facts._replace(cycles=self._cycles(root))
        except NoMemoryError:
            troubles.append("There is no memory/sleep.yaml in a git work tree: only the debt is known.")
        except SleepError as error:
            troubles.append(str(error))
        return facts._replace(troubles=tuple(troubles))

    def commit(self, sha: str) -> CommitDetail:
        """Return a commit.

        Raises:
            SleepError: it cannot be read.
        """
        root = layout.find_root(self._start, settings_.root_override())
        (commit,) = history.commits(root, sha, limit=1)
        before = commit.parents[0] if commit.parents else ""
        return CommitDetail(commit, history.diff_paths(root, before, sha))

    def _cycles(self, root: Root) -> tuple[CycleSummary, ...]:
        rows = cycles.read(files.read(root.absolute(cycles.PATH)))[-_CYCLES:]
        commits = _commits(root, rows)
        last = {number: steps[-1].sha for number, steps in commits.items()}
        sizes, self._counted = tier_sizes.read(root, last.values(), self._counted)
        return tuple(
            CycleSummary(
                *(row.number, str(row.instance), row.slept, row.before, row.after),
                sizes.get(last.get(row.number, "")),
                tuple(commits.get(row.number, ())),
            )
            for row in rows
        )


def _settings(memory: Context, troubles: list[str]) -> Settings:
    try:
        return settings_.resolve(yaml_reader.load(files.read(memory.settings) or ""), where=memory.settings)
    except (ValueError, SleepError) as error:
        troubles.append(f"The settings could not be read, so defaults hold: {error}")
        return settings_.Settings()


def _debt(memory: Context, settings: Settings, troubles: list[str]) -> Debt:
    ledger = ledgers.parse(files.read(memory.ledger))  # not by `debt.book`, which can also write
    if ledger.trouble:
        troubles.append(f"The ledger of debt {ledger.trouble}.")
    points = ledger.debt
    slept = ledger.last_sleep_at or ledger.last_sleep or ""
    return Debt(points, scores.level(points, settings), settings.debt_must, len(ledger.sessions), slept)


def _documents(facts: Facts, root: Root) -> Facts:
    sizes, records, decided = [], [], []
    held: list[Fragment] = []
    for name in TIERS:
        there = [path for path in files.list_files(root.path, f"{paths.MEMORY}{name}") if path.endswith(".md")]
        texts = [files.read(root.absolute(path)) or "" for path in there]
        fragments = [fragment for text in texts for fragment in tier.parse(text).fragments]
        sizes.append(TierSize(name, len(there), len(fragments), sum(map(tokens.count, texts))))
        standing = [fragment for fragment in fragments if fragment.is_open]
        held += standing
        if name == "hot":
            records = standing
        decided += _open_records(standing, "decision", "why")
    return facts._replace(
        sizes=tuple(sizes),
        threads=tuple(_open_records(records, "thread", "next")),
        questions=tuple(_open_records(records, "question", "why")),
        decisions=tuple(decided[:_DECISIONS]),
        decided=len(decided),
        head=_head(root, held),
    )


def _head(root: Root, held: Sequence[Fragment]) -> dict[str, tuple[str, ...]]:
    listed = ((paths.journal_number(path), path) for path in files.list_files(root.path, paths.JOURNALS))
    journals = [path for _, path in sorted((number, path) for number, path in listed if number is not None)]
    return brief_parts.head(brief_parts.gather(lambda path: files.read(root.absolute(path)), journals, held))


def _open_records(records: Sequence[Fragment], kind: str, says: str) -> list[OpenRecord]:
    """Return the records of a kind, each with the field that says more."""
    return [
        OpenRecord(record.handle, record.text, record.state, record.field(says))
        for record in records
        if record.kind == kind
    ]


def _commits(root: Root, rows: Sequence[Cycle]) -> dict[int, list[CycleStep]]:
    """Return the commits of cycles, oldest first, by their trailers."""
    if not rows or checkout.head(root) is None:
        return {}
    numbers = {row.number for row in rows}
    steps: dict[int, list[CycleStep]] = {}
    for commit in reversed(history.commits(root, paths=layout.OWNED, limit=_COMMITS)):
        trailers = dict(commit.trailers)
        number = trailers.get("Sleep-Cycle", "")
        step = trailers.get("Sleep-Step", "")
        if step and step != "undo" and number.isascii() and number.isdigit() and int(number) in numbers:
            steps.setdefault(int(number), []).append(CycleStep(commit.sha, step, commit.subject))
    return steps
