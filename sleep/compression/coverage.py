"""Choosing what to keep: budgeted maximum coverage of weighted terms, greedily.

Owns the algorithm: lines of several sentences, each worth the terms it says that are not said yet, bought by value for
length until the budget is spent. Knows nothing of Markdown, kinds or memory: those make the worths.

A term that was said `n` times already is worth `FADE ** n` of its worth. The choice is greedy, by gain for cost: Lin
and Bilmes, "Multi-document summarization via budgeted maximization of submodular functions", 2010.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heapify, heappop, heappush, heapreplace
from itertools import combinations, count
from math import fsum, inf
from operator import mul
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_Item = TypeVar("_Item")

FADE = 0.6
_DEEP = 40  # times that a term was said, after which once more counts no less
_FEW = 6  # sentences of a line whose combinations are tried
_HALF = 0.5
_LEAST = 1e-9
NO_LEANS: Mapping[int, int] = MappingProxyType({})


class LazyQueue(Generic[_Item]):
    """What may be chosen, the best first, where what something gains can only fall while others are chosen.

    So only the best is reckoned again before it is given (Minoux, "Accelerated greedy algorithms for maximizing
    submodular set functions", 1978). Of equals the smaller item comes first.

    Args:
        items: each with what it gains at the most.
        gain: returns what an item gains now.
    """

    def __init__(self, items: Iterable[tuple[float, _Item]], gain: Callable[[_Item], float]) -> None:
        self._gain = gain
        self._turn = 0
        self._queue = [(-most, item, -1) for most, item in items]
        heapify(self._queue)

    def add(self, item: _Item) -> None:
        """Take in an item."""
        heappush(self._queue, (-self._gain(item), item, self._turn))

    def change(self) -> None:
        """Note that something was chosen, so that all gains must be computed again."""
        self._turn += 1

    def __iter__(self) -> Iterator[tuple[float, _Item]]:
        """Yield the best of what is left, with its gain, until nothing is."""
        queue = self._queue
        while queue:
            loss, item, turn = queue[0]
            if turn < self._turn:
                heapreplace(queue, (-self._gain(item), item, self._turn))
            else:
                heappop(queue)
                yield -loss, item


class Part(NamedTuple):
    """A sentence: what each of its terms is worth where nobody else says it, and its cost."""

    worth: Mapping[str, float]
    cost: float


class Line(NamedTuple):
    """A line that may be kept in parts: its sentences, and what it costs besides as soon as one of them is kept.

    One that is `whole` is kept with all its sentences or not at all. A sentence that `leans` is kept only together with
    the one that it names there, which stands before it.
    """

    parts: tuple[Part, ...]
    overhead: float
    whole: bool = False
    leans: Mapping[int, int] = NO_LEANS

    def with_grounds(self, index: int) -> tuple[int, ...]:
        """Return a sentence with those before it without which it says half a thought, in order."""
        needed = [index]
        while needed[-1] in self.leans:
            needed.append(self.leans[needed[-1]])
        return tuple(sorted(needed))


class _Column(NamedTuple):
    """The terms of a sentence by number, and what each is worth."""

    numbers: tuple[int, ...]
    worths: list[float]


class _Move(NamedTuple):
    """Sentences of a line that can be kept together, the `first` of it or beside what is kept."""

    line: int
    parts: tuple[int, ...]
    first: bool = True


def choose(
    lines: Sequence[Line],
    budget: float,
    *,
    spoken: Mapping[str, int] | None = None,
    fade: float = FADE,
    effort: float = 0.0,
    thorough: bool = False,
) -> list[tuple[int, ...]]:
    """Return, for each line, the indexes of the sentences to keep, in order; () for a line that is left out.

    Args:
        lines: what there is to choose from.
        budget: what all that is kept may cost, in the unit of the costs.
        spoken: how often each term is said already, by what is kept anyway.
        fade: what saying a term once more is worth, in shares of the time before.
        effort: what one more line costs its reader, in the unit of costs; it counts in the choice, not in the budget.
        thorough: try the choice by gain as such too, and take the better of both; it matters where few lines fit.
    """
    densest = _greedy(_Choice(lines, spoken or {}, fade, effort, by_density=True), budget)
    best = densest
    if thorough:
        # The best for their length can leave room that nothing fits: then the best as such may say more.
        best = max(
            densest,
            _greedy(_Choice(lines, spoken or {}, fade, effort, by_density=False), budget),
            key=lambda choice: choice.total,
        )
    return [tuple(sorted(choice)) for choice in best.kept]


def _greedy(choice: _Choice, budget: float) -> _Choice:
    """Keep the best move that fits, again and again; return the choice, made."""
    moves = (_Move(index, parts) for index, line in enumerate(choice.lines) for parts in _moves(line))
    queue = LazyQueue(((choice.gain(move), move) for move in moves), choice.gain)
    left = budget
    for gain, best in queue:
        if choice.is_stale(best):
            continue
        price = choice.cost(best.line, best.parts)
        if gain <= 0 or price > left:
            continue
        left -= price
        choice.keep(best.line, best.parts)
        queue.change()
        line, chosen = choice.lines[best.line], choice.kept[best.line]
        if best.first or line.leans:  # the rest of the line is cheaper now, or needs less beside it
            for index in range(len(line.parts)):
                if index not in chosen:
                    needed = tuple(part for part in line.with_grounds(index) if part not in chosen)
                    queue.add(_Move(best.line, needed, first=False))
    return choice


class _Choice:
    """What is kept so far, what it is worth in all, and what more would gain and cost.

    A move's place in the queue is its gain for a unit of cost (`by_density`), or as such. Gains are reckoned many times
    over, so terms are numbers here, and a gain is the sum of two columns' products.
    """

    def __init__(
        self, lines: Sequence[Line], spoken: Mapping[str, int], fade: float, effort: float, *, by_density: bool
    ) -> None:
        self.lines = lines
        self.total = 0.0
        self._by_density = by_density
        self._effort = effort
        self.kept: list[set[int]] = [set() for _ in lines]
        self._steps = [fade**times for times in range(_DEEP + 1)]
        numbers: dict[str, int] = defaultdict(count().__next__)
        self._columns = [
            [_Column(tuple(map(numbers.__getitem__, part.worth)), [*part.worth.values()]) for part in line.parts]
            for line in lines
        ]
        # By number: how often a term was said, and what once more is worth.
        self._times = [spoken.get(term, 0) for term in numbers]
        self._left = [self._steps[min(_DEEP, times)] for times in self._times]

    def gain(self, move: _Move) -> float:
        """Return what a move gains now; of one that is stale anything, so that it is out of the way."""
        if self.is_stale(move):
            return inf
        gain = self._gain(move.line, move.parts)
        if self._by_density:
            gain /= max(self.cost(move.line, move.parts) + (self._effort if move.first else 0.0), _LEAST)
        return gain

    def is_stale(self, move: _Move) -> bool:
        """True if the line has changed since: what is left of it came into the queue anew with its first sentence."""
        chosen = self.kept[move.line]
        return bool(chosen) and (move.first or not chosen.isdisjoint(move.parts))

    def cost(self, line: int, parts: Sequence[int]) -> float:
        choices = self.lines[line]
        own = choices.parts[parts[0]].cost if len(parts) == 1 else sum([choices.parts[index].cost for index in parts])
        return own if self.kept[line] else own + choices.overhead

    def keep(self, line: int, parts: tuple[int, ...]) -> None:
        self.total += self._gain(line, parts)
        for number in {number for index in parts for number in self._columns[line][index].numbers}:
            self._times[number] += 1
            self._left[number] = self._steps[min(_DEEP, self._times[number])]
        self.kept[line].update(parts)

    def _gain(self, line: int, parts: tuple[int, ...]) -> float:
        own = self._columns[line]
        if len(parts) == 1 and not self.kept[line]:
            numbers, worths = own[parts[0]]
        else:
            numbers, worths = self._adds(line, parts)
        # Exact, so that every version of Python rounds it alike.
        return fsum(map(mul, worths, map(self._left.__getitem__, numbers)))

    def _adds(self, line: int, parts: tuple[int, ...]) -> _Column:
        """Return the terms that sentences add to what is kept of their line, and what each is worth there."""
        own = self._columns[line]
        there = {number for index in self.kept[line] for number in own[index].numbers}
        best: dict[int, float] = {}
        for index in parts:
            for number, worth in zip(*own[index], strict=True):
                if number not in there and worth > best.get(number, 0.0):
                    best[number] = worth
        return _Column(tuple(best), [*best.values()])


def _moves(line: Line) -> Iterator[tuple[int, ...]]:
    """Yield the sentences of a line that may be kept first: each alone, and the cheapest that say half of it."""
    everything = tuple(range(len(line.parts)))
    if line.whole or len(everything) == 1:
        yield everything
        return
    yield from (line.with_grounds(index) for index in everything)
    if 1 < len(everything) <= _FEW and len(half := _half(line)) > 1:
        yield half


def _half(line: Line) -> tuple[int, ...]:
    """Return the cheapest sentences that together say at least half of the line's terms."""
    numbers: dict[str, int] = {}
    terms = [sum(1 << numbers.setdefault(term, len(numbers)) for term in part.worth) for part in line.parts]
    least = _HALF * len(numbers)
    size = len(terms)
    best: tuple[float, tuple[int, ...]] | None = None
    for parts in (parts for number in range(1, size + 1) for parts in combinations(range(size), number)):
        if any(index in line.leans and line.leans[index] not in parts for index in parts):
            continue
        together = 0
        for index in parts:
            together |= terms[index]
        if together.bit_count() >= least:
            price = (sum(line.parts[index].cost for index in parts), parts)
            best = price if best is None else min(best, price)
    return best[1] if best else tuple(range(size))
