"""What must outlive the process, in SQLite: messages, and keyed agents' sleeps, buffers and callbacks.

Owns the file. What was added is committed as one transaction, before anything of it is sent: so what a sender saw
echoed is here. With `normal` that outlives `kill -9`, with `full` also a loss of power. A journal that is broken is set
aside and named. Refuses every file that is no journal (`_is_journal`), and leaves it as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from sleep.errors import RelayError, StorageError
from sleep.relay.endpoint import JOURNAL
from sleep.relay.engine.effects import (
    Archive,
    Asleep,
    Awake,
    Buffered,
    Gone,
    Opened,
    Relayed,
    Sent,
    Set,
    Shut,
    Unbuffered,
    Unset,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.relay.engine.effects import Lasting

FORMAT = 1
_APPLICATION = 0x736C7077  # "slpw", in the file's head: https://www.sqlite.org/fileformat2.html#the_database_header
_MAGIC, _HEAD, _AT = b"SQLite format 3\0", 100, 68  # bytes of the head, and where the application stands in it
_TABLES = frozenset(("messages", "sleeps", "waiting", "callbacks", "channels"))
_DIRECT = 1000  # messages to agents that are kept although nobody waits for them
_PRUNE = 5000  # messages between two looks at what can go, a large one for several
_LARGE = 10_000  # characters that count for one message more
_ROOM = 8 * 2**20  # characters of a channel's messages, and of all direct ones, that are kept; the newest always is
_SCHEMA = """
CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, target TEXT NOT NULL, frame TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sleeps (agent TEXT PRIMARY KEY, ident TEXT, name TEXT, mode TEXT, since INTEGER,
  wakes INTEGER, dropped INTEGER, channels TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waiting (agent TEXT, number INTEGER, PRIMARY KEY (agent, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS callbacks (ident TEXT PRIMARY KEY, agent TEXT, fires INTEGER, channel TEXT, payload TEXT)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS channels (name TEXT PRIMARY KEY, invite_only INTEGER, guests TEXT) WITHOUT ROWID;
"""
_OLD = """
DELETE FROM messages WHERE number NOT IN (SELECT number FROM waiting) AND number IN (
  SELECT number FROM (
    SELECT number, target, row_number() OVER newest AS nth, sum(length(frame)) OVER newest AS size
    FROM messages
    WINDOW newest AS (PARTITION BY CASE WHEN target LIKE '@%' THEN '@' ELSE target END ORDER BY number DESC))
  WHERE nth > CASE WHEN target LIKE '@%' THEN ? ELSE ? END OR (nth > 1 AND size > ?))
"""

_MESSAGE = "INSERT OR REPLACE INTO messages VALUES (?, ?, ?)"
_GONE = (
    "DELETE FROM sleeps WHERE agent = ?",
    "DELETE FROM waiting WHERE agent = ?",
    "DELETE FROM callbacks WHERE agent = ?",
)

Statement = tuple[str, tuple[object, ...]]


class Journal:
    """An open journal. Nothing else may have it open; `set_aside` names what was found broken."""

    def __init__(self, path: str, *, full: bool = False, history: int = 200) -> None:
        """Open a journal, making it where there is none; the folder is made for one of the relay's own name alone.

        Raises:
            RelayError: another relay has it open, a newer program wrote it, it is no journal, or its folder is missing.
            StorageError: the disk refuses.
        """
        self._path = path
        self._history = history
        self._full = full
        self.set_aside = ""
        self._told: list[tuple[int, str, str]] = []
        self._more: list[Statement] = []
        self._since = 0
        try:
            self._base = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise self._refusal(error) from error
            self.set_aside = _set_aside(path)
            self._base = self._open()

    def add(self, effect: Lasting, text: str = "") -> None:
        """Take an effect into the next transaction; `text` is the frame of a message as it goes out."""
        if isinstance(effect, Relayed):
            self._told.append((effect.number, effect.target, text))
        else:
            self._more.extend(_STATEMENTS[type(effect)](effect))

    def settle(self, delivery: Awake | Sent) -> None:
        """Forget what waited for an agent: it has arrived."""
        self._more.append(("DELETE FROM waiting WHERE agent = ? AND number <= ?", (delivery.agent, delivery.number)))
        if isinstance(delivery, Awake):
            self._more.append(("DELETE FROM sleeps WHERE agent = ? AND ident = ?", (delivery.agent, delivery.ident)))

    def commit(self) -> None:
        """Commit what was added.

        Raises:
            StorageError: the disk refuses, and nothing of it is committed.
        """
        if not self._told and not self._more:
            return
        base = self._base
        try:
            if len(self._told) == 1 and not self._more and self._since < _PRUNE:
                base.execute(_MESSAGE, self._told[0])  # a transaction of its own
                self._count_messages()
                self._told.clear()
                return
            base.execute("BEGIN")
            if self._told:
                base.executemany(_MESSAGE, self._told)
            for statement, values in self._more:
                base.execute(statement, values)
            self._count_messages()
            if self._since >= _PRUNE:
                self._prune()
            base.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                base.execute("ROLLBACK")
            raise self._refusal(error) from error
        self._told.clear()
        self._more.clear()

    def _count_messages(self) -> None:
        self._since += sum(1 + len(text) // _LARGE for _, _, text in self._told)

    def read(self) -> Archive:
        """Return everything that is kept, messages in order."""
        base = self._base
        try:
            self._prune()
            return Archive(
                tuple(
                    Relayed(number, target, json.loads(text))
                    for number, target, text in base.execute("SELECT * FROM messages ORDER BY number")
                ),
                tuple(
                    Asleep._make((*row[:7], (*json.loads(row[7]),)))
                    for row in base.execute("SELECT * FROM sleeps ORDER BY since, agent")
                ),
                tuple(Buffered(*row) for row in base.execute("SELECT * FROM waiting ORDER BY number")),
                tuple(
                    Set(*row)
                    for row in base.execute(
                        "SELECT agent, ident, fires, channel, payload FROM callbacks ORDER BY fires"
                    )
                ),
                tuple(
                    Opened(name, bool(invited), (*json.loads(guests),))
                    for name, invited, guests in base.execute("SELECT * FROM channels")
                ),
            )
        except sqlite3.Error as error:
            raise self._refusal(error) from error

    def close(self) -> None:
        """Commit and close."""
        self.commit()
        self._base.close()

    def _open(self) -> sqlite3.Connection:
        self._make()
        base = sqlite3.connect(self._path, isolation_level=None, timeout=2.0)
        try:
            base.execute("PRAGMA locking_mode = EXCLUSIVE")
            base.execute(f"PRAGMA application_id = {_APPLICATION}")  # before WAL, so that it stands in the file itself
            base.execute("PRAGMA journal_mode = WAL")
            base.execute(f"PRAGMA synchronous = {'FULL' if self._full else 'NORMAL'}")
            base.execute("PRAGMA journal_size_limit = 67108864")
            (version,) = base.execute("PRAGMA user_version").fetchone()
            self._insist_on_format(version)
            base.executescript(_SCHEMA)
            base.execute(f"PRAGMA user_version = {FORMAT}")
            _insist_on_health(base)
        except BaseException:
            base.close()
            raise
        return base

    def _make(self) -> None:
        """Make the file where there is none; refuse one that is no journal."""
        folder, name = os.path.split(os.path.abspath(self._path))
        try:
            if name == JOURNAL:
                os.makedirs(folder, exist_ok=True)
            elif not os.path.isdir(folder):
                raise RelayError("there is no such folder for the journal", where=folder, hint=f"mkdir -p {folder}")
            if name != JOURNAL and os.path.exists(self._path) and not _is_journal(self._path):
                raise RelayError(
                    "is no journal of a relay, and is left as it is",
                    where=self._path,
                    hint="sleepwake relay.serve --journal PATH takes a name that is free",
                )
            descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
            is_new = not os.fstat(descriptor).st_size
            os.close(descriptor)
            if is_new:  # it may have been there, empty
                os.chmod(self._path, 0o600)
        except OSError as error:
            raise StorageError(error.strerror or str(error), where=self._path) from error

    def _insist_on_format(self, version: int) -> None:
        if version > FORMAT:
            raise RelayError(
                f"this journal has format {version}, and this program reads {FORMAT}",
                where=self._path,
                hint="upgrade sleepwake",
            )

    def _prune(self) -> None:
        self._base.execute(_OLD, (_DIRECT, self._history, _ROOM))
        (count,) = self._base.execute("SELECT count(*) FROM messages").fetchone()
        self._since = min(0, _PRUNE - count)  # a look costs as much as there is to look at

    def _refusal(self, error: sqlite3.Error) -> RelayError | StorageError:
        if "locked" in str(error):
            return RelayError(
                "another relay has this journal open", where=self._path, hint="sleepwake relay.serve --journal PATH"
            )
        return StorageError(f"the journal cannot be written: {error}", where=self._path)


def _insist_on_health(base: sqlite3.Connection) -> None:
    if base.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError("malformed")


def _is_journal(path: str) -> bool:
    """Return whether a file may become the journal: it is empty, or its head says that it is one, broken or not.

    Journals of before the head said so are known by their tables. Nothing is written to look.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        return False
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if not head or not head.startswith(_MAGIC):
        return not head
    if int.from_bytes(head[_AT : _AT + 4], "big") == _APPLICATION:
        return True
    try:
        with contextlib.closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?immutable=1", uri=True)) as base:
            return {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} == _TABLES
    except sqlite3.Error:
        return False


def _set_aside(path: str) -> str:
    number = 1
    while os.path.exists(aside := f"{path}.broken-{number}"):
        number += 1
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + end, aside + end)
    return aside


def _asleep(sleep: Asleep) -> Sequence[Statement]:
    row = (
        sleep.agent,
        sleep.ident,
        sleep.name,
        sleep.mode,
        sleep.since,
        sleep.wakes,
        sleep.dropped,
        json.dumps(sleep.channels),
    )
    return [("INSERT OR REPLACE INTO sleeps VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)]


def _gone(agent: Gone) -> Sequence[Statement]:
    return [(statement, (agent.agent,)) for statement in _GONE]


def _unbuffered(entry: Unbuffered) -> Sequence[Statement]:
    return [
        ("DELETE FROM waiting WHERE agent = ? AND number = ?", (entry.agent, entry.number)),
        ("UPDATE sleeps SET dropped = ? WHERE agent = ?", (entry.dropped, entry.agent)),
    ]


def _shut(channel: Shut) -> Sequence[Statement]:
    return [
        ("DELETE FROM channels WHERE name = ?", (channel.channel,)),
        ("DELETE FROM messages WHERE target = ? AND number NOT IN (SELECT number FROM waiting)", (channel.channel,)),
    ]


_STATEMENTS: dict[type, Callable[..., Sequence[Statement]]] = {
    Asleep: _asleep,
    Buffered: lambda waiting: [("INSERT OR REPLACE INTO waiting VALUES (?, ?)", (waiting.agent, waiting.number))],
    Unbuffered: _unbuffered,
    Awake: lambda _: [],  # until it is known to have arrived: see `settle`
    Sent: lambda _: [],  # same
    Gone: _gone,
    Set: lambda callback: [
        ("INSERT OR REPLACE INTO callbacks VALUES (?, ?, ?, ?, ?)", (callback.ident, callback.agent, *callback[2:])),
    ],
    Unset: lambda callback: [("DELETE FROM callbacks WHERE ident = ?", (callback.ident,))],
    Opened: lambda channel: [
        (
            "INSERT OR REPLACE INTO channels VALUES (?, ?, ?)",
            (channel.channel, channel.invite_only, json.dumps(channel.guests)),
        ),
    ],
    Shut: _shut,
}
