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
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

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


class Statement(NamedTuple):
    """A record's words, and whose they are."""

    identity: Address
    text: str


class Compared:
    """What was compared for an earlier cycle: the records, the words by which, and the pairs that are at odds.

    A cycle changes a few records of many; without it all pairs would be compared anew.
    """

    def __init__(self) -> None:
        self._records: set[Statement] = set()
        self._rare: set[str] = set()
        self._odds: dict[tuple[Statement, Statement], str] = {}

    def differing(self, ordered: Sequence[Fragment]) -> dict[tuple[int, int], str]:
        """Return how two records are at odds, by their places, in order; remember it for the next time."""
        records = [Statement(fragment.identity, fragment.text) for fragment in ordered]
        places = {record: place for place, record in enumerate(records)}
        index = _index(records)
        if len(places) < len(records):  # a record stands twice: its places tell nothing
            self._records, self._rare, self._odds = set(), set(), {}
            return self._new(records, (), index)
        rare = {word for word, own in index.items() if len(own) <= _COMMON}
        known = {places[record] for record in self._records if record in places}
        odds = self._new(records, known, index)
        odds |= {
            (places[older], places[newer]): how
            for (older, newer), how in self._odds.items()
            if older in places and newer in places and _share(older.text, newer.text, rare)
        }
        odds = {pair: odds[pair] for pair in sorted(odds)}
        self._records, self._rare = set(records), rare
        self._odds = {(records[older], records[newer]): how for (older, newer), how in odds.items()}
        return odds

    def _new(
        self, records: Sequence[Statement], known: Collection[int], index: Mapping[str, Sequence[int]]
    ) -> dict[tuple[int, int], str]:
        """Return how those are at odds, by their places, that were not compared: in order."""
        signs = [oppositions.signs(record.text) for record in records]
        pairs = {
            pair for word, own in index.items() if len(own) <= _COMMON for pair in self._new_pairs(word, own, known)
        }
        differing = sorted(pair for pair in pairs if oppositions.may_differ(signs[pair[0]], signs[pair[1]]))
        odds = {pair: oppositions.compare(records[pair[0]].text, records[pair[1]].text) for pair in differing}
        return {pair: how for pair, how in odds.items() if how}

    def _new_pairs(self, word: str, places: Sequence[int], known: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return the pairs of those that share a word, of which no earlier cycle knows whether they are at odds."""
        if word not in self._rare:
            return combinations(places, 2)
        fresh = [place for place in places if place not in known]
        return ((min(place, other), max(place, other)) for place in fresh for other in places if other != place)


def _index(records: Sequence[Statement]) -> dict[str, list[int]]:
    """Return the places of the records that speak of each word, in order."""
    index: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        for word in oppositions.subject(record.text):
            index.setdefault(word, []).append(place)
    return index


def _share(text: str, other: str, rare: Collection[str]) -> bool:
    """Return whether two texts share a word of these."""
    return any(word in rare for word in oppositions.subject(text) & oppositions.subject(other))


def tensions(standing: Sequence[Fragment], compared: Compared | None = None) -> list[Tension]:
    """Return the pairs that are at odds, in the order in which they were said.

    Of sentences that differ in one place alone only two make a pair: more of a kind are a list. Only those are
    compared that share a word which few have, and by `compared` those that are new.
    """
    ordered = sorted(standing, key=lambda fragment: fragment.identity)
    differing = (compared or Compared()).differing(ordered)
    pairs = [Tension(ordered[older], ordered[newer], how) for (older, newer), how in differing.items()]
    values = Counter(side.identity for pair in pairs if pair.how in _LISTED for side in pair[:2])
    return [pair for pair in pairs if pair.how not in _LISTED or all(values[side.identity] == 1 for side in pair[:2])]


def due(decisions: Sequence[Fragment], size: int, slept: Sequence[int], now: str) -> Iterator[Due]:
    """Yield the decisions that are due to be looked at again, but for those that somebody has looked at.

    Args:
        decisions: those that stand.
        size: tokens of the memory.
        slept: the numbers of the instances that were slept on.
        now: ISO 8601.
    """
    for fragment in decisions:
        condition = fragment.field(revisit.CONDITION)
        if condition and (why := _why_due(fragment, condition, size, slept, now)):
            yield Due(fragment, condition, why)


def _why_due(fragment: Fragment, condition: str, size: int, slept: Sequence[int], now: str) -> str:
    """Return why a condition has come true, "" where it has not. Who kept it settled that; a count begins anew."""
    reviewed = addressing.parse(fragment.field(REVIEWED))
    if match := _COUNT.search(condition):
        last = reviewed.instance.number if reviewed else fragment.identity.number
        since = sum(number > last for number in slept)
        return f"{since} instances have slept since" if since >= int(match[1]) else ""
    if reviewed:
        return ""
    if (match := _TOKENS.search(condition)) and size > _amount(match):
        return f"memory has {size} tokens"
    return f"it is {now[:10]}" if revisit.has_come(condition, now) else ""


def _amount(match: re.Match[str]) -> float:
    number = float(match[1].replace(",", "").replace("_", "").rstrip("."))
    return number * {"k": 1e3, "m": 1e6}.get((match[2] or "").lower(), 1)
