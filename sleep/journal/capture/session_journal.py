"""Capture: what a session held goes into its instance's journal by itself, once, however often it is cut off.

Owns what is new in a transcript since the last time, which journal takes it, and what of it is not written: small talk,
what the memory itself said, what an instance has said in its own words. Entries and the mark up to where the transcript
was digested (`digested: [SESSION:LINE]`, front matter) are one write, so a journal never has the one without the other;
it is asked before every capture, sealed or not, and nothing else is believed. A session with nothing worth keeping
leaves nothing. No git is needed, and what is read is never held whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.redundancy import KnownMoments
from sleep.debt import sessions, storage, timestamps, transcript_scan
from sleep.documents import front_matter, paths
from sleep.errors import DocumentError, SleepError, StorageError
from sleep.journal import writer
from sleep.journal.capture import holdings, session_entries
from sleep.journal.capture import session_digest as digests
from sleep.journal.capture.holdings import AGENTS, DIGESTED, Holdings, as_texts
from sleep.journal.capture.material import ELSEWHERE
from sleep.memory import place
from sleep.memory.view import View
from sleep.store import context as contexts
from sleep.store import files
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sleep.debt.sessions import Known
    from sleep.documents.journal import Draft
    from sleep.documents.yaml_values import Value
    from sleep.journal.capture.holdings import Stretch
    from sleep.journal.capture.session_digest import Digest
    from sleep.memory.place import Place
    from sleep.store.layout import Root
    from sleep.transcripts.events import Event

COMPACTED = "compacted"  # the field of a journal's front matter that says when
COMPACT = "compact"  # the reason that says that the client is about to cut its conversation short
BUSY = "another process captures it"
_NOT_NEW, _IDLE, _REPEATS = "nothing is new", "it holds nothing worth keeping", "the journals say it already"
_TRIES = 3


class Capture(NamedTuple):
    """What a capture did, or in a dry run would do.

    `path` and `addresses` are of the journal and its new entries, `drafts` what these say; none where nothing was worth
    keeping, and `why` says so. `lines` is how far the transcript is digested now, `size` its bytes when it was read,
    `agents` when the last edit was that a sub-agent's own file tells of, `code` the exit code of the error that stood
    in the way, 0 where none did, `folder` where the session worked.
    """

    session: str
    transcript: str
    path: str = ""
    addresses: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    opened: bool = False
    lines: int = 0
    agents: str = ""
    size: int = 0
    unread: int = 0
    redacted: int = 0
    refused: int = 0
    why: str = ""
    code: int = 0
    folder: str = ""


class Source(NamedTuple):
    """What is captured: the client's file, whose session and which client's it is, and why now.

    `reason` is `compact` where the client is about to cut its conversation short: the moment is written down. `seals`
    closes a journal that is opened for it: nobody lives in it any more. `folder` is where the session works, ""
    where its transcript says so.
    """

    transcript: str
    session: str
    client: str = ""
    reason: str = ""
    seals: bool = False
    folder: str = ""


def capture(
    where: Place,
    now: str,
    source: Source,
    *,
    dry_run: bool = False,
    laid: dict[str, str | None] | None = None,
    held: Holdings | None = None,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Capture:
    """Digest what is new in a session's transcript into its instance's journal.

    Args:
        where: the memory.
        now: ISO 8601, UTC.
        source: what is captured; a session id that no journal can bear is replaced by a hash.
        dry_run: only say what would be written.
        laid: of a dry run, documents that would have been written before; what this would write is laid among them.
        held: what the memory holds, for one who captures many sessions; None reads it.
        notice: called with the bytes read, and with all.

    Raises:
        UsageError: there is no such file, or no session id.
        DocumentError: no reader knows it.
    """
    source = source._replace(session=sessions.safe(source.session))
    near = held.sessions.get(source.session, ()) if held else None
    for _ in range(_TRIES):
        view = View(Overlay(WorkTree(where.root), laid or {}))
        before = holdings.stretch(view, source.session, near)
        digest, done = _new(where, source, view, before, held or Holdings(view), notice)
        if laid is not None and not done.why:
            done, laid[done.path] = _journaled(where.root, view, now, source, before, digest, done)
        if dry_run or done.why:
            return done
        with place.jotting(where, "journal.capture"):
            view = View(WorkTree(where.root))
            if holdings.stretch(view, source.session) == before:
                done, text = _journaled(where.root, view, now, source, before, digest, done)
                files.write(where.root.absolute(done.path), text, within=where.root.path)
                if done.opened and (instance := View(WorkTree(where.root)).instance_of(done.path)):
                    writer.note_opened(where, instance, done.path, now)
                if held:
                    held.written(source.session, done.path, done.drafts)
                return done
        near = None  # somebody else has captured it meanwhile, or sealed its journal: what is new is told anew
    return done._replace(why=BUSY, drafts=())


def _new(
    where: Place,
    source: Source,
    view: View,
    before: Stretch,
    memory: Holdings,
    notice: Callable[[int, int], None],
) -> tuple[Digest, Capture]:
    """Return the digest of what is new in a transcript, and the capture with its entries, or why there are none."""
    since = before.digested
    size = max(0, sessions.size(source.transcript))  # before it is read: it may grow meanwhile
    elsewhere = KnownMoments() if since or before.journals else memory.moments
    digest, since, agents, folder = _digested(where, source.transcript, since, before.agents, memory, elsewhere, notice)
    done = Capture(
        source.session,
        source.transcript,
        lines=max(digest.reached, since),
        agents=agents,
        size=size,
        unread=digest.unread,
        redacted=digest.redacted,
        refused=digest.refused,
        folder=source.folder or folder,
    )
    if digest.reached <= since:
        return digest, done._replace(why=_NOT_NEW)
    is_closed = bool(before.journals and not before.open)
    if not session_entries.is_telling(digest, is_known=bool(since or before.journals), is_closed=is_closed):
        return digest, done._replace(why=_IDLE)
    statements = holdings.statements(view, before.journals)
    drafts = tuple(
        session_entries.new_entries(
            digest,
            source.session,
            statements,
            lambda: holdings.rejected(view),
            lambda: holdings.statements(view, before.journals, "decision"),
        )
    )
    return digest, done._replace(drafts=drafts, why="" if drafts else _REPEATS)


def capture_session(
    where: Place,
    now: str,
    known: Known,
    *,
    reason: str = "",
    dry_run: bool = False,
    laid: dict[str, str | None] | None = None,
) -> Capture:
    """Capture a session that a hook has seen, and remember up to which byte; arguments and errors as in `capture`."""
    source = Source(known.transcript_path, known.session_id, known.client, reason, folder=known.cwd)
    try:
        done = capture(where, now, source, dry_run=dry_run, laid=laid)
    except DocumentError:  # no reader knows it: nobody need try again until it grows
        if not dry_run:
            remember(where, now, known.session_id, 0, max(0, sessions.size(known.transcript_path)))
        raise
    if not dry_run and done.why != BUSY:
        remember(where, now, known.session_id, done.lines, done.size)
    return done


def remember(where: Place, now: str, session: str, lines: int, size: int) -> None:
    """Keep, on this machine, how far a transcript was digested: until it grows, nobody need look at it again."""
    digested = {"lines": lines, "size": size, "at": now}
    sessions.update(contexts.of(where.root), session, digested=digested)


def capture_before_sleep(
    where: Place, now: str, instance: int | None = None, *, laid: dict[str, str | None] | None = None
) -> list[Capture]:
    """Capture what the sessions of the instances that are about to be sealed hold, those that still live too.

    A sleep on all instances settles all debt: what is in a transcript whose session no journal names is captured too,
    or it would be settled without having been consolidated. What cannot be read says why, and keeps nobody from
    sleeping. Returns what was written, and what went wrong. With `laid` nothing is: what would be stands there.
    """
    view = View(WorkTree(where.root))
    context = contexts.of(where.root)
    wanted = [path for path in view.unslept if instance is None or paths.journal_number(path) == instance]
    named = dict.fromkeys(
        name for path in wanted if not holdings.fields(view, path).get("ended") for name in view.sessions_in(path)
    )
    if instance is None:
        named |= dict.fromkeys(session.session_id for session in reversed(storage.read(context).sessions))
    done = []
    for name in named:
        if not (known := sessions.read(context, name)) or sessions.size(known.transcript_path) < 0:
            continue
        try:
            captured = capture_session(where, now, known, dry_run=laid is not None, laid=laid)
        except (SleepError, OSError) as error:
            captured = failure(name, known.transcript_path, error)
        if captured.path or captured.why not in (_NOT_NEW, _IDLE, _REPEATS):
            done.append(captured)
    return done


def failure(session: str, transcript: str, error: Exception) -> Capture:
    """Return what a capture came to that an error ended; only what the disk refuses fails the command."""
    is_disk = isinstance(error, (OSError, StorageError))
    return Capture(session, transcript, why=str(error), code=StorageError.exit_code if is_disk else 0)


def _digested(
    where: Place,
    transcript: str,
    since: int,
    agents: str,
    memory: Holdings,
    elsewhere: KnownMoments,
    notice: Callable[[int, int], None],
) -> tuple[Digest, int, str, str]:
    """Return the digest of what is new, the line it begins behind, when a sub-agent edited last, and the folder.

    That line is 0 where the file was written anew, and in a fork the last line that its parent's journal tells of.
    Edits of sub-agents up to `agents` were told.
    """
    shared, last, folder = 0, agents, ""

    def watched(events: Iterable[Event]) -> Iterator[Event]:
        nonlocal shared, last, folder
        for number, event in enumerate(events, 1):
            if event.at and event.text and elsewhere.has(event.at, event.text):
                shared = event.line or number
            folder = folder or (event.path if event.kind == "root" else "")
            yield event
        for event in _edits_of_agents(transcript):
            last = max(last, event.at)
            if not since or event.at > agents:
                yield event

    while True:
        events = watched(digests.read(transcript, notice))
        most, root = where.settings.journal_tokens, where.root.path
        digest = session_entries.digest(events, most, memory.recalled, known=place.secrets(), since=since, root=root)
        if digest.reached < since:
            since = 0
        elif since < shared:
            since = shared
        else:
            return digest, since, last, folder


def _edits_of_agents(transcript: str) -> Iterator[Event]:
    """Yield the edits of a session's sub-agents that have files of their own, and which of them failed; no words."""
    for path in transcript_scan.files_of(transcript)[1:]:
        try:
            for event in digests.read(path):
                if event.kind in ("edit", "result"):
                    yield event._replace(text="", side=True, line=ELSEWHERE)
        except (SleepError, OSError):  # what cannot be read keeps nobody from capturing the session itself
            continue


