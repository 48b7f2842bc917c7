"""The place in a transcript that an entry was taken from, as far as it is still there.

Owns reading what a journal says of sessions, and that line of the client's file. Refuses to look for words elsewhere in
a transcript: a stored place is followed or said to be gone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep.cycle import backlog, passage, remembered
from sleep.cycle import digest as digests
from sleep.debt import sessions
from sleep.errors import SleepError
from sleep.store import context as contexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.memory.journal import Entry, Journal
    from sleep.store.layout import Root

THERE, CHANGED, EXPIRED, UNKNOWN = "there", "changed", "expired", "unknown"
_ROLES = ("person", "agent", "tool")


class Span(NamedTuple):
    """A place in a transcript.

    `sessions` are those that the journal names; `line` is 0 where no line is stored (the agent wrote the entry itself,
    or the client writes no lines). `state`: `there` (the file and, where a line is stored, its words), `changed` (the
    file is there and its line says something else), `expired` (the client has deleted it), `unknown` (this machine does
    not know its file). `role` and `says` are of that line, "" where it cannot be read.
    """

    sessions: tuple[str, ...]
    client: str
    line: int
    time: str
    state: str
    transcript: str = ""
    role: str = ""
    says: str = ""


def find(root: Root, journal: Journal, entry: Entry, given: Sequence[str] = ()) -> Span | None:
    """Return where an entry was taken from, None where its journal names no session.

    Args:
        root: the memory root.
        journal: the entry's.
        entry: the entry.
        given: files and folders of transcripts to look in, before what this machine knows.
    """
    session, _, line = entry.field("transcript").rpartition(":")
    if not (line.isascii() and line.isdigit()):
        session, line = entry.field("transcript"), "0"
    named = tuple([session] if session else remembered.listed(journal.fields.get("sessions")))
    if not named:
        return None
    client = str(journal.fields.get("client") or "")
    span = Span(named, client, int(line), entry.field("time"), UNKNOWN)
    for one in named:
        known = sessions.read(contexts.of(root), one)
        path = _given(given, one) or (known.transcript_path if known else "")
        if path:
            client = client or (known.client if known else "")
            return _read(span._replace(transcript=path, client=client), entry, stored=bool(session))
    return span


def _given(given: Sequence[str], session: str) -> str:
    found = backlog.find(given) if given else []
    return next((one.path for one in found if sessions.safe(one.session) == session), "")


def _read(span: Span, entry: Entry, *, stored: bool) -> Span:
    """Return the span with what stands in the transcript at its place."""
    if not os.path.isfile(span.transcript):
        return span._replace(state=EXPIRED)
    if not stored:
        return span._replace(state=THERE)
    role, said, at = "", [], False
    try:
        for event in digests.read(span.transcript):
            if span.line and event.line > span.line:
                break
            here = event.line == span.line if span.line else bool(span.time) and event.at == span.time
            if here and event.text and event.role in _ROLES:
                role, at = event.role, at or (bool(span.time) and event.at == span.time)
                said.append(event.text)
    except (SleepError, OSError):
        return span._replace(state=CHANGED)
    words = "\n".join(said)
    holds = at or passage.within(entry.title or entry.body, words)
    listed = entry.title == digests.FILES  # says which files were edited, in words of our own
    return span._replace(state=THERE if holds or listed else CHANGED, role=role, says=words if holds else "")
