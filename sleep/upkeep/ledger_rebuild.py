"""Rebuilding the ledger: from what git remembers of sleeps, and from the transcripts that there still are.

Owns finding the transcripts of a project, of sessions that this machine knows and in the clients' own folders, and
which of their changes came after the last sleep, by the lines' own times; of a session whose cycle was undone, after
the last sleep that names it. The ledger as it was is set aside first. What
no transcript shows cannot be rebuilt: manual entries, and records whose transcript is gone, are carried over where the
old ledger can still be read.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.changes import own_steps
from sleep.debt import book, moves, scores, sessions, storage, timestamps, transcript_scan
from sleep.debt.ledger import BY_HAND, Ledger, Session
from sleep.debt.sessions import Known
from sleep.documents import cycles
from sleep.errors import SleepError
from sleep.journal.capture import backlog, session_digest
from sleep.store import context as contexts
from sleep.store import files, history, layout
from sleep.store.git import checkout, file_lists
from sleep.transcripts import tally
from sleep.transcripts.contents import Sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sleep.cycle.debt_settlement import Desk
    from sleep.store.context import Context
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.transcripts.events import Event

_REPLACED = ".replaced-"


class Rebuilt(NamedTuple):
    """What a rebuild made: the debt, the last sleep ("" for never), the sessions with a record, and what was read.

    `aside` is where the old ledger is now, "" where there was none; `manual` how many manual entries were carried over;
    `is_incomplete` tells whether there may have been some that are gone.
    """

    debt: int
    last_sleep: str
    sessions: tuple[Session, ...]
    transcripts: int
    aside: str
    manual: int
    is_incomplete: bool


class Sleeps(NamedTuple):
    """When the last cycle that stands was slept, in seconds, and its number; 0 for none.

    `returned` has the sessions whose debt an undo gave back, each with the time of the last cycle that stands and names
    it, 0 for none.
    """

    last: float
    cycle: int
    returned: dict[str, float]

    def before(self, session_id: str) -> float:
        """Return the time up to which a session was slept on."""
        return self.returned.get(session_id, self.last)

    def by_hand(self, at: float) -> Sleeps:
        """Return the same with a sleep by hand, which settles everything."""
        returned = {name: max(at, last) for name, last in self.returned.items()}
        return Sleeps(at, 0, returned) if at > self.last else self._replace(returned=returned)

    def settle(self, old: Ledger) -> Ledger:
        """Return a ledger of no sessions, with the last sleep, and with what of the old one no transcript shows."""
        return Ledger(
            last_sleep=timestamps.date(self.last) if self.last else None,
            last_sleep_summary=f"cycle {self.cycle}" if self.cycle else old.last_sleep_summary,
            last_sleep_at=_iso(self.last) or None,
            epoch=old.epoch,
            history=old.history,
            more=old.more,
        )


def rebuild(desk: Desk, now: float, notice: Callable[[int, int], None] = lambda _done, _all: None) -> Rebuilt:
    """Make the ledger anew.

    Args:
        desk: where it is.
        now: seconds since 1970.
        notice: called with the sessions read, and with all.

    Raises:
        StorageError: what stands in the ledger's place is no file, or may not be read; nothing was changed.
    """
    context, settings = desk
    storage.refuse(context)
    slept = _sleeps(context).by_hand(_by_hand(book.read(context)))
    counted = list(_count_sessions(desk, slept, now, notice))
    with storage.hold(context, "doctor", settings.lock_wait):
        old = book.read(context)
        manual = tuple(record for record in old.sessions if record.session_id.startswith(BY_HAND))
        carried = tuple(record for record in old.sessions if record in manual or _is_gone(record, slept))
        gone = {record.session_id for record in carried}
        ledger = slept.settle(old)._replace(sessions=carried)
        for known, left, pending in counted:
            if known.session_id not in gone:
                sessions.put(context, known)
                if left or pending:
                    score = None if pending else scores.score(left, settings)
                    record = _record(known, old, now)._replace(change_count=left, score=score)
                    ledger = moves.insert(ledger, record)
        aside = storage.set_aside(context.ledger, _REPLACED) if os.path.exists(context.ledger) else ""
        storage.write(context, Ledger(), ledger)
    is_incomplete = bool(old.trouble or not aside)
    return Rebuilt(ledger.debt, _iso(slept.last), ledger.sessions, len(counted), aside, len(manual), is_incomplete)


def _count_sessions(
    desk: Desk, slept: Sleeps, now: float, notice: Callable[[int, int], None]
) -> Iterator[tuple[Known, int, bool]]:
    """Yield the sessions that have a transcript, what happened in each since its last sleep, whether that goes on."""
    context, settings = desk
    known_sessions = {session.session_id: session for session in _known_sessions(context)}
    for session in _sessions_of_clients(context, slept):
        known_sessions.setdefault(session.session_id, session)
    order = sorted(known_sessions.values(), key=lambda session: (not session.counts, session.started_at))
    counted: set[str] = set()
    for done, known in enumerate(order):
        notice(done, len(order))
        scan = transcript_scan.scan(context, known, settings, now, patient=True)
        if scan.counts:
            ids = transcript_scan.ids(scan.counts)
            foreign = known.foreign if known.counts else tuple(sorted(ids & counted))  # a fork's parent comes first
            foreign = transcript_scan.elsewhere(context, known, scan.counts, foreign)
            counted |= ids
            total = transcript_scan.total(scan.counts, known.transcript_path, foreign)
            at = slept.before(known.session_id)
            left = min(total, _since(known, at, foreign))
            settled = known._replace(counts=scan.counts, foreign=foreign, settled=total - left, settled_at=_iso(at))
            yield settled, left, scan.is_pending


def _record(known: Known, old: Ledger, now: float) -> Session:
    """Return a session's record without figures: as it was, where it can still be read."""
    there = old.find(known.session_id)
    if there is not None:
        return there._replace(settled=known.settled)
    changed = min(now, sessions.changed(known.transcript_path) or now)
    return Session(known.session_id, known.transcript_path, timestamps.iso(changed), settled=known.settled)


