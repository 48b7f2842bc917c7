"""What can happen to a ledger: a session stops, a sleep begins, settles and is undone.

Pure: a ledger and what happened in, the next ledger out. Owns the rule that holds through all of it: what a session did
is booked once, settled once, and given back once. A score comes from a function, for thresholds are settings.
"""

from __future__ import annotations

from sleep.debt.ledger import PastSleep, Settlement
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sleep.debt.ledger import Ledger, Session

    Scored = Callable[[int], int]  # of a number of changes

HISTORY = 100  # settlings that are remembered
CLIPPED = 200  # characters of a message that history keeps


class CycleShare(NamedTuple):
    """One cycle of a sleep: its number (0 for a sleep that makes none), its instance, and its journal's sessions."""

    cycle: int = 0
    instance: str = ""
    sessions: tuple[str, ...] = ()


def record_stop(ledger: Ledger, session: Session) -> Ledger:
    """Return the ledger with a session's record, the newest: in the place of the one that it had."""
    others = tuple(other for other in ledger.sessions if other.session_id != session.session_id)
    return ledger._replace(sessions=(session, *others))


def insert(ledger: Ledger, session: Session) -> Ledger:
    """Return the ledger with a session's record where its time puts it; one that has a record stays in its place."""
    ids = [known.session_id for known in ledger.sessions]
    sessions = list(ledger.sessions)
    if session.session_id in ids:
        sessions[ids.index(session.session_id)] = session
    else:
        older = (at for at, other in enumerate(sessions) if other.stopped_at <= session.stopped_at)
        sessions.insert(next(older, len(sessions)), session)
    return ledger._replace(sessions=tuple(sessions))


def standing(ledger: Ledger, at: str, only: Collection[str] | None = None) -> Settlement:
    """Return what a sleep that begins now would settle: everything, or `only` these sessions."""
    chosen = [session for session in ledger.sessions if only is None or session.session_id in only]
    rest = ledger.rest if only is None else 0
    debt = rest + sum(session.score or 0 for session in chosen)
    return Settlement(at, tuple((session.session_id, session.total) for session in chosen), rest, debt)


def begun(ledger: Ledger, epoch: Settlement, scored: Scored) -> Settlement:
    """Return what a sleep settles that carries out one begun by hand: what stood then, less what is gone since."""
    portions = tuple((name, portion) for name, portion in epoch.portions if ledger.find(name))
    rest = min(ledger.rest, epoch.rest)
    return Settlement(epoch.at, portions, rest, rest + _worth(ledger, portions, scored))


def divide(
    ledger: Ledger, whole: Settlement, at: str, parts: Sequence[CycleShare], scored: Scored
) -> tuple[Settlement, ...]:
    """Return what each cycle of a sleep that begins now would settle of the `whole`: the sessions of its journal.

    A session that several journals name is settled by the last of them: all that it did is slept on then. What none
    names goes to the last cycle, and with it the moment of the whole: settling it ends a sleep begun by hand.
    """
    last = len(parts) - 1
    owners = {session: index for index, part in enumerate(parts) for session in part.sessions}
    shares = []
    for index, part in enumerate(parts):
        own = tuple(portion for portion in whole.portions if owners.get(portion[0], last) == index)
        debt = _worth(ledger, own, scored)
        share = Settlement(at, own, 0, debt, part.cycle, part.instance)
        if index == last:
            share = share._replace(at=whole.at, rest=whole.rest, debt=debt + whole.rest)
        shares.append(share)
    return tuple(shares)


def _worth(ledger: Ledger, portions: Sequence[tuple[str, int]], scored: Scored) -> int:
    """Return the debt of sessions as far as these portions go."""
    worth = 0
    for name, portion in portions:
        session = ledger.find(name)
        if session and portion == session.total:
            worth += session.score or 0
        elif session and portion > session.settled:
            worth += scored(portion - session.settled)
    return worth


def join(settlements: Sequence[Settlement]) -> Settlement:
    """Return what the cycles of a sleep settle together, its sessions in their order; there is at least one."""
    portions = tuple(portion for share in settlements for portion in share.portions)
    return settlements[-1]._replace(portions=portions, debt=sum(share.debt for share in settlements))


