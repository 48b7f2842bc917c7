"""What became of a whole journal: the account of every character of it, and where its entries stand now.

Owns finding what a person names, and which cycle's account holds. The life of one entry is `life`'s. Refuses to write
anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.cycle import fate_record
from sleep.documents import paths, register
from sleep.errors import UsageError
from sleep.history import account, past_steps, replayed_fates
from sleep.history.step_fates import Past, StepFates
from sleep.journal import writer
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from sleep.compression.segments import Span
    from sleep.documents.cycles import Cycle
    from sleep.documents.journal import Journal
    from sleep.history.account import Run, Share
    from sleep.history.past_steps import Step
    from sleep.memory.place import Place
    from sleep.records.address import Address, InstanceId
    from sleep.store.layout import Root

JOURNAL = "journal"


class Account(NamedTuple):
    """The account of a journal: its runs, and their shares, which make up all of it.

    `cycle` is 0 where none has slept on it, `commit` "" where its step has none. `stands` counts the entries by where
    they stand now: a tier (the hottest, of several), or `journal` for those that only it has. `text` is the journal's.
    """

    path: str
    instance: str
    text: str
    cycle: int
    commit: str
    runs: tuple[Run, ...]
    shares: tuple[Share, ...]
    stands: dict[str, int]
    notes: tuple[str, ...]


class _Judged(NamedTuple):
    """A journal's text as it was judged, its spans, by which commit, and what has to be said of that."""

    journal: Journal
    spans: tuple[Span, ...]
    commit: str
    notes: tuple[str, ...]


def find(where: Place, handle: str) -> Address | InstanceId:
    """Return the entry or the instance that a person names: `i7qxk.12`, `D-014`, `i7qxk` or `7`.

    Raises UsageError when there is none, or several.
    """
    word = handle.strip()
    view = View(WorkTree(where.root))
    if address := addressing.parse(word):
        return address
    if found := addressing.number_of(word):
        return _numbered(view, addressing.number(*found))
    if instance := addressing.parse_instance(word):
        if view.path_of(instance) is None:
            raise UsageError(f"there is no journal of {word}", hint="sleepwake status")
        return instance
    if not (word.isascii() and word.isdigit()):
        raise UsageError(
            f"{word!r} is no address (would be right: i7qxk.12, D-014, i7qxk or 7)", hint="sleepwake journal.show"
        )
    own = [view.journal(path).instance for path in view.journals if paths.journal_number(path) == int(word)]
    if len(own) > 1:
        raise UsageError(f"several instances have the number {word} (would be right: {' or '.join(map(str, own))})")
    if not own:
        raise UsageError(f"there is no instance {word}", hint="sleepwake status")
    return own[0]


def _numbered(view: View, number: str) -> Address:
    """Return the entry that a record's number was given to: by the registry, else by the mark in a journal."""
    called = register.named(view.records.values(), number)
    if called:
        return writer.find_record(called, called[0].fragment.kind, number).fragment.identity
    wanted = addressing.number_of(number)
    for path in view.journals:
        for found in addressing.MARK.finditer(view.read(path) or ""):
            mark = addressing.mark_of(found)
            if mark.number and addressing.number_of(mark.number) == wanted and len(mark.addresses) == 1:
                return mark.addresses[0]
    kind = kinds.of_letter(number.partition("-")[0].upper()).name
    raise UsageError(f"there is no {kind} {number}", hint=f"sleepwake {kind}.list --all")


def whole(where: Place, instance: InstanceId) -> Account:
    """Return the account of an instance's journal. Raises UsageError when it has none."""
    now = View(WorkTree(where.root))
    path = now.path_of(instance)
    if path is None:
        raise UsageError(f"there is no journal of {instance}", hint="sleepwake status")
    row = next((cycle for cycle in now.cycles if cycle.instance == instance), None)
    judged = _judged(where.root, path, row) if row else _waiting(now, path)
    runs = account.runs(judged.journal, judged.spans)
    notes = list(judged.notes)
    if judged.journal.text != now.read(path):
        notes.append(f"{path} was edited after it was slept on; this is the account of it as it was")
    return Account(
        path,
        str(instance),
        judged.journal.text,
        row.number if row else 0,
        judged.commit,
        runs,
        account.shares(judged.journal.text, runs),
        _stands(now, judged.journal),
        tuple(notes),
    )


def _waiting(now: View, path: str) -> _Judged:
    journal = now.journal(path)
    note = "no cycle has slept on it (sleepwake sleep --dry-run shows what would become of it)"
    return _Judged(journal, account.waiting(journal), "", (note,))


def _judged(root: Root, path: str, row: Cycle) -> _Judged:
    """Return what a cycle made of a journal, as it wrote it down; without a record, what the tiers hold now."""
    past = Past(root)
    own = [one for one in past.steps if (one.cycle, one.instance) == (row.number, str(row.instance))]
    taken = [one for step in own for one in past.fates(step)] or past.without_commits(row)
    found = next((one for one in reversed(taken) if one.step.step == past_steps.HOT), None)
    if found and (journal := found.journal[1]):
        rebuilt = _rebuilt(past, found.step)
        latest = past.page(row.number, row.instance).of(past_steps.HOT)
        if rebuilt and latest:
            found = StepFates(past, found.step, latest)
            rebuilt = [f"{one}; this is its account" for one in rebuilt]
        else:
            rebuilt = [f"{one}; this is the first time's account" for one in rebuilt]
        why = found.section.observed
        notes = [why and f"told by what the commit holds, for {why}", *rebuilt]
        if not found.step.commit.sha:
            notes.append(past_steps.gone(row))
        return _Judged(journal, found.account(), found.step.commit.sha, tuple(filter(None, notes)))
    now = past.now
    journal = now.journal(path)
    there = {at: now.tier(at).fragments for folder in paths.TIERS for at in now.files(f"{folder}/")}
    passages = comparison.between({path: fate_record.fragments(journal)}, there)
    note = f"{past_steps.gone(row)}; told by what memory holds now"
    return _Judged(journal, replayed_fates.observed(journal, [one for one in passages if one.before]), "", (note,))


def _rebuilt(past: Past, step: Step) -> list[str]:
    """Return for each undo after a step that slept on its journal again, that it did."""
    later = past.steps[next((index for index, one in enumerate(past.steps) if one.commit == step.commit), 0) :]
    found = []
    for one in later:
        _, _, again = one.commit.body.partition("- slept again without it: cycles ")
        if one.step == past_steps.UNDO and str(step.cycle) in again.partition("\n")[0].split(", "):
            found.append(f"the undo of cycle {one.cycle} ({one.commit.sha[:7]}) slept on it again")
    return found


def _stands(now: View, journal: Journal) -> dict[str, int]:
    tiers: dict[Address, str] = {}
    for path, fragment in now.placed():
        for address in fragment.addresses:
            tiers.setdefault(address, paths.tier_of(path))
    counts = dict.fromkeys(("hot", "warm", "cold", JOURNAL), 0)
    for entry in journal.entries:
        counts[tiers.get(entry.address, JOURNAL)] += 1
    return counts
