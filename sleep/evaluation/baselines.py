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


def fill(history: Sequence[Line], ranked: Iterable[int], budget: int, *, prefix: bool = False) -> str:
    """Return the preferred lines that fit in `budget` characters, in the order of the journals."""
    chosen, left = [], budget
    for index in ranked:
        price = len(history[index].text) + 1
        if price <= left:
            chosen.append(index)
            left -= price
        elif prefix:
            break
    return "".join(f"{history[index].text}\n" for index in sorted(chosen))


def nothing(_history: Sequence[Line], _features: Features) -> Ranked:
    """No memory at all."""
    return []


def lead(history: Sequence[Line], _features: Features) -> Ranked:
    """From the oldest on."""
    return list(range(len(history)))


def tail(history: Sequence[Line], _features: Features) -> Ranked:
    """From the newest back, line by line."""
    return list(range(len(history) - 1, -1, -1))


def shuffled(history: Sequence[Line], _features: Features) -> Ranked:
    """By chance, with a fixed seed."""
    order = list(range(len(history)))
    random.Random(SEED).shuffle(order)  # noqa: S311  # a sample, not a secret
    return order


def last_journals(history: Sequence[Line], _features: Features) -> Ranked:
    """The last N journals, as many as fit: the newest first, each from its beginning."""
    return sorted(range(len(history)), key=lambda index: (-history[index].journal, index))


def density(history: Sequence[Line], features: Features) -> Ranked:
    """By how rare a line's words are, for its length."""
    rarity = idf(features(line.text) for line in history)

    def worth(index: int) -> float:
        text = history[index].text
        return sum(rarity[feature] for feature in sorted(features(text))) / (_OVERHEAD + len(text))

    return sorted(_first(history), key=lambda index: (-worth(index), index))


def submodular(history: Sequence[Line], features: Features) -> Ranked:
    """By what a line adds to those before it: greedy coverage of words, the frequent ones heavier, for its length."""
    return _greedy(history, features, half_life=None)


def submodular_recency(history: Sequence[Line], features: Features) -> Ranked:
    """The same, where a mention three journals old counts half."""
    return _greedy(history, features, half_life=HALF_LIFE)


def coverage_idf(history: Sequence[Line], features: Features) -> Ranked:
    """Greedy coverage of words, the rare ones heavier, for its length."""
    rarity = idf(features(line.text) for line in history)
    return _covering(history, features, rarity, dict.fromkeys(range(len(history)), 1.0))


def keywords(history: Sequence[Line], _features: Features) -> Ranked:
    """What a keyword consolidator keeps: the last lines as they are, then lines with one of ten words, newest first."""
    recent = list(range(len(history) - 1, max(-1, len(history) - 1 - _VERBATIM), -1))
    known = (index for index in range(len(history) - 1, -1, -1) if index not in recent)
    return [*recent, *(index for index in known if any(word in history[index].text.lower() for word in KEYWORDS))]


def idf(texts: Iterable[frozenset[str]]) -> dict[str, float]:
    """Return how rare each feature is among these lines: the logarithm of one in so many."""
    counts: Counter[str] = Counter()
    many = 0
    for features in texts:
        counts.update(features)
        many += 1
    return {feature: math.log(1 + (many - count + 0.5) / (count + 0.5)) for feature, count in counts.items()}


def _first(history: Sequence[Line]) -> list[int]:
    """Return the last place of each distinct line: a text that is said twice is kept once, as it was said last."""
    return sorted({line.text: index for index, line in enumerate(history)}.values())


def _greedy(history: Sequence[Line], features: Features, *, half_life: float | None) -> Ranked:
    newest = max((line.journal for line in history), default=0)
    fresh = {journal: 0.5 ** ((newest - journal) / half_life) if half_life else 1.0 for journal in range(newest + 1)}
    mentions: dict[str, float] = {}
    for line in history:
        for feature in features(line.text):
            mentions[feature] = mentions.get(feature, 0.0) + fresh[line.journal]
    weights = {feature: math.log1p(count) for feature, count in mentions.items()}
    return _covering(history, features, weights, {index: fresh[line.journal] for index, line in enumerate(history)})


def _covering(
    history: Sequence[Line], features: Features, weights: Mapping[str, float], fresh: Mapping[int, float]
) -> Ranked:
    """Return lines by what each adds for its length. Gains only shrink: one that leads when redone is the greatest."""
    contents = {index: features(history[index].text) for index in _first(history)}
    covered: set[str] = set()

    def gain(index: int) -> float:
        new = sum(weights[feature] for feature in sorted(contents[index] - covered))
        return new * fresh[index] / (_OVERHEAD + len(history[index].text))

    heap = [(-gain(index), index, 0) for index in contents]
    heapq.heapify(heap)
    ranked: Ranked = []
    while heap:
        worth, index, at = heapq.heappop(heap)
        if at != len(ranked):
            heapq.heappush(heap, (-gain(index), index, len(ranked)))
        elif worth < 0:
            ranked.append(index)
            covered |= contents[index]
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
