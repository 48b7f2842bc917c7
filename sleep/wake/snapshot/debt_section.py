"""The section of sleep debt: how much there is, since when, and from which sessions.

Owns its lines. Shown only while there is debt or a session that no sleep has settled. Reading writes nothing.
"""

from __future__ import annotations

import os

from sleep.wake.snapshot import prose
from sleep.wake.snapshot.pages import display_path
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.debt.ledger import Session
    from sleep.settings import Settings
    from sleep.store.context import Context

LINE = 200  # characters of what a session said last


def state(context: Context, settings: Settings) -> Part | None:
    """Return the section, None where there is neither debt nor a session, and nothing that could not be read."""
    if not os.path.exists(context.ledger):
        return None
    from sleep.debt import book, scores  # late: most starts have no ledger to read  # noqa: PLC0415

    ledger = book.read(context)
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
    if last := ledger.last_sleep:
        says = prose.flat(ledger.last_sleep_summary or "")
        items.append(
            Item(f"- Last sleep: {prose.flat(last)}{f' ({prose.cut(says, LINE)})' if says else ''}", "last sleep")
        )
    if ledger.sessions:
        items.append(Item(f"- Sessions since then: {len(ledger.sessions)}", "sessions"))
    items += [
        Item(_session(session), prose.flat(session.stopped_at) or "one without a date") for session in ledger.sessions
    ]
    return Part("Sleep State", "## Sleep State", items, count=items[0].full, where="`sleepwake sleep.status`")


def _session(session: Session) -> str:
    score = "pending" if session.score is None else f"+{session.score}"
    changes = "" if session.change_count is None else f", {session.change_count} changes"
    says = prose.cut(prose.flat(session.last_assistant_message or ""), LINE)
    return f"  - {prose.flat(session.stopped_at) or 'not stopped yet'} ({score}{changes}){': ' if says else ''}{says}"
