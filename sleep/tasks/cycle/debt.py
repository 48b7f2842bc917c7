"""Sleep debt in the `sleep` collection: status, add, start, done, debt, history; they need a folder, and no git."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Any

from sleep.code import commit_lines, commits, own_activity
from sleep.cycle import debt_settlement
from sleep.debt import book, last_sleep, scores, sessions, storage, timestamps
from sleep.debt.last_sleep import LastSleep
from sleep.errors import DocumentError, NoMemoryError, UsageError
from sleep.history.rebuild import undo as undoing
from sleep.memory import place
from sleep.plurals import several
from sleep.records.fragment import flat
from sleep.tasks.arguments import now, number, prose
from sleep.tasks.output import clip, facts, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.code.commits import Activity
    from sleep.code.own_activity import Own
    from sleep.cycle.debt_settlement import Desk
    from sleep.debt.ledger import Ledger, PastSleep, Session
    from sleep.history.rebuild.undo import PastCycle
    from sleep.store.context import Context

_AWAY = ("cycle", "instance", "at", "debt")
_WORDS = 60  # characters of a message that are shown


def _here(root: str) -> Desk:
    return debt_settlement.find(os.getcwd(), root or None)


@task("sleep.status")
def status(json: bool = False, root: str = "") -> None:
    """Show the sleep debt, its level, the last sleep, and the sessions that no sleep has consolidated.

    Example: sleepwake sleep.status
    """
    context, settings = _here(root)
    ledger = book.read(context)
    committed = commits.read(context, settings, ledger, os.getcwd())
    own = own_activity.read(context, settings, committed)
    last = _last(context, ledger, committed)
    away = last_sleep.elsewhere(context, ledger)
    clients = {session.session_id: session.client for session in sessions.all(context)}
    debt = ledger.debt + own.score
    level = scores.level(debt, settings)
    aside = storage.aside(context.state)
    if json:
        values = commit_lines.facts(committed)
        slept = _slept_facts(last, away)
        made = {"commits": values and {**values, "own": own.commits, "score": own.score}}
        return facts({"debt": debt, "level": level, **slept, **_ledger_facts(ledger, clients, aside), **made})
    say(f"debt        {debt} of {settings.debt_must} {scores.bar(debt, settings)} {level}")
    say(_slept(last, away))
    if committed:
        say(f"commits     {commit_lines.summary(committed)}{_note(committed, own)}")
    if ledger.epoch:
        say(f"under way   a sleep by hand since {ledger.epoch.at}; sleepwake sleep, or sleep.done SUMMARY, settles it")
    if ledger.rest:
        say(f"besides     {ledger.rest} that no session explains")
    if ledger.trouble:
        say(f"trouble     {context.ledger} {ledger.trouble}: {storage.remedy(context)}")
    for path in aside:
        say(f"set aside   {path}")
    rows = [_row(session, clients.get(session.session_id, "")) for session in ledger.sessions]
    if rows:
        say("")
        say(table(["stopped", "client", "session", "changes", "score", "says"], rows))
    return None


def _last(context: Context, ledger: Ledger, committed: Activity | None) -> LastSleep:
    """Return the last sleep: of the ledger, of the memory's table, or else as the commits tell it."""
    known = last_sleep.read(context, ledger)
    if known or committed is None or not committed.slept:
        return known or LastSleep(0.0, "")
    return LastSleep(0.0, committed.slept, "as its commits say")


def _slept_facts(last: LastSleep, away: PastSleep | None) -> dict[str, object]:
    """Return the last sleep as facts, and the newer one of another branch."""
    elsewhere = {key: getattr(away, key) for key in _AWAY} if away else None
    return {"last_sleep": last.when or None, "last_sleep_summary": last.summary or None, "elsewhere": elsewhere}


def _slept(last: LastSleep, away: PastSleep | None) -> str:
    """Return what to say of the last sleep, and of a cycle that another branch has, or had: they share the ledger."""
    summary = f": {_short(last.summary)}" if last.summary else ""
    line = f"last sleep  {last.when or 'never'}{summary}"
    if away is None:
        return line
    what = f"cycle {away.cycle} of instance {away.instance} ({away.at[:10]}), which settled debt {away.debt}"
    advice = f"merge it, or count its sessions anew by {storage.REBUILD}"
    return f"{line}\nelsewhere   {what}, is not on this branch: {advice}"


