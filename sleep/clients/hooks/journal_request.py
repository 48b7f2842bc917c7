"""What an agent is asked at a Stop, once a session (`journal.ask: once`): to journal what later sessions must know.

Owns whether it is asked, in which words, and the mark that it was: `sleepwake/asked/KEY` in the common git directory,
a file a session, so that no worktree, no resume and no second hook asks again. The mark is written before anything is
said. A fork has another id, but its parent's transcript: where the request stands in it, it was made.
"""

from __future__ import annotations

import os

from sleep.clients import client_table
from sleep.clients.hooks import session_files
from sleep.store import files, layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.clients.hooks.hook_run import Call
    from sleep.debt.ledger import Session
    from sleep.store.context import Context

FOLDER = "asked"
ONCE = "sleepwake asks this once a session"
REQUEST = f"""\
Before you stop: no entry of this session's own stands in the journal that later sessions are told from ({ONCE}).
Journal what they must know, one call each: decisions with why, rules laid down, dead ends, what is open. Call {{call}}.
Leave out what code and commits say; if nothing is left, journal nothing. Then end with the answer you had given."""
CALL = '`sleepwake journal.add --kind decision --text "..." --why "..."` (or constraint, dead-end, question, task)'
_TONE = "tone"  # what a wake opens a journal with
_TRANSCRIPT = "transcript"  # a field of every entry that was captured
_AGED = 60 * 86_400.0  # seconds after which a mark goes: the client deletes transcripts after 30 days
_CHUNK = 1 << 20


def answer(call: Call, record: Session) -> str:
    """Return what makes the client go on with the request, "" where the agent is not asked.

    The transcript has to be there: without it nobody knows what the session did, nor whether it was asked before.

    Args:
        call: the Stop.
        record: what the ledger has of the session, this Stop included.
    """
    payload = call.said
    if not (client_table.known(payload.client).goes_on and payload.may_go_on and os.path.isfile(payload.transcript)):
        return ""
    path = _mark(call.context, payload.session)
    if not path or os.path.exists(path):
        return ""
    from sleep.debt import due  # late: most Stops come after the request  # noqa: PLC0415

    if not (due.is_memory(call.context) and has_work(call, record) and _set(path)):
        return ""
    if _was_made(payload.transcript) or has_own_entry(call.context, payload.session):
        return ""
    from sleep.clients.hooks import client_output  # late: same  # noqa: PLC0415

    call.note("asked the agent to journal (journal.ask is once)")
    return client_output.blocked(client_output.callable_here(REQUEST.format(call=CALL)))


def has_work(call: Call, record: Session) -> bool:
    """True for a session in which an edit took, or that scores, or whose last message says more than a few words."""
    if record.total:
        return True
    if not call.said.message:
        return False
    from sleep.language import terms  # late: where nothing was edited  # noqa: PLC0415

    return terms.is_telling(call.said.message)


def has_own_entry(context: Context, session: str) -> bool:
    """True where a journal of the session holds an entry that nobody took from its transcript."""
    from sleep.debt import due  # late: once a session  # noqa: PLC0415
    from sleep.documents import entries  # late: same  # noqa: PLC0415

    for path in due.journals_of(context, session):
        text = files.read(path, within=context.base) or ""
        if any(entry.kind != _TONE and not entry.field(_TRANSCRIPT) for entry in entries.read(text)):
            return True
    return False


def _was_made(transcript: str) -> bool:
    """True where the request stands in a transcript."""
    sought = ONCE.encode()
    last = b""
    with open(transcript, "rb") as file:
        while chunk := file.read(_CHUNK):
            if sought in last + chunk:
                return True
            last = chunk[-len(sought) :]
    return False


def _mark(context: Context, session: str) -> str:
    """Return where the mark of a session is, there or not; "" without git, where there are no journals."""
    git = layout.find_git(context.base)
    return session_files.path(os.path.join(git[2], "sleepwake", FOLDER), session) if git else ""


def _set(path: str) -> bool:
    """Write a mark, and return whether it was not there: of two hooks at once one is told so. OSError if it cannot."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    session_files.sweep(os.path.dirname(path), _AGED)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return True
