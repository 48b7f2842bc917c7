"""Two rankings as one: the rows that words find, and the rows that mean nearly the same.

Owns the arithmetic: a row's score by words and how near it is in meaning, each as deviations from the mean of all rows,
so that scores of two kinds can be added. Says of a row that words alone would not have found why it is there. Pure.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

from sleep.recall.passages import MEANS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sleep.recall.lookup import Matches

_MOST = 400  # rows that are found by their meaning
_LEAST = 0.3  # the cosine below which nothing is near, whatever the model
SURE = 0.7  # the cosine from which a row surely is about the question, though no word says so


def standardize(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores as standard deviations from their mean, 0 where all are alike."""
    mean = math.fsum(scores.values()) / max(1, len(scores))
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores.values()) / max(1, len(scores)))
    return {row: (score - mean) / deviation if deviation else 0.0 for row, score in scores.items()}


def fuse(by_words: Mapping[int, float], near: Mapping[int, float], others: Collection[int]) -> list[tuple[int, float]]:
    """Return rows, best first, each with the sum of both deviations.

    Args:
        by_words: the scores of the rows that words find; any other row has what the least of them has.
        near: how near rows are in meaning; a row that is not there is as near as the mean.
        others: the rows of `near` that are ranked though words do not find them.
    """
    words, meaning = standardize(by_words), standardize(near)
    least = min(words.values(), default=0.0)
    rows = dict.fromkeys((*by_words, *others))
    sums = ((row, words.get(row, least) + meaning.get(row, 0.0)) for row in rows)
    return sorted(sums, key=lambda pair: -pair[1])


def blend(matches: Matches, near: Mapping[int, float]) -> Matches:
    """Return what was found with the rows that mean nearly the same among it.

    `near` is by number of row the cosine. Those that share no word with the question say `MEANS` as their reason.
    """
    shared = {number: terms for _, number, terms in matches.rows}
    means = 1 << len(matches.terms)
    close = (row for row, cosine in near.items() if cosine >= _LEAST)
    others = heapq.nlargest(_MOST, close, key=near.__getitem__)
    scores = {number: score for score, number, _ in matches.rows}
    is_near = set(others)
    rows = tuple(
        (score, number, shared.get(number, 0) or (means if number in is_near else 0))
        for number, score in fuse(scores, near, others)
    )
    return matches._replace(rows=rows, terms=(*matches.terms, MEANS))