def _note(committed: Activity, own: Own) -> str:
    """Return in brackets which of the commits are nobody's counted session's, and what they score."""
    others = committed.commits - own.commits
    words = [f"{others} of them of sessions that are counted"] if others else []
    words += [f"the {'others' if others else 'files'} score {own.score}"] if own.score else []
    return f" ({'; '.join(words)})" if words else ""


def _row(session: Session, client: str) -> list[str]:
    count = "" if session.change_count is None else str(session.change_count)
    score = "pending" if session.score is None else str(session.score)
    path = session.transcript_path
    missing = "its transcript is missing" if session.score is None and path and not os.path.exists(path) else ""
    says = "; ".join(filter(None, (session.skipped, missing, _short(session.last_assistant_message))))
    name = "by hand" if session.transcript_path is None and not client else client
    return [session.stopped_at[:16].replace("T", " "), name, session.session_id[:13], count, score, says]


def _short(text: str | None) -> str:
    return clip(flat(text or ""), _WORDS)


def _session_facts(session: Session, client: str = "") -> dict[str, object]:
    keys = ("session_id", "transcript_path", "stopped_at", "last_assistant_message", "change_count", "score", "skipped")
    return {**{key: getattr(session, key) for key in keys}, "client": client}


def _ledger_facts(ledger: Ledger, clients: dict[str, str], aside: list[str]) -> dict[str, object]:
    return {
        "last_sleep_at": ledger.last_sleep_at,
        "epoch": ledger.epoch.at if ledger.epoch else None,
        "pending": sum(session.score is None for session in ledger.sessions),
        "unattributed": ledger.rest,
        "trouble": ledger.trouble,
        "set_aside": aside,
        "sessions": [_session_facts(session, clients.get(session.session_id, "")) for session in ledger.sessions],
    }


@task(
    "sleep.add",
    plain=("score", "text"),
    joined="text",
    help={"score": "1, 2 or 3: how much there is to consolidate", "text": "what it was; - reads standard input"},
)
def add(score: str = "", text: str = "", json: bool = False, root: str = "") -> None:
    """Add debt for work that no edit shows: a decision, a talk about the architecture.

    Example: sleepwake sleep.add 2 "Bug fix: auth token refresh"
    """
    context, settings = _here(root)
    if not score.strip().isascii() or not score.strip().isdigit() or len(score) > len("100"):
        raise UsageError(f"a score is 1, 2 or 3, not {score!r}", hint='sleepwake sleep.add 2 "what it was"')
    made = book.add(context, int(score), prose(text), time.time(), settings)
    ledger = book.read(context)
    level = scores.level(ledger.debt, settings)
    if json:
        return facts({"session_id": made.session_id, "score": made.score, "debt": ledger.debt, "level": level})
    return say(f"added {made.score}; debt is {ledger.debt} ({level})")


@task("sleep.start")
def start(json: bool = False, root: str = "") -> None:
    """Start a sleep by hand: `sleep.done` or `sleep` will settle what stands now, and leave what stops after it.

    Example: sleepwake sleep.start
    """
    context, settings = _here(root)
    before = book.read(context).epoch
    epoch = book.start(context, time.time(), settings)
    if json:
        over = before.at if before else None
        return facts({"epoch": epoch.at, "debt": epoch.debt, "sessions": list(epoch.sessions), "taken_over": over})
    if before:
        say(f"the sleep that began {before.at} never ended; this one takes its place")
    return say(f"started {epoch.at}: {debt_settlement.sentence(epoch)} to consolidate")


