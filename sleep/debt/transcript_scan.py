"""A session's transcript, read on from where the last count stopped: the files that it is, and what they add up to.

Owns opening them, telling whether a file is still the one that was counted, and the union of a session's files. Refuses
to write, to hold a lock, and to say what a count is worth. A session counts each call once: a file that was written
anew keeps the ids of the old one, a fork does not count what its parent has counted, and a session that goes from one
worktree to another is counted in each from where the other one stopped.
"""

from __future__ import annotations

import os
import stat

from sleep.debt import sessions, worktrees
from sleep.debt.ids import hashed
from sleep.store import files
from sleep.transcripts import line_reader, tally
from sleep.transcripts.tally import Count
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, BinaryIO

    from sleep.debt.sessions import Known
    from sleep.settings import Settings
    from sleep.store.context import Context

_ROUNDS = 3  # of reading what was written meanwhile
_SETTLED = 60.0  # seconds without a change after which a torn line is how the file ends
_PRINT = 64  # bytes at each end that tell a file
_RELATIVES = 200  # other sessions that a new one may be a fork of, the newest
_SUFFIX = ".jsonl"
_ROLLOUT = "rollout-"
_CHATS, _CHAT = "chats", "session-"  # the folder of Qwen Code's and Gemini CLI's sessions, and how the latter's begin
_AGENTS = "subagents"
_SHORT = 8  # characters of a session's id at the end of its file's name
_UUID = 36  # characters of an id, which ends a rollout's name
_HEAD = 2048  # bytes of a rollout that tell whose it is
_SPAWNED, _SESSION = b'"parent_thread_id":', b'"session_id":"'


class Scan(NamedTuple):
    """What a session's files held when they were looked at.

    `counts` is to be kept with the session, and `began` what it had before; `total` is from the session's beginning.
    `is_pending`: the transcript is missing, torn or growing, so the total is not the last word. `skipped` says why a
    file was not counted, or "". `foreign` are ids that another session counts.
    """

    counts: dict[str, Any]
    began: Mapping[str, Any]
    total: int = 0
    is_pending: bool = False
    skipped: str = ""
    foreign: tuple[str, ...] = ()


class _Look(NamedTuple):
    """One file: its entry in `counts`, whether its end is open, why it was skipped, whether something was read."""

    entry: dict[str, Any] | None
    is_open: bool = False
    skipped: str = ""
    is_new: bool = False


def scan(context: Context, known: Known, settings: Settings, now: float, *, patient: bool = False) -> Scan:
    """Return what a session's transcript holds now; errors of the disk count as a file that is missing.

    Args:
        context: where the other sessions are.
        known: the session as it is known; `transcript_path` names its file.
        settings: the cap.
        now: seconds since 1970.
        patient: take a torn line for the end of a file that has not changed since the last look, or for a minute.
    """
    counts = dict(known.counts)
    looks: dict[str, _Look] = {}
    for path in files_of(known.transcript_path):
        looks[path] = _look(path, _prior(counts, path), settings.debt_cap, now, patient=patient)
        if looks[path].entry is not None:
            counts[path] = looks[path].entry
    main = looks.get(known.transcript_path)
    missing = known.transcript_path not in counts and not (main and main.skipped)
    foreign = _shared(context, known, counts) if counts and not known.counts else known.foreign
    if any(look.is_new for look in looks.values()):
        foreign = elsewhere(context, known, counts, foreign)
    return Scan(
        counts,
        known.counts,
        total(counts, known.transcript_path, foreign),
        missing or any(look.is_open for look in looks.values()),
        "; ".join(dict.fromkeys(filter(None, (look.skipped for look in looks.values())))),
        foreign,
    )


