"""Settling: what a sleep takes out of the ledger, and what undoing it puts back.

Owns the order of writes, so that a crash anywhere can be told. Each cycle of a sleep first keeps what it is about to
settle; once its last commit has landed that is settled, session files before the ledger, for a record that still stands
says by itself how much of it was settled. Whoever writes next finishes what was cut off: `memory/cycles.md` tells
whether the cycle landed. What is given back goes the other way round.
"""

from __future__ import annotations

import os

from sleep.debt import liveness, moves, scores, sessions, storage, timestamps
from sleep.debt.moves import CycleShare
from sleep.debt.sessions import Known
from sleep.settings import Settings
from sleep.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sleep.debt.ledger import Ledger, PastSleep, Settlement
    from sleep.store.context import Context

STALE = 1800.0  # seconds after which a sleep that never ended is over, where its process cannot be asked


def begin(
    context: Context,
    now: float,
    parts: Sequence[CycleShare] = (CycleShare(),),
    *,
    only: Collection[str] | None = None,
    settings: Settings | None = None,
) -> tuple[Settlement, ...]:
    """Return what each cycle of a sleep that begins now settles, with what `keep` needs to tell of a crash.

    Args:
        context: the context folder.
        now: seconds since 1970.
        parts: the cycles, in order, at least one; one with the number 0 for a sleep that makes none.
        only: the sessions that it is about; None for all, and for debt that no session explains.
        settings: the settings.

    A sleep about all that begins while one is under way by hand (`sleep.start`) carries that out: it settles what stood
    when that began.
    """
    forget(context, now, settings)
    pid, started = liveness.own_process()
    ledger = storage.read(context)
    whole = _standing(ledger, now, only, settings)
    shares = moves.divide(ledger, whole, timestamps.iso(now), parts, _scored(settings))
    return tuple(share._replace(pid=pid, started=started) for share in shares)


def keep(context: Context, settlement: Settlement) -> None:
    """Write down what a cycle is about to settle, before its first commit."""
    with storage.hold(context, "sleep"):
        before = storage.read(context)
        storage.write(context, before, before._replace(sleeping=settlement))


def standing(
    context: Context, now: float, only: Collection[str] | None = None, settings: Settings | None = None
) -> Settlement:
    """Return what a sleep that began now would settle; reads only."""
    return _standing(storage.read(context), now, only, settings)


def _standing(ledger: Ledger, now: float, only: Collection[str] | None, settings: Settings | None) -> Settlement:
    epoch = under_way(ledger, now) if only is None else None
    return moves.begun(ledger, epoch, _scored(settings)) if epoch else moves.standing(ledger, timestamps.iso(now), only)


def under_way(ledger: Ledger, now: float) -> Settlement | None:
    """Return the sleep by hand that is under way, None for none and for one that is over its time."""
    began = timestamps.seconds(ledger.epoch.at) if ledger.epoch else None
    return ledger.epoch if began is not None and now - began < STALE else None


def settle(
    context: Context, settlement: Settlement, summary: str, now: float, settings: Settings | None = None
) -> Ledger:
    """Settle what `begin` returned, and return the ledger; a session that went on meanwhile keeps the difference."""
    with storage.hold(context, "sleep"):
        return settle_held(context, storage.read(context), settlement, summary, now, settings)


def forget(context: Context, now: float, settings: Settings | None = None) -> None:
    """Put right what `begin` kept when the sleep did not come to its end: settled if its cycle landed, else dropped."""
    if storage.read(context).sleeping:
        with storage.hold(context, "sleep"):
            mend(context, settings, now, alone=True)


def begin_undo(context: Context, cycle: int, instance: str, now: float, settings: Settings | None = None) -> None:
    """Keep that a cycle is about to be undone, so that a crash before its debt is given back can be told."""
    with storage.hold(context, "sleep.undo"):
        before = mend(context, settings, now, alone=True)
        if before.settled_by(cycle, instance):
            pid, started = liveness.own_process()
            undo = moves.standing(before, timestamps.iso(now), ())
            undo = undo._replace(cycle=cycle, instance=instance, pid=pid, started=started, undo=True)
            storage.write(context, before, before._replace(sleeping=undo))


