"""An index of texts by what puts two at odds: which of many may be, told without a look at each pair.

Owns what leads from one text to another: how they begin, what they deny and drop, what they say but for its measures.
What is at odds is `oppositions.compare`'s to say. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.records.relations import oppositions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.records.relations.oppositions import Signs


class OppositionIndex:
    """Texts by number, and what leads to each."""

    def __init__(self) -> None:
        self.words: dict[str, set[int]] = {}  # whose subject has a word
        self._signs: dict[int, Signs] = {}
        self._alike: dict[str, set[int]] = {}  # that begin with a word, or say one thing but for its measures
        self._dropped: dict[str, set[int]] = {}  # that say of something with a word that it holds no more
        self._deny: set[int] = set()

    def __getitem__(self, number: int) -> Signs:
        """Return the signs of a text."""
        return self._signs[number]

    def add(self, number: int, signs: Signs) -> None:
        """Take in a text."""
        self._signs[number] = signs
        for index, keys in self._indexes(signs):
            for key in keys:
                index.setdefault(key, set()).add(number)
        if signs.denies:
            self._deny.add(number)

    def remove(self, number: int) -> None:
        """Forget a text."""
        signs = self._signs.pop(number)
        for index, keys in self._indexes(signs):
            for key in keys:
                index[key].remove(number)
                if not index[key]:
                    del index[key]
        self._deny.discard(number)

    def _indexes(self, signs: Signs) -> tuple[tuple[dict[str, set[int]], Iterable[str]], ...]:
        leads = {word for gone, _ in signs.drops for word in oppositions.leads(gone)}
        return ((self.words, signs.subject), (self._alike, _keys(signs)), (self._dropped, leads))

    def likely(self, number: int, near: set[int]) -> set[int]:
        """Return those of some texts that may be at odds with another: of all others `compare` says "" both ways."""
        own, signs = self._signs[number], self._signs
        subject, affirmed = own.subject, own.affirmed
        other_way = near - self._deny if own.denies else near & self._deny
        sizes = range(len(affirmed) - 1, len(affirmed) + 2)  # told sooner than what two sets have apart
        likely = {
            other for other in other_way if len(words := signs[other].affirmed) in sizes and len(affirmed ^ words) <= 1
        }
        alike = near & self._alike[own.first] - other_way
        likely |= {other for other in alike if len(subject ^ signs[other].subject) <= oppositions.APART}
        if own.masked:
            likely |= near & self._alike[_whole(own)]
        return likely | self._drops(own, near)

    def _drops(self, own: Signs, near: set[int]) -> set[int]:
        """Return those of some texts that drop what another says, or say what it drops."""
        signs, drops = self._signs, set[int]()
        for gone, rest in own.drops:
            led = [near & self.words[word] for word in oppositions.leads(gone) if word in self.words]
            drops |= {other for other in set().union(*led) if oppositions.is_gone(signs[other].subject, gone, rest)}
        led = [near & self._dropped[word] for word in own.subject & self._dropped.keys()]
        for other in set[int]().union(*led) - drops:
            if any(oppositions.is_gone(own.subject, *drop) for drop in signs[other].drops):
                drops.add(other)
        return drops


def _keys(signs: Signs) -> tuple[str, ...]:
    return (signs.first, _whole(signs)) if signs.masked else (signs.first,)


def _whole(signs: Signs) -> str:
    """Return what a text says but for its measures, as a key that is no word."""
    return f" {signs.masked}"
