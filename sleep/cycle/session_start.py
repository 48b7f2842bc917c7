"""Attend: what a session's start has done for the sessions before it, within the time that the client gives.

Owns the order: a step that was cut off, digests that were missed, oldest first, then the sleep that is due. Whether
one is due and on which instances is `debt/due.py`'s to say. It may be ended at any moment: a digest is one write, and a
step of a sleep has its intent record. Refuses to ask a model: at a session's start nobody waits for one, nor has agreed
to what it costs.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from sleep.code import own_activity
from sleep.cycle import compressor
from sleep.debt import due, sessions, storage, timestamps
from sleep.errors import HeldError, SleepError
from sleep.journal.capture import session_journal
from sleep.memory import foreign_journals
from sleep.memory.view import View
from sleep.store import context as contexts
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.debt.due import Waiting
    from sleep.debt.ledger import Ledger
    from sleep.debt.sessions import Known
    from sleep.memory.place import Place
    from sleep.settings import Settings

_RATE = 8_000_000  # bytes of a transcript that are digested in a second, at least
_START = 0.2  # seconds that any digest takes
_SLEEP = 2.0  # seconds without which no sleep is begun


class Attended(NamedTuple):
    """What was done.

    `captured` are (session, journal, entries) of what was journaled, `deferred` the sessions that no time was left for.
    `slept` are instances with their commits. `mode` is off, suggest or run, `reason` why a sleep was due, and `waits`
    why it was not begun all the same. `errors` are sentences; none keeps the rest from being done.
    """

    captured: tuple[tuple[str, str, int], ...] = ()
    deferred: tuple[str, ...] = ()
    slept: tuple[tuple[int, tuple[str, ...]], ...] = ()
    mode: str = ""
    reason: str = ""
    waits: str = ""
    errors: tuple[str, ...] = ()


def attend(
    where: Place, now: float, *, session: str = "", limit: float | None = None, but_debt: int = 0, mode: str = ""
) -> Attended:
    """Digest what was missed, and sleep where that is due and set to happen by itself.

    Args:
        where: the memory.
        now: seconds since 1970.
        session: the one that starts; its instance is left alone.
        limit: seconds; `sleep.limit` by default.
        but_debt: debt that this very start has booked for sessions that were missed; it does not count.
        mode: off, suggest or run; by default what is set for this memory.
    """
    until = time.monotonic() + (where.settings.sleep_limit if limit is None else limit)
    context = contexts.of(where.root)
    cut_off = _finished(where)
    done = Attended()
    if where.settings.journal_auto:
        done = captured(where, now, sessions.missed(context, now, session), until)
    done = done._replace(errors=(*cut_off, *done.errors))
    ledger = own_activity.scored(context, where.settings, storage.read(context))
    others = _of_others(where, now)
    reason = due.is_due(context, ledger, where.settings, now, session, caught_up=but_debt, others=others)
    done = done._replace(mode=mode or due.mode(context, where.settings), reason=reason)
    if not reason:
        return done
    if waits := _waits(where.settings, ledger, now, done.mode):
        return done._replace(waits=waits)
    return _slept(where, now, due.ready(context, now, session, others), until, done)


def _of_others(where: Place, now: float) -> frozenset[str]:
    """Return the paths on disk of the journals that are left to other people's clones."""
    others = foreign_journals.of_others(where.root, View(WorkTree(where.root)), now)
    return frozenset(map(where.root.absolute, others))


def _finished(where: Place) -> tuple[str, ...]:
    """Finish or undo a step that was cut off, unless somebody is at it, and return what stood in the way."""
    if not os.path.exists(where.root.intent):
        return ()
    from sleep.memory import place  # late: few starts come behind a crash  # noqa: PLC0415

    try:
        with place.writing(_hurried(where, 0), "what was cut off"):
            return ()
    except HeldError:
        return ()
    except SleepError as error:
        return (str(error),)


def captured(where: Place, now: float, missed: list[Known], until: float) -> Attended:
    """Digest sessions, those that began first first, as far as the time goes (`until`, as `time.monotonic` says it)."""
    journaled: list[tuple[str, str, int]] = []
    deferred: list[str] = []
    errors: list[str] = []
    when = _iso(now)
    for known in sorted(missed, key=lambda session: (session.started_at or session.ended_at or "", session.session_id)):
        left = until - time.monotonic()
        size = max(0, sessions.size(known.transcript_path))
        if left < _START + size / _RATE:
            deferred.append(known.session_id)
            continue
        try:
            capture = session_journal.capture_session(_hurried(where, left), when, known)
        except (SleepError, OSError) as error:
            errors.append(f"{known.session_id}: {error}")
        else:
            journaled += [(known.session_id, capture.path, len(capture.addresses))] if capture.path else []
    return Attended(tuple(journaled), tuple(deferred), errors=tuple(errors))


def _waits(settings: Settings, ledger: Ledger, now: float, mode: str) -> str:
    """Return why a sleep that is due does not begin by itself, or ""."""
    if mode != due.RUN:
        return f"sleep.auto is {mode}"
    if due.is_cooling(ledger, settings, now):
        return f"a sleep was less than {settings.sleep_cooldown:g} minutes ago"
    if settings.compressor_use != compressor.EXTRACTIVE:
        return f"{settings.compressor_use} compresses here, and only `sleepwake sleep` asks it"
    return ""


def _slept(where: Place, now: float, ready: Sequence[Waiting], until: float, done: Attended) -> Attended:
    """Sleep on the instances that are ready, one by one, as far as the time goes."""
    from sleep.cycle import sleep as sleeps  # late: most starts have nothing to sleep on  # noqa: PLC0415

    slept: list[tuple[int, tuple[str, ...]]] = []
    for reason in ready:
        left = until - time.monotonic()
        if left < _SLEEP:
            return done._replace(slept=tuple(slept), waits=f"no time was left for instance {reason.number}")
        try:
            report = sleeps.run(_hurried(where, left), _iso(now), instance=reason.number, by_itself=True)
        except SleepError as error:
            return done._replace(slept=tuple(slept), errors=(*done.errors, f"instance {reason.number}: {error}"))
        slept += [(reason.number, tuple(step.sha for step in report.steps))] if report.steps else []
        gaps = (f"{loss.where}: {loss.what} -> {loss.fix}" for loss in report.findings if loss.level == "fail")
        done = done._replace(errors=tuple(dict.fromkeys((*done.errors, *gaps))))
    return done._replace(slept=tuple(slept))


def _hurried(where: Place, left: float) -> Place:
    """Return the place with no more patience for a lock than there is time."""
    return where._replace(settings=where.settings._replace(lock_wait=max(0.0, min(where.settings.lock_wait, left / 2))))


def _iso(now: float) -> str:
    return f"{timestamps.iso(now)[:19]}Z"
