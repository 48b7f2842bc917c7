"""Postings: the rows of the index that have a term of a question.

Owns looking terms up (rare ones wholly, of frequent ones the newest rows), reading a word that the memory lacks as the
one that it was meant for, and what a term is worth. Refuses to choose among the rows: that is `lookup`'s.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sleep.language import stopwords, words
from sleep.language.stems import stem
from sleep.recall import periods, spelling, synonyms
from sleep.recall.index import database, index_form, rows
from sleep.recall.index.index_form import SHIFT
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Sequence

    from sleep.recall.question import Question

_NEWEST = 450  # rows of a term that open documents
_DATED = 10  # documents that are opened for their day
_DAY = "its day"  # stands for the rows of a day that was asked for; no text has such a term
_MEANT = 0.5  # what a word counts that may be said for one of the question,
_ALONE = 0.9  # and where this memory does not have that one at all: then it is how things are called here
_COMMON, _SEVERAL = 0.1, 3  # of all rows, above which such a word tells nothing, and rows that are never too many
_DOUBTED = 0.5  # what a word counts that was read as another one, and may be one of its own


class Limits(NamedTuple):
    """What may be found: tiers and kinds (all where empty), the first day, and who said it ("" for anybody)."""

    tiers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: str = ""
    source: str = ""

    def allow(self, tier: str, kind: str, day: str) -> bool:
        """Return whether a row may be found that is called by its address or number."""
        return (not self.tiers or tier in self.tiers) and (not self.kinds or kind in self.kinds) and day >= self.since

    @property
    def clause(self) -> str:
        """What FTS5 is asked for besides a term."""
        groups = [
            [f'"{rows.TIER}{tier}"' for tier in self.tiers],
            [f'"{rows.KIND}{kind.replace(" ", "-")}"' for kind in self.kinds],
            [f'"{rows.VOICE}{self.source}"'] if self.source else [],
        ]
        return "".join(f" AND ({' OR '.join(group)})" for group in groups if group)


ANY = Limits()


class Posting(NamedTuple):
    """A term, its rows (of many the newest), and what it is worth.

    `stands_for` is the term of the question that it may be said for, "" for one that the question has itself.
    """

    term: str
    rows: Sequence[int]
    worth: float
    is_cut: bool = False
    stands_for: str = ""


class Terms(NamedTuple):
    """What a memory has of the terms of a question.

    `postings` are by bit; `missing` is the worth of the terms that nothing has; `average` the terms of a row in the
    mean, and `rarest` the worth of a term that nothing has. `labels` are the names that somebody here speaks under,
    `strangers` those that nothing here has; `corrected` says which word was read as which. `dated` are the documents of
    the days that are asked for.
    """

    postings: tuple[Posting, ...]
    missing: float
    average: float
    rarest: float
    labels: frozenset[str]
    strangers: tuple[str, ...]
    corrected: tuple[tuple[str, str], ...]
    dated: tuple[int, ...]


def look_up(base: sqlite3.Connection, question: Question, limits: Limits) -> Terms:
    """Return what a memory has of the terms of a question."""
    count, average = database.totals(base)
    labels = _labels(base, question)
    reader = _Reader(base, question, limits, count)
    reader.add_terms(labels)
    # What somebody says who is named is looked at even where it has no word of the question, after all that has.
    worth = 0.0 if reader.postings else 1.0
    for name in sorted(labels):
        numbers, _, is_cut = reader.find(rows.WHO + name)
        reader.postings.append(Posting(rows.WHO + name, numbers, worth, is_cut))
    if dated := _dated(base, question):
        reader.postings.append(Posting(_DAY, _rows_of(base, dated), worth))
    corrected = dict(reader.corrected)
    meant = {posting.stands_for for posting in reader.postings}
    strangers = tuple(
        name
        for name, own in _strangers(base, question, labels)
        if name not in corrected and (meant.isdisjoint(own) or _is_sure_name(question, name))
    )
    return Terms(
        tuple(reader.postings),
        reader.missing,
        average,
        index_form.idf(count, 0),
        labels,
        strangers,
        tuple(reader.corrected),
        dated,
    )


def _labels(base: sqlite3.Connection, question: Question) -> frozenset[str]:
    """Return the words of a question that somebody in this memory speaks under."""
    names = (*(name for name, _ in question.names), *(word for word in question.words if len(word) == 1))
    return frozenset(name for name in names if _has(base, rows.WHO + name))


def _strangers(
    base: sqlite3.Connection, question: Question, labels: frozenset[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names of a question that nothing in this memory has, with their terms.

    A first word that asks in some language (`Welche`) has its capital for another reason.
    """
    for name, own in question.names:
        asks = name in question.words[:1] and question.unmissed.issuperset(own)
        if not asks and name not in labels and not any(_has(base, term) for term in own):
            yield name, own


