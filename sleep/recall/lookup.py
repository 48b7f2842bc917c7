"""The rows that a question is answered from: which documents are opened for it, which of their rows are ranked.

Owns which rows are looked at. Rare terms are looked up wholly; of a term that nearly every row has only the newest rows
open a document, and within the documents that are opened every term counts. So the time hardly grows with the memory.
"""

from __future__ import annotations

import heapq
import itertools
import math
from typing import TYPE_CHECKING

from sleep.language.tokenizer import fold
from sleep.recall import postings, rank
from sleep.recall.index import database, row_values, rows
from sleep.recall.index.index_form import MASK, SHIFT, quote
from sleep.recall.postings import ANY, Limits
from sleep.recall.rank import Document, RowFacts, Shares
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.recall.index.database import Facts
    from sleep.recall.postings import Terms
    from sleep.recall.question import Question
    from sleep.recall.rank import ScoredRow

    Hits = dict[int, dict[int, int]]  # by document and row, a bit for each term that stands there

_TOGETHER = 200  # rows that have several frequent terms
_OPENED, _AGAIN = 40, 3  # documents: opened, and asked again for frequent terms
_FREQUENT = 3  # frequent terms that are looked at: those worth most
_SIDE = 2  # rows beside a hit that are ranked too
_BELOW = 8  # rows below a heading with a hit that are
ROOM = 240  # rows that are ranked, unless there is room for more
_FEW, _EACH = 12, 20  # documents that are opened at least where they are long, and rows that each stands for
_SMALL, _HITS = 4, 3  # times so many, and all rows of what was opened are ranked; one in so many has a hit itself


class Matches(NamedTuple):
    """What was found: rows in order, the terms by bit, whom the question names, and what is unknown.

    `covered` is the share of the question's worth that stands in one row and those right around it; `rare` is what
    stands there, as times of the worth of a word that nothing has. `strangers` are
    names that nothing in the memory has. `corrected` says which word was read as which.
    `lacks_focus`: nothing here has the word of the thing that is asked for, nor one that is said for it. `groups` are
    by bit the term of the question that a term is or stands for, `shares` what it is worth of the question. `whole` is
    the share of its worth that one row has in the very words; `besides` is what stands near a name of
    the question besides its names, as times of the worth of a word that nothing has: infinite where it has names alone.
    """

    rows: tuple[ScoredRow, ...]
    terms: tuple[str, ...]
    named: tuple[str, ...]
    covered: float
    strangers: tuple[str, ...]
    corrected: tuple[tuple[str, str], ...]
    rare: float = 0.0
    lacks_focus: bool = False
    groups: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    whole: float = 0.0
    besides: float = math.inf


def find_matches(base: sqlite3.Connection, question: Question, limits: Limits = ANY, room: int = ROOM) -> Matches:
    """Return the rows that fit a question, best first; `room` is about how many are ranked."""
    terms = postings.look_up(base, question, limits)
    search = _Search(base, limits, terms)
    search.open_documents()
    documents = [*search.documents(room, question)]
    # A stretch is asked for where somebody talks: elsewhere `what did Ana say about it` asks for a line.
    asked = question if search.has_talk else question._replace(is_broad=False)
    ranking = rank.rank(asked, documents, search.shares, terms.average)
    total = sum(posting.worth for posting in terms.postings if not posting.stands_for) + terms.missing
    return Matches(
        tuple(ranking.rows),
        tuple(posting.term.removeprefix(rows.WHO) for posting in terms.postings),
        tuple(sorted(terms.labels)),
        ranking.covered / total if total else 0.0,
        terms.strangers,
        (*question.mended, *terms.corrected),
        ranking.covered / terms.rarest,
        bool(question.focus) and all(question.focus not in (each.term, each.stands_for) for each in terms.postings),
        tuple(posting.stands_for or posting.term for posting in terms.postings),
        tuple(posting.worth / total if total else 0.0 for posting in terms.postings),
        _whole(documents, terms, search.shares) / total if total else 0.0,
        _besides(ranking.places, question, terms, search.shares) / terms.rarest,
    )


