"""What a memory has on a prompt: the few rows that are surely about it, read from the index as it stands.

Owns the bar above which something is said unasked, which is far above that of an answer: who asks wants the best there
is, who did not ask wants nothing but what matters. Refuses to build or change an index, and to read documents: a row is
given only while the files that hold it are as they were when the index read them. A hook loads this, so it asks the
index (`index_form.py`) without what makes it, and SQLite without Python's `sqlite3`, which loads dates.
"""

from __future__ import annotations

import os
import re

from sleep.language import lexicon, words
from sleep.language.tokenizer import has_wide
from sleep.recall.index import document_files
from sleep.recall.index.index_form import SHIFT, VERSION, idf, quote, uri
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

MOST = 4  # rows
_READ = 4_000  # characters of a prompt: what is pasted below is seldom what it is about
_TERMS = 48  # of a prompt, the first
_NEWEST = 1_000  # rows of a term
_MEASURED = 8  # terms, those worth most, that a prompt is measured by
_LEAST_WORDS = 2  # of a prompt that a row has: a name of code has several terms, and is one word
_PAIRS = 2
_COVERED = 0.65  # of the prompt's worth, in a row and those right beside it
_OWN = 0.5  # in the row itself
_RARE = 1.6  # times the worth of a word that one row has: what a row shares with the prompt is worth that much
_BESIDE = 0.75  # of the best row's worth, which the others have
_MENTIONED = 0.7  # of a row's characters, from which it is in the context and not only mentioned there
_TRIED = 12  # rows, best first, that are looked at
_EVENTS = 2  # of a record, from which one may have been passed over
_JOURNAL = "journal"
_START_TIERS = ("main", "core", "tasks")  # what a session is told at its start
_SHOWN = ("main", "core")  # pages that a session starts with
_HANDLE = r"(?a)\b(?:i[0-9]{1,7}[a-z]{3}\.[0-9]{1,7}|[DTQ]-[0-9]{1,6})\b"  # compiled for who names one


class Row(NamedTuple):
    """A row: its text, the addresses of its entry, its day (ISO, "" where unknown), its tier, and what became of it.

    `keys` are what it is known by once it was given: its addresses, else its place.
    """

    text: str
    addresses: tuple[str, ...]
    day: str
    tier: str
    state: str
    path: str
    keys: tuple[str, ...]


def find_rows(path: str, root: str, prompt: str, known: Mapping[str, int] | None = None) -> list[Row]:
    """Return the rows that are surely about a prompt, best first; none where there is no index that can be read.

    Args:
        path: the index.
        root: the folder that its documents are below.
        prompt: what a person said.
        known: how many characters are in the context already, by the keys of rows.
    """
    handles = list(dict.fromkeys(re.findall(_HANDLE, prompt[:_READ]))) if any(map(str.isdigit, prompt[:_READ])) else []
    terms = _terms(prompt[:_READ])
    if not (handles or len(set(terms.values())) >= _LEAST_WORDS) or not os.path.exists(path):
        return []
    base = _opened(path)
    try:
        if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            return []
        rows = dict.fromkeys((*_called(base, handles), *_sure(base, terms)))
        return list(_chosen(base, root, rows, prompt, dict(known or {})))
    finally:
        base.close()


def is_stale(path: str, root: str) -> bool:
    """Return whether there is no index that can be read, or files came, went or changed since it read them."""
    if not os.path.exists(path):
        return True
    try:
        base = _opened(path)
        try:
            if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                return True
            known = base.execute("SELECT path, size, changed FROM document").fetchall()
        finally:
            base.close()
    except Exception:  # noqa: BLE001  # SQLite's, whose names are not loaded yet: whoever refreshes it says what is wrong
        return True
    return set(known) != set(document_files.listed(root))


def _opened(path: str) -> sqlite3.Connection:
    """Open an index to read; errors are SQLite's."""
    import _sqlite3  # late: most prompts ask for nothing  # noqa: PLC0415

    return _sqlite3.connect(uri(path, "mode=ro"), timeout=0.0, isolation_level=None, uri=True)


