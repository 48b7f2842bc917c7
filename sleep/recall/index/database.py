"""The index: every row of journals and tiers, and the terms that find it, in one SQLite file of this machine.

Owns bringing it up to date with a folder of documents, and reading it; the file itself is `index_file`'s. It may be
deleted at any time, and is made anew when it is damaged or of another version. A process that finds another one writing
waits for it a while, then goes on in memory, so that no answer is older than the documents.

A document is known by a hash of its content, not by a commit: after a pull, a merge, an undo or an edit what changed is
read anew, and nothing else. Sizes and times only spare the reading: a file that changed in the moment in which it was
looked at is looked at again, as git does (its `racy-git.txt`).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from hashlib import sha1
from typing import TYPE_CHECKING

from sleep.errors import StorageError
from sleep.language import words
from sleep.recall.index import document_files, index_file, row_values, rows
from sleep.recall.index.document_files import FOLDERS, PAGES, File
from sleep.recall.index.index_form import SHIFT
from sleep.recall.index.row_values import FACTS
from sleep.store import files, private
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.store.tree import Tree

_RACY = 2_000_000_000  # nanoseconds within which a file may change without its time telling


class Index:
    """An open index.

    Args:
        base: the open database, laid out.

    `renew` opens it anew, mended, where it turns out to be damaged while it is asked; None for one in memory.
    """

    renew: Callable[[], Index] | None = None

    def __init__(self, base: sqlite3.Connection) -> None:
        self.base = base

    @classmethod
    def in_memory(cls) -> Index:
        """Return an empty index that is on no disk."""
        return cls(index_file.create_in_memory())

    def go_on_with(self, other: Index) -> None:
        """Go on with what another index has open, which is this one's from now on."""
        self.base.close()
        self.base, self.renew = other.base, other.renew

    def close(self) -> None:
        """Close it."""
        self.base.close()

    def copy(self) -> Index:
        """Return a copy in memory, as it is committed."""
        other = index_file.connect(":memory:")
        self.base.backup(other)
        return Index(other)

    def stale(self, files: Sequence[File]) -> tuple[list[File], list[int]]:
        """Return the files that may differ from what is known, and the documents whose file is no more."""
        rows = self.base.execute("SELECT id, path, size, changed, seen FROM document")
        known = {path: (number, File(path, size, changed), seen) for number, path, size, changed, seen in rows}
        differing = []
        for file in files:
            _, before, seen = known.pop(file.path, (0, None, 0))
            if before != file or seen - file.changed < _RACY:
                differing.append(file)
        return differing, [number for number, _, _ in known.values()]

    def refresh(self, root: str, progress: Callable[[int, int], None] | None = None) -> int:
        """Bring the index up to date with the files below a root; return how many documents came, changed or went.

        `progress` is told the bytes that are read in, and of how many.
        """
        known = self._hashes()
        differing, gone = self.stale(document_files.listed(root))
        if not gone and all(hashed(_content(root, file.path)) == known.get(file.path) for file in differing):
            self._see(differing)
            return 0
        with self._writing():
            # Looked at again, now that nobody else writes: what is gone by an old list may have come since.
            now = time.time_ns()
            known = self._hashes()
            differing, gone = self.stale(document_files.listed(root))
            self._forget(gone)
            total, done, count = sum(file.size for file in differing), 0, len(gone)
            for file in differing:
                content = _content(root, file.path)
                if hashed(content) != known.get(file.path):
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
        learnt: set[str] = set()
        with self._writing():
            for path, content in read_documents(tree).items():
                self._take(File(path, len(content), 0), content, learnt)
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
            self.base.execute(f"PRAGMA busy_timeout = {int(index_file.WAIT * 1000)}")

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
            known = self.base.execute("SELECT path, tier FROM document WHERE id = ?", (number,)).fetchone()
            if known is None:
                continue
            span = (number << SHIFT, (number + 1) << SHIFT)
            query = "SELECT id, text, addresses, kind, who, number FROM row WHERE id >= ? AND id < ?"
            gone = [
                (row_id, rows.Row(text, tuple(addresses.split()), kind, "", who, number=number))
                for row_id, text, addresses, kind, who, number in self.base.execute(query, span)
            ]
            self.base.executemany(
                "INSERT INTO term (term, rowid, terms) VALUES ('delete', ?, ?)",
                [(row_id, row_values.stored(row, rows.terms(row), known[1])) for row_id, row in gone],
            )
            self.base.executemany(
                "DELETE FROM place WHERE address = ? AND row = ?",
                [(handle, row_id) for row_id, row in gone for handle in row.handles],
            )
            self.base.executemany(
                "DELETE FROM move WHERE record = ? AND row = ?",
                [(move.record, row_id) for row_id, row in gone if (move := row.move)],
            )
            self.base.execute("DELETE FROM row WHERE id >= ? AND id < ?", span)
            self.base.execute("DELETE FROM document WHERE id = ?", (number,))

    def _take(self, file: File, content: bytes, learnt: set[str] | None = None) -> None:
        """Take in a document without its secrets; `learnt` are words that are known to be kept, more come to it."""
        read = row_values.read(file.path, private.clean(content.decode("utf-8", "replace")))
        last = self.base.execute("SELECT max(id) FROM document").fetchone()[0] or 0
        start = (last + 1) << SHIFT
        values = (last + 1, file.path, read.tier, read.day, hashed(content), file.size, file.changed, 0, *read.document)
        marks = ", ".join("?" * len(values))
        self.base.execute(f"INSERT INTO document VALUES ({marks})", values)  # noqa: S608  # question marks
        self.base.executemany(
            f"INSERT INTO row VALUES ({', '.join('?' * 11)})",  # noqa: S608  # question marks
            [(row_id, *row) for row_id, row in enumerate(read.rows, start)],
        )
        self.base.executemany("INSERT INTO term (rowid, terms) VALUES (?, ?)", list(enumerate(read.terms, start)))
        self.base.executemany(
            "INSERT OR IGNORE INTO place VALUES (?, ?)", [(handle, start + at) for handle, at in read.places]
        )
        self.base.executemany(
            "INSERT OR IGNORE INTO move VALUES (?, ?, ?)", [(record, start + at, to) for record, at, to in read.moves]
        )
        if learnt is None:
            self._learn(read.spelled)
        else:
            self._learn([word for word in read.spelled if word not in learnt])
            learnt.update(read.spelled)

    def _learn(self, spelled: Iterable[str]) -> None:
        """Keep words as they are written, to tell a slip of the pen by; they stay when their document goes."""
        learn = "INSERT OR IGNORE INTO word VALUES (?, ?)"
        fresh = [(word,) for word in spelled if self.base.execute(learn, (word, words.sound(word))).rowcount]
        self.base.executemany("INSERT INTO spelling (word) VALUES (?)", fresh)


