"""What the dashboard shows of a memory: debt, tiers, cycles with their commits, journals that wait, open records.

Owns the reading of it, from documents and from git, never through what writes either. Records are as the journals not
slept on leave them, as `status` and the lists have them. What cannot be read is a sentence in `troubles`, and the rest
is shown all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.debt import ledger as ledgers
from sleep.debt import scores
from sleep.documents import fates_page, paths, yaml_reader
from sleep.errors import NoMemoryError, SleepError
from sleep.memory import memory_figures, merge_conflicts
from sleep.memory.by_project import project_heads
from sleep.memory.view import View
from sleep.records import kinds
from sleep.store import context, files, history, layout
from sleep.store.git import checkout, file_lists
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.documents.register import Record
    from sleep.memory.memory_figures import TierSize, WaitingJournal
    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.store.history import Commit
    from sleep.store.layout import Root

_CYCLES = 60  # that are shown, newest
_RECORDS = 100  # of a kind that are shown: those that no sleep has seen yet, then those of hot memory
# What a person asks for first; the other kinds of records follow as their table has them.
_KINDS = dict.fromkeys(("thread", "task", "blocker", "question", "doubt", *(kind.name for kind in kinds.RECORDS)))
_COMMITS = 2000  # that are looked at for theirs


class Debt(NamedTuple):
    """The debt and what it is called; `must` is where it becomes Must Sleep, `slept` when it was settled last."""

    points: int
    level: str
    must: int
    sessions: int
    slept: str


class CycleStep(NamedTuple):
    """A commit of a cycle."""

    sha: str
    step: str
    subject: str


class CycleSummary(NamedTuple):
    """A cycle: tokens of its journal and of what that became, its commits, and the tokens of each tier after it.

    The tiers are None where its page of fates does not have them; there are no commits where history no longer does.
    """

    cycle: int
    instance: str
    slept: str
    journal: int
    hot: int
    sizes: tuple[int, ...] | None
    steps: tuple[CycleStep, ...]


class OpenRecord(NamedTuple):
    """A record that stands; `says` is what comes next, or the reason."""

    handle: str
    text: str
    state: str
    says: str


class OpenKind(NamedTuple):
    """The records of a kind that stand: the first of them, and how many there are."""

    name: str
    plural: str
    records: tuple[OpenRecord, ...]
    total: int


class Facts(NamedTuple):
    """All of it; `where` is the memory's folder, "" if there is none. Cycles are oldest first.

    `head` has lines by part of the brief: `purpose`, `state`, `next`; of several projects as `status` has them.
    """

    where: str = ""
    debt: Debt | None = None
    sizes: tuple[TierSize, ...] = ()
    cycles: tuple[CycleSummary, ...] = ()
    waiting: tuple[WaitingJournal, ...] = ()
    kinds: tuple[OpenKind, ...] = ()
    troubles: tuple[str, ...] = ()
    head: Mapping[str, tuple[str, ...]] = {}


class CommitDetail(NamedTuple):
    """A commit as its page shows it, with the files that it changed."""

    commit: Commit
    paths: tuple[str, ...]


class Reader:
    """Reads the memory around a folder, again and again."""

    def __init__(self, start: str) -> None:
        self._start = start

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
            view = View(WorkTree(root))
            documents = _documents(view, root.path, self._start)
            troubles += documents.troubles
            facts = documents._replace(where=facts.where, debt=facts.debt, cycles=_cycles(root, view))
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
        changed = file_lists.differences(root, before, commit.sha)
        return CommitDetail(commit, tuple(row.path for row in changed))


def _cycles(root: Root, view: View) -> tuple[CycleSummary, ...]:
    rows = view.cycles[-_CYCLES:]
    commits = _commits(root, rows)
    return tuple(
        CycleSummary(
            *(row.number, str(row.instance), row.slept, row.before, row.after),
            fates_page.read(view.read(fates_page.path(*row.key))).sizes or None,
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


def _documents(view: View, folder: str, start: str) -> Facts:
    """Return what documents say; errors as in `View.read`."""
    waiting = memory_figures.waiting_journals(view)
    troubles = [f"A journal could not be read: {error.where}: {error.what}" for error in waiting.errors]
    troubles += (
        f"A merge left its marks at {conflict.where}: until they are resolved, both sides are shown here."
        for conflict in merge_conflicts.find(view, view.unslept)
    )
    standing = [record for record in view.records.values() if record.fragment.is_open]
    return Facts(
        sizes=tuple(memory_figures.tier_size(view, name) for name in paths.TIER_NAMES),
        waiting=waiting.journals,
        kinds=tuple(_of_kind(name, standing) for name in _KINDS),
        troubles=tuple(troubles),
        head=project_heads.read(view, folder, start),
    )


def _of_kind(name: str, standing: Sequence[Record]) -> OpenKind:
    kind = kinds.KINDS[name]
    records = [record for record in standing if record.fragment.kind == name]
    records.sort(key=lambda record: not record.path.startswith(paths.JOURNALS))
    first = (record.fragment for record in records[:_RECORDS])
    rows = (OpenRecord(each.handle, each.text, each.state, each.field("next") or each.field("why")) for each in first)
    return OpenKind(name, kind.plural, tuple(rows), len(records))


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
