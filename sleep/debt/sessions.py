"""What this machine knows of each session, in a file of its own beside the ledger: `state/.sessions/KEY.json`.

Owns these files and their names. A session's record leaves the ledger when it is settled, and yet the session may go
on: here stands which of its edits were counted, up to where its transcript was read, what was consolidated, and which
process its client is. A file whose session is over, counted and digested is called `KEY.over.json`, so that a session
start need not open it. Everything is changed under the ledger's lock; a file that cannot be read is set aside, never
overwritten.
"""

from __future__ import annotations

import os

from sleep import lean_json
from sleep.debt import fields, liveness, storage, timestamps
from sleep.debt.fields import Reader
from sleep.debt.ids import hashed, safe
from sleep.errors import StorageError
from sleep.store import files
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sleep.store.context import Context

__all__ = ["FOLDER", "Known", "Sighting", "all", "is_living", "missed", "put", "read", "safe", "size", "update"]
FOLDER = ".sessions"
_OPEN, _OVER = ".json", ".over.json"
_QUIET = 1800.0  # seconds without a change after which a session of an unknown process is over
_AGED = 60 * timestamps.DAY
_SWEPT = 50  # files that one sweep looks at, at most
_TEXT = (fields.text, "")
_MAPPING: tuple[fields.Parse, dict[str, Any]] = (fields.mapping, {})
_FORMS = {
    **dict.fromkeys(("session_id", "client", "transcript_path", "cwd", "pid_started", "source", "started_at"), _TEXT),
    "ended_at": (fields.text, None),
    "reason": _TEXT,
    "pid": (fields.whole, 0),
    "counts": _MAPPING,
    "digested": _MAPPING,
    "foreign": (fields.texts, ()),
    "compacted": (fields.whole, None),
}
_LATE = 10.0  # seconds that a stop may come after the end that it belongs to


class Sighting(NamedTuple):
    """A session as a hook saw it. `pid` and `pid_started` are the client's process (`liveness.client_process`)."""

    session_id: str
    client: str = ""
    transcript_path: str = ""
    cwd: str = ""
    source: str = ""
    pid: int = 0
    pid_started: str = ""


class Known(NamedTuple):
    """A session that this machine has seen.

    `counts` has an object for each file of its transcript: `inode`, `size` and the `count` up to there; `foreign` are
    ids in it that another session counts. `digested` belongs to whoever digests, but for `size`: the bytes of the
    transcript that are in a journal. `ended_at` is None while it runs. `compacted` are the bytes of the transcript when
    the client last cut the conversation short, None for never.
    """

    session_id: str
    client: str = ""
    transcript_path: str = ""
    cwd: str = ""
    pid: int = 0
    pid_started: str = ""
    source: str = ""
    started_at: str = ""
    ended_at: str | None = None
    reason: str = ""
    counts: dict[str, Any] = {}  # noqa: RUF012  # never changed in place
    settled: int = 0
    settled_at: str = ""
    digested: dict[str, Any] = {}  # noqa: RUF012  # same
    foreign: tuple[str, ...] = ()
    compacted: int | None = None
    more: dict[str, Any] = {}  # noqa: RUF012  # same

    def seen(self, seen: Sighting) -> Known:
        """Return the session with what a hook said of it now; what it did not say stays."""
        news = {name: value for name, value in seen._asdict().items() if value}
        return self._replace(**{**news, "session_id": self.session_id})


def all(context: Context, *, over: bool = True) -> list[Known]:  # noqa: A001
    """Return every session that this machine has seen and not forgotten; reads only.

    Without those that are `over`: they have nothing more to count or to digest.
    """
    return [known for name in _names(context, over=over) if (known := _read(os.path.join(_folder(context), name)))]


def any_known(context: Context) -> bool:
    """Return whether this machine has seen a session at all."""
    return next(_names(context), None) is not None


def newest(context: Context, most: int) -> list[Known]:
    """Return the sessions that were heard of last, at most so many."""
    paths = [os.path.join(_folder(context), name) for name in _names(context)]
    return [known for path in sorted(paths, key=changed, reverse=True)[:most] if (known := _read(path))]


def read(context: Context, session_id: str) -> Known | None:
    """Return a session, None for one that was never seen; reads only."""
    path = _path(context, safe(session_id))
    return _read(path + _OPEN) or _read(path + _OVER) or _read(path + _OPEN)  # it may be renamed meanwhile


def update(context: Context, session_id: str, **fields: Any) -> Known:  # noqa: ANN401  # each as in Known
    """Change fields of a session under the lock, and return it; one that was never seen is made."""
    with storage.hold(context, "session"):
        return put(context, (read(context, session_id) or Known(safe(session_id)))._replace(**fields))


