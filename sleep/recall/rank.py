"""Which rows answer a question best: the arithmetic, on plain values.

Owns the score of a row and whether anything fits at all. A row is told by the words it shares with the question
(Okapi's weights, Robertson and Walker 1994, a word counted once), by what stands around it, by who says it, by its day
and by its form. The weights were fitted over conversations and meetings, one conversation held out at a time
(docs/recall.md); they are shares of the best row of the same question, so that no memory is too small or too large.
"""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING

from sleep.recall import periods
from sleep.recall.index.index_form import SHIFT
from sleep.recall.index.rows import ASKS, SAYS_WHEN
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.recall.question import Question

    ScoredRow = tuple[float, int, int]  # score, number of the row in the index, bits of the terms that it has

_K, _B = 1.2, 0.5  # how soon length counts, as in Okapi's k1 and b
_BEST = 5  # rows of a document that speak for it
_FAR = 0.95  # how much of a row's worth is felt one row on, where a stretch is asked for
_WIDE = 4  # rows around; close are those right beside
_HEADING = 0.15  # how much a word counts that stands in a heading above
_SHORT = 8  # characters, below which a row is as good as of so many
_NEWEST = 0.25  # what the newest day is worth beside the oldest: of several answers that are as good the last one holds


class Weights(NamedTuple):
    """What each sign of a row is worth: its own words, those of its neighbours, its document, its form and its day."""

    own: float  # its words, as shares of the best row's; then those of the rows before and after it
    one_before: float
    two_before: float
    close: float  # the words right around it, together
    wide: float  # and those further around
    best_rows: float  # the best rows of its document
    speaker: float  # said by whom the question names
    length: float  # by the logarithm of its terms
    distant: float = 0.0  # the words of all other rows, less the further away they are
    one_after: float = 0.14
    two_after: float = 0.35
    whole: float = 1.06  # all words of its document
    size: float = -0.3  # by the logarithm of its characters
    asks: float = -0.73  # it is a question,
    answers: float = 0.41  # or stands below one
    day: float = 6.17  # of the very day that is asked for,
    span: float = 7.76  # or within the days
    says_when: float = 1.77  # it says when, and that is asked


POINT = Weights(
    own=2.57,
    one_before=1.25,
    two_before=1.08,
    close=1.02,
    wide=1.36,
    best_rows=0.51,
    speaker=3.31,
    length=0.40,
)
BROAD = Weights(
    own=0.87,
    one_before=0.11,
    two_before=0.64,
    close=0.14,
    wide=-1.34,
    best_rows=1.23,
    speaker=0.63,
    length=-0.14,
    distant=1.15,
)


class RowFacts(NamedTuple):
    """What is known of a row beside its words: terms, characters, flags, day, and whether the one asked for says it."""

    length: int
    size: int
    flags: int
    day: str
    is_named: bool


class Document(NamedTuple):
    """A document with rows that share words with the question.

    `hits` are by row a bit for each term that stands there; `facts` those of these rows and of the rows around; `heads`
    are by row the bits of terms that stand in the headings above.
    """

    number: int
    hits: Mapping[int, int]
    facts: Mapping[int, RowFacts]
    heads: Mapping[int, int] = {}


class Ranking(NamedTuple):
    """Rows, best first, each as its score, its number in the index and the bits of the terms that it has.

    `covered` is the worth of the terms at the best place: in one row and those right around it. `places` are the sets
    of terms, by their bits, that stand near one another: some four rows around.
    """

    rows: list[ScoredRow]
    covered: float
    places: frozenset[int] = frozenset()


class _Signs(NamedTuple):
    """What a document's words are worth.

    `own` is by row the worth of its words, `around` that of the words close to it and further around, `distant` what is
    felt there of all other rows; `best_rows` is the worth of these together, `whole` that of all words.
    """

    own: Mapping[int, float]
    around: Mapping[int, tuple[float, float]]
    distant: Mapping[int, float]
    best_rows: float
    whole: float


def rank(question: Question, documents: Sequence[Document], shares: Shares, average: float) -> Ranking:
    """Return the rows, best first; `shares` is what terms are worth, `average` the terms of a row in the mean."""
    weights = BROAD if question.is_broad else POINT
    signs = []
    places: set[int] = set()
    for document in documents:
        own = _own(document, shares, average)
        distant = _distant(document, own) if weights.distant else {}
        best_rows = sum(sorted(own.values(), reverse=True)[:_BEST])
        whole = shares[_union(document.hits.values())]
        around, sets = _around(document, shares)
        places |= sets
        signs.append(_Signs(own, around, distant, best_rows, whole))
    if not any(value for sign in signs for value in sign.own.values()):
        return Ranking([], 0.0)
    scale = _scale(signs, documents)
    scores: list[tuple[float, int, int, int]] = []
    for document, sign in zip(documents, signs, strict=True):
        scores += _score(question, weights, document, sign, scale)
    scores.sort()  # of equals the newest document, from its beginning
    rows = [(-score, (-document << SHIFT) + row, shared) for score, document, row, shared in scores]
    return Ranking(rows, scale.close, frozenset(places))


class _Scale(NamedTuple):
    """The most that any row or document has of each sign, and by day what a row of it is worth for being new."""

    own: float
    close: float
    wide: float
    distant: float
    best_rows: float
    whole: float
    recency: Mapping[str, float]


def _scale(signs: Sequence[_Signs], documents: Sequence[Document]) -> _Scale:
    return _Scale(
        max(value for sign in signs for value in sign.own.values()),
        max(close for sign in signs for close, _ in sign.around.values()),
        max(wide for sign in signs for _, wide in sign.around.values()),
        max((value for sign in signs for value in sign.distant.values()), default=0.0) or 1.0,  # one row feels no other
        max(sign.best_rows for sign in signs),
        max(sign.whole for sign in signs),
        _recency(documents),
    )