def files_of(transcript: str) -> list[str]:
    """Return the files of a session: its transcript, there or not, and those of its sub-agents."""
    if not transcript:
        return []
    folder, name = os.path.split(transcript)
    if name.startswith(_ROLLOUT):
        return [transcript, *_spawned(transcript)]
    if not name.endswith(_SUFFIX):
        return [transcript]
    above, kind = os.path.split(folder)
    own = name.removesuffix(_SUFFIX)
    if kind != _CHATS:
        beside = (folder, "") if kind == own else (os.path.join(folder, own), "agent-")
        return [transcript, *_agents(os.path.join(beside[0], _AGENTS), beside[1])]
    if not name.startswith(_CHAT):
        return [transcript, *_agents(os.path.join(above, _AGENTS, own))]
    short = own[-_SHORT:]  # of the session's id, which is the name of the folder
    below = [each for each in files.names(folder) if each.startswith(short) and len(each) == _UUID]
    return [transcript, *(path for each in below for path in _agents(os.path.join(folder, each), ""))]


def _agents(folder: str, lead: str = "agent-") -> list[str]:
    """Return the files of sub-agents in a folder.

    Claude Code's is below the session's own file, Qwen Code's beside the folder of the sessions, Gemini CLI's beside
    the session's file, by its id, and Cursor's beside it.
    """
    names = files.names(folder)
    return [os.path.join(folder, name) for name in names if name.startswith(lead) and name.endswith(_SUFFIX)]


def _spawned(transcript: str) -> list[str]:
    """Return the files of Codex' sub-agents, which stand beside the session's own, or in the next day's folder.

    Their first line names the session that they belong to; a fork's names a session of its own.
    """
    folder, name = os.path.split(transcript)
    month, day = os.path.split(folder)
    days = [name for name in files.names(month) if name >= day and len(name) == len(day)][:2]
    session = name.removesuffix(_SUFFIX)[-_UUID:]
    paths = (os.path.join(month, day, other) for day in days for other in files.names(os.path.join(month, day)))
    return [path for path in paths if _is_rollout(path, name) and _owner(path) == session]


def _is_rollout(path: str, after: str) -> bool:
    name = os.path.basename(path)
    return name.startswith(_ROLLOUT) and name.endswith(_SUFFIX) and name > after


_owners: dict[str, str] = {}  # by path: a rollout's first line does not change


def _owner(path: str) -> str:
    """Return the session that a sub-agent's rollout belongs to, "" for another's."""
    if path not in _owners:
        try:
            with open(path, "rb") as file:
                head = file.read(_HEAD)
        except (OSError, ValueError):
            return ""
        if len(head) < _HEAD and b"\n" not in head:
            return ""  # it is being written
        at = head.find(_SESSION) + len(_SESSION) if _SPAWNED in head and _SESSION in head else -1
        _owners[path] = head[at : at + _UUID].decode("ascii", "replace") if at > 0 else ""
    return _owners[path]


def has_grown(known: Known, settings: Settings) -> bool:
    """Return whether a session's files are longer, or others, than when they were counted; opens none."""
    for path in files_of(known.transcript_path):
        try:
            there = os.stat(path)
        except (OSError, ValueError):
            continue
        is_new = there.st_size and not _is_same(_prior(known.counts, path), there)
        if is_new and not _over(there.st_size, settings.debt_cap):
            return True
    return False


def total(counts: Mapping[str, Any], transcript: str, foreign: tuple[str, ...] = ()) -> int:
    """Return the edits that took in all files of a session, each call once, without those of the ids `foreign`.

    Calls without an id count in the files that the session has now, and not in those that it had.
    """
    whole = Count()
    present = files_of(transcript)
    for path, entry in counts.items():
        if (count := _count(entry)) is not None:
            whole = tally.merge(whole, count if path in present else _named(count))
    return tally.changes(tally.subtract(whole, foreign))


def ids(counts: Mapping[str, Any]) -> frozenset[str]:
    """Return what tells a session's calls from those of others."""
    known = filter(None, map(_count, counts.values()))
    return frozenset[str]().union(*map(tally.ids, known))


