"""The end of a session, and the moment before it is compacted: what would be lost is journaled, by a child."""

from __future__ import annotations

from sleep.clients import client_table
from sleep.clients.hooks import hook_child
from sleep.debt import book, due, liveness, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.clients.hooks.hook_run import Call
    from sleep.debt.sessions import Known

_GROWTH = 200 << 10  # bytes that are worth another digest, for a client that announces compactions all the time


def session_end(call: Call) -> str:
    """Book what is left of the session, and journal it."""
    if call.said.session:
        book.record_end(call.context, call.settings, call.seen, call.said.reason, call.now)
        _capture(call)
        if call.said.transcript and not client_table.known(call.said.client).says_last:
            from sleep.clients.hooks import last_words  # late: for a client that does not say it  # noqa: PLC0415

            words = last_words.read(call.said.transcript)  # it writes its transcript while its hooks run
            book.record_end(call.context, call.settings, call.seen, call.said.reason, call.now, words)
    return ""


def silent_end(call: Call) -> None:
    """Journal a session at the Stop of a client that was asked one thing: it says nothing when it ends."""
    if liveness.answers_once(call.seen.pid, client_table.known(call.said.client).once):
        _capture(call)


def pre_compact(call: Call) -> str:
    """Journal what a compaction would lose, and note how long the transcript is by then."""
    payload = call.said
    if not payload.session:
        return ""
    known = _known(call)
    size = max(0, sessions.size(payload.transcript))
    growth = size - (known.compacted or 0)
    if growth >= _GROWTH or not client_table.known(payload.client).compacts_often:
        _capture(call, "--reason=compact")
        sessions.update(call.context, payload.session, compacted=size)
    return ""


def _known(call: Call) -> Known:
    """Return the session; one whose start nobody saw, for the hooks were installed meanwhile, starts now."""
    return sessions.read(call.context, call.said.session) or book.record_start(call.context, call.seen, call.now)


def _capture(call: Call, *words: str) -> None:
    """Have the session journaled, where there is something new of it and a journal to write it to."""
    if not call.settings.journal_auto or not due.is_memory(call.context):
        return
    known = _known(call)
    path = call.said.transcript or known.transcript_path
    digested = known.digested.get("size")
    if sessions.size(path) > (digested if isinstance(digested, int) else 0):
        named = f"--session={sessions.safe(call.said.session)}"
        hook_child.attended(call, ["journal.capture", named, *words], call.left())
