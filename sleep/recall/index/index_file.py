"""The file that the index is kept in: laid out, opened, read as it stands, and put out of the way where it is damaged.

Owns the tables, and telling damage from what only hinders (another writer, a full or read-only disk). Readers never
wait (a write-ahead log). A damaged file is removed by one process at a time, and only if it is still the file that was
found damaged: who finds it together with others never removes what they made since. Who still has the old file open
reads on; SQLite itself refuses to write to a file that was moved away.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3

from sleep.recall.index.index_form import VERSION, uri

WAIT = 10.0  # seconds for another writer
_MARKED = 'terms, content="", detail=none, tokenize="ascii tokenchars \'./:@\\+#_-\'"'
SCHEMA = f"""
    CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT UNIQUE, tier TEXT, day TEXT, hash BLOB, size INTEGER,
                           changed INTEGER, seen INTEGER, rows INTEGER, terms INTEGER, known BLOB, labels TEXT,
                           days TEXT);
    CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT, addresses TEXT, kind TEXT, state TEXT, day TEXT, who TEXT,
                      number TEXT, line INTEGER, below INTEGER, source TEXT);
    CREATE TABLE place (address TEXT, row INTEGER, PRIMARY KEY (address, row)) WITHOUT ROWID;
    CREATE TABLE move (record TEXT, row INTEGER, state TEXT, PRIMARY KEY (record, row)) WITHOUT ROWID;
    CREATE TABLE alone (row INTEGER PRIMARY KEY);
    CREATE TABLE word (word TEXT PRIMARY KEY, sound TEXT) WITHOUT ROWID;
    CREATE INDEX word_sound ON word (sound);
    CREATE VIRTUAL TABLE term USING fts5({_MARKED});
    CREATE VIRTUAL TABLE spelling USING fts5(word, tokenize="trigram", detail=none);
    PRAGMA user_version = {VERSION};
"""  # nothing of it comes from outside
_HINDERS = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR),
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
    }
)


class OtherVersionError(sqlite3.DatabaseError):
    """The file is whole, and of another version."""


class _Connection(sqlite3.Connection):
    """A connection that is closed when it is dropped; from 3.13 on others warn."""

    def __del__(self) -> None:
        """Close it."""
        with contextlib.suppress(sqlite3.Error):  # of another thread
            self.close()


def connect(place: str) -> sqlite3.Connection:
    """Return a connection to a path, a `file:` URI or `:memory:`, without transactions that nobody asked for."""
    is_uri = place.startswith("file:")
    return sqlite3.connect(place, timeout=WAIT, isolation_level=None, uri=is_uri, factory=_Connection)


def open_file(path: str) -> sqlite3.Connection:
    """Return the index at a path, laid out if it was empty; errors are SQLite's, and OSError where no folder can be."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    base = connect(path)
    try:
        base.execute("PRAGMA synchronous = NORMAL")  # what is lost with the power is made again
        base.execute("PRAGMA cache_size = -16000")
        base.execute("PRAGMA mmap_size = 268435456")
        _lay(base)
    except BaseException:
        base.close()
        raise
    return base


def _lay(base: sqlite3.Connection) -> None:
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        base.execute("SELECT count(*) FROM (SELECT 1 FROM document LIMIT 1)").fetchone()
        return
    if version or base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise OtherVersionError(f"version {version}")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("BEGIN IMMEDIATE")
    try:
        if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:  # another process may have been faster
            for statement in filter(str.strip, SCHEMA.split(";")):
                base.execute(statement)
    except BaseException:
        base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")


def open_read_only(path: str) -> sqlite3.Connection:
    """Return the index at a path to be read without a lock or a file beside it, as a read-only folder wants.

    Raises OSError where there is none, or where a log beside it holds a part of it.
    """
    if os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal"):
        raise FileExistsError(f"{path}-wal")
    base = connect(uri(path, "immutable=1"))
    if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        base.close()
        raise OtherVersionError(path)
    return base


def create_in_memory() -> sqlite3.Connection:
    """Return an empty index that is on no disk."""
    base = connect(":memory:")
    base.executescript(SCHEMA)
    return base


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error says that the file is no index of ours, not that something is in the way."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return isinstance(error, sqlite3.DatabaseError) and code & 0xFF not in _HINDERS


def identity(path: str) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name, None where there is none."""
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_dev, there.st_ino


def remove(path: str, which: tuple[int, int] | None) -> None:
    """Remove the file if it is still the one that was found damaged. Raises HeldError when others take too long."""
    from sleep.store.lock import Lock  # late: damage is rare  # noqa: PLC0415

    with Lock(f"{path.removesuffix('.sqlite')}.lock", "recall: remove a damaged index", WAIT):
        if identity(path) != which:
            return
        for end in ("-wal", "-shm", ""):  # the file last: an empty one would take what stands beside it for its own
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path + end)