def _is_sure_name(question: Question, name: str) -> bool:
    """Return whether a word with a capital names something, so that no other word is said for it: `Postgres`.

    The first word has its capital anyway, and in German any noun: only an English sentence is sure.
    """
    return name not in question.words[:1] and stopwords.language(question.text) == "en"


class _Reader:
    """The terms of a question as they are looked up one after the other.

    Args:
        base: the index.
        question: the question.
        limits: what may be found.
        count: how many rows there are.
    """

    def __init__(self, base: sqlite3.Connection, question: Question, limits: Limits, count: int) -> None:
        self._base = base
        self._question = question
        self._clause = limits.clause
        self._count = count
        self._spelled = dict(question.spelled)
        self._names = {name for name, _ in question.names}
        self._first = next(iter(question.words), "")
        self.postings: list[Posting] = []
        self.missing = 0.0
        self.corrected: list[tuple[str, str]] = []

    def add_terms(self, labels: frozenset[str]) -> None:
        """Look the terms of the question up, but for those of labels."""
        of_labels = {term for name in labels for term in words.terms(name)}
        asked = [term for term in self._question.terms if term not in of_labels]
        for term in asked:
            self._add(term)
        for term in asked:
            is_name = self._spelled.get(term, term) in self._names and self._worth(term) is not None
            if term not in self._question.unmissed and not is_name:
                self._add_synonyms(term, asked)

    def _worth(self, term: str) -> float | None:
        """Return what a term of the question counts, None for one that this memory does not have."""
        return next((posting.worth for posting in self.postings if posting.term == term), None)

    def _add_synonyms(self, term: str, asked: Collection[str]) -> None:
        """Look up what may be said for a term, each as rare as it is but never worth more than the term itself."""
        known = self._worth(term)
        most = math.inf if known is None else known
        for other in synonyms.of(term):
            if other not in asked and all(posting.term != other for posting in self.postings):
                numbers, having, is_cut = self.find(other)
                worth = (_ALONE if known is None else _MEANT) * min(most, index_form.idf(self._count, having))
                if numbers and len(numbers) <= max(_SEVERAL, _COMMON * self._count):
                    self.postings.append(Posting(other, numbers, worth, is_cut, term))

    def _add(self, term: str) -> None:
        """Look a term up, or the one that it was meant for."""
        numbers, having, is_cut = self.find(term)
        spelled = self._spelled.get(term, "")
        certainty = 1.0
        may_miss = term in self._question.unmissed
        if not numbers and not may_miss and not _has(self._base, term):
            if words.is_small_slip(spelled):
                return
            has_synonym = any(_has(self._base, other) for other in synonyms.of(term))
            if not has_synonym and (other := spelling.correct(self._base, spelled, self._names, self._first)):
                self.corrected.append((spelled, other))
                term = stem(other)
                may_miss = term in self._question.unmissed
                numbers, having, is_cut = self.find(term)
                if not (spelled in self._names or words.is_sure_slip(spelled, other)):
                    certainty = _DOUBTED
        worth = index_form.idf(self._count, having)
        if numbers:
            self.postings.append(Posting(term, numbers, worth * certainty, is_cut))
            self.missing += (1 - certainty) * worth
        elif not may_miss:
            self.missing += index_form.idf(self._count, 0)

    def find(self, term: str) -> tuple[list[int], float, bool]:
        """Return the rows of a term, how many have it (told by the newest where many do), and whether these are all."""
        query = "SELECT rowid FROM term WHERE term MATCH ? ORDER BY rowid DESC LIMIT ?"
        numbers = [row for (row,) in self._base.execute(query, (index_form.quote(term) + self._clause, _NEWEST))]
        if len(numbers) < _NEWEST:
            return numbers, len(numbers), False
        newest, oldest = numbers[0] >> SHIFT, numbers[-1] >> SHIFT
        query = "SELECT coalesce(sum(rows), 1) FROM document WHERE id BETWEEN ? AND ?"
        within = self._base.execute(query, (oldest, newest)).fetchone()[0]
        share = len(numbers) / max(len(numbers), within)
        return numbers, max(len(numbers), share * self._count), True


def _has(base: sqlite3.Connection, term: str) -> bool:
    return bool(base.execute("SELECT 1 FROM term WHERE term MATCH ? LIMIT 1", (index_form.quote(term),)).fetchone())


def _dated(base: sqlite3.Connection, question: Question) -> tuple[int, ...]:
    """Return the documents of the days that are asked for, the nearest first."""
    if not question.days:
        return ()
    days = base.execute("SELECT id, day FROM document WHERE day <> ''").fetchall()
    fits = [(periods.fit(day, question.days), number) for number, day in days]
    return tuple(number for fit, number in sorted(fits, reverse=True)[:_DATED] if fit)


def _rows_of(base: sqlite3.Connection, documents: Sequence[int]) -> list[int]:
    """Return the rows of documents, in their order, as many as a term has."""
    counts = {number: known.rows for number, known in database.facts_of(base, documents).items()}
    return [(number << SHIFT) + row for number in documents for row in range(counts[number])][:_NEWEST]
