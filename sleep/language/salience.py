"""Salience: how likely what a text speaks of is to be spoken of again, told by how often and how lately it was.

Owns the worth of names, of pairs of names that stand in one line, and (little) of words. Refuses to choose: that is
`coverage`'s. Only sums, products, quotients and square roots, which every machine rounds alike.

Measured on the daily logs of four projects: a name that stood in the last instance returns in the next with a chance
of 0.05, 0.12, 0.23, 0.35 if it stood in 1, 2, 3 to 4, 5 to 8 instances; the chance falls with the time since it stood
about as one over it; a pair of names does so with half the chance. So the chance grows faster than the count, and its
tail is a power's, not an exponential's. Of two pairs that were said as often, that returns whose names are said more:
fitted on two of the projects, the odds are the pair's strength by the power of 1.5 and the root of those of its names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from math import sqrt
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING

from sleep.language import terms
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FADE = 0.5  # what saying a thing once more is worth, in shares of the time before
_PAIR = 0.2  # a pair, beside a name of the same chance
_WORD = 0.03  # a word, beside a name
_UNHEARD = 0.02  # the chance of what was not spoken of lately
_HALF = 4.0  # the strength at which the chance is one half
_TOGETHER = 16.0  # a pair, beside a name of the same chance, where the chance is reckoned from its names too,
_TOGETHER_ODDS = 0.006  # and the odds where all three strengths are one
_MOST = 16  # names of one line that are paired
_LONG = 400  # characters of a line; what is further apart does not stand together
BETWEEN = "\0"  # the two names of a pair


class Mentions(NamedTuple):
    """What a text speaks of: names, pairs of names (`a NUL b`), and words (with a space before them)."""

    names: tuple[str, ...]
    pairs: tuple[str, ...]
    words: tuple[str, ...]


@memo(1 << 11, Mentions._make)  # what instances say that are read whole is asked for again when it goes
def mentions(text: str) -> Mentions:
    """Return what a text on one line speaks of, each in the order of the alphabet."""
    spoken = terms.find(text)
    # One object for each word: many texts speak of it, and it is counted of many instances.
    words = tuple([intern(f" {word}") for word in sorted(spoken.words | spoken.capitals | spoken.figures)])
    return Mentions(tuple(sorted(spoken.names)), _pairs(text, spoken.names), words)


def _pairs(text: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the pairs of names that stand together; not of a name and a part of it."""
    if len(text) > _LONG:
        runs = (text[at : at + _LONG] for at in range(0, len(text), _LONG))
        return tuple(sorted({pair for run in runs for pair in mentions(run).pairs}))
    names = names if BETWEEN not in text else frozenset(name for name in names if BETWEEN not in name)
    chosen = sorted(sorted(names, key=lambda name: (-len(name), name))[:_MOST])
    return tuple(
        f"{name}{BETWEEN}{other}"
        for at, name in enumerate(chosen)
        for other in chosen[at + 1 :]
        if name not in other and other not in name
    )


class Spoken:
    """What instances spoke of: in how many lines of each a name, a word or a pair stands.

    It follows what is left of instances: of those that are as they were nothing is counted again.
    """

    def __init__(self) -> None:
        self.single: dict[str, dict[int, int]] = {}  # of names and words: lines by instance
        self.pairs: dict[str, dict[int, int]] = {}
        self._lines: dict[int, tuple[str, ...]] = {}

    def follow(self, instances: Mapping[int, Sequence[str]]) -> None:
        """Count what instances say now, each by its number, in the place of what they said."""
        for number in {*self._lines, *instances}:
            before, now = self._lines.get(number, ()), tuple(instances.get(number, ()))
            if before != now:
                old, new = Counter(before), Counter(now)
                self._count(number, (old - new).elements(), -1)
                self._count(number, (new - old).elements(), 1)
        self._lines = {number: tuple(lines) for number, lines in instances.items()}

    def _count(self, number: int, lines: Iterable[str], times: int) -> None:
        spoken = [mentions(line) for line in lines]
        single = chain.from_iterable(keys for line in spoken for keys in (line.names, line.words))
        pairs = chain.from_iterable(line.pairs for line in spoken)
        for counts, keys in ((self.single, single), (self.pairs, pairs)):
            for key, count in Counter(keys).items():
                own = counts.get(key)
                if own is None:
                    counts[key] = {number: times * count}
                elif now := own.get(number, 0) + times * count:
                    own[number] = now
                else:
                    del own[number]
                    if not own:
                        del counts[key]


