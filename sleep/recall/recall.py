"""Recall: a question in, passages out, each with its address; or plainly that nothing fits.

Owns the way from a question to an answer over an index, and opening the index of a memory root. An index is brought up
to date before it is asked, so an answer is never older than the documents.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from sleep.recall import index, looking, question, rows
from sleep.recall.found import Found, Line, pack
from sleep.recall.index import SHIFT, Index
from sleep.recall.looking import Limits, Looked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.recall.question import Question
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

BUDGET = 2_000
_FITS = 0.32  # of the question's worth at one place, below which nothing fits
_OF_SOMEBODY = 0.2  # the same where it names somebody who is known here
_STRANGE = 0.75  # the same where it names only what nothing here knows
_PER_ROW = 6  # tokens of the budget for each row that is ranked; a row has some thirty
_AT_ONCE = 48  # rows that are read together


def opened(root: Root, progress: Callable[[int, int], None] | None = None) -> Index:
    """Return the index of a memory root, up to date; in memory where its file cannot be written or waited for."""
    path = os.path.join(root.state_dir, index.NAME)
    for _ in range(2):
        kept = None
        try:
            kept = Index.open(path)
            kept.refresh(root.path, progress)
        except sqlite3.OperationalError:
            return _aside(kept, root.path)
        except sqlite3.DatabaseError:  # damaged beyond its first page
            if kept:
                kept.close()
            _remove(path)
        else:
            return kept
    return _aside(None, root.path)


def over(tree: Tree) -> Index:
    """Return an index of any tree, in memory: of a commit, of texts that are on no disk."""
    fresh = Index.in_memory()
    fresh.take_all(tree)
    return fresh


def recall(
    asked: Index, text: str, budget: int = BUDGET, limits: Limits | None = None, *, today: str = "", strict: bool = True
) -> Found:
    """Return what the memory has on a question.

    Args:
        asked: the index, up to date.
        text: the question, in words; an address or a record's number is looked up.
        budget: the most tokens that the passages take, headings included.
        limits: tiers, kinds and the first day.
        today: the ISO day that `last week` is told from.
        strict: whether to say that nothing fits rather than to print the least bad.
    """
    limits = limits or Limits()
    read = question.read(text, today)
    with asked.reading() as base:
        looked = looking.look(base, read, limits, max(looking.ROOM, budget // _PER_ROW))
        named = list(_handled(base, read))
        nothing = "" if named or not strict else _nothing(read, looked)
        if nothing or not (named or looked.rows):
            return Found(text, (), nothing or "it has none of these words", looked.covered, looked.corrected)
        is_free = not limits.tiers or rows.JOURNAL in limits.tiers
        passages, missed = pack(_lines(base, looked, named, is_free=is_free), budget)
    return Found(text, tuple(passages), "", looked.covered, looked.corrected, missed)


def _nothing(read: Question, looked: Looked) -> str:
    """Return why nothing fits, "" if something does."""
    if not looked.rows:
        missing = ", ".join(looked.strangers)
        return f"it has nothing on {missing}" if missing else "it has none of these words"
    if looked.strangers and not looked.named and looked.covered < _STRANGE:
        return f"it has nothing on {', '.join(looked.strangers)}"
    if looked.covered < (_OF_SOMEBODY if looked.named else _FITS) and not read.days:
        return "no place has enough of these words together"
    return ""


def _handled(base: sqlite3.Connection, read: Question) -> Iterator[tuple[int, float]]:
    """Yield the rows that a question calls by address or number, with a score above all others."""
    for at, handle in enumerate(read.handles):
        found = [row for (row,) in base.execute("SELECT row FROM place WHERE address = ?", (handle,))]
        if not found and handle[:2] in ("D-", "T-", "Q-"):
            query = "SELECT row.id FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ? AND row.text LIKE ?"
            found = [row for (row,) in base.execute(query, (f'"{handle.lower()}"', f"%{handle}%"))]
        for row in found:
            yield row, 1_000.0 - at


def _lines(
    base: sqlite3.Connection, looked: Looked, named: Sequence[tuple[int, float]], *, is_free: bool
) -> Iterator[Line]:
    """Yield the lines of the ranked rows, each entry once: in its fullest form if journals may tell."""
    order = [(row, score, 0) for row, score in named]
    order += [((one.document << SHIFT) + one.row, one.score, one.shared) for one in looked.rows]
    known: dict[int, tuple[str, str, str]] = {}
    seen: set[int] = set()
    for at in range(0, len(order), _AT_ONCE):
        part = order[at : at + _AT_ONCE]
        texts = _texts(base, [row for row, *_ in part])
        forms = _forms(base, {address for one in texts.values() for address in one[1].split()})
        wanted = {row >> SHIFT for row in (*texts, *(row for own in forms.values() for row in own))} - known.keys()
        known.update(index.documents(base, wanted))
        for row, score, shared in part:
            if row in seen or row not in texts:
                continue
            same = {other for address in texts[row][1].split() for other in forms.get(address, ())}
            full = _fullest(row, same, known) if is_free else row
            if full != row and full in seen:
                seen.add(row)
                continue
            text = texts.get(full) or _texts(base, [full])[full]
            others = {other for other in same if known[other >> SHIFT][1] != known[full >> SHIFT][1]}
            seen |= {row, full, *(other for other in others if known[other >> SHIFT][1] != rows.JOURNAL)}
            yield _line(base, full, text, score, _why(looked, shared), others, known)


def _fullest(row: int, same: set[int], known: dict[int, tuple[str, str, str]]) -> int:
    """Return the journal's row of an entry that was found in a tier; else the row itself."""
    if known[row >> SHIFT][1] == rows.JOURNAL:
        return row
    full = sorted(other for other in same if known[other >> SHIFT][1] == rows.JOURNAL)
    return full[0] if len(full) == 1 else row


