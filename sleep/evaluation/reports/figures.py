"""From samples to figures: shares, their intervals by case, and how they stand to the best baseline.

Owns the arithmetic, and nothing of what is measured. A sample is one case's part of a share: so much found of so much
asked. A figure is the share over all cases; its interval is told by drawing cases anew, for cases, not questions, are
independent.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sleep.evaluation.baselines import FULL, NONE, OURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Drawn = TypeVar("Drawn")
Part = tuple[float, float]  # found, asked
SEED = 1
DRAWS = 1_000
LEVEL = 0.95


class Sample(NamedTuple):
    """What one system found in one case, at one point (`wake 1k`, `6:1`), by one measure: `hits` of `asked`."""

    system: str
    point: str
    measure: str
    case: str
    hits: float
    asked: float


class Figure(NamedTuple):
    """A share with its interval, over so many cases; `ratio` is to the best baseline at the point, None for others."""

    system: str
    point: str
    measure: str
    value: float
    low: float
    high: float
    cases: int
    best: str = ""
    ratio: float | None = None


class Difference(NamedTuple):
    """How much a system's share differs from another's on the same cases, with its interval."""

    system: str
    point: str
    measure: str
    value: float
    low: float
    high: float


def interval(cases: Sequence[Part], seed: int = SEED, draws: int = DRAWS) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a share: cases are drawn with replacement."""
    return _between([share(drawn) for drawn in _draws(cases, seed, draws)])


def share(cases: Iterable[Part]) -> float:
    """Return what was found of what was asked in all these cases."""
    known = list(cases)
    asked = sum(count for _, count in known)
    return sum(hits for hits, _ in known) / asked if asked else 0.0


def _draws(cases: Sequence[Drawn], seed: int, draws: int) -> Iterator[list[Drawn]]:
    chance = random.Random(seed)  # noqa: S311  # a sample, not a secret
    for _ in range(draws):
        yield chance.choices(cases, k=len(cases))


def _between(values: list[float]) -> tuple[float, float]:
    values.sort()
    tail = int((1 - LEVEL) / 2 * len(values))
    return values[tail], values[-1 - tail]


def figures(samples: Iterable[Sample]) -> list[Figure]:
    """Return a figure for each system, point and measure, in the order that they first come."""
    results = []
    for (system, point, measure), cases in _by_case(samples).items():
        if parts := [part for part in cases.values() if part[1]]:
            results.append(Figure(system, point, measure, share(parts), *interval(parts), len(parts)))
    return _compared(results)


def differences(of: Iterable[Sample], to: Iterable[Sample], system: str) -> list[Difference]:
    """Return how our shares in one run differ from those in another, drawn by case in pairs.

    Args:
        of: the samples of the one run, which is called `system`.
        to: those of the other; only the cases that both were asked count.
        system: what the one run is called.
    """
    ours = {key[1:]: cases for key, cases in _by_case(of).items() if key[0] == OURS}
    theirs = {key[1:]: cases for key, cases in _by_case(to).items() if key[0] == OURS}
    results = []
    for (point, measure), cases in ours.items():
        other = theirs.get((point, measure), {})
        both = [(part, other[case]) for case, part in cases.items() if part[1] and case in other]
        if both:
            apart = share(pair for pair, _ in both) - share(pair for _, pair in both)
            drawn = _draws(both, SEED, DRAWS)
            shares = [share(pair for pair, _ in pairs) - share(pair for _, pair in pairs) for pairs in drawn]
            results.append(Difference(system, point, measure, apart, *_between(shares)))
    return results


def _by_case(samples: Iterable[Sample]) -> dict[tuple[str, str, str], dict[str, Part]]:
    grouped: dict[tuple[str, str, str], dict[str, Part]] = defaultdict(dict)
    for sample in samples:
        cases = grouped[sample.system, sample.point, sample.measure]
        hits, asked = cases.get(sample.case, (0.0, 0.0))
        cases[sample.case] = (hits + sample.hits, asked + sample.asked)
    return grouped


def _compared(results: Sequence[Figure]) -> list[Figure]:
    """Give our figures the best baseline of their point. The whole journal is none: it keeps no budget."""
    best: dict[tuple[str, str], Figure] = {}
    for figure in results:
        key = figure.point, figure.measure
        if (
            not figure.system.startswith(OURS)
            and figure.system not in (FULL, NONE)
            and (key not in best or figure.value > best[key].value)
        ):
            best[key] = figure
    return [
        figure._replace(best=other.system, ratio=figure.value / other.value if other.value else None)
        if figure.system == OURS and (other := best.get((figure.point, figure.measure)))
        else figure
        for figure in results
    ]
