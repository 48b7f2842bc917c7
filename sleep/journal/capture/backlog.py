"""Backlog: transcripts that lie on disk from before anybody listened become journals, each an instance of its own.

Owns finding them in a folder, whose session each is, and their order in time. One is read at a time, line by line, so
memory does not grow with their number. A session that still lives is left to its own end; a journal that is opened here
is closed, for nobody lives in it.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.debt import sessions, timestamps
from sleep.errors import SleepError, UsageError
from sleep.journal.capture import session_journal
from sleep.journal.capture.holdings import Holdings
from sleep.journal.capture.session_journal import Capture, Source
from sleep.memory.view import View
from sleep.store import context as contexts
from sleep.store.tree import WorkTree
from sleep.transcripts import readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.memory.place import Place

_ENDS = (".jsonl", ".json", ".md", ".traj")
_AGENT = "agent-"  # what a sub-agent did, its parent's transcript tells
_APART = (".git", "subagents")  # folders that hold no session's transcript
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SIDE = re.compile(rb'"kind"\s*:\s*"subagent"')  # of Gemini CLI's, whose files have no such name
_ID = re.compile(rb'"(?:sessionId|session_id|id)"\s*:\s*"([\w.:-]{4,200})"')
_WHEN = re.compile(rb'"(?:timestamp|startTime|created_at|time)"\s*:\s*"(\d{4}-\d\d-\d\dT[^"]{1,40})"')
_PREFIX = 8  # characters of an id that a file's name may have instead of all


class Transcript(NamedTuple):
    """A client's file: whose it is, when it begins (seconds since 1970), and its bytes."""

    path: str
    client: str
    session: str
    began: float
    size: int


class Survey(NamedTuple):
    """What files and folders are and hold: transcripts, in order of time, of each session the longest.

    `strangers` are the files that no reader knows, those that were named themselves first; `named` says how many.
    """

    transcripts: list[Transcript]
    strangers: list[str]
    named: int = 0


def find_transcripts(places: Sequence[str]) -> list[Transcript]:
    """Return the transcripts that files and folders are and hold; order and errors as in `survey`."""
    return survey(places).transcripts


def survey(places: Sequence[str]) -> Survey:
    """Return what files and folders are and hold; a file of nothing in a folder is none.

    Raises:
        UsageError: there is no such file or folder.
    """
    paths: dict[str, bool] = {}  # whether it was named itself
    for place in places:
        if os.path.isdir(place):
            paths = dict.fromkeys(_below(place), False) | paths
        elif os.path.isfile(place):
            paths[os.path.realpath(place)] = True
        else:
            raise UsageError(f"{place}: no such file or folder (a client's transcripts)")
    longest: dict[str, Transcript] = {}
    strangers = []
    for path in paths:
        known = _known(path)
        if known is None:
            strangers.append(path)
        elif known.client:
            other = longest.setdefault(known.session, known)
            longest[known.session] = max(other, known, key=lambda each: each.size)
    transcripts = sorted(longest.values(), key=lambda transcript: (transcript.began, transcript.path))
    strangers = [path for path in strangers if paths[path] or sessions.size(path)]
    strangers.sort(key=lambda path: (not paths[path], path))
    return Survey(transcripts, strangers, sum(paths[path] for path in strangers))


def capture_transcripts(
    where: Place,
    now: str,
    transcripts: Sequence[Transcript],
    *,
    dry_run: bool = False,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Iterator[Capture]:
    """Capture transcripts, one after the other; what cannot be read says why, and keeps no other from being read.

    Args:
        where: the memory.
        now: ISO 8601, UTC.
        transcripts: what is captured, in this order.
        dry_run: only say what would be written.
        notice: called with the bytes read, and with all.
    """
    living = _living(where, now)
    held = Holdings(View(WorkTree(where.root)))
    total, done = sum(transcript.size for transcript in transcripts), 0
    for transcript in transcripts:
        session = sessions.safe(transcript.session)
        if session in living:
            yield Capture(session, transcript.path, why="it still lives")
        else:
            yield _captured(where, now, transcript, held, dry_run=dry_run, notice=_from(done, total, notice))
        done += transcript.size
        notice(done, total)


def _captured(
    where: Place,
    now: str,
    transcript: Transcript,
    held: Holdings,
    *,
    dry_run: bool,
    notice: Callable[[int, int], None],
) -> Capture:
    source = Source(transcript.path, transcript.session, transcript.client, seals=True)
    try:
        done = session_journal.capture(where, now, source, dry_run=dry_run, held=held, notice=notice)
    except (SleepError, OSError) as error:
        return session_journal.failure(sessions.safe(transcript.session), transcript.path, error)
    context = contexts.of(where.root)
    if not dry_run and done.why != session_journal.BUSY and sessions.read(context, transcript.session):
        session_journal.remember(where, now, transcript.session, done.lines, done.size)
    return done


def _from(begun: int, total: int, notice: Callable[[int, int], None]) -> Callable[[int, int], None]:
    return lambda done, _all: notice(begun + done, total)


def _living(where: Place, now: str) -> frozenset[str]:
    """Return the sessions that may go on, above all the one that asks."""
    seconds = timestamps.seconds(now) or 0.0
    own = settings_.session()
    known = [
        session.session_id for session in sessions.all(contexts.of(where.root)) if sessions.is_living(session, seconds)
    ]
    return frozenset([*known, *([sessions.safe(own)] if own and own.strip() else [])])


def _below(folder: str) -> Iterator[str]:
    for place, names, files in os.walk(os.path.realpath(folder)):
        names[:] = sorted(name for name in names if name not in _APART)
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.endswith(_ENDS) and not name.startswith(_AGENT) and os.path.isfile(path):  # a pipe is waited for
                yield path


def _known(path: str) -> Transcript | None:
    """Return what a file is, without a client where its parent tells it; None for one that no reader knows."""
    try:
        with open(path, "rb") as file:
            head = file.read(readers.HEAD)
            there = os.fstat(file.fileno())
    except OSError:
        return None
    if not (client := readers.sniff(head)):
        return None
    if _SIDE.search(head.partition(b"\n")[0]):
        return Transcript(path, "", "", 0.0, there.st_size)
    began = timestamps.seconds(_when(client, head))
    return Transcript(path, client, _session(path, head), there.st_mtime if began is None else began, there.st_size)


def _when(client: str, head: bytes) -> str:
    """Return the first time in a file, as the client wrote it; "" where none is."""
    if client not in readers.MARKDOWN and (when := _WHEN.search(head)):
        return when[1].decode("ascii", "replace")
    events = readers.reader(client).read(head.splitlines(keepends=True))
    return next((event.at for event in events if event.at), "")


def _session(path: str, head: bytes) -> str:
    """Return the session that a file is of: the id in its name, or the one inside that its name or folder begins with.

    A copy under another name may be a slice, of which one session has many: it is a session of its own, by both.
    """
    folder, name = os.path.split(path)
    stem = name.rpartition(".")[0] or name
    if uuids := _UUID.findall(stem):
        return str(uuids[-1])
    ids = [known.decode("ascii", "replace") for known in _ID.findall(head)]
    above = os.path.basename(folder)
    own = next((known for known in ids if known[:_PREFIX] in stem or known == above), "")
    return own or f"{stem}.{ids[0] if ids else hashlib.sha256(os.fsencode(path)).hexdigest()[:_PREFIX]}"