def _line(
    base: sqlite3.Connection,
    row: int,
    text: tuple[str, str, str, str, str],
    score: float,
    why: tuple[str, ...],
    others: set[int],
    known: dict[int, tuple[str, str, str]],
) -> Line:
    said, addresses, kind, state, day = text
    path, tier, _ = known[row >> SHIFT]
    also = sorted({f"{known[one >> SHIFT][1]}: {known[one >> SHIFT][0]}" for one in others})
    if not state and others:
        state = next((one[3] for one in _texts(base, sorted(others)).values() if one[3]), "")
    place = (row >> SHIFT, row & ((1 << SHIFT) - 1))
    return Line(place, said, tuple(addresses.split()), path, tier, kind, day, score, why, tuple(also), state)


def _texts(base: sqlite3.Connection, wanted: Sequence[int]) -> dict[int, tuple[str, str, str, str, str]]:
    numbers = ",".join(map(str, wanted))
    query = f"SELECT id, text, addresses, kind, state, day FROM row WHERE id IN ({numbers})"  # noqa: S608
    return {one[0]: one[1:] for one in base.execute(query)}


def _forms(base: sqlite3.Connection, addresses: set[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    marks = ",".join("?" * len(addresses))
    query = f"SELECT address, row FROM place WHERE address IN ({marks})"  # noqa: S608  # question marks
    for address, row in base.execute(query, sorted(addresses)):
        found.setdefault(address, []).append(row)
    return found


def _why(looked: Looked, shared: int) -> tuple[str, ...]:
    return tuple(term for bit, term in enumerate(looked.terms) if shared >> bit & 1)


def _aside(kept: Index | None, root: str) -> Index:
    """Return an index in memory: what the file has, as far as it can be read, and what changed since."""
    aside = Index.in_memory()
    if kept is not None:
        with contextlib.suppress(sqlite3.Error):
            aside = kept.copy()
        kept.close()
    aside.refresh(root)
    return aside


def _remove(path: str) -> None:
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + end)