def elsewhere(context: Context, known: Known, counts: Mapping[str, Any], foreign: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids that another one counts, with those of the same session that another worktree has counted first.

    Args:
        context: where the session is read.
        known: the session as it was known here: what it counted stays its own.
        counts: what its files hold now.
        foreign: the ids that other sessions count.
    """
    there = [same for other in worktrees.others(context) if (same := sessions.read(other, known.session_id))]
    if not there:
        return foreign
    theirs = frozenset[str]().union(*(ids(same.counts) - frozenset(same.foreign) for same in there))
    own = ids(known.counts) - frozenset(foreign)
    return tuple(sorted({*foreign, *((theirs - own) & ids(counts))}))


def _look(path: str, prior: dict[str, Any], cap: int, now: float, *, patient: bool) -> _Look:
    try:
        there = os.stat(path)
        if not stat.S_ISREG(there.st_mode):
            return _Look(None)  # a pipe would be waited for
        if _over(there.st_size, cap):
            return _Look(None, skipped=f"{os.path.basename(path)} is over {cap} MB (debt.cap)")
        before = _count(prior)
        if before is not None and _is_same(prior, there):
            is_open = _is_open(before, there.st_size) and not patient
            return _Look(None, is_open, _unknown(path, before, there.st_size, is_open=is_open))
        with open(path, "rb") as file:
            return _read_on(file, path, prior, before, now, patient=patient)
    except (OSError, ValueError, OverflowError):
        return _Look(None)


def _read_on(
    file: BinaryIO, path: str, prior: dict[str, Any], before: Count | None, now: float, *, patient: bool
) -> _Look:
    """Count a file from where `before` ended; from its beginning where it is another file than the one counted."""
    if before is not None and prior.get("print") != _print(file, before.offset):
        before = None
    count, there = before or Count(), os.fstat(file.fileno())
    for _ in range(_ROUNDS):
        size = there.st_size
        count = tally.count_on(count, _chunks(file, count.offset, size))
        there = os.fstat(file.fileno())
        if there.st_size == size:
            break
    if before in (None, Count()) and (old := _count(prior)) is not None:
        count = tally.merge(_named(old), count)
    entry = {
        "inode": there.st_ino,
        "size": size,
        "mtime": there.st_mtime_ns,
        "print": _print(file, count.offset),
        "count": count.to_json(),
    }
    ended = patient and (prior.get("size") == size or now - there.st_mtime > _SETTLED)
    is_open = there.st_size != size or (_is_open(count, size) and not ended)
    return _Look(entry, is_open, _unknown(path, count, size, is_open=is_open), is_new=True)


def _prior(counts: Mapping[str, Any], path: str) -> dict[str, Any]:
    entry = counts.get(path)
    return entry if isinstance(entry, dict) else {}


def _unknown(path: str, count: Count, size: int, *, is_open: bool) -> str:
    return "" if count.client or is_open or not size else f"no reader knows {os.path.basename(path)}"


def _is_open(count: Count, size: int) -> bool:
    """True if more has to come: the last line is cut off, or there is too little to tell the client.

    A file with nothing in it holds no edit, which is exact.
    """
    return count.is_torn or (not count.client and 0 < size < line_reader.CHUNK and not count.offset)


def _is_same(entry: Mapping[str, Any], there: os.stat_result) -> bool:
    return (entry.get("size"), entry.get("inode"), entry.get("mtime")) == (
        there.st_size,
        there.st_ino,
        there.st_mtime_ns,
    )


def _over(size: int, cap: int) -> bool:
    return size > cap << 20


def _print(file: BinaryIO, offset: int) -> str:
    file.seek(0)
    head = file.read(min(_PRINT, offset))
    file.seek(max(0, offset - _PRINT))
    return hashed(head + file.read(min(_PRINT, offset)))


def _chunks(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    file.seek(start)
    while start < end and (chunk := file.read(min(line_reader.CHUNK, end - start))):
        start += len(chunk)
        yield chunk


def _count(entry: object) -> Count | None:
    return Count.from_json(entry.get("count")) if isinstance(entry, dict) else None


def _named(count: Count) -> Count:
    """Return a count without what has no id, and cannot be told from what another copy of it says."""
    return count._replace(held=count.held._replace(loose=0), tail=count.tail._replace(loose=0))


def _shared(context: Context, known: Known, counts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of a session that was never counted that another one has counted: those of a fork's parent."""
    own = ids(counts)
    if not own:
        return ()
    shared: set[str] = set()
    for other in sessions.newest(context, _RELATIVES):
        if other.session_id != known.session_id:
            shared |= own & ids(other.counts)
    return tuple(sorted(shared))
