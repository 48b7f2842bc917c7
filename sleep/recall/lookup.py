"""Looking a question up: from an index to the rows that are worth ranking.

Owns which rows are looked at. Rare words are looked up wholly; of a word that nearly every row has only the newest rows
open a document, and within the documents that are opened every word counts. So the time hardly grows with the memory.
"""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import words
from sleep.language.stems import stem
from sleep.language.tokenizer import fold
from sleep.recall import periods, rank, spelling
from sleep.recall.index import database, rows
from sleep.recall.index.index_form import SHIFT
from sleep.recall.question import is_slip_of_asking
from sleep.recall.rank import Document, RowFacts, ScoredRow

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.recall.question import Question

_NEWEST = 450  # rows of a term that open documents
_TOGETHER = 200  # rows that have several frequent terms
_OPENED, _DATED, _AGAIN = 40, 10, 3  # documents: opened, for their day, asked again for frequent terms
_FREQUENT = 3  # frequent terms that are looked at: those worth most
_SIDE = 2  # rows beside a hit that are ranked too
_BELOW = 8  # rows below a heading with a hit that are
ROOM = 240  # rows that are ranked, unless there is room for more
_FEW, _EACH = 12, 20  # documents that are opened at least where they are long, and rows that each stands for
_SMALL, _HITS = 4, 3  # times so many, and all rows of what was opened are ranked; one in so many has a hit itself
_MASK = (1 << SHIFT) - 1
_DAY = "its day"  # stands for the rows of a day that was asked for; no text has such a term
_DOUBTED = 0.5  # what a word counts that was read as another one, and may be one of its own


class Limits(NamedTuple):
    """What may be found: tiers and kinds (all where empty), and the first day."""

    tiers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: str = ""

    def allow(self, tier: str, kind: str, day: str) -> bool:
        """Return whether a row may be found that is called by its address or number."""
        return (not self.tiers or tier in self.tiers) and (not self.kinds or kind in self.kinds) and day >= self.since


ANY = Limits()


class Matches(NamedTuple):
    """What was found: rows in order, the terms by bit, whom the question names, and what is unknown.

    `covered` is the share of the question's worth that stands in one row and those right around it; `rare` is what
    stands there, as times of the worth of a word that nothing has. `strangers` are
    names that nothing in the memory has. `corrected` says which word was read as which.
    """

    rows: tuple[ScoredRow, ...]
    terms: tuple[str, ...]
    named: tuple[str, ...]
    covered: float
    strangers: tuple[str, ...]
    corrected: tuple[tuple[str, str], ...]
    rare: float = 0.0


class _Posting(NamedTuple):
    rows: list[int]
    having: float  # rows that have it; told by the newest where there are many
    is_cut: bool


def find_matches(base: sqlite3.Connection, question: Question, limits: Limits = ANY, room: int = ROOM) -> Matches:
    """Return the rows that fit a question, best first; `room` is about how many are ranked."""
    count, average = database.totals(base)
    only = _only(limits)
    labelled = {name for name, _ in question.names if _has(base, rows.WHO + name)}
    labelled |= {word for word in question.words if len(word) == 1 and _has(base, rows.WHO + word)}
    said = {term for name in labelled for term in words.terms(name)}
    wanted = [term for term in question.terms if term not in said]
    strangers = tuple(
        name for name, own in question.names if name not in labelled and not any(_has(base, term) for term in own)
    )
    postings: list[tuple[str, _Posting]] = []
    spelled = dict(question.spelled)
    corrected: list[tuple[str, str]] = []
    names = {name for name, _ in question.names}
    doubted: dict[str, float] = {}
    missing = 0.0
    for term in wanted:
        posting = _posting(base, term, only, count)
        gone = not posting.rows and term not in question.unmissed and not _has(base, term)
        if gone and words.is_small_slip(spelled.get(term, "")):
            continue
        if gone and (other := spelling.correct(base, spelled.get(term, ""), names)):
            corrected.append((spelled[term], other))
            is_sure = spelled[term] in names or words.is_sure_slip(spelled[term], other)
            term = stem(other)  # noqa: PLW2901
            posting = _posting(base, term, only, count)
            if posting.rows and not is_sure:
                doubted[term] = _DOUBTED
                missing += (1 - _DOUBTED) * rank.idf(count, posting.having)
        if posting.rows:
            postings.append((term, posting))
        elif term not in question.unmissed and not is_slip_of_asking(spelled.get(term, "")):
            missing += rank.idf(count, 0)
    worth = [rank.idf(count, posting.having) * doubted.get(term, 1.0) for term, posting in postings]
    # What somebody says who is named is looked at even where it has no word of the question, after all that has.
    said_by = [(rows.WHO + name, _posting(base, rows.WHO + name, only, count)) for name in sorted(labelled)]
    if dated := _dated(base, question):
        said_by.append((_DAY, _posted(base, dated)))
    worth += [0.0 if worth else 1.0] * len(said_by)
    postings += said_by
    texts = _texts(base, question, postings, worth, labelled, dated, limits, room)
    ranked = rank.rank(question, texts, worth, average)
    total = sum(worth) + missing
    return Matches(
        tuple(ranked.rows),
        tuple(term.removeprefix(rows.WHO) for term, _ in postings),
        tuple(sorted(labelled)),
        ranked.covered / total if total else 0.0,
        tuple(name for name in strangers if name not in dict(corrected)),
        (*question.mended, *corrected),
        ranked.covered / rank.idf(count, 0),
    )