def _recency(documents: Sequence[Document]) -> dict[str, float]:
    days = sorted({facts.day for document in documents for facts in document.facts.values() if facts.day})
    return {day: _NEWEST * place / max(1, len(days) - 1) for place, day in enumerate(days)}


def _score(
    question: Question, weights: Weights, document: Document, signs: _Signs, scale: _Scale
) -> Iterator[tuple[float, int, int, int]]:
    """Yield for each row its score and its document's number, both less than zero, its place and its terms."""
    of_document = weights.best_rows * signs.best_rows / scale.best_rows + weights.whole * signs.whole / scale.whole
    facts, own, around, distant = document.facts, signs.own.get, signs.around.get, signs.distant
    terms, recency = document.hits.get, scale.recency.get
    for row, known in facts.items():
        score = of_document + recency(known.day, 0.0) + _score_form(question, weights, known, facts.get(row - 1))
        near = around(row) or ((0.0, 0.0) if row in signs.own else None)
        if near:
            words = (
                weights.own * own(row, 0.0)
                + weights.one_before * own(row - 1, 0.0)
                + weights.two_before * own(row - 2, 0.0)
                + weights.one_after * own(row + 1, 0.0)
                + weights.two_after * own(row + 2, 0.0)
            )
            score += words / scale.own + weights.close * near[0] / scale.close + weights.wide * near[1] / scale.wide
        if distant:
            score += weights.distant * distant[row] / scale.distant
        yield -score, -document.number, row, terms(row, 0)


def _score_form(question: Question, weights: Weights, facts: RowFacts, above: RowFacts | None) -> float:
    """Return what a row's form, speaker and day are worth."""
    score = weights.length * math.log1p(facts.length) + weights.size * math.log(max(_SHORT, facts.size))
    if facts.is_named:
        score += weights.speaker
    if facts.flags & ASKS:
        score += weights.asks
    if above is not None and above.flags & ASKS:
        score += weights.answers
    if question.asks_when and facts.flags & SAYS_WHEN:
        score += weights.says_when
    if question.days and facts.day:
        fit = periods.fit(facts.day, question.days)
        score += weights.day if fit > 1 else weights.span * fit
    return score


class Shares(dict[int, float]):
    """The worth of sets of terms, by their bits, each summed once; of terms that stand for one another the best counts.

    Args:
        worth: of each term, by its bit.
        groups: by bit the bit of the term that it stands for, its own where it is one of the question.
    """

    def __init__(self, worth: Sequence[float], groups: Sequence[int]) -> None:
        super().__init__({0: 0.0})
        self._worth = worth
        self._groups = groups if len(set(groups)) < len(worth) else None

    def __missing__(self, terms: int) -> float:
        """Return the worth of a set that was not asked for before, and keep it."""
        own = [bit for bit in range(len(self._worth)) if terms >> bit & 1]
        if self._groups is None:
            known = sum(self._worth[bit] for bit in own)
        else:
            best: dict[int, float] = {}
            for bit in own:
                group = self._groups[bit]
                best[group] = max(best.get(group, 0.0), self._worth[bit])
            known = sum(best.values())
        self[terms] = known
        return known

    def document(self, sets: Iterable[int]) -> float:
        """Return what a document is worth that has these sets of terms in its rows: all, and its best row once more."""
        different = set(sets)
        return self[_union(different)] + max((self[terms] for terms in different), default=0.0)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for terms in sets:
        union |= terms
    return union


def _own(document: Document, shares: Shares, average: float) -> dict[int, float]:
    """Return by row the worth of its words, and a little of those in the headings above it."""
    facts, hits = document.facts, document.hits
    own = {}
    for row, terms in hits.items():
        if (known := facts.get(row)) is not None:
            own[row] = shares[terms] * (_K + 1) / (1 + _K * (1 - _B + _B * known.length / average))
    for row, terms in document.heads.items():
        if row in facts:
            own[row] = own.get(row, 0.0) + _HEADING * shares[terms & ~hits.get(row, 0)]
    return own


def _around(document: Document, shares: Shares) -> tuple[dict[int, tuple[float, float]], set[int]]:
    """Return by row the worth of the terms right around it, and of those further around, and the sets of the latter.

    Rows without any are left out.
    """
    hits, facts = document.hits, document.facts
    worth: dict[int, tuple[float, float]] = {}
    sets: set[int] = set()
    for first, last in _stretches(sorted(hits)):
        terms = [hits.get(row, 0) for row in range(first - 2 * _WIDE, last + 2 * _WIDE + 1)]
        close = [before | at | after for before, at, after in zip(terms, terms[1:], terms[2:], strict=False)]
        # Three such windows side by side are the wide one.
        windows = zip(count(first - _WIDE), close[3:], close, close[6:], strict=False)
        for row, near, before, after in windows:
            if row in facts:
                wide = before | near | after
                worth[row] = (shares[near], shares[wide])
                sets.add(wide)
    return worth, sets


def _stretches(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of rows between which no window ends."""
    first = last = rows[0] if rows else 0
    for row in rows:
        if row - last > 2 * _WIDE:
            yield first, last
            first = row
        last = row
    if rows:
        yield first, last


def _distant(document: Document, own: Mapping[int, float]) -> dict[int, float]:
    """Return by row what is felt there of all other rows of the document."""
    if not own:
        return {}
    low, high = min(document.facts), max(document.facts)
    felt: dict[int, float] = {}
    for rows in (range(low, high + 1), range(high, low - 1, -1)):
        value = 0.0
        for row in rows:
            felt[row] = felt.get(row, 0.0) + value
            value = (value + own.get(row, 0.0)) * _FAR
    return felt
