"""What can happen to a ledger: a session stops, a sleep begins, settles and is undone.

Pure: a ledger and what happened in, the next ledger out. Owns the rule that holds through all of it: what a session did
is booked once, settled once, and given back once. A score comes from a function, for thresholds are settings.
"""

from __future__ import annotations

from sleep.debt import ledger as ledgers
from sleep.debt.ledger import NOTHING, PastSleep, Settlement
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sleep.debt.ledger import Ledger, Measure, Session

    Scored = Callable[[Measure], int]

HISTORY = 100  # settlings that are remembered
CLIPPED = 200  # characters of a message that history keeps


class CycleShare(NamedTuple):
    """One cycle of a sleep: its number (0 for a sleep that makes none), its instance, and its journal's sessions."""

    cycle: int = 0
    instance: str = ""
    sessions: tuple[str, ...] = ()


def record_stop(ledger: Ledger, session: Session) -> Ledger:
    """Return the ledger with a session's record, the newest: in the place of the one that it had."""
    others = tuple(one for one in ledger.sessions if one.session_id != session.session_id)
    return ledger._replace(sessions=(session, *others))


def insert(ledger: Ledger, session: Session) -> Ledger:
    """Return the ledger with a session's record where its time puts it; one that has a record stays in its place."""
    ids = [one.session_id for one in ledger.sessions]
    sessions = list(ledger.sessions)
    if session.session_id in ids:
        sessions[ids.index(session.session_id)] = session
    else:
        sessions.insert(_place(sessions, session), session)
    return ledger._replace(sessions=tuple(sessions))


def _place(sessions: list[Session], session: Session) -> int:
    return next((at for at, one in enumerate(sessions) if one.stopped_at <= session.stopped_at), len(sessions))


def standing(ledger: Ledger, at: str, only: Collection[str] | None = None) -> Settlement:
    """Return what a sleep that begins now would settle: everything, or `only` these sessions."""
    chosen = [one for one in ledger.sessions if only is None or one.session_id in only]
    rest = ledger.rest if only is None else 0
    debt = rest + sum(one.score or 0 for one in chosen)
    return Settlement(at, tuple((one.session_id, one.total) for one in chosen), rest, debt)


def divide(
    ledger: Ledger, at: str, parts: Sequence[CycleShare], only: Collection[str] | None = None
) -> tuple[Settlement, ...]:
    """Return what each cycle of a sleep that begins now would settle: what stands of the sessions of its journal.

    A session that several journals name is settled by the last of them: all that it did is slept on then. What none
    names goes to the last cycle.
    """
    whole = standing(ledger, at, only)
    last = len(parts) - 1
    owners = {session: index for index, part in enumerate(parts) for session in part.sessions}
    found = []
    for index, part in enumerate(parts):
        names = {name for name in whole.sessions if owners.get(name, last) == index}
        one = standing(ledger, at, names)._replace(cycle=part.cycle, instance=part.instance)
        found.append(one._replace(rest=whole.rest, debt=one.debt + whole.rest) if index == last else one)
    return tuple(found)


def join(settlements: Sequence[Settlement]) -> Settlement:
    """Return what the cycles of a sleep settle together, its sessions in their order; there is at least one."""
    portions = tuple(portion for one in settlements for portion in one.portions)
    return settlements[-1]._replace(portions=portions, debt=sum(one.debt for one in settlements))


