"""Rows that mean nearly the same as a question: vectors of an embedding model, in a file of their own.

Owns the file (beside the index, of this machine alone, to be deleted at any time) and the search in it. A vector is
known by its model and a hash of its text, so an edit, a move or a pull costs what is new and nothing else. Refuses to
know the model: a function from texts to vectors is handed in. Nothing loads this unless a model is named.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from hashlib import sha1
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep import extra_install
from sleep.errors import HeldError, StorageError
from sleep.recall.index import index_file, rows
from sleep.recall.index.index_form import SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sleep.recall.postings import Limits

NAME = "recall-vectors.sqlite"  # in the folder of the index
_READ = 400  # characters of a row that are embedded, its headings among them
_HEADINGS, _ABOVE = 2, 80  # headings above a row, and characters of them
_AT_ONCE = 1_000  # texts that are embedded together, and vectors that are compared together
_FORM = "CREATE TABLE IF NOT EXISTS vector (model TEXT, hash BLOB, value BLOB, PRIMARY KEY (model, hash))"


class VectorsError(Exception):
    """There are no vectors this time; the message says why, fit for a sentence."""


class Model(NamedTuple):
    """An embedding model: its name, and what returns a vector for each text, all of one length; raises VectorsError."""

    name: str
    embed: Callable[[Sequence[str]], Sequence[Sequence[float]]]


def find_similar(
    base: sqlite3.Connection,
    text: str,
    limits: Limits,
    model: Model,
    path: str,
    progress: Callable[[int, int], None] | None = None,
) -> dict[int, float]:
    """Return how near each row is to a question in its meaning, from -1 to 1.

    Args:
        base: the index's database.
        text: the question.
        limits: tiers, kinds and the first day.
        model: the model; it is given the question, and those texts that it has not been given before.
        path: of the file of vectors; made where there is none, and made anew where it is damaged.
        progress: is told how many texts are embedded, and of how many.

    Raises:
        VectorsError: numpy is missing, the model or the disk refused, or what came back are no vectors.
    """
    texts = _texts(base, limits)
    if not (texts and text.strip()):
        return {}
    hashes = {row: _hash(text_) for row, text_ in texts.items()}
    by_hash = {hashes[row]: text_ for row, text_ in texts.items()}
    which = index_file.identity(path)
    try:
        try:
            scores = _scores(path, text, by_hash, model, progress)
        except sqlite3.DatabaseError as error:
            if not index_file.is_damage(error):
                raise
            index_file.remove(path, which)
            scores = _scores(path, text, by_hash, model, progress)
    except (sqlite3.Error, OSError, HeldError, StorageError) as error:
        raise VectorsError(f"the file of vectors cannot be used: {error}") from None
    return {row: scores[own] for row, own in hashes.items() if own in scores}


def _texts(base: sqlite3.Connection, limits: Limits) -> dict[int, str]:
    """Return by number the rows that may be found, each below its headings; what a journal tells, no tier need tell."""
    query = "SELECT row.id, row.text, row.below, tier, row.kind, row.day, alone.row FROM row"
    query += f" JOIN document ON document.id = row.id >> {SHIFT} LEFT JOIN alone ON alone.row = row.id"
    every = base.execute(query).fetchall()
    known = {row: (text, below) for row, text, below, *_ in every}
    return {
        row: f"{_above(known, row)}{text}"[:_READ]
        for row, text, _, tier, kind, day, alone in every
        if text.strip() and limits.allow(tier, kind, day) and (limits.tiers or tier == rows.JOURNAL or alone)
    }


def _above(known: Mapping[int, tuple[str, int]], row: int) -> str:
    """Return the last two headings that a row stands under, as they are put before it."""
    names: list[str] = []
    while len(names) < _HEADINGS and (below := known[row][1]) and row - below in known:
        row -= below
        names.append(known[row][0])
    return f"{' › '.join(reversed(names))[-_ABOVE:]}: " if names else ""


def _hash(text: str) -> bytes:
    return sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()


def _scores(
    path: str,
    question: str,
    texts: Mapping[bytes, str],
    model: Model,
    progress: Callable[[int, int], None] | None,
) -> dict[bytes, float]:
    """Return by hash how near each text is to the question, from -1 to 1, once the missing vectors are made."""
    numpy = _numpy()
    with contextlib.closing(_opened(path)) as base:
        have = {own for (own,) in base.execute("SELECT hash FROM vector WHERE model = ?", (model.name,))}
        missing = [own for own in texts if own not in have]
        first = missing[: _AT_ONCE - 1]
        asked, *made = _vectors(numpy, model, [question, *(texts[own] for own in first)])
        _keep(base, model.name, first, made)
        for at in range(len(first), len(missing), _AT_ONCE):
            if progress:
                progress(at, len(missing))
            part = missing[at : at + _AT_ONCE]
            _keep(base, model.name, part, _vectors(numpy, model, [texts[own] for own in part]))
        scores: dict[bytes, float] = {}
        cursor = base.execute("SELECT hash, value FROM vector WHERE model = ?", (model.name,))
        while part_ := cursor.fetchmany(_AT_ONCE):
            wanted = [(own, value) for own, value in part_ if own in texts]
            if any(len(value) != asked.nbytes for _, value in wanted):
                raise VectorsError(f"{model.name} gives vectors of another length than before (delete {path})")
            table = numpy.frombuffer(b"".join(value for _, value in wanted), "<f4").reshape(-1, asked.size)
            scores.update(zip((own for own, _ in wanted), (table @ asked).tolist(), strict=True))
    return scores


def _numpy() -> Any:  # noqa: ANN401  # checked as if it were absent
    try:
        import numpy  # late: an extra, and a tenth of a second to load  # noqa: ICN001, PLC0415
    except ImportError:
        raise VectorsError(f"numpy is not installed ({extra_install.command('vectors')})") from None
    return numpy


def _opened(path: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    base = index_file.connect(path)
    try:
        base.execute(_FORM)
    except BaseException:
        base.close()
        raise
    return base


def _vectors(numpy: Any, model: Model, texts: Sequence[str]) -> list[Any]:  # noqa: ANN401  # as above
    """Return a vector of length 1 for each text (of length 0 where the model gave zeros), as little-endian floats."""
    made = model.embed(texts)
    try:
        table = numpy.array(made, "<f4").reshape(len(texts), -1)
    except (TypeError, ValueError):
        table = numpy.empty((0, 0))
    if not table.size or not numpy.isfinite(table).all():
        raise VectorsError(f"{model.name} did not return a vector for each text")
    lengths = numpy.linalg.norm(table, axis=1, keepdims=True)
    return list((table / numpy.where(lengths, lengths, 1)).astype("<f4"))


def _keep(base: sqlite3.Connection, model: str, hashes: Sequence[bytes], made: Iterable[Any]) -> None:
    base.execute("BEGIN IMMEDIATE")
    lines = [(model, own, vector.tobytes()) for own, vector in zip(hashes, made, strict=True)]
    base.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", lines)
    base.execute("COMMIT")
