"""The index: every row of journals and tiers, and the terms that find it, in one SQLite file of this machine.

Owns the file: its form, bringing it up to date with a folder of documents, and reading it. It may be deleted at any
time, and is made anew when it is damaged or of another version. Readers never wait (a write-ahead log); a process that
finds another one writing waits for it a while, then goes on in memory, so that no answer is older than the documents.

A document is known by a hash of its content, not by a commit: after a pull, a merge, an undo or an edit what changed is
read anew, and nothing else. Sizes and times only spare the reading: a file that changed in the moment in which it was
looked at is looked at again, as git does (its `racy-git.txt`).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import struct
import time
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from sleep.recall import rows, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.store.tree import Tree

NAME = "recall.sqlite"
VERSION = 300 + words.VERSION
SHIFT = 20  # a row's number is its document's, shifted by so much, plus its place there
FOLDERS = ("journal", "memory/hot", "memory/warm", "memory/cold")
KNOWN = struct.Struct("<HHBB")  # of a row: terms, characters, flags, whose it is among the document's labels
_MOST, _LABELS = 65_535, 256
_RACY = 2_000_000_000  # nanoseconds within which a file may change without its time telling
_WAIT = 10.0  # seconds for another writer
_MARKED = 'terms, content="", detail=none, tokenize="ascii tokenchars \'./:@\\+#_-\'"'
_SCHEMA = f"""
    CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT UNIQUE, tier TEXT, day TEXT, hash BLOB, size INTEGER,
                           changed INTEGER, seen INTEGER, rows INTEGER, terms INTEGER, known BLOB, labels TEXT,
                           days TEXT);
    CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT, addresses TEXT, kind TEXT, state TEXT, day TEXT, who TEXT);
    CREATE TABLE place (address TEXT, row INTEGER, PRIMARY KEY (address, row)) WITHOUT ROWID;
    CREATE TABLE alone (row INTEGER PRIMARY KEY);
    CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE VIRTUAL TABLE term USING fts5({_MARKED});
    CREATE VIRTUAL TABLE spelling USING fts5(word, tokenize="trigram", detail=none);
    PRAGMA user_version = {VERSION};