def read_documents(tree: Tree) -> dict[str, bytes]:
    """Return the documents of a tree that recall reads, by path."""
    listed = (*(path for folder in FOLDERS for path in tree.list(folder)), *PAGES)
    texts = {path: tree.read(path) for path in listed if document_files.is_document(path)}
    return {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items() if text is not None}


def _content(root: str, path: str) -> bytes | None:
    try:
        return files.read_bytes(os.path.join(root, *path.split("/")), within=root)
    except StorageError:  # not to be read by this person, or no file of this memory: `doctor` names it
        return None


def hashed(content: bytes | None) -> bytes | None:
    """Return the hash that the index knows a document by, None where there is none."""
    return None if content is None else sha1(content, usedforsecurity=False).digest()


def totals(base: sqlite3.Connection) -> tuple[int, float]:
    """Return how many rows there are, and how many terms a row has in the mean."""
    count, terms = base.execute("SELECT coalesce(sum(rows), 0), coalesce(sum(terms), 0) FROM document").fetchone()
    return count, terms / count if count else 1.0


class About(NamedTuple):
    """What an answer says of a document: its path, its tier and its day (ISO, "" where unknown)."""

    path: str
    tier: str
    day: str


def describe(base: sqlite3.Connection, wanted: Iterable[int]) -> dict[int, About]:
    """Return what an answer says of documents, by number."""
    numbers = ",".join(map(str, wanted))
    query = f"SELECT id, path, tier, day FROM document WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {number: About(path, tier, day) for number, path, tier, day in base.execute(query)}


class Facts(NamedTuple):
    """What is known of a document's rows: how many there are (`rows`), and what of each is packed.

    `labels` are those that a row's `label` numbers; `days` are by row, none where all have the `day` of the document.
    """

    rows: int
    day: str
    packed: bytes
    labels: list[str]
    days: list[str]

    def flags(self, row: int) -> int:
        """Return the flags of a row."""
        return int(FACTS.unpack_from(self.packed, row * FACTS.size)[2])

    def below(self, row: int) -> int:
        """Return how many rows before a row its heading stands, 0 for none."""
        return int(FACTS.unpack_from(self.packed, row * FACTS.size)[4])


def facts_of(base: sqlite3.Connection, wanted: Iterable[int]) -> dict[int, Facts]:
    """Return what is known of the rows of documents, by number."""
    numbers = ",".join(map(str, wanted))
    query = f"SELECT id, rows, day, known, labels, days FROM document WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {
        number: Facts(count, day, packed, labels.split("\n"), days.split("\n") if days else [])
        for number, count, day, packed, labels, days in base.execute(query)
    }