@task("sleep.done", plain=("text",), joined="text", help={"text": "what was consolidated; - reads standard input"})
def done(text: str = "", json: bool = False, root: str = "") -> None:
    """End a sleep by hand: debt is settled, what stopped since `sleep.start` keeps its own; without a start, all of it.

    Example: sleepwake sleep.done "Consolidated auth decisions"
    """
    context, settings = _here(root)
    summary = prose(text)
    storage.refuse(context)
    _journal_unread(root)
    ledger = book.done(context, summary, time.time(), settings)
    settled = ledger.history[0]
    if json:
        ids = [counted.session_id for counted in settled.sessions]
        return facts({"debt": ledger.debt, "settled": settled.debt, "sessions": ids, "last_sleep": ledger.last_sleep})
    return say(f"settled {settled.debt}; debt is {ledger.debt} ({scores.level(ledger.debt, settings)})")


def _journal_unread(root: str) -> None:
    """Journal what the ledger alone tells of, and no page does, where there is a memory."""
    try:
        where = place.find(os.getcwd(), root or None)
    except NoMemoryError:
        return
    from sleep.cycle import ledger_notes  # late: 60 ms  # noqa: PLC0415

    with place.jotting(where, "sleep.done"):
        ledger_notes.write(where, now(), None, shown=True)


@task("sleep.debt", help={"json": "the same: a bare number is JSON"})
def debt(json: bool = False, root: str = "") -> None:
    """Print the sleep debt, a bare number; faults in `memory/sleep.yaml` do not change it, but for commits.

    Example: sleepwake sleep.debt
    """
    del json
    ledger = book.read(debt_settlement.find_context(os.getcwd(), root or None))
    with contextlib.suppress(DocumentError, UsageError):
        ledger = own_activity.scored(*_here(root), ledger, os.getcwd())
    say(str(ledger.debt))


@task("sleep.history", help={"limit": "how many, newest first; default 20"})
def history(limit: str = "20", json: bool = False, root: str = "") -> None:
    """Show the sleeps: cycles with their tokens and commits, what debt each settled, and sleeps by hand.

    Example: sleepwake sleep.history --limit 5
    """
    most = number(limit, "limit") or 20
    context, _ = _here(root)
    slept = book.read(context).history
    sleeps = _merged(_cycles(root, most), slept)[:most]
    if json:
        return facts(sleeps)
    rows = [
        [
            str(row["number"] or ""),
            str(row["instance"]),
            str(row["slept"])[:19],
            f"{row['before']} -> {row['after']}" if row["number"] else "",
            _steps_of(row),
            "" if row["debt"] is None else str(row["debt"]),
            str(row["state"]),
            _short(str(row["summary"])) if not row["number"] else "",
        ]
        for row in sleeps
    ]
    heads = ["cycle", "instance", "slept", "tokens", "steps", "debt", "state", "says"]
    return say(table(heads, rows) if rows else "no cycle yet")


def _steps_of(row: Mapping[str, Any]) -> str:
    """Return how many commits of a cycle history has; none of one that a squash or a shallow clone took apart."""
    if not row["number"]:
        return ""
    return several(len(row["commits"]), "commit") if row["commits"] else "not in history"


def _cycles(root: str, most: int) -> list[PastCycle]:
    """Return the cycles where there is a memory in git, none elsewhere."""
    try:
        where = place.find(os.getcwd(), root or None)
    except NoMemoryError:
        return []
    return undoing.history(where, most)


def _merged(cycles: list[PastCycle], slept: tuple[PastSleep, ...]) -> list[dict[str, Any]]:
    """Return cycles and sleeps by hand together, newest first."""
    left = {(past.cycle, past.instance): past for past in reversed(slept) if past.cycle}
    pairs = [(cycle, left.get((cycle.number, cycle.instance))) for cycle in cycles]
    pairs += [(undoing.PastCycle(0, "", past.at, 0, 0, (), "by hand"), past) for past in slept if not past.cycle]
    rows = [{**cycle._asdict(), **_settled(past)} for cycle, past in pairs]
    return sorted(rows, key=lambda row: (timestamps.seconds(row["slept"]) or 0.0, row["number"]), reverse=True)


def _settled(sleep: PastSleep | None) -> dict[str, object]:
    if sleep is None:
        return {"debt": None, "summary": "", "sessions": []}
    return {"debt": sleep.debt, "summary": sleep.summary, "sessions": [_session_facts(each) for each in sleep.sessions]}


TASKS = (status, add, start, done, debt, history)
