"""Two rankings as one: the rows that words find, and the rows that mean nearly the same.

Owns the arithmetic (reciprocal rank fusion, Cormack, Clarke and Buettcher 2009: only places count, so scores of two
kinds need not be compared) and what is said of a row that words alone would not have found. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.recall.index.index_form import SHIFT
from sleep.recall.passages import MEANS
from sleep.recall.rank import ScoredRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.recall.lookup import Matches

_K = 60  # as in the paper: how little the first places differ
_MASK = (1 << SHIFT) - 1


def fuse(rankings: Sequence[Sequence[int]], k: int = _K) -> list[tuple[int, float]]:
    """Return what the rankings have, best first, each with its share of the most there is: 1 for the first of all.

    `rankings` come best first, without doubles; of equals the one that an earlier ranking has comes first.
    """
    sums: dict[int, float] = {}
    for ranking in rankings:
        for place, row in enumerate(ranking, 1):
            sums[row] = sums.get(row, 0.0) + 1 / (k + place)
    most = len(rankings) / (k + 1)
    return [(row, total / most) for row, total in sorted(sums.items(), key=lambda one: -one[1])]


def blend(looked: Matches, near: Sequence[int]) -> Matches:
    """Return what was found with the rows that mean nearly the same among it.

    `near` are numbers of rows, best first. Those that share no word with the question say `MEANS` as their reason.
    """
    known = {(one.document << SHIFT) + one.row: one.shared for one in looked.rows}
    means, close = 1 << len(looked.terms), set(near)
    rows = tuple(
        ScoredRow(score, row >> SHIFT, row & _MASK, known.get(row, 0) or (means if row in close else 0))
        for row, score in fuse((tuple(known), near))
    )
    return looked._replace(rows=rows, terms=(*looked.terms, MEANS))