def put(context: Context, known: Known) -> Known:
    """Write a session; the caller holds the lock."""
    path = _path(context, known.session_id)
    new, old = (path + _OVER, path + _OPEN) if _is_over(known) else (path + _OPEN, path + _OVER)
    if os.path.exists(old):
        os.replace(old, new)
    if os.path.exists(new) and _read(new) is None:
        storage.set_aside(new)
    # What a loss of power takes can be counted again, but not what was settled.
    sync = bool(known.settled_at)
    files.write(new, lean_json.dumps(_form(known), compact=True) + "\n", sync=sync)
    return known


def is_living(known: Known, now: float) -> bool:
    """Return whether a session may still go on.

    One that ended does not. Else its client's process tells; where that cannot be asked, it is over once its transcript
    has not changed for 30 minutes.
    """
    if known.ended_at is not None:
        return False
    runs = liveness.is_running(known.pid, known.pid_started)
    if runs is not None:
        return runs
    return now - _last_change(known) < _QUIET


def missed(context: Context, now: float, but: str = "") -> list[Known]:
    """Return the sessions that are over and whose transcript has grown past what was digested; reads only."""
    other = safe(but) if but else ""
    return [
        known
        for known in all(context, over=False)
        if known.session_id != other and size(known.transcript_path) > _digested(known) and not is_living(known, now)
    ]


def ended_before(known: Known, now: float) -> bool:
    """Return whether a session had ended long enough ago that what comes now belongs to a new stretch of it."""
    ended = timestamps.seconds(known.ended_at)
    return ended is not None and now - ended > _LATE


def size(path: str) -> int:
    """Return a file's bytes, -1 where there is none."""
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1


def changed(path: str) -> float:
    """Return when a file last changed, in seconds since 1970, 0 where there is none."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0.0


def sweep(context: Context, now: float) -> int:
    """Remove files of sessions that are long over: untouched for 60 days, or over and without a transcript.

    Looks at a few dozen a call, others each time; the caller holds the lock. Returns how many were removed.
    """
    names = list(_names(context))
    first = int(now) % len(names) if names else 0
    swept = 0
    for name in (names[first:] + names[:first])[:_SWEPT]:
        path = os.path.join(_folder(context), name)
        age = now - changed(path)
        known = _read(path) if age > _AGED or (age > timestamps.DAY and name.endswith(_OVER)) else None
        if known and (age > _AGED or (known.transcript_path and size(known.transcript_path) < 0)):
            files.remove(path)
            swept += 1
    for folder in (context.state, _folder(context)):
        files.sweep(folder, below=False)
    return swept


def troubles(context: Context) -> list[str]:
    """Return the paths of session files that cannot be read, and of those that were set aside.

    It is the folder's own where that is no folder.
    """
    folder = _folder(context)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        return [folder]
    unread = [os.path.join(folder, name) for name in _names(context) if _read(os.path.join(folder, name)) is None]
    return unread + storage.aside(folder)


def _is_over(known: Known) -> bool:
    counted = known.counts.get(known.transcript_path)
    there = size(known.transcript_path)
    read_to = counted.get("size") if isinstance(counted, dict) else -1
    return known.ended_at is not None and (there < 0 or read_to == there) and _digested(known) >= there


def _digested(known: Known) -> int:
    return fields.whole(known.digested.get("size")) or 0


def _last_change(known: Known) -> float:
    return max(timestamps.seconds(known.started_at) or 0.0, changed(known.transcript_path))


def _names(context: Context, *, over: bool = True) -> Iterator[str]:
    return (
        name
        for name in files.names(_folder(context))
        if not name.startswith(".") and name.endswith(_OPEN) and (over or not name.endswith(_OVER))
    )


def _folder(context: Context) -> str:
    return os.path.join(context.state, FOLDER)


def _path(context: Context, session_id: str) -> str:
    return os.path.join(_folder(context), hashed(session_id.encode()))


def _form(known: Known) -> dict[str, object]:
    form: dict[str, object] = known._asdict()
    more = form.pop("more")
    form["settled"] = {"at": form.pop("settled_at"), "changes": known.settled}
    return {**form, **more} if isinstance(more, dict) else form


def _read(path: str) -> Known | None:
    """Return the session that a file holds, None where there is none or nothing that can be read."""
    try:
        raw = lean_json.loads(files.read(path) or "null")
    except (ValueError, RecursionError, StorageError):
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("session_id"), str) or not raw["session_id"]:
        return None
    reader = Reader()
    settled = reader.value(raw.pop("settled", None), fields.mapping, {}, "settled")
    values = reader.read(raw, _FORMS)
    for name in Known._fields:  # ours, and never a key of others
        raw.pop(name, None)
    return Known(
        **values,
        settled=fields.whole(settled.get("changes")) or 0,
        settled_at=str(settled.get("at") or ""),
        more=raw,
    )
