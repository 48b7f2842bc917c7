"""Tensions: standing records that say different things of one subject, and decisions that are due to be looked at.

Owns finding the pairs among many (what puts two texts at odds is `oppositions`'), and the conditions that a program
can judge. Refuses to say which side is right. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from sleep.documents.register import REVIEWED
from sleep.records import address as addressing
from sleep.records import oppositions, revisit
from sleep.records.oppositions import CHOICE, VALUE
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.records.oppositions import Signs

_TOKENS = re.compile(
    r"(?:past|over|above|exceeds?|more than|beyond) (?:~ ?)?(\d[\d,_.]*) ?(k|m)? tokens", re.IGNORECASE
)
_COUNT = re.compile(r"(?:after|in|every|past) (\d+) (?:more )?(?:instances?|cycles?|sleeps?)", re.IGNORECASE)
_LISTED = (VALUE, CHOICE)
_COMMON = 40  # records that share a word: too many for it to tell anything


class Tension(NamedTuple):
    """Two records of one subject that say different things, the older first, and how, as `oppositions.compare` says."""

    older: Fragment
    newer: Fragment
    how: str


class Due(NamedTuple):
    """A decision whose condition to look at it again has come true, and by what."""

    fragment: Fragment
    condition: str
    why: str


class Compared:
    """The records that an earlier cycle compared: the words that lead to each, and the pairs that are at odds.

    A cycle changes a few records of many: those alone are compared with what shares a word with them.
    """

    def __init__(self) -> None:
        self._texts: dict[Address, str] = {}
        self._signs: dict[Address, Signs] = {}
        self._index: dict[str, set[Address]] = {}  # by word, the records whose subject has it
        self._odds: dict[tuple[Address, Address], str] = {}

    def differing(self, texts: Mapping[Address, str]) -> dict[tuple[Address, Address], str]:
        """Return how two of these records are at odds, the older first, in order; remember it for the next time."""
        gone = [at for at, text in self._texts.items() if texts.get(at) != text]
        fresh = [at for at, text in texts.items() if self._texts.get(at) != text]
        freed = self._forget(gone)
        for at in fresh:
            self._texts[at] = texts[at]
            self._signs[at] = signs = oppositions.signs(texts[at])
            for word in signs.subject:
                self._index.setdefault(word, set()).add(at)
        for older, newer in self._new_pairs(fresh, freed):
            may_differ = oppositions.may_differ(self._signs[older], self._signs[newer])
            if may_differ and (how := oppositions.compare(texts[older], texts[newer])):
                self._odds[older, newer] = how
        return {pair: self._odds[pair] for pair in sorted(self._odds) if self._share_a_rare_word(*pair)}

    def _forget(self, gone: Collection[Address]) -> set[str]:
        """Forget records; return the words that were common with them."""
        freed = set()
        for at in gone:
            for word in self._signs.pop(at).subject:
                own = self._index[word]
                if len(own) > _COMMON:
                    freed.add(word)
                own.remove(at)
                if not own:
                    del self._index[word]
            del self._texts[at]
        left = set(gone)
        self._odds = {pair: how for pair, how in self._odds.items() if left.isdisjoint(pair)}
        return freed

    def _new_pairs(self, fresh: Iterable[Address], freed: Iterable[str]) -> set[tuple[Address, Address]]:
        """Return the pairs that share a word which few have, of which nobody knows yet whether they are at odds."""
        pairs: set[tuple[Address, Address]] = set()
        for at in fresh:
            for word in self._signs[at].subject:
                if len(own := self._index[word]) <= _COMMON:
                    pairs.update((min(at, other), max(at, other)) for other in own if other != at)
        for word in freed:
            if len(own := self._index.get(word, set())) <= _COMMON:
                pairs.update(combinations(sorted(own), 2))
        return pairs

    def _share_a_rare_word(self, older: Address, newer: Address) -> bool:
        both = self._signs[older].subject & self._signs[newer].subject
        return any(len(self._index[word]) <= _COMMON for word in both)


def tensions(standing: Iterable[Fragment], compared: Compared | None = None) -> list[Tension]:
    """Return the pairs that are at odds, in the order in which they were said.

    Of sentences that differ in one place alone only two make a pair: more of a kind are a list. Only those are
    compared that share a word which few have, and by `compared` those that are new.
    """
    records = {fragment.identity: fragment for fragment in standing}
    differing = (compared or Compared()).differing({at: fragment.text for at, fragment in records.items()})
    pairs = [Tension(records[older], records[newer], how) for (older, newer), how in differing.items()]
    values = Counter(side.identity for pair in pairs if pair.how in _LISTED for side in pair[:2])
    return [pair for pair in pairs if pair.how not in _LISTED or all(values[side.identity] == 1 for side in pair[:2])]


def due(decisions: Iterable[Fragment], size: Callable[[], int], slept: Sequence[int], now: str) -> Iterator[Due]:
    """Yield the decisions that are due to be looked at again, but for those that somebody has looked at.

    Args:
        decisions: those that stand.
        size: returns the tokens of the memory; few conditions ask.
        slept: the numbers of the instances that were slept on.
        now: ISO 8601.
    """
    for fragment in decisions:
        condition = fragment.field(revisit.CONDITION)
        if condition and (why := _why_due(fragment, condition, size, slept, now)):
            yield Due(fragment, condition, why)


def _why_due(fragment: Fragment, condition: str, size: Callable[[], int], slept: Sequence[int], now: str) -> str:
    """Return why a condition has come true, "" where it has not. Who kept it settled that; a count begins anew."""
    reviewed = addressing.parse(fragment.field(REVIEWED))
    if match := _COUNT.search(condition):
        last = reviewed.instance.number if reviewed else fragment.identity.number
        since = sum(number > last for number in slept)
        return f"{since} instances have slept since" if since >= int(match[1]) else ""
    if reviewed:
        return ""
    if (match := _TOKENS.search(condition)) and (tokens := size()) > _amount(match):
        return f"memory has {tokens} tokens"
    return f"it is {now[:10]}" if revisit.has_come(condition, now) else ""


def _amount(match: re.Match[str]) -> float:
    number = float(match[1].replace(",", "").replace("_", "").rstrip("."))
    return number * {"k": 1e3, "m": 1e6}.get((match[2] or "").lower(), 1)