def _only(limits: Limits) -> str:
    groups = [
        [f'"{rows.TIER}{one}"' for one in limits.tiers],
        [f'"{rows.KIND}{one.replace(" ", "-")}"' for one in limits.kinds],
    ]
    return "".join(f" AND ({' OR '.join(group)})" for group in groups if group)


def _has(base: sqlite3.Connection, term: str) -> bool:
    return bool(base.execute("SELECT 1 FROM term WHERE term MATCH ? LIMIT 1", (spelling.quote(term),)).fetchone())


def _posting(base: sqlite3.Connection, term: str, only: str, count: int) -> _Posting:
    query = "SELECT rowid FROM term WHERE term MATCH ? ORDER BY rowid DESC LIMIT ?"
    found = [one for (one,) in base.execute(query, (spelling.quote(term) + only, _NEWEST))]
    if len(found) < _NEWEST:
        return _Posting(found, len(found), is_cut=False)
    newest, oldest = found[0] >> SHIFT, found[-1] >> SHIFT
    within = base.execute("SELECT coalesce(sum(rows), 1) FROM document WHERE id BETWEEN ? AND ?", (oldest, newest))
    share = len(found) / max(len(found), within.fetchone()[0])
    return _Posting(found, max(len(found), share * count), is_cut=True)


