"""Two rankings as one: the rows that words find, and the rows that mean nearly the same.

Owns the arithmetic (reciprocal rank fusion, Cormack, Clarke and Buettcher 2009: only places count, so scores of two
kinds need not be compared) and what is said of a row that words alone would not have found. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.recall.passages import MEANS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.recall.lookup import Matches

_K = 60  # as in the paper: how little the first places differ


def fuse(rankings: Sequence[Sequence[int]], k: int = _K) -> list[tuple[int, float]]:
    """Return what the rankings have, best first, each with its share of the most there is: 1 for the first of all.

    `rankings` come best first, without doubles; of equals the one that an earlier ranking has comes first.
    """
    sums: dict[int, float] = {}
    for ranking in rankings:
        for place, row in enumerate(ranking, 1):
            sums[row] = sums.get(row, 0.0) + 1 / (k + place)
    most = len(rankings) / (k + 1)
    return [(row, total / most) for row, total in sorted(sums.items(), key=lambda item: -item[1])]


def blend(matches: Matches, near: Sequence[int]) -> Matches:
    """Return what was found with the rows that mean nearly the same among it.

    `near` are numbers of rows, best first. Those that share no word with the question say `MEANS` as their reason.
    """
    shared = {number: terms for _, number, terms in matches.rows}
    means, close = 1 << len(matches.terms), set(near)
    rows = tuple(
        (score, number, shared.get(number, 0) or (means if number in close else 0))
        for number, score in fuse((tuple(shared), near))
    )
    return matches._replace(rows=rows, terms=(*matches.terms, MEANS))
