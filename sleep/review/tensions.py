"""Tensions: standing records that say different things of one subject, and decisions that are due to be looked at.

Owns both relations, by form: nearly the same words of which one side says no, or the same sentence with another figure
or version; and the conditions that a program can judge. Refuses to say which side is right. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents.register import REVIEWED
from sleep.language import similarity
from sleep.records import address as addressing
from sleep.records import topic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.records.fragment import Fragment

CONTRARY, VALUE = "one says no", "another value"
_TOKENS = re.compile(
    r"(?:past|over|above|exceeds?|more than|beyond) (?:~ ?)?(\d[\d,_.]*) ?(k|m)? tokens", re.IGNORECASE
)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_COUNT = re.compile(r"(?:after|in|every|past) (\d+) (?:more )?(?:instances?|cycles?|sleeps?)", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:not|never|no longer|without|avoid|stop|don'?t|do not|won'?t|against|drop|remove)\b|不", re.IGNORECASE
)
_ALIKE = 0.6
_SHORT = 3
_COMMON = 40  # records that share a word: too many for it to tell anything


class Tension(NamedTuple):
    """Two records of one subject that say different things, the older first, and how: `CONTRARY` or `VALUE`."""

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

    Of sentences that differ in their figures alone only two make a pair: more of a kind are a list.
    """
    ordered = sorted(standing, key=lambda fragment: fragment.identity)
    pairs = []
    for older, newer in _neighbours(ordered):
        if how := _at_odds(older.text, newer.text):
            pairs.append(Tension(older, newer, how))
    values = Counter(side.identity for pair in pairs if pair.how == VALUE for side in pair[:2])
    return [pair for pair in pairs if pair.how != VALUE or all(values[side.identity] == 1 for side in pair[:2])]


def _neighbours(ordered: Sequence[Fragment]) -> Iterator[tuple[Fragment, Fragment]]:
    """Yield the pairs that share most of their words, in their order."""
    index: dict[str, list[int]] = {}
    words = [topic.words(fragment.text) for fragment in ordered]
    for number, group in enumerate(words):
        for word in group:
            index.setdefault(word, []).append(number)
    pairs = {pair for numbers in index.values() if len(numbers) <= _COMMON for pair in combinations(numbers, 2)}
    for first, second in sorted(pairs):
        union = words[first] | words[second]
        if len(union) >= _SHORT and len(words[first] & words[second]) / len(union) >= _ALIKE:
            yield ordered[first], ordered[second]


def _at_odds(text: str, other: str) -> str:
    """Return how two sentences of one subject differ, "" where they do not."""
    if bool(_NOT.search(text)) != bool(_NOT.search(other)):
        return CONTRARY
    return VALUE if similarity.tells_anew(text, other) else ""


def due(decisions: Sequence[Fragment], size: int, slept: Sequence[int], now: str) -> Iterator[Due]:
    """Yield the decisions that are due to be looked at again, but for those that somebody has looked at.

    Args:
        decisions: those that stand.
        size: tokens of the memory.
        slept: the numbers of the instances that were slept on.
        now: ISO 8601.
    """
    for fragment in decisions:
        condition = fragment.field("revisit when")
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
    return f"it is {now[:10]}" if (match := _DATE.search(condition)) and now[:10] >= match[1] else ""


def _amount(match: re.Match[str]) -> float:
    number = float(match[1].replace(",", "").replace("_", "").rstrip("."))
    return number * {"k": 1e3, "m": 1e6}.get((match[2] or "").lower(), 1)
