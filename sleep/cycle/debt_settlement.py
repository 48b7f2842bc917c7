"""What a sleep of ours settles: debt and sessions, in the ledger and in the trailers of its handoffs.

Owns which sessions a sleep and each of its cycles is about, and what a handoff says of them. How the ledger is changed,
and what becomes of it when the sleep is cut off, is `sleep.debt.settlement`. Also finds the ledger of a folder that has
no git around it.
"""

from __future__ import annotations

import contextlib
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.code import own_activity
from sleep.debt import book, moves, storage, timestamps
from sleep.debt import settlement as settlements
from sleep.documents import paths, yaml_reader
from sleep.errors import SleepError
from sleep.plurals import several
from sleep.store import context as contexts
from sleep.store import files, step
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.debt.ledger import PastSleep, Settlement
    from sleep.memory.place import Place, Writer
    from sleep.memory.view import View
    from sleep.settings import Settings
    from sleep.store.context import Context

NOTHING = "nothing to consolidate"  # the summary of a sleep that settled and had no journal to sleep on


class Desk(NamedTuple):
    """A context folder with its settings: where debt is kept, git or no git."""

    context: Context
    settings: Settings


class Under(NamedTuple):
    """A sleep under way: what the cycle of each journal settles, by the journal's path, where, and since when.

    Where there is no journal to sleep on, the one share has the path "". `moment` is in seconds since 1970. `commits`
    is what commits since the last sleep are worth, where they are debt: it is in no ledger, and counts anew from here.
    It `ends` a sleep by hand that was under way.
    """

    shares: Mapping[str, Settlement]
    desk: Desk
    moment: float
    commits: int = 0
    ends: bool = False

    @property
    def settled(self) -> Settlement | None:
        """What the sleep settles, None for nothing."""
        return _with_commits(moves.join(tuple(self.shares.values())), self.commits)

    def keep(self, path: str) -> None:
        """Before the first commit of a journal's cycle: have the ledger tell what that is about to settle."""
        if not self.shares[path].is_empty:
            settlements.keep(self.desk.context, self.shares[path])

    def settle(self, path: str) -> None:
        """After the last commit of a journal's cycle: settle. The last cycle says when it was, if it settles or not."""
        share = self.shares[path]
        is_told = path == list(self.shares)[-1] if path else bool(self.commits or self.ends)
        if share.is_empty and not is_told:
            return
        summary = f"cycle {share.cycle}" if path else NOTHING
        settlements.settle(self.desk.context, share, summary, self.moment, self.desk.settings)


def find(start: str, explicit: str | None = None) -> Desk:
    """Return the desk that a command run in `start` works at.

    Raises:
        NoMemoryError: there is no context folder.
        DocumentError: its `sleep.yaml` cannot be read.
    """
    context = contexts.require(start, explicit or settings_.root_override())
    fields = yaml_reader.load_settings(files.read(context.settings) or "", context.settings)
    return Desk(context, settings_.resolve(fields, where=context.settings))


def find_context(start: str, explicit: str | None = None) -> Context:
    """Return the context folder of the same, for what no setting changes: faults in `sleep.yaml` do not stop it.

    Raises:
        NoMemoryError: there is no context folder.
        DocumentError: its `sleep.yaml` names a newer format, or none that can be known.
    """
    context = contexts.require(start, explicit or settings_.root_override())
    fields: Mapping[str, object] = {}
    with contextlib.suppress(ValueError, SleepError):
        fields = yaml_reader.load(files.read(context.settings) or "")
    settings_.resolve(
        {name: fields[name] for name in ("format",) if name in fields}, where=context.settings, environ={}
    )
    return context


def of(where: Place) -> Desk:
    """Return the desk of a memory."""
    return Desk(contexts.of(where.root), where.settings)


def refuse(where: Place) -> None:
    """Raise StorageError where no debt can be settled or given back, before anything else is changed."""
    storage.refuse(contexts.of(where.root))


def bound(view: View, number: int | None) -> tuple[str, ...] | None:
    """Return the sessions that an instance's journal names, None for a sleep on all instances."""
    if number is None:
        return None
    own = (path for path in view.journals if paths.journal_number(path) == number)
    return tuple(session for path in own for session in view.sessions_in(path))


def begun(where: Place, now: str) -> tuple[str, ...] | None:
    """Return the sessions that a sleep by hand which is under way settles, None where none is."""
    epoch = settlements.under_way(book.read(of(where).context), timestamps.seconds(now) or 0.0)
    return epoch.sessions if epoch else None


def unread(where: Place, view: View, now: str, instance: int | None) -> dict[str, str | None]:
    """Return the journals as they become with what only the ledger holds of what will be settled, by path."""
    if not book.read(of(where).context).sessions:
        return {}
    from sleep.cycle import ledger_notes as reading  # late: 8 ms, and only where debt stands  # noqa: PLC0415

    return reading.journaled(where, view, now, instance)


