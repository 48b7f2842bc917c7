"""The book of sleep debt: what hooks and commands do to it, each in one transaction.

Owns the order of things: a transcript is read before the lock is taken, and read on inside if its session was counted
meanwhile; the ledger is written before the session's file, for a count can be made again. Standard library only; hooks
load it.
"""

from __future__ import annotations

import time

from sleep.debt import liveness, moves, scores, sessions, storage, timestamps, transcript_scan
from sleep.debt import settlement as settlements
from sleep.debt.ledger import BY_HAND, Session
from sleep.debt.sessions import Known, Sighting
from sleep.debt.settlement import STALE
from sleep.errors import HeldError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.debt.ledger import Ledger, Settlement
    from sleep.debt.transcript_scan import Scan
    from sleep.settings import Settings
    from sleep.store.context import Context

_LONGEST = 20_000  # characters of a message
_CAUGHT, _PATIENCE = 40, 5.0  # sessions, and seconds, of one catching up
_OPENING = 5.0  # seconds that the start of a session waits for the lock: a client waits with it
_SCORES = (1, 2, 3)


def read(context: Context) -> Ledger:
    """Return the ledger; `trouble` says what of it could not be read. Writes nothing."""
    return storage.read(context)


def record_start(context: Context, seen: Sighting, now: float) -> Known:
    """Keep that a session began, or goes on: it lives."""
    session_id = sessions.safe(seen.session_id)
    with storage.hold(context, "session-start", _OPENING):
        before = sessions.read(context, session_id)
        known = before or Known(session_id, started_at=timestamps.iso(now))
        known = known.seen(seen)._replace(ended_at=None, reason="", pid=seen.pid, pid_started=seen.pid_started)
        if before is None:
            sessions.sweep(context, now)  # where one comes, others may go
        return known if known == before else sessions.put(context, known)


def record_stop(context: Context, settings: Settings, seen: Sighting, message: str | None, now: float) -> Session:
    """Book what a session did since it was counted last; its record becomes the newest.

    Args:
        context: the context folder.
        settings: its settings.
        seen: the session as the client names it.
        message: the last assistant message; secrets are taken out before it is written.
        now: seconds since 1970.

    Returns:
        The record; its score is None while the transcript is missing, torn or growing.
    """
    booked = _counted(context, settings, seen, now, "stop", message=_cleaned(message))
    return booked or Session(sessions.safe(seen.session_id))


def record_end(
    context: Context, settings: Settings, seen: Sighting, reason: str, now: float, message: str | None = None
) -> Session | None:
    """Keep that a session is over, and book what is new, its last message too, where one is known.

    Returns its record; None if it has none, for one that never stopped and changed nothing leaves none.
    """
    return _counted(context, settings, seen, now, "session-end", message=_cleaned(message), reason=reason or "other")


def catch_up(context: Context, settings: Settings, now: float, but: str = "") -> list[Session]:
    """Score what is pending, and book what sessions did that are over and whose end nobody heard.

    A scored session that this machine has never seen is left alone. Bounded; what is left over is due the next time.

    Args:
        context: the context folder.
        settings: its settings.
        now: seconds since 1970.
        but: the session that is about to begin or to go on: of its only a pending record is looked at.

    Returns:
        The records that changed.
    """
    ledger = read(context)
    due = _due(context, settings, ledger, now, sessions.safe(but) if but else "")
    if not due and not settlements.is_cut_off(context, ledger, now):
        return []
    until = time.monotonic() + _PATIENCE
    scans: list[tuple[Known, Scan]] = []
    for known in due[:_CAUGHT]:
        scans.append((known, _final(known, transcript_scan.scan(context, known, settings, now, patient=True))))
        if time.monotonic() > until:
            break
    caught: list[Session] = []
    with storage.hold(context, "session-start", settings.lock_wait):
        before = ledger = settlements.mend(context, settings, now)
        counted: list[Known] = []
        for known, scan in scans:
            there = sessions.read(context, known.session_id)
            if there is not None and there.counts != known.counts:
                continue  # somebody counted it meanwhile
            counted.append(_over(_with(there or known, scan), now))
            record = _caught(ledger, counted[-1], scan, settings, now)
            if record is not None:
                ledger = moves.insert(ledger, record)
                caught.append(record)
        storage.write(context, before, ledger)
        for known in counted:
            sessions.put(context, known)
    return caught


def add(context: Context, score: int, text: str, now: float, settings: Settings | None = None) -> Session:
    """Book work that no edit shows: an entry of its own, which is never counted again.

    Raises:
        UsageError: a score that is not 1, 2 or 3, or no text; nothing was written.
    """
    if isinstance(score, bool) or score not in _SCORES:
        raise UsageError(f"a score is 1, 2 or 3, not {score!r}", hint='sleepwake sleep.add 2 "what it was"')
    message = _cleaned(text.strip())
    if not message:
        raise UsageError("what the debt is for is missing", hint='sleepwake sleep.add 2 "what it was"')
    with storage.hold(context, "sleep.add"):
        before = settlements.mend(context, settings, now)
        millis = round(now * 1000)
        while before.find(f"{BY_HAND}{millis}"):
            millis += 1
        made = Session(f"{BY_HAND}{millis}", None, timestamps.iso(now), message, None, score)
        storage.write(context, before, moves.record_stop(before, made))
    return made


def start(context: Context, now: float, settings: Settings | None = None) -> Settlement:
    """Set the epoch of a sleep by hand: `done` will settle what stands now, and not what stops after it.

    Raises:
        HeldError: one is under way since less than 30 minutes; an older one is taken over.
    """
    with storage.hold(context, "sleep.start"):
        before = settlements.mend(context, settings, now)
        if there := settlements.under_way(before, now):
            raise HeldError(
                f"a sleep is under way since {there.at} (it can be taken over after {STALE / 60:.0f} minutes)",
                where=context.ledger,
                hint='sleepwake sleep.done "what was consolidated"',
            )
        epoch = moves.standing(before, timestamps.iso(now))
        storage.write(context, before, before._replace(epoch=epoch))
    return epoch