def _journaled(
    root: Root, view: View, now: str, source: Source, before: Stretch, digest: Digest, done: Capture
) -> tuple[Capture, str]:
    """Return the journal with the entries and the mark, which are one write; whoever writes it holds the lock."""
    changed: dict[str, Value] = {}
    if before.open:
        path, text, instance = before.open, view.read(before.open) or "", view.journal(before.open).instance
    else:
        by: dict[str, Value] = {writer.BY: writer.DIGEST}
        began = _time(digest.first) or now
        client, session = source.client, source.session
        path, text, instance = writer.begin(
            view, began, client=client, session=session, further=by, root=root, folder=done.folder
        )
        if source.seals:
            changed["ended"] = _time(digest.last) or now
    fields = front_matter.read(text).fields
    marks = [mark for mark in as_texts(fields.get(DIGESTED)) if mark.rpartition(":")[0] != source.session]
    changed[DIGESTED] = [*marks, f"{source.session}:{done.lines}"]
    if done.agents:
        marks = [mark for mark in as_texts(fields.get(AGENTS)) if mark.partition(" ")[0] != source.session]
        changed[AGENTS] = [*marks, f"{source.session} {done.agents}"]
    if source.reason == COMPACT:
        changed[COMPACTED] = [*as_texts(fields.get(COMPACTED)), now]
    text, added = writer.append(view, path, front_matter.set_fields(text, changed), instance, done.drafts)
    done = done._replace(
        path=path,
        addresses=tuple(str(entry.address) for entry in added),
        opened=not before.open,
        redacted=done.redacted + sum(entry.redacted for entry in added),
    )
    return done, text


def _time(at: str) -> str:
    """Return a client's time as journals write it, "" for what is none."""
    when = timestamps.seconds(at)
    return f"{timestamps.iso(when)[:19]}Z" if when is not None else ""
