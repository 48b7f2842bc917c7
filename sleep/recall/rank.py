"""Which rows answer a question best: the arithmetic, on plain values.

Owns the score of a row and whether anything fits at all. A row is told by the words it shares with the question
(Okapi's weights, Robertson and Walker 1994, a word counted once), by what stands around it, by who says it, by its day
and by its form. The weights were fitted over conversations and meetings, one conversation held out at a time
(docs/recall.md); they are shares of the best row of the same question, so that no memory is too small or too large.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sleep.recall import periods
from sleep.recall.index.rows import ASKS, SAYS_WHEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.recall.question import Question

_K, _B = 1.2, 0.5  # how soon length counts, as in Okapi's k1 and b
_BEST = 5  # rows of a document that speak for it
_FAR = 0.95  # how much of a row's worth is felt one row on, where a stretch is asked for
_CLOSE, _WIDE = 1, 4  # rows around
_HEADING = 0.15  # how much a word counts that stands in a heading above
_NEWEST = 0.3  # what the newest day is worth beside the oldest: of several answers that are as good the last one holds


class Weights(NamedTuple):
    """What each sign of a row is worth."""

    own: float
    before: float
    before2: float
    after: float
    after2: float
    close: float
    wide: float
    far: float
    best: float
    whole: float
    who: float
    length: float
    cost: float
    asks: float
    answers: float
    day: float
    span: float
    when: float


POINT = Weights(
    2.57, 1.25, 1.08, 0.14, 0.35, 1.02, 1.36, 0.0, 0.51, 1.06, 3.31, 0.40, -0.3, -0.73, 0.41, 6.17, 7.76, 1.77
)
BROAD = Weights(
    0.87, 0.11, 0.64, 0.14, 0.35, 0.14, -1.34, 1.15, 1.23, 1.06, 0.63, -0.14, -0.3, -0.73, 0.41, 6.17, 7.76, 1.77
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

    `hits` are by row a bit for each term that stands there; `metas` those of these rows and of the rows around; `heads`
    are by row the bits of terms that stand in the headings above.
    """

    document: int
    hits: Mapping[int, int]
    metas: Mapping[int, RowFacts]
    heads: Mapping[int, int] = {}


class ScoredRow(NamedTuple):
    """A row and its worth, highest first."""

    score: float
    document: int
    row: int
    shared: int


def idf(rows: int, having: float) -> float:
    """Return what a term is worth that so many of the rows have."""
    return math.log(1 + (rows - having + 0.5) / (having + 0.5)) if having < rows else math.log(1 + 0.5 / (rows + 0.5))


class Ranking(NamedTuple):
    """Rows, best first, and the worth of the terms at the best place: in one row and those right around it."""

    rows: list[ScoredRow]
    covered: float


def rank(question: Question, texts: Sequence[Document], worth: Sequence[float], average: float) -> Ranking:
    """Return the rows, best first; `worth` is the idf of each term by its bit, `average` the terms of a row."""
    weights = BROAD if question.is_broad else POINT
    shares = Shares(worth)
    owns = [_own(one, shares, average) for one in texts]
    top = max((value for own in owns for value in own.values()), default=0.0)
    if not top:
        return Ranking([], 0.0)
    arounds = [_around(one, shares) for one in texts]
    close = max(value for around in arounds for value, _ in around.values())
    wide = max(value for around in arounds for _, value in around.values())
    sums = [sum(sorted(own.values(), reverse=True)[:_BEST]) for own in owns]
    wholes = [shares.of(_union(one.hits.values())) for one in texts]
    fars = [_far(one, own) if weights.far else {} for one, own in zip(texts, owns, strict=True)]
    far = max((value for felt in fars for value in felt.values()), default=0.0) or 1.0  # one row feels no other
    days = sorted({meta.day for one in texts for meta in one.metas.values() if meta.day})
    recent = {day: _NEWEST * at / max(1, len(days) - 1) for at, day in enumerate(days)}
    found: list[tuple[float, int, int, int]] = []
    for one, own, around, total, whole, felt in zip(texts, owns, arounds, sums, wholes, fars, strict=True):
        of_text = weights.best * total / max(sums) + weights.whole * whole / max(wholes)
        metas, get, hits = one.metas, own.get, one.hits.get
        for row, meta in metas.items():
            score = of_text + recent.get(meta.day, 0.0) + _formed(question, weights, meta, metas.get(row - 1))
            near = around.get(row) or ((0.0, 0.0) if row in own else None)
            if near:
                told = (
                    weights.own * get(row, 0.0)
                    + weights.before * get(row - 1, 0.0)
                    + weights.before2 * get(row - 2, 0.0)
                    + weights.after * get(row + 1, 0.0)
                    + weights.after2 * get(row + 2, 0.0)
                )
                score += told / top + weights.close * near[0] / close + weights.wide * near[1] / wide
            if felt:
                score += weights.far * felt[row] / far
            found.append((-score, -one.document, row, hits(row, 0)))
    found.sort()  # of equals the newest document, from its beginning
    return Ranking([ScoredRow(-score, -document, row, shared) for score, document, row, shared in found], close)


