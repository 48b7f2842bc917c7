"""The sections of what happened since the last sleep: sleep debt with its sessions, and what was committed.

Owns their lines. Debt is shown only while there is some, or a session that no sleep has settled; commits where there
are any. Reading them changes no ledger.
"""

from __future__ import annotations

import os

from sleep.plurals import several
from sleep.settings import OFF, SCORE
from sleep.store import context as contexts
from sleep.store import layout
from sleep.wake.snapshot import prose
from sleep.wake.snapshot.pages import display_path
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.debt.ledger import Session
    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.wake.several_projects.session_projects import SessionProjects

LINE = 200  # characters of what a session said last
CODE = "Code Changes"


def state(context: Context, settings: Settings, projects: SessionProjects | None) -> Part | None:
    """Return the section, None where there is neither debt nor a session, and nothing that could not be read.

    Of several projects a session is told what sessions of its own, and of none, said last.
    """
    if not os.path.exists(context.ledger) and settings.debt_commits != SCORE:
        return None
    from sleep.code import own_activity  # late: most starts have no ledger to read  # noqa: PLC0415
    from sleep.debt import book, last_sleep, scores  # noqa: PLC0415  # same

    ledger = own_activity.scored(context, settings, book.read(context))
    where = display_path(context, "state/.sleep.json")
    if not (ledger.debt or ledger.sessions or ledger.trouble):
        return None
    items = []
    if ledger.debt or ledger.sessions:
        items.append(Item(f"- Debt: {ledger.debt} ({scores.level(ledger.debt, settings)})", "debt"))
    if ledger.trouble:
        items.append(Item(f"- {where} {prose.flat(ledger.trouble)}", where))
    if ledger.epoch:
        items.append(Item(f"- A consolidation is under way since {prose.flat(ledger.epoch.at)}", "consolidation"))
    if last := last_sleep.read(context, ledger):
        says = prose.flat(last.summary)
        items.append(
            Item(f"- Last sleep: {prose.flat(last.when)}{f' ({prose.cut(says, LINE)})' if says else ''}", "last sleep")
        )
    if ledger.sessions:
        items.append(Item(f"- Sessions to consolidate: {len(ledger.sessions)}", "sessions"))
    items += [
        Item(_session(session), prose.flat(session.stopped_at) or "one without a date")
        for session in _own(ledger.sessions, projects)
    ]
    return Part("Sleep State", "## Sleep State", items, count=items[0].full, where="`sleepwake sleep.status`")


def _own(listed: Sequence[Session], projects: SessionProjects | None) -> Sequence[Session]:
    """Return the sessions of one's own project and of none, all of them where there is one project, or none is own."""
    if projects is None or not projects.own:
        return listed
    return [each for each in listed if projects.of_session(each.session_id) in ("", projects.own)]


def code(context: Context, settings: Settings) -> Part | None:
    """Return the section of what was committed since the last sleep, None where nothing was, or there is no git."""
    if settings.debt_commits == OFF or layout.find_git(context.base) is None:
        return None
    from sleep.code import commit_lines, commits  # late: many trees have no git  # noqa: PLC0415
    from sleep.debt import book  # noqa: PLC0415  # same

    committed = commits.read(context, settings, book.read(context), contexts.here())
    if committed is None or not committed.commits:
        return None
    summary = f"- {commit_lines.summary(committed)}"
    items = [
        Item(summary, "commits"),
        *(Item(f"- {line}", "paths") for line in commit_lines.changed(committed)),
        *(Item(f"- {line}", line.split(" ", 2)[1]) for line in commit_lines.subjects(committed)),
    ]
    return Part(CODE, f"## {CODE}", items, count=summary, where="`git log`", counts=True)


def _session(session: Session) -> str:
    score = "pending" if session.score is None else f"+{session.score}"
    changes = "" if session.change_count is None else f", {several(session.change_count, 'change')}"
    says = prose.cut(prose.flat(session.last_assistant_message or ""), LINE)
    return f"  - {prose.flat(session.stopped_at) or 'not stopped yet'} ({score}{changes}){': ' if says else ''}{says}"
