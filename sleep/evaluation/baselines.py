"""What a memory has to be better than: simple ways to fill the same budget from the same journals.

Owns the baselines. Each is a pure function that puts the lines of all journals in an order of preference; what fits is
kept, in the order of the journals. None sees what will be asked.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Features = Callable[[str], frozenset[str]]
    Ranked = list[int]

SEED = 5
HALF_LIFE = 3  # journals after which a mention counts half, where age counts
KEYWORDS = (
    *("result:", "decided:", "found:", "error:", "success:"),
    *("created:", "updated:", "deleted:", "confirmed:", "output:"),
)
_VERBATIM = 4  # last lines that the keyword consolidator keeps as they are
_OVERHEAD = 15  # characters that a line costs beside its own: no baseline may live on fragments of words


class Line(NamedTuple):
    """A line of a journal that says something; `journal` counts from 0, the oldest."""

    journal: int
    text: str


class Baseline(NamedTuple):
    """A way to fill a budget. `prefix`: it ends at the first line that does not fit; the others go on to what does."""

    name: str
    rank: Callable[[Sequence[Line], Features], Ranked]
    prefix: bool = False


def lines(journals: Iterable[str]) -> list[Line]:
    """Return the lines of journals, oldest first, without empty ones."""
    return [
        Line(number, line.strip())
        for number, text in enumerate(journals)
        for line in text.split("\n")
        if line.strip(" #-*\t\r")
    ]


def fill(found: Sequence[Line], ranked: Iterable[int], budget: int, *, prefix: bool = False) -> str:
    """Return the preferred lines that fit in `budget` characters, in the order of the journals."""
    chosen, left = [], budget
    for index in ranked:
        price = len(found[index].text) + 1
        if price <= left:
            chosen.append(index)
            left -= price
        elif prefix:
            break
    return "".join(f"{found[index].text}\n" for index in sorted(chosen))


def nothing(_found: Sequence[Line], _features: Features) -> Ranked:
    """No memory at all."""
    return []


def lead(found: Sequence[Line], _features: Features) -> Ranked:
    """From the oldest on."""
    return list(range(len(found)))


def tail(found: Sequence[Line], _features: Features) -> Ranked:
    """From the newest back, line by line."""
    return list(range(len(found) - 1, -1, -1))


def shuffled(found: Sequence[Line], _features: Features) -> Ranked:
    """By chance, with a fixed seed."""
    order = list(range(len(found)))
    random.Random(SEED).shuffle(order)  # noqa: S311  # a sample, not a secret
    return order


def last_journals(found: Sequence[Line], _features: Features) -> Ranked:
    """The last N journals, as many as fit: the newest first, each from its beginning."""
    return sorted(range(len(found)), key=lambda index: (-found[index].journal, index))


def density(found: Sequence[Line], features: Features) -> Ranked:
    """By how rare a line's words are, for its length."""
    rarity = idf(features(one.text) for one in found)

    def worth(index: int) -> float:
        text = found[index].text
        return sum(rarity[one] for one in sorted(features(text))) / (_OVERHEAD + len(text))

    return sorted(_first(found), key=lambda index: (-worth(index), index))


def submodular(found: Sequence[Line], features: Features) -> Ranked:
    """By what a line adds to those before it: greedy coverage of words, the frequent ones heavier, for its length."""
    return _greedy(found, features, half_life=None)


def submodular_recency(found: Sequence[Line], features: Features) -> Ranked:
    """The same, where a mention three journals old counts half."""
    return _greedy(found, features, half_life=HALF_LIFE)


def coverage_idf(found: Sequence[Line], features: Features) -> Ranked:
    """Greedy coverage of words, the rare ones heavier, for its length."""
    rarity = idf(features(one.text) for one in found)
    return _covering(found, features, rarity, dict.fromkeys(range(len(found)), 1.0))


def keywords(found: Sequence[Line], _features: Features) -> Ranked:
    """What a keyword consolidator keeps: the last lines as they are, then lines with one of ten words, newest first."""
    recent = list(range(len(found) - 1, max(-1, len(found) - 1 - _VERBATIM), -1))
    known = (index for index in range(len(found) - 1, -1, -1) if index not in recent)
    return [*recent, *(index for index in known if any(word in found[index].text.lower() for word in KEYWORDS))]


def idf(said: Iterable[frozenset[str]]) -> dict[str, float]:
    """Return how rare each feature is among these lines: the logarithm of one in so many."""
    counts: Counter[str] = Counter()
    many = 0
    for features in said:
        counts.update(features)
        many += 1
    return {one: math.log(1 + (many - count + 0.5) / (count + 0.5)) for one, count in counts.items()}


def _first(found: Sequence[Line]) -> list[int]:
    """Return the last place of each distinct line: a text that is said twice is kept once, as it was said last."""
    return sorted({one.text: index for index, one in enumerate(found)}.values())


def _greedy(found: Sequence[Line], features: Features, *, half_life: float | None) -> Ranked:
    newest = max((one.journal for one in found), default=0)
    fresh = {journal: 0.5 ** ((newest - journal) / half_life) if half_life else 1.0 for journal in range(newest + 1)}
    mentions: dict[str, float] = {}
    for one in found:
        for feature in features(one.text):
            mentions[feature] = mentions.get(feature, 0.0) + fresh[one.journal]
    weights = {one: math.log1p(count) for one, count in mentions.items()}
    return _covering(found, features, weights, {index: fresh[one.journal] for index, one in enumerate(found)})


def _covering(
    found: Sequence[Line], features: Features, weights: Mapping[str, float], fresh: Mapping[int, float]
) -> Ranked:
    """Return lines by what each adds for its length. Gains only shrink: one that leads when redone is the greatest."""
    said = {index: features(found[index].text) for index in _first(found)}
    covered: set[str] = set()

    def gain(index: int) -> float:
        new = sum(weights[one] for one in sorted(said[index] - covered))
        return new * fresh[index] / (_OVERHEAD + len(found[index].text))

    heap = [(-gain(index), index, 0) for index in said]
    heapq.heapify(heap)
    ranked: Ranked = []
    while heap:
        worth, index, at = heapq.heappop(heap)
        if at != len(ranked):
            heapq.heappush(heap, (-gain(index), index, len(ranked)))
        elif worth < 0:
            ranked.append(index)
            covered |= said[index]
    return ranked


OURS = "sleep"
FULL = "full journal"
NONE = "no memory"
BASELINES = (
    Baseline(NONE, nothing),
    Baseline("lead", lead, prefix=True),
    Baseline("tail", tail, prefix=True),
    Baseline("random", shuffled),
    Baseline("last journals", last_journals, prefix=True),
    Baseline(FULL, lead),  # the whole, whatever the budget: what could be had at the most
    Baseline("idf density", density),
    Baseline("submodular", submodular),
    Baseline("submodular, recency", submodular_recency),
    Baseline("submodular, idf", coverage_idf),
    Baseline("keywords", keywords),
)
