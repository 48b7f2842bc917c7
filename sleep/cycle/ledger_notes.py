"""Unread: what only the ledger holds of what a sleep is about to settle, and the journals that take it.

Owns the words of manual entries (`sleep.add`), and the last message of a session whose transcript is not there, is
empty, or is known to no reader. They become notes with their source and session, before anything is settled. Refuses
what a digest can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import redundancy
from sleep.cycle import debt_settlement
from sleep.debt import sessions, storage
from sleep.debt.ledger import BY_HAND
from sleep.documents.journal import Draft
from sleep.errors import SleepError
from sleep.journal import writer
from sleep.journal.capture import holdings, session_digest
from sleep.language import sentences
from sleep.memory.view import View
from sleep.store import context as contexts
from sleep.store import files
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from sleep.debt.ledger import Session
    from sleep.journal.capture.holdings import Holdings
    from sleep.memory.place import Place
    from sleep.records.address import InstanceId
    from sleep.store.context import Context
    from sleep.store.layout import Root

MANUAL = "sleep.add"  # the source of what was booked by hand


def write(where: Place, now: str, instance: int | None, *, shown: bool = False) -> None:
    """Journal what `journaled` finds; the caller holds the lock.

    With `shown`, what a page of the memory says already is left out: who sleeps by hand wrote it there.
    """
    view = View(WorkTree(where.root))
    there = holdings.Holdings(view) if shown else None
    for path, text in journaled(where, view, now, instance, there).items():
        files.write(where.root.absolute(path), text or "")


def journaled(
    where: Place, view: View, now: str, instance: int | None, there: Holdings | None = None
) -> dict[str, str | None]:
    """Return the journals as they become with what no journal says yet, by path.

    Args:
        where: the memory.
        view: it as it is.
        now: ISO 8601, UTC.
        instance: the one that a sleep is about; None for all.
        there: what the memory shows, and need not be told again.
    """
    only = debt_settlement.bound(view, instance)
    only = debt_settlement.begun(where, now) if only is None else only
    context = contexts.of(where.root)
    writes: dict[str, str | None] = {}
    for session in reversed(storage.read(context).sessions):
        if (only is None or session.session_id in only) and _is_unread(context, view, session):
            if there and there.recalled.has(session.last_assistant_message or ""):
                continue
            path, text = _written(where.root, view, now, session)
            writes[path] = text
            view = View(Overlay(view.tree, {path: text}))
    return writes


def _is_manual(session: Session) -> bool:
    return session.transcript_path is None and session.session_id.startswith(BY_HAND)


def _is_unread(context: Context, view: View, session: Session) -> bool:
    """True for a session that says something which nobody has read and no journal holds."""
    words = (session.last_assistant_message or "").strip()
    if not words or redundancy.is_small_talk(words):
        return False
    if not _is_manual(session):
        known = sessions.read(context, session.session_id)
        if _has_events(known.transcript_path if known else session.transcript_path or ""):
            return False  # a digest tells of it
    sign = f"- transcript: {session.session_id}\n"
    if any(sign in (view.read(path) or "") for path in view.journals):
        return False
    named = [path for path in view.journals if session.session_id in view.sessions_in(path)]
    return not holdings.statements(view, named).has(words)


def _has_events(transcript: str) -> bool:
    """Return whether a reader finds anything in a transcript."""
    try:
        return next(session_digest.read(transcript), None) is not None
    except SleepError:
        return False


def _written(root: Root, view: View, now: str, session: Session) -> tuple[str, str]:
    """Return the path and the text of the journal that takes a session's words: its own, else a new one."""
    manual = _is_manual(session)
    path = writer.open_path(view, root=root) if manual else holdings.stretch(view, session.session_id).open
    text, instance = _opened(view, path) if path else ("", None)
    if not path or instance is None:
        by = {writer.BY: writer.DIGEST}
        own = "" if manual else session.session_id
        path, text, instance = writer.begin(view, now, session=own, further=by, root=root)
    title, *rest = sentences.split(session.last_assistant_message or "")
    fields = (
        ("source", MANUAL if manual else "agent"),
        ("time", session.stopped_at),
        ("transcript", session.session_id),
    )
    draft = Draft("note", title, " ".join(rest), tuple(field for field in fields if field[1]))
    return path, writer.append(view, path, text, instance, [draft])[0]


def _opened(view: View, path: str) -> tuple[str, InstanceId]:
    return view.read(path) or "", view.journal(path).instance