"""  # nothing of it comes from outside


class File(NamedTuple):
    """A document on disk: its path below the root, its size, and when it last changed (nanoseconds)."""

    path: str
    size: int
    changed: int


class Index:
    """An open index.

    Args:
        base: the open database, laid out.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self.base = base

    @classmethod
    def in_memory(cls) -> Index:
        """Return an empty index that is on no disk."""
        base = sqlite3.connect(":memory:", isolation_level=None)
        base.executescript(_SCHEMA)
        return cls(base)

    @classmethod
    def open(cls, path: str) -> Index:
        """Return the index at a path, made anew where there is none that can be used; errors are sqlite3's."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        base = _connect(path)
        try:
            if not _is_laid(base):
                base.close()
                base = _anew(path)
        except sqlite3.OperationalError:  # the disk, or another writer: nothing is damaged
            base.close()
            raise
        except sqlite3.DatabaseError:
            base.close()
            base = _anew(path)
        return cls(base)

    def close(self) -> None:
        """Close it."""
        self.base.close()

    def copy(self) -> Index:
        """Return a copy in memory, as it is committed."""
        other = sqlite3.connect(":memory:", isolation_level=None)
        self.base.backup(other)
        return Index(other)

    def stale(self, files: Sequence[File]) -> tuple[list[File], list[int]]:
        """Return the files that may differ from what is known, and the documents whose file is no more."""
        known = {
            path: (number, size, changed, seen)
            for number, path, size, changed, seen in self.base.execute(
                "SELECT id, path, size, changed, seen FROM document"
            )
        }
        differing = []
        for file in files:
            one = known.pop(file.path, None)
            if one is None or one[1:3] != file[1:] or one[3] - file.changed < _RACY:
                differing.append(file)
        return differing, [one[0] for one in known.values()]

    def refresh(self, root: str, progress: Callable[[int, int], None] | None = None) -> int:
        """Bring the index up to date with the files below a root; return how many documents came, changed or went.

        `progress` is told the bytes that are read in, and of how many.
        """
        known = self._hashes()
        differing, gone = self.stale(files_below(root))
        if not gone and all(_hash(_content(root, file.path)) == known.get(file.path) for file in differing):
            self._see(differing)
            return 0
        with self._writing():
            # Looked at again, now that nobody else writes: what is gone by an old list may have come since.
            now = time.time_ns()
            known = self._hashes()
            differing, gone = self.stale(files_below(root))
            self._forget(gone)
            total, done, count = sum(file.size for file in differing), 0, len(gone)
            for file in differing:
                content = _content(root, file.path)
                if _hash(content) != known.get(file.path):
                    self._forget(self._numbers(file.path))
                    if content is not None:
                        self._take(file, content)
                    count += 1
                done += file.size
                if progress:
                    progress(done, total)
            self._stamp(differing, now)
            if count:
                self._tell_alone()
        return count

    def _tell_alone(self) -> None:
        """Note which rows of tiers say what no journal here has: those are found without being asked for by tier."""
        self.base.execute("DELETE FROM alone")
        self.base.execute(
            f"""
            INSERT OR IGNORE INTO alone
            SELECT row.id FROM document
            JOIN row ON row.id >= document.id << {SHIFT} AND row.id < (document.id + 1) << {SHIFT}
            WHERE tier <> '{rows.JOURNAL}' AND NOT EXISTS (
                SELECT 1 FROM place own JOIN place other USING (address)
                JOIN document said ON said.id = other.row >> {SHIFT} AND said.tier = '{rows.JOURNAL}'
                WHERE own.row = row.id AND own.address IN (SELECT value FROM json_each(
                    '["' || replace(row.addresses, ' ', '","') || '"]')))
            """  # noqa: S608  # nothing of it comes from outside
        )

    def _hashes(self) -> dict[str, bytes]:
        return dict(self.base.execute("SELECT path, hash FROM document"))

    def take_all(self, tree: Tree) -> None:
        """Take in every document of a tree (a commit, a dictionary) that recall reads."""
        with self._writing():
            for path in (path for folder in FOLDERS for path in tree.list(folder)):
                text = tree.read(path) if rows.tier_of(path) else None
                if text is not None:
                    content = text.encode("utf-8", "surrogateescape")
                    self._take(File(path, len(content), 0), content)
            self._tell_alone()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        self.base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.base.execute("ROLLBACK")
            raise
        self.base.execute("COMMIT")

    def _see(self, files: Sequence[File]) -> None:
        """Note that files are as known, so that they need not be read again; not worth waiting for."""
        now = time.time_ns()
        settled = [file for file in files if now - file.changed >= _RACY]
        if settled:
            self.base.execute("PRAGMA busy_timeout = 0")
            with contextlib.suppress(sqlite3.OperationalError), self._writing():
                self._stamp(settled, now)
            self.base.execute(f"PRAGMA busy_timeout = {int(_WAIT * 1000)}")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the database as it is at this moment, whatever others write meanwhile."""
        self.base.execute("BEGIN")
        try:
            yield self.base
        finally:
            self.base.execute("ROLLBACK")

    def _stamp(self, files: Iterable[File], now: int) -> None:
        self.base.executemany(
            "UPDATE document SET size = ?, changed = ?, seen = ? WHERE path = ?",
            [(file.size, file.changed, now, file.path) for file in files],
        )

    def _numbers(self, path: str) -> list[int]:
        return [number for (number,) in self.base.execute("SELECT id FROM document WHERE path = ?", (path,))]

    def _forget(self, documents: Iterable[int]) -> None:
        for number in documents:
            found = self.base.execute("SELECT path, tier FROM document WHERE id = ?", (number,)).fetchone()
            if found is None:
                continue
            span = (number << SHIFT, (number + 1) << SHIFT)
            query = "SELECT id, text, addresses, kind, who FROM row WHERE id >= ? AND id < ?"
            gone = [
                (one, rows.Row(text, tuple(addresses.split()), kind, "", who))
                for one, text, addresses, kind, who in self.base.execute(query, span)
            ]
            self.base.executemany(
                "INSERT INTO term (term, rowid, terms) VALUES ('delete', ?, ?)",
                [(one, _stored(row, rows.terms(row), found[1])) for one, row in gone],
            )
            self.base.executemany(
                "DELETE FROM place WHERE address = ? AND row = ?",
                [(address, one) for one, row in gone for address in row.addresses],
            )
            self.base.execute("DELETE FROM row WHERE id >= ? AND id < ?", span)
            self.base.execute("DELETE FROM document WHERE id = ?", (number,))

    def _take(self, file: File, content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        tier = rows.tier_of(file.path)
        last = self.base.execute("SELECT max(id) FROM document").fetchone()[0] or 0
        start = (last + 1) << SHIFT
        found = rows.read(file.path, text)[: 1 << SHIFT]
        said = [rows.terms(row) for row in found]
        day = rows.day_of(file.path, text)
        labels = list(dict.fromkeys(("", *(row.who for row in found))))[:_LABELS]
        which = {label: at for at, label in enumerate(labels)}
        known = b"".join(
            KNOWN.pack(min(len(own), _MOST), min(len(row.text), _MOST), row.flags, which.get(row.who, 0))
            for row, own in zip(found, said, strict=True)
        )
        days = "" if all(row.day == day for row in found) else "\n".join(row.day for row in found)
        values = (last + 1, file.path, tier, day, _hash(content), file.size, file.changed, 0)
        more = (len(found), sum(map(len, said)), known, "\n".join(labels), days)
        marks = ", ".join("?" * (len(values) + len(more)))
        self.base.execute(f"INSERT INTO document VALUES ({marks})", (*values, *more))  # noqa: S608  # question marks
        at = list(enumerate(zip(found, said, strict=True), start))
        self.base.executemany(
            "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(one, row.text, " ".join(row.addresses), row.kind, row.state, row.day, row.who) for one, (row, _) in at],
        )
        self.base.executemany(
            "INSERT INTO term (rowid, terms) VALUES (?, ?)", [(one, _stored(row, own, tier)) for one, (row, own) in at]
        )
        self.base.executemany(
            "INSERT OR IGNORE INTO place VALUES (?, ?)",
            [(address, one) for one, (row, _) in at for address in row.addresses],
        )
        self._learn(words.spelled(text))

    def _learn(self, spelled: set[str]) -> None:
        """Keep words as they are written, to tell a slip of the pen by; they stay when their document goes."""
        learn = "INSERT OR IGNORE INTO word VALUES (?)"
        fresh = [(word,) for word in sorted(spelled) if self.base.execute(learn, (word,)).rowcount]
        self.base.executemany("INSERT INTO spelling (word) VALUES (?)", fresh)


def files_below(root: str) -> list[File]:
    """Return the documents on disk that recall reads."""
    found: list[File] = []
    for folder in FOLDERS:
        _walk(os.path.join(root, *folder.split("/")), folder, found)
    return found


def _walk(place: str, lead: str, found: list[File]) -> None:
    try:
        entries = sorted(os.scandir(place), key=lambda one: one.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        path = f"{lead}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            _walk(entry.path, path, found)
        elif rows.tier_of(path) and not entry.name.startswith("."):
            with contextlib.suppress(FileNotFoundError):
                stat = entry.stat()
                found.append(File(path, stat.st_size, stat.st_mtime_ns))


def _connect(path: str) -> sqlite3.Connection:
    base = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    base.execute("PRAGMA synchronous = NORMAL")  # what is lost with the power is made again
    base.execute("PRAGMA cache_size = -16000")
    base.execute("PRAGMA mmap_size = 268435456")
    return base


def _is_laid(base: sqlite3.Connection) -> bool:
    """Return whether the database is of this version; an empty one is laid out."""
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        base.execute("SELECT count(*) FROM (SELECT 1 FROM document LIMIT 1)").fetchone()
        return True
    if version or base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        return False
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("BEGIN IMMEDIATE")
    try:
        if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:  # another process may have been faster
            for statement in filter(str.strip, _SCHEMA.split(";")):
                base.execute(statement)
    except BaseException:
        base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")
    return True


def _anew(path: str) -> sqlite3.Connection:
    """Return an empty index in place of one that cannot be used; who still reads that keeps reading it."""
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + end)
    base = _connect(path)
    _is_laid(base)
    return base


def _stored(row: rows.Row, terms: Sequence[str], tier: str) -> str:
    return " ".join((*terms, *rows.marks(row, tier)))


def _content(root: str, path: str) -> bytes | None:
    try:
        with open(os.path.join(root, *path.split("/")), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _hash(content: bytes | None) -> bytes | None:
    return None if content is None else sha1(content, usedforsecurity=False).digest()


def totals(base: sqlite3.Connection) -> tuple[int, float]:
    """Return how many rows there are, and how many terms a row has in the mean."""
    count, terms = base.execute("SELECT coalesce(sum(rows), 0), coalesce(sum(terms), 0) FROM document").fetchone()
    return count, terms / count if count else 1.0


def documents(base: sqlite3.Connection, wanted: Iterable[int]) -> Mapping[int, tuple[str, str, str]]:
    """Return path, tier and day of documents by number."""
    numbers = ",".join(map(str, wanted))
    query = f"SELECT id, path, tier, day FROM document WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {number: (path, tier, day) for number, path, tier, day in base.execute(query)}