def done(context: Context, summary: str, now: float, settings: Settings | None = None) -> Ledger:
    """Settle a sleep by hand: what stood when it was started; without a start, everything. Returns the ledger.

    Raises:
        UsageError: no summary; nothing was written.
    """
    message = _cleaned(summary.strip())
    if not message:
        raise UsageError("what was consolidated is missing", hint='sleepwake sleep.done "what was consolidated"')
    with storage.hold(context, "sleep.done"):
        before = settlements.mend(context, settings, now)
        settlement = before.epoch or moves.standing(before, timestamps.iso(now))
        return settlements.settle_held(context, before, settlement, message, now, settings)


def _counted(
    context: Context,
    settings: Settings,
    seen: Sighting,
    now: float,
    purpose: str,
    *,
    message: str | None = None,
    reason: str = "",
) -> Session | None:
    """Count a session and book it; `reason` is that of its end. Returns its record, None where it leaves none."""
    session_id = sessions.safe(seen.session_id)
    fresh = Known(session_id, started_at=timestamps.iso(now))
    known = (sessions.read(context, session_id) or fresh).seen(seen)
    scan = transcript_scan.scan(context, known, settings, now)
    with storage.hold(context, purpose, settings.lock_wait):
        there = sessions.read(context, session_id)
        known = (there or fresh).seen(seen)
        if known.counts != scan.began:  # somebody counted it meanwhile
            scan = transcript_scan.scan(context, known, settings, now)
        ledger = settlements.mend(context, settings, now)
        known = _with(known, scan)
        if reason:
            known = known._replace(ended_at=timestamps.iso(now), reason=reason)
        elif sessions.ended_before(known, now):
            known = known._replace(ended_at=None, reason="")
        old = ledger.find(session_id)
        record = _record(ledger, known, scan, settings, old)
        words = message or record.last_assistant_message
        record = record._replace(stopped_at=timestamps.iso(now), last_assistant_message=words)
        tells = not reason or _tells(record, old)
        if tells:
            storage.write(context, ledger, moves.record_stop(ledger, record))
        if known != there:
            sessions.put(context, known)
    return record if tells else old


def _tells(record: Session, old: Session | None) -> bool:
    """Return whether the record of a session that ended says more than the one that it had."""
    if old is None:
        return bool(record.change_count or record.score)
    is_other = record.last_assistant_message != old.last_assistant_message
    return is_other or (record.changes, record.score) != (old.changes, old.score)


def _record(ledger: Ledger, known: Known, scan: Scan, settings: Settings, old: Session | None) -> Session:
    """Return a session's record with what is counted now, less what was settled."""
    if old is not None:
        base = old.settled
    elif known.settled_at:
        base = known.settled
    else:
        base = moves.base(ledger, known.session_id)
    left = max(0, scan.total - base)
    path = known.transcript_path or (old.transcript_path if old else None)
    return (old or Session(known.session_id))._replace(
        transcript_path=path or None,
        change_count=left if scan.counts or scan.skipped else None,
        score=None if scan.is_pending else scores.score(left, settings),
        settled=base,
        skipped=scan.skipped,
    )


def _caught(ledger: Ledger, known: Known, scan: Scan, settings: Settings, now: float) -> Session | None:
    """Return the record that catching up gives a session, None where nothing becomes of it."""
    old = ledger.find(known.session_id)
    record = _record(ledger, known, scan, settings, old)
    if old is not None:
        return None if record == old else record
    return record._replace(stopped_at=timestamps.iso(_last_change(known, now))) if record.score else None


def _final(known: Known, scan: Scan) -> Scan:
    """Return a scan that is the last word if the session's client is gone: nothing more comes, torn as it may be."""
    gone = liveness.is_running(known.pid, known.pid_started) is False
    return scan._replace(is_pending=False) if gone and scan.counts else scan


def _over(known: Known, now: float) -> Known:
    """Return the session, with an end if it is over and nobody heard it end."""
    if known.ended_at is not None or sessions.is_living(known, now):
        return known
    return known._replace(ended_at=timestamps.iso(_last_change(known, now)), reason="gone")


def _with(known: Known, scan: Scan) -> Known:
    return known._replace(counts=scan.counts, foreign=scan.foreign)


def _due(context: Context, settings: Settings, ledger: Ledger, now: float, but: str) -> list[Known]:
    """Return the sessions that have something to be counted, those with a pending record first."""
    due = []
    pending = {session.session_id: session.transcript_path for session in ledger.sessions if session.score is None}
    for session_id, path in pending.items():
        known = sessions.read(context, session_id) or Known(session_id)
        known = known if known.transcript_path else known._replace(transcript_path=path or "")
        if known.counts or sessions.size(known.transcript_path) >= 0:
            due.append(known)
    due += [
        known
        for known in sessions.all(context, over=False)
        if known.session_id not in pending
        and known.session_id != but
        and not sessions.is_living(known, now)
        and transcript_scan.has_grown(known, settings)
    ]
    return due


def _last_change(known: Known, now: float) -> float:
    return min(now, sessions.changed(known.transcript_path) or now)


def _cleaned(message: str | None) -> str | None:
    """Return a message as it may be written: without secrets and homes, and not without end."""
    if not message:
        return None
    from sleep.store import private  # noqa: PLC0415  # late: the rules of secrets cost 5 ms, and starts have no message

    clean = private.clean(message)
    return clean if len(clean) <= _LONGEST else f"{clean[: _LONGEST - 1]}…"
