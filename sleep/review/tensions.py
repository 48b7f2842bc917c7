"""Tensions: standing records that say different things of one subject, and decisions that are due to be looked at.

Owns finding the pairs among many (what puts two texts at odds is `oppositions`'), and the conditions that a program
can judge. Refuses to say which side is right. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from sleep.documents.register import REVIEWED
from sleep.records import address as addressing
from sleep.records import oppositions, revisit
from sleep.records.oppositions import CHOICE, VALUE
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.records.fragment import Fragment

_TOKENS = re.compile(
    r"(?:past|over|above|exceeds?|more than|beyond) (?:~ ?)?(\d[\d,_.]*) ?(k|m)? tokens", re.IGNORECASE
)
_COUNT = re.compile(r"(?:after|in|every|past) (\d+) (?:more )?(?:instances?|cycles?|sleeps?)", re.IGNORECASE)
_LISTED = (VALUE, CHOICE)
_compare = lru_cache(maxsize=1 << 14)(oppositions.compare)  # each cycle of a sleep asks it of nearly the same pairs
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


def tensions(standing: Sequence[Fragment]) -> list[Tension]:
    """Return the pairs that are at odds, in the order in which they were said.

    Of sentences that differ in one place alone only two make a pair: more of a kind are a list.
    """
    ordered = sorted(standing, key=lambda fragment: fragment.identity)
    pairs = [
        Tension(older, newer, how) for older, newer in _neighbours(ordered) if (how := _compare(older.text, newer.text))
    ]
    values = Counter(side.identity for pair in pairs if pair.how in _LISTED for side in pair[:2])
    return [pair for pair in pairs if pair.how not in _LISTED or all(values[side.identity] == 1 for side in pair[:2])]


def _neighbours(ordered: Sequence[Fragment]) -> Iterator[tuple[Fragment, Fragment]]:
    """Yield the pairs that share a word which few have and may be at odds, in their order."""
    index: dict[str, list[int]] = {}
    signs = [oppositions.signs(fragment.text) for fragment in ordered]
    for number, fragment in enumerate(ordered):
        for word in oppositions.subject(fragment.text):
            index.setdefault(word, []).append(number)
    pairs = {pair for numbers in index.values() if len(numbers) <= _COMMON for pair in combinations(numbers, 2)}
    differing = sorted(pair for pair in pairs if oppositions.may_differ(signs[pair[0]], signs[pair[1]]))
    yield from ((ordered[first], ordered[second]) for first, second in differing)


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