def _whole(documents: Iterable[Document], terms: Terms, shares: Shares) -> float:
    """Return the most that one row has of the question in its very words."""
    exact = sum(1 << bit for bit, posting in enumerate(terms.postings) if not posting.stands_for)
    sets = {bits for document in documents for bits in document.hits.values()}
    return max((shares[bits & exact] for bits in sets), default=0.0)


def _besides(places: Iterable[int], question: Question, terms: Terms, shares: Shares) -> float:
    """Return the most that one place with a name of the question has of what else it asks."""
    names = {term for _, own in question.names for term in own}
    if names.issuperset(set(question.terms) - question.unmissed):
        return math.inf
    of_names = sum(1 << bit for bit, each in enumerate(terms.postings) if (each.stands_for or each.term) in names)
    near = (bits & ~of_names for bits in places if bits & of_names or not of_names)
    return max((shares[bits] for bits in near), default=0.0)


class _Search:
    """The documents and rows with terms of a question.

    Args:
        base: the index.
        limits: what may be found.
        terms: what the memory has of the terms.
    """

    def __init__(self, base: sqlite3.Connection, limits: Limits, terms: Terms) -> None:
        self._base = base
        self._limits = limits
        self._terms = terms
        self.shares = _shares(terms)
        # What a journal tells in full, tiers need not be asked for.
        self._unique = {} if limits.tiers else _unique_rows(base)
        self._hits: Hits = {}
        self._opened: list[int] = []
        self.has_talk = False

    def open_documents(self) -> None:
        """Choose the documents whose terms are worth most, and find every frequent term in the best of them."""
        hits = self._hits
        for bit, posting in enumerate(self._terms.postings):
            _add(hits, posting.rows, 1 << bit)
        frequent = [bit for bit, posting in enumerate(self._terms.postings) if posting.is_cut and posting.worth]
        frequent = sorted(frequent, key=lambda bit: -self._terms.postings[bit].worth)[:_FREQUENT]
        self._add_together(frequent)
        for number in self._unique.keys() & hits.keys():
            hits[number] = {row: bits for row, bits in hits[number].items() if row in self._unique[number]}
        for number in [number for number, own in hits.items() if not own]:
            del hits[number]
        best = heapq.nlargest(_OPENED, hits, key=lambda number: (self.shares.document(hits[number].values()), number))
        again = dict.fromkeys((*best[:_AGAIN], *self._terms.dated))
        self._add_within(frequent, again)
        self._opened = [number for number in dict.fromkeys((*best, *self._terms.dated)) if number in hits]

    def _add_within(self, frequent: Iterable[int], documents: Iterable[int]) -> None:
        """Add every row of some documents that has a frequent term."""
        query = "SELECT rowid FROM term WHERE term MATCH ? AND rowid >= ? AND rowid < ?"
        for bit in frequent:
            match = self._match([bit])
            for number in documents:
                numbers = self._base.execute(query, (match, number << SHIFT, (number + 1) << SHIFT))
                _add(self._hits, (row for (row,) in numbers), 1 << bit)

    def _add_together(self, frequent: Sequence[int]) -> None:
        """Add the newest rows that have several frequent terms: all of them, or if hardly any has, all but one."""
        query = "SELECT rowid FROM term WHERE term MATCH ? ORDER BY rowid DESC LIMIT ?"
        for size in range(len(frequent), 1, -1):
            for bits in itertools.combinations(frequent, size):
                numbers = [row for (row,) in self._base.execute(query, (self._match(bits), _TOGETHER))]
                _add(self._hits, numbers, sum(1 << bit for bit in bits))
                if len(numbers) >= _AGAIN:
                    return

    def _match(self, bits: Iterable[int]) -> str:
        """Return what FTS5 is asked for, for rows with all of these terms."""
        terms = (quote(self._terms.postings[bit].term) for bit in bits)
        return " AND ".join(terms) + self._limits.clause

    def documents(self, room: int, question: Question) -> Iterator[Document]:
        """Yield the documents that were opened with about `room` rows: those with a hit, and those beside them."""
        known = database.facts_of(self._base, self._opened)
        opened = self._opened
        if sum(facts.rows for facts in known.values()) <= _SMALL * room:
            wanted: dict[int, Iterable[int]] = {number: range(known[number].rows) for number in opened}
        else:
            dated = (number for number in self._terms.dated if number in self._hits)
            opened = [*opened[: max(_FEW, room // _EACH)], *dated]
            best = self._best_rows(opened, room // _HITS)
            wanted = {number: _beside(own, known[number]) for number, own in best.items()}
        labels = {label for number in wanted for label in known[number].labels}
        self.has_talk = any(labels)
        named = _named(labels, self._terms.labels, question)
        for number, own in wanted.items():
            unique = self._unique.get(number)
            chosen = own if unique is None else [row for row in own if row in unique]
            yield _document(number, self._hits[number], known[number], chosen, named, self._limits.since)

    def _best_rows(self, documents: Iterable[int], most: int) -> dict[int, list[int]]:
        """Return by document the rows that are looked at: those with a hit, of too many the best."""
        hits = {number: self._hits[number] for number in documents}
        every = [(self.shares[bits], number, row) for number, own in hits.items() for row, bits in own.items()]
        best: dict[int, list[int]] = {}
        for _, number, row in heapq.nlargest(most, every):
            best.setdefault(number, []).append(row)
        return {number: sorted(own) for number, own in best.items()}


def _shares(terms: Terms) -> Shares:
    """Return what the terms are worth; one that stands for several of the question counts for the first."""
    places: dict[str, int] = {}
    for bit, posting in enumerate(terms.postings):
        places.setdefault(posting.stands_for or posting.term, bit)
    groups = [places[posting.stands_for or posting.term] for posting in terms.postings]
    return Shares([posting.worth for posting in terms.postings], groups)


def _add(hits: Hits, numbers: Iterable[int], bits: int) -> None:
    """Note that rows have these terms."""
    for number in numbers:
        own = hits.get(number >> SHIFT)
        if own is None:
            own = hits[number >> SHIFT] = {}
        row = number & MASK
        own[row] = own.get(row, 0) | bits


def _unique_rows(base: sqlite3.Connection) -> dict[int, set[int]]:
    """Return for each document that is no journal the rows that say what no journal says."""
    query = "SELECT id FROM document WHERE tier <> ?"
    unique: dict[int, set[int]] = {number: set() for (number,) in base.execute(query, (rows.JOURNAL,))}
    for (number,) in base.execute("SELECT row FROM alone"):
        unique.setdefault(number >> SHIFT, set()).add(number & MASK)
    return unique


def _beside(hits: Iterable[int], known: Facts) -> list[int]:
    """Return the rows with a hit and those right beside them; of a heading the first that stand below."""
    near: set[int] = set()
    for row in hits:
        after = _BELOW if known.flags(row) & rows.HEADS else _SIDE
        near.update(range(max(0, row - _SIDE), min(known.rows, row + after + 1)))
    return sorted(near)


def _document(
    number: int, hits: Mapping[int, int], known: Facts, wanted: Iterable[int], named: set[str], since: str
) -> Document:
    """Return a document's rows as they are ranked."""
    unpack, size, packed = row_values.FACTS.unpack_from, row_values.FACTS.size, known.packed
    is_named = [label in named for label in known.labels]
    has_headings = any(known.flags(row) & rows.HEADS for row in hits)
    facts: dict[int, RowFacts] = {}
    heads: dict[int, int] = {}
    above: dict[int, int] = {}
    for row in wanted:
        length, characters, flags, label, back = unpack(packed, row * size)
        day = known.days[row] if known.days else known.day
        if not since or day >= since:
            facts[row] = RowFacts(length, characters, flags, day, is_named[label])
            if back and has_headings and (bits := _above(known, hits, row - back, above)):
                heads[row] = bits
    return Document(number, {row: bits for row, bits in hits.items() if row in facts}, facts, heads)


def _above(known: Facts, hits: Mapping[int, int], row: int, seen: dict[int, int]) -> int:
    """Return the terms of a heading and of those above it."""
    if row not in seen:
        back = known.below(row)
        seen[row] = hits.get(row, 0) | (_above(known, hits, row - back, seen) if back else 0)
    return seen[row]


def _named(labels: set[str], asked: frozenset[str], question: Question) -> set[str]:
    """Return the labels that the question means: those it names in full, else those it names in part."""
    words = set(question.words)
    full = {label for label in labels if label and set(fold(label).split()) <= words}
    return full or {label for label in labels if asked & set(fold(label).split())}