def settle(ledger: Ledger, settlement: Settlement, scored: Scored, *, at: str, summary: str, date: str) -> Ledger:
    """Return the ledger after a sleep: what the settlement names is gone, and stands in the history.

    A session that went on meanwhile keeps the difference. A sleep by hand that was begun is over when it is
    settled, or when nothing that stood then is left.
    """
    portions = dict(settlement.portions)
    epoch = ledger.epoch
    begun = epoch.sessions if epoch else ()
    is_over = epoch is not None and (
        settlement.at == epoch.at
        or (bool(begun) and all(name in portions or ledger.find(name) is None for name in begun))
    )
    rests: list[Session] = []
    gone: list[Session] = []
    for session in ledger.sessions:
        if session.session_id not in portions:
            rests.append(session)
            continue
        part, left = _split(session, portions[session.session_id], settlement.at, scored)
        gone += [part] if part else []
        rests += [left] if left else []
    rest = min(ledger.rest, settlement.rest)
    entry = PastSleep(
        at,
        summary,
        rest + sum(session.score or 0 for session in gone),
        rest,
        settlement.cycle,
        settlement.instance,
        tuple(map(_remembered, gone)),
    )
    return ledger._replace(
        last_sleep=date,
        last_sleep_summary=summary,
        last_sleep_at=at,
        sessions=tuple(rests),
        rest=ledger.rest - rest,
        epoch=None if is_over else ledger.epoch,
        sleeping=None if settlement.cycle else ledger.sleeping,
        history=(entry, *ledger.history)[:HISTORY],
    )


def _split(session: Session, portion: int, began: str, scored: Scored) -> tuple[Session | None, Session | None]:
    """Return what a settlement takes of a record, and what it leaves; None for nothing."""
    new = max(0, portion - session.settled)
    if left := max(0, session.changes - new):
        part = session._replace(change_count=new, score=scored(new)) if new else None
        score = None if session.score is None else scored(left)
        return part, session._replace(change_count=left, score=score, settled=session.settled + new)
    if session.score is None and session.stopped_at > began:
        return None, session  # it is pending since, and nobody knows yet what it did
    return session, None


def _remembered(session: Session) -> Session:
    message = session.last_assistant_message
    if message and len(message) > CLIPPED:
        session = session._replace(last_assistant_message=f"{message[: CLIPPED - 1]}…")
    return session


def give_back(ledger: Ledger, past: PastSleep, scored: Scored, bases: Mapping[str, int]) -> Ledger:
    """Return the ledger with what a sleep settled given back.

    Args:
        ledger: the ledger.
        past: the sleep, one of its history.
        scored: the score of so many changes.
        bases: by session id, how much of it is settled now, for sessions that have no record.
    """
    marked = past._replace(returned=True)
    history = tuple(marked if entry is past else entry for entry in ledger.history)
    ledger = ledger._replace(history=history, rest=ledger.rest + past.rest)
    for session in past.sessions:
        ledger = _given_back(ledger, session, scored, bases.get(session.session_id, session.total))
    return ledger


def _given_back(ledger: Ledger, session: Session, scored: Scored, base: int) -> Ledger:
    now = ledger.find(session.session_id)
    if now is None:
        return insert(ledger, session._replace(settled=max(0, base - session.changes)))
    if not session.changes:  # nobody counted it (an older program's record): its score stands without a session
        return ledger._replace(rest=ledger.rest + (session.score or 0))
    both = now.changes + session.changes
    score = None if now.score is None else scored(both)
    settled = max(0, now.settled - session.changes)
    return insert(ledger, now._replace(change_count=both, score=score, settled=settled))


def base(ledger: Ledger, session_id: str) -> int:
    """Return how much of a session the history says is settled: for one that has neither record nor file."""
    settled = (session for entry in ledger.history if not entry.returned for session in entry.sessions)
    return sum(session.changes for session in settled if session.session_id == session_id)