def give_back(context: Context, cycle: int, instance: str, settings: Settings | None = None) -> PastSleep | None:
    """Give back the debt that a cycle settled, and return what that was; None if there is nothing of it."""
    with storage.hold(context, "sleep.undo"):
        before = storage.read(context)
        _give_back(context, before, cycle, instance, settings)
        return before.settled_by(cycle, instance)


def settle_held(
    context: Context, before: Ledger, settlement: Settlement, summary: str, now: float, settings: Settings | None
) -> Ledger:
    """Settle, and return the ledger; the caller holds the lock."""
    at = timestamps.iso(now)
    after = moves.settle(before, settlement, _scored(settings), at=at, summary=summary, date=timestamps.date(now))
    gone = {session.session_id: session for session in after.history[0].sessions}
    for session_id, portion in settlement.portions:
        known = sessions.read(context, session_id)
        if session_id not in gone:
            continue
        if known is None and gone[session_id].score is None:
            # It was never counted. If its transcript turns up after all, it is booked from here.
            known = Known(session_id, transcript_path=gone[session_id].transcript_path or "")
        if known is not None:
            sessions.put(context, known._replace(settled=max(known.settled, portion), settled_at=at))
    return storage.write(context, before, after)


def mend(context: Context, settings: Settings | None, now: float, *, alone: bool = False) -> Ledger:
    """Return the ledger, with a sleep that was cut off settled or forgotten; the caller holds the lock.

    `alone`: this process is the one that sleeps, so what stands there is nobody else's.
    """
    ledger = storage.read(context)
    cut = ledger.sleeping
    if cut is None or not (alone or is_cut_off(context, ledger, now)):
        return ledger
    from sleep.debt import last_sleep  # noqa: PLC0415  # late: only after a crash

    landed = (cut.cycle, cut.instance) in {cycle[:2] for cycle in last_sleep.cycles(context)}
    if cut.undo and not landed:
        return _give_back(context, ledger, cut.cycle, cut.instance, settings)
    if landed and not cut.undo:
        return settle_held(context, ledger, cut, f"cycle {cut.cycle}", now, settings)
    return storage.write(context, ledger, ledger._replace(sleeping=None))


def is_cut_off(context: Context, ledger: Ledger, now: float) -> bool:
    """Return whether the ledger names a sleep that is no more, and git has nothing of it left to finish."""
    if ledger.sleeping is None:
        return False
    runs = liveness.is_running(ledger.sleeping.pid, ledger.sleeping.started)
    if runs is None:
        runs = now - (timestamps.seconds(ledger.sleeping.at) or 0.0) < STALE
    return not runs and not has_intent(context)


def has_intent(context: Context) -> bool:
    """Return whether a step waits to be finished or undone, or is under way."""
    git = layout.find_git(context.base)
    return git is not None and os.path.exists(layout.Root(context.base, *git, "").intent)


def _give_back(context: Context, before: Ledger, cycle: int, instance: str, settings: Settings | None) -> Ledger:
    """Give back, the ledger first: a record that stands is asked before a session's file."""
    entry = before.settled_by(cycle, instance)
    after = before._replace(sleeping=None) if before.sleeping and before.sleeping.undo else before
    there: list[Known] = []
    if entry:
        there = [known for past in entry.sessions if (known := sessions.read(context, past.session_id))]
        bases = {known.session_id: known.settled for known in there}
        after = moves.give_back(after, entry, _scored(settings), bases)
    after = storage.write(context, before, after)
    for known in there:
        if record := after.find(known.session_id):
            sessions.put(context, known._replace(settled=record.settled))
    return after


def _scored(settings: Settings | None) -> Callable[[int], int]:
    known = settings or Settings()
    return lambda changes: scores.score(changes, known)
