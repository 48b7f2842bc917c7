"""The place in a transcript that an entry was taken from, as far as it is still there.

Owns reading what a journal says of sessions, and that line of the client's file, or the first and the last of several
(`SESSION:12-40`). What is read there is shown without secrets. Refuses to look for words elsewhere in
a transcript: a stored place is followed or said to be gone.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.debt import sessions
from sleep.errors import SleepError
from sleep.journal.capture import backlog, digest_drafts, holdings
from sleep.journal.capture import session_digest as digests
from sleep.redaction import secret_scan
from sleep.store import context as contexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.store.layout import Root
    from sleep.transcripts.events import Event

THERE, CHANGED, EXPIRED, UNKNOWN = "there", "changed", "expired", "unknown"
_ROLES = ("person", "agent", "tool")
_WELL = "(it went well)"
_PLACE = re.compile(r"(.+):([0-9]{1,15})(?:-([0-9]{1,15}))?")


class Utterance(NamedTuple):
    """What was said at a line: by whom, and the words; of an edit, the file."""

    line: int
    role: str
    says: str


class Span(NamedTuple):
    """A place in a transcript.

    `sessions` are those that the journal names; `line` is 0 where no line is stored (the agent wrote the entry itself,
    or the client writes no lines). `state`: `there` (the file and, where a line is stored, its words), `changed` (the
    file is there and its line says something else), `expired` (the client has deleted it), `unknown` (this machine does
    not know its file). `role` and `says` are of that line, "" where it cannot be read. `until` is the last line of an
    entry that several tell (0 for one), an error and how it ended, say; `ends` are the first and the last, as far as
    they can be read.
    """

    sessions: tuple[str, ...]
    client: str
    line: int
    time: str
    state: str
    transcript: str = ""
    role: str = ""
    says: str = ""
    until: int = 0
    ends: tuple[Utterance, ...] = ()


def find(root: Root, journal: Journal, entry: Entry, transcripts: Sequence[str] = ()) -> Span | None:
    """Return where an entry was taken from, None where its journal names no session.

    Args:
        root: the memory root.
        journal: the entry's.
        entry: the entry.
        transcripts: files and folders of transcripts to look in, before what this machine knows.
    """
    stored = _PLACE.fullmatch(entry.field("transcript"))
    session, line, until = stored.groups("0") if stored else (entry.field("transcript"), "0", "0")
    named = tuple([session] if session else holdings.as_texts(journal.fields.get("sessions")))
    if not named:
        return None
    client = str(journal.fields.get("client") or "")
    span = Span(named, client, int(line), entry.field("time"), UNKNOWN, until=int(until))
    files = backlog.find_transcripts(transcripts) if transcripts else []
    paths = {sessions.safe(file.session): file.path for file in reversed(files)}
    for name in named:
        known = sessions.read(contexts.of(root), name)
        path = paths.get(name) or (known.transcript_path if known else "")
        if path:
            client = client or (known.client if known else "")
            return _read(span._replace(transcript=path, client=client), entry, stored=bool(session))
    return span


def _read(span: Span, entry: Entry, *, stored: bool) -> Span:
    """Return the span with what stands in the transcript at its place."""
    if not os.path.isfile(span.transcript):
        return span._replace(state=EXPIRED)
    if not stored:
        return span._replace(state=THERE)
    try:
        spoken, ends = _events(span)
    except (SleepError, OSError):
        return span._replace(state=CHANGED)
    span = span._replace(role=spoken[-1].role if spoken else "")
    if entry.title == digest_drafts.FILES:  # says which files were edited, in words of our own
        edited = tuple(end for end in ends if os.path.basename(end.says) in entry.field("files"))
        return span._replace(state=THERE, ends=edited)
    words = "\n".join(event.text for event in spoken)
    is_timed = bool(span.time) and any(event.at == span.time for event in spoken)
    if not (is_timed or comparison.within(entry.title or entry.body, words)):
        return span._replace(state=CHANGED)
    return span._replace(state=THERE, says=secret_scan.redact(words)[0], ends=ends)


def _events(span: Span) -> tuple[list[Event], tuple[Utterance, ...]]:
    """Return what was spoken at a place of a transcript, and what its first and its last line say."""
    spoken: list[Event] = []
    ends: dict[int, Utterance] = {}
    for event in digests.read(span.transcript):
        if span.line and event.line > max(span.line, span.until):
            break
        if span.until and event.line in (span.line, span.until) and (words := _words(event)):
            ends.setdefault(event.line, Utterance(event.line, event.role, words))
        if _is_at(span, event) and event.text and event.role in _ROLES:
            spoken.append(event)
    return spoken, tuple(ends.values())


def _is_at(span: Span, event: Event) -> bool:
    return event.line == span.line if span.line else bool(span.time) and event.at == span.time


def _words(event: Event) -> str:
    """Return what an event says without secrets, the file where it is an edit; "" of whoever is nobody's voice.

    Of a result that is none of an error readers keep no words.
    """
    words = event.path if event.kind == "edit" else event.text or (_WELL if event.kind == "result" and event.ok else "")
    return secret_scan.redact(words)[0] if event.role in _ROLES else ""