@contextmanager
def unread_journaled(writer: Writer, view: View, now: str, instance: int | None) -> Iterator[bool]:
    """Write these and yield whether there are any; where the body, which commits them, is refused, take them back."""
    written = unread(writer.place, view, now, instance)
    places = {writer.root.absolute(path): text or "" for path, text in written.items()}
    before = {path: files.read(path) for path in places}
    for path, text in places.items():
        files.write(path, text)
    try:
        yield bool(written)
    except SleepError:
        if not step.interrupted(writer.root):
            _take_back(places, before)
        raise


def _take_back(written: Mapping[str, str], before: Mapping[str, str | None]) -> None:
    """Give files the text that they had before, but for one that somebody has changed since it was written."""
    for path, text in before.items():
        if files.read(path) != written[path]:
            continue
        if text is None:
            files.delete(path)
        else:
            files.write(path, text)


@contextmanager
def under_way(
    where: Place, view: View, now: str, *, journals: Sequence[str], cycle: int, only: tuple[str, ...] | None
) -> Iterator[Under]:
    """Divide what stands when a sleep begins among its cycles; the caller has each kept and settled.

    Where there is no journal, what stands is settled at the end.

    Args:
        where: the memory; the caller may write to it.
        view: the memory as it is.
        now: ISO 8601, UTC.
        journals: the paths of those that are slept on, in order.
        cycle: the number of the first one's cycle.
        only: the sessions that the sleep is about; None for all.
    """
    desk = of(where)
    moment = timestamps.seconds(now) or 0.0
    parts = [
        moves.CycleShare(number, str(view.instance_of(path)), view.sessions_in(path))
        for number, path in enumerate(journals, cycle)
    ]
    shares = settlements.begin(desk.context, moment, parts or (moves.CycleShare(),), only=only, settings=desk.settings)
    commits = _commits(where) if only is None else 0
    ends = shares[-1].at != timestamps.iso(moment)
    under = Under(dict(zip(journals or ("",), shares, strict=True)), desk, moment, commits, ends)
    try:
        yield under
    except BaseException:
        with contextlib.suppress(SleepError):  # what stopped the sleep is what has to be said
            settlements.forget(desk.context, moment, desk.settings)
        raise
    if not journals:
        under.settle("")


def standing(where: Place, now: str, only: tuple[str, ...] | None) -> Settlement | None:
    """Return what a sleep that began now would settle, None for nothing; reads only."""
    context, settings = of(where)
    standing = settlements.standing(context, timestamps.seconds(now) or 0.0, only, settings)
    return _with_commits(standing, _commits(where) if only is None else 0)


def _commits(where: Place) -> int:
    """Return what commits since the last sleep are worth."""
    context, settings = of(where)
    ledger = book.read(context)
    return own_activity.scored(context, settings, ledger).debt - ledger.debt


def _with_commits(settlement: Settlement, commits: int) -> Settlement | None:
    whole = settlement._replace(debt=settlement.debt + commits)
    return None if whole.is_empty and not commits else whole


def lines(under: Under | None, path: str) -> list[str]:
    """Return what the message of a journal's handoff says of the debt, nothing where its cycle settles none."""
    return [f"settled: {sentence(under.shares[path])}"] if under and trailers(under, path) else []


def trailers(under: Under | None, path: str) -> list[tuple[str, str]]:
    """Return the trailers of the same."""
    if under is None or under.shares[path].is_empty:
        return []
    named = [("Sleep-Session", session) for session in under.shares[path].sessions]
    return [("Sleep-Debt", str(under.shares[path].debt)), *named]


def sentence(settlement: Settlement) -> str:
    """Return in words what is settled: `debt 7 from 3 sessions`."""
    count = len(settlement.portions)
    return f"debt {settlement.debt}" + (f" from {several(count, 'session')}" if count else "")


@contextmanager
def undoing(where: Place, cycle: int, instance: str) -> Iterator[None]:
    """Keep that a cycle is being undone while its commit is made; debt is given back when the commit has landed."""
    context, settings = of(where)
    now = time.time()
    settlements.begin_undo(context, cycle, instance, now, settings)
    try:
        yield
    except BaseException:
        with contextlib.suppress(SleepError):
            settlements.forget(context, now, settings)
        raise


def give_back(where: Place, cycle: int, instance: str) -> PastSleep | None:
    """Give back the debt that a cycle settled, and return what that was, None for nothing."""
    context, settings = of(where)
    return settlements.give_back(context, cycle, instance, settings)


def to_give_back(where: Place, cycle: int, instance: str) -> PastSleep | None:
    """Return what undoing a cycle would give back; reads only."""
    return book.read(of(where).context).settled_by(cycle, instance)