def _formed(question: Question, weights: Weights, meta: RowFacts, above: RowFacts | None) -> float:
    """Return what a row's form, speaker and day are worth."""
    score = weights.length * math.log1p(meta.length) + weights.cost * math.log(max(8, meta.size))
    if meta.is_named:
        score += weights.who
    if meta.flags & ASKS:
        score += weights.asks
    if above is not None and above.flags & ASKS:
        score += weights.answers
    if question.asks_when and meta.flags & SAYS_WHEN:
        score += weights.when
    if question.days and meta.day:
        fit = periods.fit(meta.day, question.days)
        score += weights.day if fit > 1 else weights.span * fit
    return score


class Shares:
    """The worth of sets of terms, each summed once.

    Args:
        worth: of each term, by its bit.
    """

    def __init__(self, worth: Sequence[float]) -> None:
        self._worth = worth
        self._known: dict[int, float] = {0: 0.0}

    def document(self, sets: Iterable[int]) -> float:
        """Return what a document is worth that has these sets of terms in its rows: all, and its best row once more."""
        union, best, of = 0, 0.0, self.of
        for one in set(sets):
            union |= one
            worth = of(one)
            best = max(best, worth)
        return of(union) + best

    def of(self, terms: int) -> float:
        """Return the worth of a set."""
        known = self._known.get(terms)
        if known is None:
            known = sum(one for at, one in enumerate(self._worth) if terms >> at & 1)
            self._known[terms] = known
        return known


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _own(text: Document, shares: Shares, average: float) -> dict[int, float]:
    metas, heads = text.metas, text.heads
    own = {}
    for row, terms in text.hits.items():
        if (meta := metas.get(row)) is not None:
            own[row] = shares.of(terms) * (_K + 1) / (1 + _K * (1 - _B + _B * meta.length / average))
    for row, terms in heads.items():
        if row in metas:
            own[row] = own.get(row, 0.0) + _HEADING * shares.of(terms & ~text.hits.get(row, 0))
    return own


def _around(text: Document, shares: Shares) -> dict[int, tuple[float, float]]:
    """Return by row the worth of the terms right around it, and of those further around; rows without any left out."""
    close: dict[int, int] = {}
    wide: dict[int, int] = {}
    for row, terms in text.hits.items():
        for other in range(row - _WIDE, row + _WIDE + 1):
            wide[other] = wide.get(other, 0) | terms
        for other in range(row - _CLOSE, row + _CLOSE + 1):
            close[other] = close.get(other, 0) | terms
    of, near, metas = shares.of, close.get, text.metas
    return {row: (of(near(row, 0)), of(terms)) for row, terms in wide.items() if row in metas}


def _far(text: Document, own: Mapping[int, float]) -> dict[int, float]:
    """Return by row what is felt there of all other rows of the document."""
    if not own:
        return {}
    low, high = min(text.metas), max(text.metas)
    felt: dict[int, float] = {}
    for rows in (range(low, high + 1), range(high, low - 1, -1)):
        value = 0.0
        for row in rows:
            felt[row] = felt.get(row, 0.0) + value
            value = (value + own.get(row, 0.0)) * _FAR
    return felt