def _terms(text: str) -> dict[str, tuple[int, int]]:
    """Return the terms that tell what a text is about, each with the place of the word that it is first of.

    In a script without spaces two pairs of characters are a word.
    """
    places: dict[str, tuple[int, int]] = {}
    for at, word in enumerate(text.split()):
        each = _PAIRS if has_wide(word) else len(word)
        for place, term in enumerate(words.terms(word)):
            if term not in lexicon.words("work") and (len(term) > 1 or not term.isascii()) and not term.isdigit():
                places.setdefault(term, (at, place // each))
        if len(places) >= _TERMS:
            break
    return places


def _called(base: sqlite3.Connection, handles: Iterable[str]) -> Iterator[int]:
    """Yield the rows that a prompt calls by address or by a record's number, the newest of each."""
    for handle in handles:
        yield from sorted(_forms(base, handle), reverse=True)[:1]


def _sure(base: sqlite3.Connection, terms: dict[str, tuple[int, int]]) -> list[int]:
    """Return the rows above the bar, best first; each term has the place of its word."""
    if len(set(terms.values())) < _LEAST_WORDS:
        return []
    count = base.execute("SELECT coalesce(sum(rows), 0) FROM document").fetchone()[0]
    hits, worth = _hits(base, terms, count)
    places = tuple(terms.values())
    total = sum(sorted(worth, reverse=True)[:_MEASURED])
    least = max(_OWN * total, _RARE * idf(count, 1))
    sets = {bits for bits in hits.values() if len({places[at] for at in _set(bits)}) >= _LEAST_WORDS}
    shares = {bits: _share(worth, bits) for bits in sets}
    best = [(shares[bits], row) for row, bits in hits.items() if shares.get(bits, 0.0) >= least]
    best.sort(reverse=True)  # of equals the newest
    sure = []
    for share, row in best[:_TRIED]:
        around = hits[row] | hits.get(row - 1, 0) | hits.get(row + 1, 0)
        if _share(worth, around) >= _COVERED * total and share >= _BESIDE * best[0][0]:
            sure.append(row)
    return sure


def _hits(base: sqlite3.Connection, terms: Iterable[str], count: int) -> tuple[dict[int, int], list[float]]:
    """Return the terms of each row that has any, by their bits, and what each term is worth.

    What every session is told is no answer: it neither takes an answer's place nor sets its bar.
    """
    hits: dict[int, int] = {}
    worth = []
    query = "SELECT rowid FROM term WHERE term MATCH ? ORDER BY rowid DESC LIMIT ?"
    for bit, term in enumerate(terms):
        rows = [row for (row,) in base.execute(query, (quote(term), _NEWEST))]
        worth.append(idf(count, len(rows)))
        for row in rows:
            hits[row] = hits.get(row, 0) | 1 << bit
    marks = ", ".join(f"'{tier}'" for tier in _START_TIERS)
    known = {number for (number,) in base.execute(f"SELECT id FROM document WHERE tier IN ({marks})")}  # noqa: S608  # ours
    return {row: bits for row, bits in hits.items() if row >> SHIFT not in known}, worth


def _set(bits: int) -> list[int]:
    return [at for at in range(bits.bit_length()) if bits >> at & 1]


def _share(worth: list[float], bits: int) -> float:
    return sum(worth[at] for at in _set(bits))


def _chosen(
    base: sqlite3.Connection, root: str, rows: Iterable[int], prompt: str, known: dict[str, int]
) -> Iterator[Row]:
    """Yield rows of unchanged files whose entry is not in the context, each entry once."""
    flat, count = _flat(prompt), 0
    for row in rows:
        row_ = _read_row(base, row)
        if row_.tier in _START_TIERS or _flat(row_.text) in flat or _is_known(row_, known):
            continue
        forms = {row, *(form for address in row_.addresses for form in _forms(base, address))}
        if all(_is_as_read(base, root, form) for form in {form >> SHIFT for form in forms}):
            known.update(dict.fromkeys(row_.keys, len(row_.text)))
            yield row_._replace(state=_state(base, row, sorted(forms)))
            count += 1
            if count == MOST:
                return


def _is_known(row: Row, known: Mapping[str, int]) -> bool:
    """Return whether most of a row is in the context: a line that only mentions its entry has no why."""
    return any(known.get(key, 0) >= _MENTIONED * len(row.text) for key in row.keys if key in known)


def _read_row(base: sqlite3.Connection, row: int) -> Row:
    query = "SELECT path, tier, document.day, text, addresses, row.day FROM document, row"
    values = base.execute(f"{query} WHERE document.id = ? AND row.id = ?", (row >> SHIFT, row)).fetchone()
    path, tier, of, text, addresses, day = values
    keys = tuple(addresses.split())
    place = f"{'%20'.join(path.split())}#{row & (1 << SHIFT) - 1}"
    return Row(text, keys, day or of, "" if tier == _JOURNAL else tier, "", path, keys or (place,))


def _state(base: sqlite3.Connection, row: int, forms: Iterable[int]) -> str:
    """Return what became of an entry: what events in journals say, else what a tier says."""
    standing = [base.execute("SELECT state, addresses FROM row WHERE id = ?", (form,)).fetchone() for form in forms]
    tier = next((state for state, _ in standing if state), "")
    kind, number, addresses = base.execute("SELECT kind, number, addresses FROM row WHERE id = ?", (row,)).fetchone()
    query = "SELECT day, row.id, addresses, move.state FROM move JOIN row ON row.id = move.row WHERE record = ?"
    named = (number, *addresses.split()[:1])
    events = sorted({event for handle in named for event in base.execute(query, (handle,))})
    if len(events) < _EVENTS:
        return events[0][-1] or tier if events else tier
    from sleep.recall.index.record_state import last_state  # late: most records were moved once or never  # noqa: PLC0415

    carried = {address for state, own in standing for address in own.split() if state}
    return last_state(kind, tier, carried, [(at.split(" ")[0], state) for _, _, at, state in events])


def _forms(base: sqlite3.Connection, address: str) -> list[int]:
    return [row for (row,) in base.execute("SELECT row FROM place WHERE address = ?", (address,))]


def _is_as_read(base: sqlite3.Connection, root: str, document: int) -> bool:
    """Return whether a file has the size and time that the index knows."""
    query = "SELECT path, size, changed FROM document WHERE id = ?"
    path, size, changed = base.execute(query, (document,)).fetchone()
    try:
        there = os.stat(os.path.join(root, *path.split("/")))
    except OSError:
        return False
    return (there.st_size, there.st_mtime_ns) == (int(size), int(changed))


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