def settle(ledger: Ledger, settlement: Settlement, scored: Scored, *, at: str, summary: str, date: str) -> Ledger:
    """Return the ledger after a sleep: what the settlement names is gone, and stands in the history.

    A session that went on meanwhile keeps the difference. A sleep by hand that was begun is over when nothing that
    stood then is left.
    """
    portions = dict(settlement.portions)
    begun = ledger.epoch.sessions if ledger.epoch else ()
    is_over = settlement == ledger.epoch or (
        bool(begun) and all(name in portions or ledger.find(name) is None for name in begun)
    )
    kept: list[Session] = []
    gone: list[Session] = []
    for one in ledger.sessions:
        if one.session_id not in portions:
            kept.append(one)
            continue
        taken, left = _split(one, portions[one.session_id], settlement.at, scored)
        gone += [taken] if taken else []
        kept += [left] if left else []
    rest = min(ledger.rest, settlement.rest)
    entry = PastSleep(
        at,
        summary,
        rest + sum(one.score or 0 for one in gone),
        rest,
        settlement.cycle,
        settlement.instance,
        tuple(map(_remembered, gone)),
    )
    return ledger._replace(
        last_sleep=date,
        last_sleep_summary=summary,
        last_sleep_at=at,
        sessions=tuple(kept),
        rest=ledger.rest - rest,
        epoch=None if is_over else ledger.epoch,
        sleeping=None if settlement.cycle else ledger.sleeping,
        history=(entry, *ledger.history)[:HISTORY],
    )


def _split(one: Session, portion: Measure, began: str, scored: Scored) -> tuple[Session | None, Session | None]:
    """Return what a settlement takes of a record, and what it leaves; None for nothing."""
    taken = portion.minus(one.settled)
    left = one.measure.minus(taken)
    if left != NOTHING:
        part = one.measured(one.measure.minus(left), None)
        stays = one.measured(left, None if one.score is None else scored(left))._replace(
            settled=one.settled.plus(taken)
        )
        return (part._replace(score=scored(part.measure)) if part.measure != NOTHING else None), stays
    if one.score is None and one.stopped_at > began:
        return None, one  # it is pending since, and nobody knows yet what it did
    return one, None


def _remembered(one: Session) -> Session:
    message = one.last_assistant_message
    if message and len(message) > CLIPPED:
        one = one._replace(last_assistant_message=f"{message[: CLIPPED - 1]}…")
    return one


def give_back(
    ledger: Ledger, cycle: int, instance: str, scored: Scored, bases: Mapping[str, Measure]
) -> tuple[Ledger, PastSleep | None]:
    """Return the ledger with what a cycle settled given back, and what that was; None if there is nothing of it.

    Args:
        ledger: the ledger.
        cycle: the cycle's number.
        instance: its instance.
        scored: the score of a measure.
        bases: by session id, how much of it is settled now, for sessions that have no record.
    """
    found = next(
        (
            at
            for at, one in enumerate(ledger.history)
            if (one.cycle, one.instance, one.returned) == (cycle, instance, False)
        ),
        None,
    )
    if found is None:
        return ledger, None
    entry = ledger.history[found]
    marked = entry._replace(returned=True)
    ledger = ledger._replace(
        history=(*ledger.history[:found], marked, *ledger.history[found + 1 :]), rest=ledger.rest + entry.rest
    )
    for one in entry.sessions:
        ledger = _given_back(ledger, one, scored, bases.get(one.session_id, one.total))
    return ledger, entry


def _given_back(ledger: Ledger, one: Session, scored: Scored, base: Measure) -> Ledger:
    now = ledger.find(one.session_id)
    if now is None:
        return insert(ledger, one._replace(settled=base.minus(one.measure)))
    if one.measure == NOTHING:  # nobody counted it (an older program's record): its score stands without a session
        return ledger._replace(rest=ledger.rest + (one.score or 0))
    both = now.measure.plus(one.measure)
    score = None if now.score is None else scored(both)
    return insert(ledger, now.measured(both, score)._replace(settled=now.settled.minus(one.measure)))


def base(ledger: Ledger, session_id: str) -> Measure:
    """Return how much of a session the history says is settled: for one that has neither record nor file."""
    total = ledgers.NOTHING
    for entry in ledger.history:
        if not entry.returned:
            for one in entry.sessions:
                total = total.plus(one.measure) if one.session_id == session_id else total
    return total
