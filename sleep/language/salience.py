"""Salience: how likely what a text speaks of is to be spoken of again, told by how often and how lately it was.

Owns the worth of names, of pairs of names that stand in one line, and (little) of words. Refuses to choose: that is
`coverage`'s. Only sums, products, quotients and square roots, which every machine rounds alike.

Measured on the daily logs of four projects: a name that stood in the last instance returns in the next with a chance
of 0.05, 0.12, 0.23, 0.35 if it stood in 1, 2, 3 to 4, 5 to 8 instances; the chance falls with the time since it stood
about as one over it; a pair of names does so with half the chance. So the chance grows faster than the count, and its
tail is a power's, not an exponential's.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain, takewhile
from math import sqrt
from typing import TYPE_CHECKING

from sleep.language import terms
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RECENT = 10  # the instances that are worth looking back on
FADE = 0.5  # what saying a thing once more is worth, in shares of the time before
_PAIR = 0.2  # a pair, beside a name of the same chance
_WORD = 0.03  # a word, beside a name
_UNHEARD = 0.02  # the chance of what was not spoken of lately
_HALF = 4.0  # the strength at which the chance is one half
_MOST = 16  # names of one line that are paired
_LONG = 400  # characters of a line; what is further apart does not stand together
_BETWEEN = "\0"
_JOURNAL = 40  # lines, from which on what they speak of is kept at hand,
_LATEST = 3  # of the newest instances: what the tiers keep of those before changes from step to step


class Mentions(NamedTuple):
    """What a text speaks of: names, pairs of names (`a NUL b`), and words (with a space before them)."""

    names: tuple[str, ...]
    pairs: tuple[str, ...]
    words: tuple[str, ...]


@memo(1 << 14, Mentions._make)
def mentions(text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what a text on one line speaks of, each in the order of the alphabet."""
    spoken = terms.find(text)
    words = tuple(f" {word}" for word in sorted(spoken.words | spoken.capitals | spoken.figures))
    return tuple(sorted(spoken.names)), _pairs(text, spoken.names), words


def _pairs(text: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the pairs of names that stand together; not of a name and a part of it."""
    if len(text) > _LONG:
        runs = (text[at : at + _LONG] for at in range(0, len(text), _LONG))
        return tuple(sorted({pair for run in runs for pair in mentions(run).pairs}))
    chosen = sorted(sorted(names, key=lambda name: (-len(name), name))[:_MOST])
    return tuple(
        f"{name}{_BETWEEN}{other}"
        for at, name in enumerate(chosen)
        for other in chosen[at + 1 :]
        if name not in other and other not in name
    )


def weigh(instances: Sequence[Iterable[str]]) -> dict[str, float]:
    """Return what each name, pair and word that was spoken of is worth to whoever comes next.

    The worth of a name or word is the chance that it is spoken of, less the more lines it stood in: what is everywhere
    tells little. A pair is worth its chance.

    Args:
        instances: the lines of each instance, newest first.
    """
    histories = [tuple(spoken) for spoken in instances]
    journals = tuple(takewhile(lambda history: len(history) >= _JOURNAL, histories[:_LATEST]))
    summed = _summed(journals)
    strength, lines = dict(summed[0]), dict(summed[1])
    for age, spoken in enumerate(histories[len(journals) :], len(journals)):
        _add(strength, lines, (_few if len(spoken) < _JOURNAL else _many)(spoken), age)
    worths: dict[str, float] = {}
    for key, value in strength.items():
        odds = value / _HALF
        odds *= sqrt(odds)
        chance = odds / (1 + odds)
        if _BETWEEN in key:
            worths[key] = _PAIR * chance
            continue
        worth = (chance + _UNHEARD) / sqrt(sqrt(lines[key]))
        worths[key] = worth * _WORD if key[0] == " " else worth
    return worths


@lru_cache(maxsize=2)  # every step of a cycle asks it of the same few journals, which are the newest
def _summed(journals: tuple[tuple[str, ...], ...]) -> tuple[Mapping[str, float], Mapping[str, int]]:
    """Return the strength of each name, pair and word over the newest instances, and in how many lines it stands."""
    strength: dict[str, float] = {}
    lines: dict[str, int] = {}
    for age, spoken in enumerate(journals):
        _add(strength, lines, _known(spoken), age)
    return strength, lines


def _add(strength: dict[str, float], lines: dict[str, int], counts: Mapping[str, int], age: int) -> None:
    share = {count: sqrt(count) / sqrt(1 + age) for count in set(counts.values())}
    for key, count in counts.items():
        if key in strength:
            strength[key] += share[count]
            lines[key] += count
        else:
            strength[key] = share[count]
            lines[key] = count


def _counted(lines: tuple[str, ...]) -> Mapping[str, int]:
    """Return in how many of the lines each name, pair and word stands."""
    return Counter(chain.from_iterable(keys for line in lines for keys in mentions(line)))


_known = lru_cache(maxsize=12)(_counted)  # the next cycle asks it of all journals but the oldest again
_many = lru_cache(maxsize=1 << 8)(_counted)  # as of instances of which the tiers keep many lines still
_few = lru_cache(maxsize=1 << 9)(_counted)  # and of most instances of which the tiers keep a few lines


def worth(text: str, known: Mapping[str, float]) -> dict[str, float]:
    """Return what a text on one line says, each with its worth, known from `weigh`; in the same order everywhere."""
    spoken = mentions(text)
    worths = {name: known.get(name, _UNHEARD) for name in spoken.names}
    worths.update((pair, known[pair]) for pair in spoken.pairs if pair in known)
    worths.update((word, known.get(word, _UNHEARD * _WORD)) for word in spoken.words)
    return worths