def _is_gone(record: Session, slept: Sleeps) -> bool:
    """Return whether a record was scored after the last sleep, and its transcript is no more."""
    when = timestamps.seconds(record.stopped_at)
    is_later = when is None or when > slept.before(record.session_id)
    return record.score is not None and is_later and sessions.size(record.transcript_path or "") < 0


def _by_hand(old: Ledger) -> float:
    """Return when somebody last slept by hand, which git has nothing of; an older program's ledger knows only when."""
    times = (
        [sleep.at for sleep in old.history if not sleep.cycle] if old.history else [old.last_sleep_at or old.last_sleep]
    )
    return max((timestamps.seconds(at) or 0.0 for at in times), default=0.0)


def _sleeps(context: Context) -> Sleeps:
    """Return when cycles were slept: by the commits of their handoffs, else by the table."""
    table = cycles.read(files.read(os.path.join(context.folder, "cycles.md")))
    times = {row.key: timestamps.seconds(row.slept) or 0.0 for row in table}
    named = {row.key: set(row.sessions) for row in table}
    gone: set[str] = set()
    for commit, key in _handoffs(context):
        settled = {value for name, value in commit.trailers if name == "Sleep-Session"}
        if key in times:
            times[key] = max(times[key], timestamps.seconds(commit.when) or 0.0)
            named[key] |= settled
        else:  # it was undone
            gone |= settled
    last = max(times, key=lambda key: times[key], default=(0, ""))
    returned = dict.fromkeys(gone, 0.0)
    for key, names in named.items():
        returned |= {name: max(returned[name], times[key]) for name in names & gone}
    return Sleeps(times.get(last, 0.0), last[0], returned)


def _handoffs(context: Context) -> Iterator[tuple[Commit, tuple[int, str]]]:
    """Yield the commits of handoffs, each with its cycle; no squash: it is later than what it squashed."""
    root = _root(context)
    if root is None or not checkout.head(root):
        return
    commits = history.commits(root, paths=(cycles.PATH,))
    whole = {*own_steps.shaped(root, commits), *file_lists.boundary(root)}
    for commit in commits:
        claim = own_steps.claim(commit)
        if claim and claim.step == own_steps.HANDOFF and commit.sha in whole:
            yield commit, claim.key


def _root(context: Context) -> Root | None:
    git = layout.find_git(context.base)
    return layout.root_in(git, context.base) if git and context.is_own else None


def _known_sessions(context: Context) -> Iterator[Known]:
    """Yield the sessions that this machine has seen, and those that only the ledger names."""
    seen = {session.session_id: session for session in sessions.all(context)}
    yield from (session for session in seen.values() if session.transcript_path)
    for session in book.read(context).sessions:
        if session.session_id not in seen and session.transcript_path:
            yield Known(session.session_id, transcript_path=session.transcript_path, started_at=session.stopped_at)


def _sessions_of_clients(context: Context, slept: Sleeps) -> Iterator[Known]:
    """Yield the sessions of the clients' own folders that worked in this project after the last sleep."""
    for log in backlog.find_transcripts(list(filter(os.path.isdir, _places(context)))):
        session_id, changed = sessions.safe(log.session), sessions.changed(log.path)
        if changed <= slept.before(session_id):
            continue
        root = next((event.path for event in _events(log.path) if event.kind == "root"), "")
        nearest = contexts.find(root) if root and files.is_below(root, context.base) else None
        if nearest and nearest.base == context.base:  # a worktree inside this one has a ledger of its own
            yield Known(session_id, log.client, log.path, root, started_at=timestamps.iso(changed))


def _places(context: Context) -> Iterator[str]:
    """Yield the folders in which clients keep the transcripts of a project, and Codex those of all."""
    environ = settings_.environment()
    home = os.path.expanduser("~")
    projects = os.path.join(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")
    folder = re.sub(r"[^A-Za-z0-9]", "-", context.base)
    for name in files.names(projects):
        if name == folder or name.startswith(f"{folder}-"):
            yield os.path.join(projects, name)
    yield os.path.join(environ.get("CODEX_HOME") or os.path.join(home, ".codex"), "sessions")


def _since(known: Known, last: float, foreign: tuple[str, ...]) -> int:
    """Return the edits of a session after a time that took, by the times of lines; what has none goes by the file's."""
    count = tally.Count()
    for path in transcript_scan.files_of(known.transcript_path):
        contents = Sum()
        contents.take(event for event in _events(path) if _is_later(event, last, path))
        count = tally.merge(count, tally.Count(held=contents.held()))
    return tally.changes(tally.subtract(count, foreign))


def _is_later(event: Event, last: float, path: str) -> bool:
    if event.kind == "result":
        return True  # a failure may come late, and belongs to its call
    at = timestamps.seconds(event.at)
    return (sessions.changed(path) if at is None else at) > last


def _events(path: str) -> Iterator[Event]:
    with contextlib.suppress(SleepError):  # it is gone, or no reader knows it
        yield from session_digest.read(path)


def _iso(at: float) -> str:
    return timestamps.iso(at) if at else ""
