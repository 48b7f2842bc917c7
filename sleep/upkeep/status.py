"""Status: what there is and what is due, on one screen.

Owns the figures. Reads only: takes no lock and repairs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.code import commits, own_activity
from sleep.cycle import debt_settlement
from sleep.debt import book, last_sleep, scores, timestamps
from sleep.documents import paths
from sleep.memory import foreign_journals, memory_figures, merge_conflicts
from sleep.memory.by_project import project_heads
from sleep.memory.view import View
from sleep.records.kinds import RECORDS, key
from sleep.review import agenda
from sleep.store import step
from sleep.store.git import checkout
from sleep.store.tree import WorkTree
from sleep.wake import page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.code.commits import Activity
    from sleep.memory.memory_figures import WaitingJournal
    from sleep.memory.place import Place

_RESOLVE = "sleepwake doctor --fix does what it can"
_INTERRUPTED = "a step was interrupted: sleepwake sleep.resume finishes it"


class Status(NamedTuple):
    """The figures. `open_instances` and `unslept` are (number, entries); `tiers` are (files, fragments, tokens).

    `debt` and `level` are those of this machine's ledger, `trouble` says what of it cannot be read. `conflicts`
    are the places of marks that a merge left. `review` counts what waits for a word, by sort; `pressing` names what
    contradicts and what is due. `commits` are since the last sleep, None where they are not read. `head` has lines by
    part of the brief: `purpose`, `state`, `next`. `elsewhere` are the open journals of other people's clones: number,
    whose, and the day of their last commit. `stale` says how many records have long stood open.
    """

    root: str
    branch: str
    open_instances: tuple[tuple[int, int], ...]
    unslept: tuple[tuple[int, int], ...]
    tiers: dict[str, tuple[int, int, int]]
    records: dict[str, int]
    cycles: int
    last_sleep: str
    interrupted: bool
    unreadable: tuple[str, ...]
    due: str
    debt: int = 0
    level: str = ""
    trouble: str = ""
    conflicts: tuple[str, ...] = ()
    review: tuple[tuple[str, int], ...] = ()
    pressing: tuple[str, ...] = ()
    commits: Activity | None = None
    head: Mapping[str, tuple[str, ...]] = {}
    elsewhere: tuple[tuple[int, str, str], ...] = ()
    stale: str = ""


def read(where: Place, now: str = "", start: str = "") -> Status:
    """Return the status of a memory.

    Args:
        where: the memory.
        now: ISO 8601; without, no day has come.
        start: the folder that somebody works in.
    """
    view = View(WorkTree(where.root))
    journals = memory_figures.waiting_journals(view)
    sizes = (memory_figures.tier_size(view, name) for name in paths.TIER_NAMES)
    tiers = {size.tier: (size.files, size.fragments, size.tokens) for size in sizes}
    counts = _counts(view)
    marks, interrupted = _marks(view), step.interrupted(where.root)
    context = debt_settlement.of(where).context
    ledger = own_activity.scored(context, where.settings, book.read(context), start)
    listed = agenda.items(view, where.settings.review_most, now)
    pressing = tuple(agenda.pressing(listed))
    last = last_sleep.read(context, ledger)
    broken = _broken(where, marks, is_interrupted=interrupted)
    debt = ledger.debt if ledger.debt >= where.settings.debt_must else 0
    foreign = foreign_journals.of_others(where.root, view, timestamps.seconds(now) or 0.0)
    own = [journal for journal in journals.journals if journal.path not in foreign]
    waiting = [journal.number for journal in own if view.holds_something(journal.path)]
    due = broken or _due(view, waiting, debt, pressing)
    return Status(
        where.root.path,
        checkout.branch(where.root) or "detached HEAD",
        _entries(own, is_open=True),
        _entries(journals.journals, is_open=False),
        tiers,
        counts,
        len(view.cycles),
        f"{timestamps.iso(last.at)[:19]}Z" if last else "never",
        interrupted,
        tuple(f"{error.where}: {error.what}" for error in journals.errors),
        due,
        ledger.debt,
        scores.level(ledger.debt, where.settings),
        ledger.trouble,
        marks,
        agenda.count(listed),
        pressing,
        commits.read(context, where.settings, ledger, start),
        project_heads.read(view, where.root.path, start),
        tuple((paths.journal_number(path) or 0, each.who, each.day) for path, each in foreign.items()),
        agenda.stale_sentence(agenda.stale(view, where.settings.review_stale, now)),
    )


def _counts(view: View) -> dict[str, int]:
    """Return how many records are open, by kind."""
    counts = {key(kind.name): 0 for kind in RECORDS}
    for record in view.records.values():
        counts[key(record.fragment.kind)] += record.fragment.is_open
    return counts


def _broken(where: Place, marks: Sequence[str], *, is_interrupted: bool) -> str:
    """Return what has to be put right before anything else, and how, "" for nothing."""
    if marks:
        return f"resolve the conflict at {marks[0]} ({_RESOLVE})"
    work = checkout.under_way(where.root)
    return _INTERRUPTED if is_interrupted else f"{work[0]} is under way: {work[1]}" if work else ""


def _entries(journals: Sequence[WaitingJournal], *, is_open: bool) -> tuple[tuple[int, int], ...]:
    """Return the number and the entries of each journal that is open, or of each that is not."""
    return tuple((journal.number, journal.entries) for journal in journals if journal.is_open is is_open)


def _due(view: View, waiting: Sequence[int], debt: int, pressing: Sequence[str]) -> str:
    """Return what is due first where nothing is broken; `debt` is 0 where no sleep is due."""
    if waiting:
        return f"{_instances(waiting)} not slept on: sleepwake sleep"
    if debt:
        return f"debt is {debt}: sleepwake sleep"
    if pressing:
        return f"{pressing[0]}: sleepwake review"
    old = page.warning(view)
    return f"{old}: sleepwake wake.page" if old else "nothing"


def _instances(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, numbers))
    return f"instances {listed} are" if len(numbers) > 1 else f"instance {listed} is"


def _marks(view: View) -> tuple[str, ...]:
    return tuple(conflict.where for conflict in merge_conflicts.find(view, view.unslept))