def _texts(
    base: sqlite3.Connection,
    question: Question,
    postings: Sequence[tuple[str, _Posting]],
    worth: Sequence[float],
    labelled: set[str],
    dated: Sequence[int],
    limits: Limits,
    room: int,
) -> list[Document]:
    hits: dict[int, dict[int, int]] = {}
    for bit, (_, posting) in enumerate(postings):
        _add(hits, posting.rows, 1 << bit)
    frequent = [bit for bit, (_, posting) in enumerate(postings) if posting.is_cut and worth[bit]]
    frequent = sorted(frequent, key=lambda bit: -worth[bit])[:_FREQUENT]
    only = _only(limits)
    for bits in _sets(frequent):
        match = " AND ".join(spelling.quote(postings[bit][0]) for bit in bits) + only
        query = "SELECT rowid FROM term WHERE term MATCH ? ORDER BY rowid DESC LIMIT ?"
        rows_ = [one for (one,) in base.execute(query, (match, _TOGETHER))]
        _add(hits, rows_, sum(1 << bit for bit in bits))
        if len(rows_) >= _AGAIN:
            break
    told = {} if limits.tiers else _told(base)  # of what a journal tells in full, tiers need not be asked
    for one in told.keys() & hits.keys():
        hits[one] = {row: bits for row, bits in hits[one].items() if row in told[one]}
    hits = {one: own for one, own in hits.items() if own}
    shares = rank.Shares(worth)
    best = heapq.nlargest(_OPENED, hits, key=lambda one: (shares.document(hits[one].values()), one))
    again = list(dict.fromkeys((*best[:_AGAIN], *dated))) if frequent else []
    for bit in frequent:
        query = "SELECT rowid FROM term WHERE term MATCH ? AND rowid >= ? AND rowid < ?"
        for one in again:
            found = base.execute(query, _within(postings[bit][0], only, one))
            _add(hits, (row for (row,) in found), 1 << bit)
    opened = [one for one in dict.fromkeys((*best, *dated)) if one in hits]
    known = _known(base, opened)
    if sum(one.rows for one in known.values()) <= _SMALL * room:
        wanted: dict[int, Iterable[int]] = {one: range(known[one].rows) for one in opened}
    else:
        opened = [*opened[: max(_FEW, room // _EACH)], *(one for one in dated if one in hits)]
        kept = _best_rows({one: hits[one] for one in opened}, shares, room // _HITS)
        wanted = {one: _beside(own, known[one]) for one, own in kept.items()}
    wanted = {one: [row for row in own if row in told[one]] if one in told else own for one, own in wanted.items()}
    named = _named({label for one in wanted for label in known[one].labels}, labelled, question)
    return [_text(one, hits[one], known[one], own, named, limits.since) for one, own in wanted.items()]


class _Known(NamedTuple):
    """What is known of a document's rows."""

    rows: int
    day: str
    packed: bytes
    labels: list[str]
    days: list[str]

    def at(self, row: int) -> tuple[int, int, int, int, int]:
        """Return what is known of a row, as `index.KNOWN` has it."""
        return database.FACTS.unpack_from(self.packed, row * database.FACTS.size)

    def flags(self, row: int) -> int:
        """Return the flags of a row."""
        return self.at(row)[2]


def _known(base: sqlite3.Connection, opened: Sequence[int]) -> dict[int, _Known]:
    numbers = ",".join(map(str, opened))
    query = f"SELECT id, rows, day, known, labels, days FROM document WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {
        number: _Known(rows_, day, packed, labels.split("\n"), days.split("\n") if days else [])
        for number, rows_, day, packed, labels, days in base.execute(query)
    }


def _beside(hit: Iterable[int], known: _Known) -> list[int]:
    """Return the rows with a hit and those right beside them; of a heading the first that stand below."""
    found = set()
    for one in hit:
        after = _BELOW if known.flags(one) & rows.HEADS else _SIDE
        found |= set(range(max(0, one - _SIDE), min(known.rows, one + after + 1)))
    return sorted(found)


def _text(
    document: int, hits: dict[int, int], known: _Known, wanted: Iterable[int], named: set[str], since: str
) -> Document:
    """Return a document's rows as the ranking asks for them."""
    unpack, size, packed = database.FACTS.unpack_from, database.FACTS.size, known.packed
    is_named = [label in named for label in known.labels]
    metas = {}
    heads: dict[int, int] = {}
    above: dict[int, int] = {}
    is_headed = any(known.flags(row) & rows.HEADS for row in hits)
    for row in wanted:
        length, characters, flags, label, back = unpack(packed, row * size)
        day = known.days[row] if known.days else known.day
        if not since or day >= since:
            metas[row] = RowFacts(length, characters, flags, day, is_named[label])
            if back and is_headed and (bits := _above(known, hits, row - back, above)):
                heads[row] = bits
    return Document(document, {row: bits for row, bits in hits.items() if row in metas}, metas, heads)


def _above(known: _Known, hits: Mapping[int, int], row: int, seen: dict[int, int]) -> int:
    """Return the terms of a heading and of those above it."""
    if row not in seen:
        back = known.at(row)[4]
        seen[row] = hits.get(row, 0) | (_above(known, hits, row - back, seen) if back else 0)
    return seen[row]


def _told(base: sqlite3.Connection) -> dict[int, set[int]]:
    """Return by document of the tiers the rows of which no journal has the entry."""
    query = "SELECT id FROM document WHERE tier <> ?"
    found: dict[int, set[int]] = {one: set() for (one,) in base.execute(query, (rows.JOURNAL,))}
    for (one,) in base.execute("SELECT row FROM alone"):
        found.setdefault(one >> SHIFT, set()).add(one & _MASK)
    return found


def _add(hits: dict[int, dict[int, int]], found: Iterable[int], bits: int) -> None:
    for one in found:
        own = hits.get(one >> SHIFT)
        if own is None:
            own = hits[one >> SHIFT] = {}
        row = one & _MASK
        own[row] = own.get(row, 0) | bits


def _sets(frequent: Sequence[int]) -> list[tuple[int, ...]]:
    """Return which frequent terms are asked for together: all, then all but one."""
    most = len(frequent)
    return [one for size in range(most, 1, -1) for one in itertools.combinations(frequent, size)] if most > 1 else []


def _within(term: str, only: str, document: int) -> tuple[str, int, int]:
    return spelling.quote(term) + only, document << SHIFT, (document + 1) << SHIFT


def _posted(base: sqlite3.Connection, documents: Sequence[int]) -> _Posting:
    """Return all rows of documents as if a term had them."""
    counts = {one: known.rows for one, known in _known(base, documents).items()}
    found = [(one << SHIFT) + row for one in documents for row in range(counts[one])]
    return _Posting(found[:_NEWEST], len(found), is_cut=False)


def _dated(base: sqlite3.Connection, question: Question) -> list[int]:
    if not question.days:
        return []
    days = base.execute("SELECT id, day FROM document WHERE day <> ''").fetchall()
    fits = [(periods.fit(day, question.days), number) for number, day in days]
    return [number for fit, number in sorted(fits, reverse=True)[:_DATED] if fit]


def _best_rows(hits: dict[int, dict[int, int]], shares: rank.Shares, most: int) -> dict[int, list[int]]:
    """Return by document the rows that are looked at: those with a hit, of too many the best."""
    all_ = [(shares.of(bits), one, row) for one, own in hits.items() for row, bits in own.items()]
    found: dict[int, list[int]] = {}
    for _, one, row in heapq.nlargest(most, all_):
        found.setdefault(one, []).append(row)
    return {one: sorted(own) for one, own in found.items()}


def _named(labels: set[str], labelled: set[str], question: Question) -> set[str]:
    """Return the labels that the question means: those it names in full, else those it names in part."""
    asked = set(question.words)
    full = {label for label in labels if label and set(fold(label).split()) <= asked}
    return full or {label for label in labels if labelled & set(fold(label).split())}