class Worths(Mapping[str, float]):
    """What each name, pair and word that was spoken of is worth, reckoned when it is asked for: most never are.

    The worth of a name or word is the chance that it is spoken of, less the more lines it stood in: what is everywhere
    tells little. A pair is worth its chance.

    Args:
        spoken: what instances spoke of; it must not follow them any further while it is asked.
        ages: by the number of an instance, how many are newer.
    """

    def __init__(self, spoken: Spoken | None = None, ages: Mapping[int, int] = MappingProxyType({})) -> None:
        self._spoken = spoken or Spoken()
        self._fades = {number: sqrt(1 + age) for number, age in ages.items()}
        self._reckoned: dict[str, float] = {}

    def __getitem__(self, key: str) -> float:
        """Return what was spoken of is worth; raises KeyError for what was not."""
        if key not in self:
            raise KeyError(key)
        return self._of(key)

    def __contains__(self, key: object) -> bool:
        """Return whether something was spoken of."""
        return key in self._spoken.single or key in self._spoken.pairs

    def __iter__(self) -> Iterator[str]:
        """Yield the names and words, then the pairs."""
        return chain(self._spoken.single, self._spoken.pairs)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._spoken.single) + len(self._spoken.pairs)

    def of(self, spoken: Mentions) -> dict[str, float]:
        """Return what is spoken of, each with its worth; of pairs those that were spoken of before."""
        reckoned, pairs = self._reckoned, self._spoken.pairs
        return {
            key: reckoned[key] if key in reckoned else self._of(key)
            for keys in (spoken.names, [pair for pair in spoken.pairs if pair in pairs], spoken.words)
            for key in keys
        }

    def _of(self, key: str) -> float:
        """Return the worth of a key, also of one that was not spoken of."""
        is_word = key[0] == " "
        if (pair := self._spoken.pairs.get(key)) is not None:
            worth = self._of_pair(key, self._strength(pair))
        elif (counts := self._spoken.single.get(key)) is not None:
            worth = (_chance(self._strength(counts)) + _UNHEARD) / sqrt(sqrt(sum(counts.values())))
            worth = worth * _WORD if is_word else worth
        else:
            worth = _UNHEARD * _WORD if is_word else _UNHEARD
        self._reckoned[key] = worth
        return worth

    def _of_pair(self, _key: str, strength: float) -> float:
        return _PAIR * _chance(strength)

    def _strength(self, counts: Mapping[int, int]) -> float:
        """Return how often and how lately something was said, by lines and instance."""
        strength, fades = 0.0, self._fades
        if len(counts) == 1:  # as most were
            ((number, count),) = counts.items()
            return sqrt(count) / fades[number]
        for number in sorted(counts, reverse=True):  # in one order, for sums are rounded
            strength += sqrt(counts[number]) / fades[number]
        return strength


class Returns(Worths):
    """The same, where the chance of a pair is told by its two names too, and what stands together counts most."""

    def __init__(self, spoken: Spoken | None = None, ages: Mapping[int, int] = MappingProxyType({})) -> None:
        super().__init__(spoken, ages)
        self._strengths: dict[str, float] = {}  # of names: each is in many pairs

    def _of_pair(self, key: str, strength: float) -> float:
        name, other = map(self._strength_of_name, key.split(BETWEEN))
        odds = _TOGETHER_ODDS * strength * sqrt(strength) * sqrt(name * other)
        return _TOGETHER * odds / (1 + odds)

    def _strength_of_name(self, name: str) -> float:
        if name not in self._strengths:
            self._strengths[name] = self._strength(self._spoken.single.get(name, {}))
        return self._strengths[name]


def _chance(strength: float) -> float:
    odds = strength / _HALF
    odds *= sqrt(odds)
    return odds / (1 + odds)


def weigh(instances: Mapping[int, Sequence[str]], make: type[Worths] = Worths, spoken: Spoken | None = None) -> Worths:
    """Return what each name, pair and word that was spoken of is worth to whoever comes next.

    Args:
        instances: the lines of each instance by its number, the newest of which is the highest.
        make: how it is reckoned.
        spoken: what instances spoke of before, which then follows these: what it returned last holds no more.
    """
    spoken = spoken or Spoken()
    spoken.follow(instances)
    return make(spoken, {number: age for age, number in enumerate(sorted(instances, reverse=True))})


def worth(text: str, known: Worths) -> dict[str, float]:
    """Return what a text on one line says, each with its worth, known from `weigh`; in the same order everywhere."""
    return known.of(mentions(text))


NOTHING = Worths()  # what is known where nothing was spoken of
