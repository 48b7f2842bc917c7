"""What became of a whole journal: the account of every character of it, and where its entries stand now.

Owns finding what a person names, and which cycle's account holds. The life of one entry is `entry_life`'s. Refuses to
write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.cycle import fate_record
from sleep.documents import paths, register
from sleep.errors import UsageError
from sleep.history import account, document_fates, past_steps
from sleep.history.step_fates import Past, StepFates
from sleep.journal import named_record
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.compression.segments import Span
    from sleep.documents.cycles import Cycle
    from sleep.documents.journal import Journal
    from sleep.history.account import Run, Share
    from sleep.history.past_steps import Step
    from sleep.memory.place import Place
    from sleep.records.address import Address, InstanceId

JOURNAL = "journal"
_WORD = 30  # characters of a name that is repeated, and digits of a number


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


def find(view: View, handle: str) -> Address | InstanceId:
    """Return the entry or the instance that a person names: `i7qxk.12`, `D-014`, `i7qxk` or `7`.

    Raises UsageError when there is none, or several.
    """
    word = handle.strip()
    if address := addressing.parse(word):
        return address
    if number := addressing.number_of(word):
        return _numbered(view, addressing.number(*number))
    if instance := addressing.parse_instance(word):
        if view.path_of(instance) is None:
            raise UsageError(f"there is no journal of {word}", hint="sleepwake status")
        return instance
    if not (word.isascii() and word.isdigit()) or len(word) > _WORD:
        near = named_record.near(view.records.values(), word[:_WORD])
        raise UsageError(
            f"{word[:_WORD]!r} is no address{near or ' (would be right: i7qxk.12, D-014, i7qxk or 7)'}",
            hint="sleepwake journal.show",
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
        return named_record.find(called, called[0].fragment.kind, number).fragment.identity
    wanted = addressing.number_of(number)
    for path in view.journals:
        for match in addressing.MARK.finditer(view.read(path) or ""):
            mark = addressing.mark_of(match)
            if mark.number and addressing.number_of(mark.number) == wanted and len(mark.addresses) == 1:
                return mark.addresses[0]
    kind = kinds.of_letter(number.partition("-")[0].upper()).name
    near = named_record.near(view.records.values(), number)
    raise UsageError(f"there is no {kind} {number}{near}", hint=f"sleepwake {kind}.list --all")


def whole(where: Place, instance: InstanceId) -> Account:
    """Return the account of an instance's journal. Raises UsageError when it has none."""
    now = View(WorkTree(where.root))
    path = now.path_of(instance)
    if path is None:
        raise UsageError(f"there is no journal of {instance}", hint="sleepwake status")
    row = next((cycle for cycle in now.cycles if cycle.instance == instance), None)
    if row:
        judged = _judged(Past(where.root), path, row)
    else:
        judged = _Judged(now.journal(path), account.waiting(now.journal(path)), "", (past_steps.UNSLEPT,))
    text = judged.journal.text
    runs = account.runs(judged.journal, judged.spans)
    notes = list(judged.notes)
    if text != now.read(path):
        notes.append(f"{path} was edited after it was slept on; this is the account of it as it was")
    shares = account.shares(text, runs)
    number, stands = row.number if row else 0, _stands(now, judged.journal)
    return Account(path, str(instance), text, number, judged.commit, runs, shares, stands, tuple(notes))


def _judged(past: Past, path: str, row: Cycle) -> _Judged:
    """Return what a cycle made of a journal, as it wrote it down; without a record, what the tiers hold now."""
    recorded = [fates for step in past.steps if step.key == row.key for fates in past.fates(step)]
    hot = [fates for fates in recorded or past.without_commits(row) if fates.step.step == past_steps.HOT]
    journal = hot[-1].journal[1] if hot else None
    if journal:
        return _recorded(past, hot[-1], journal, row)
    now = past.now
    journal = now.journal(path)
    there = {at: now.tier(at).fragments for folder in paths.TIERS for at in now.files(f"{folder}/")}
    passages = comparison.between({path: fate_record.fragments(journal)}, there)
    note = f"{past_steps.gone(row)}; told by what memory holds now"
    return _Judged(journal, document_fates.observed(journal, passages), "", (note,))


def _recorded(past: Past, fates: StepFates, journal: Journal, row: Cycle) -> _Judged:
    """Return the account that a step wrote down, or that of the undo which slept on the journal again."""
    rebuilt = list(_rebuilt(past, fates.step))
    latest = past.page(*fates.step.key).of(past_steps.HOT) if rebuilt else None
    which = "its account" if latest else "the first time's account"
    fates = StepFates(past, fates.step, latest) if latest else fates
    why, sha = fates.section.observed, fates.step.commit.sha
    notes = [f"told by what the commit holds, for {why}"] if why else []
    notes += [f"{undo}; this is {which}" for undo in rebuilt]
    notes += [] if sha else [past_steps.gone(row)]
    return _Judged(journal, fates.account(), sha, tuple(notes))


def _rebuilt(past: Past, step: Step) -> Iterator[str]:
    """Yield for each undo after a step that slept on its journal again, that it did."""
    first = next((index for index, other in enumerate(past.steps) if other.commit == step.commit), 0)
    for undo in past.steps[first:]:
        _, _, again = undo.commit.body.partition("- slept again without it: cycles ")
        if undo.step == past_steps.UNDO and str(step.cycle) in again.partition("\n")[0].split(", "):
            yield f"the undo of cycle {undo.cycle} ({undo.commit.sha[:7]}) slept on it again"


def _stands(now: View, journal: Journal) -> dict[str, int]:
    tiers: dict[Address, str] = {}
    for path, fragment in now.placed():
        for address in fragment.addresses:
            tiers.setdefault(address, paths.tier_of(path))
    counts = dict.fromkeys((*paths.TIER_NAMES, JOURNAL), 0)
    for entry in journal.entries:
        counts[tiers.get(entry.address, JOURNAL)] += 1
    return counts
