"""Tensions: standing records that say different things of one subject, and decisions that are due to be looked at.

Owns finding the pairs among many (what puts two texts at odds is `oppositions`'), and the conditions that a program
can judge. Refuses to say which side is right. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from sleep import memo
from sleep.documents.register import REVIEWED
from sleep.memory.by_project.project_names import Projects
from sleep.records import address as addressing
from sleep.records import revisit
from sleep.records.relations import oppositions
from sleep.records.relations.opposition_index import OppositionIndex
from sleep.records.relations.oppositions import CHOICE, VALUE
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.memo import Answers
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

_TOKENS = re.compile(
    r"(?:past|over|above|exceeds?|more than|beyond) (?:~ ?)?(\d[\d,_.]*) ?(k|m)? tokens", re.IGNORECASE
)
_COUNT = re.compile(r"(?:after|in|every|past) (\d+) (?:more )?(?:instances?|cycles?|sleeps?)", re.IGNORECASE)
_LISTED = (VALUE, CHOICE)
NOWHERE = Projects()
_TWO = 2
_COMMON = 40  # records that share a word: too many for it to tell anything
# Of each record of the last run those older ones that it is at odds with, and how, by what they are kept by.
_LAST = memo.table_of(__name__)
_WORDS = ""  # by this the words that were common then


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
    """The records that an earlier cycle compared: what leads to each, and the pairs that are at odds.

    A cycle changes a few records of many: those alone are compared with what shares a word with them, and of those
    that a last run compared with each other it is known (`memo`). Each has a number, for an address takes long to
    look up.
    """

    def __init__(self) -> None:
        self._known: Answers = {}
        self._fresh: Answers | None = None
        self._texts: dict[Address, str] = {}
        self._numbers: dict[Address, int] = {}
        self._addresses: dict[int, Address] = {}
        self._index = OppositionIndex()
        self._odds: dict[tuple[Address, Address], str] = {}
        self._last = 0

    def differing(self, texts: Mapping[Address, str]) -> dict[tuple[Address, Address], str]:
        """Return how two of these records are at odds, the older first, in order; remember it for the next time."""
        gone = [at for at, text in self._texts.items() if texts.get(at) != text]
        fresh = [at for at, text in texts.items() if self._texts.get(at) != text]
        is_first = not self._texts
        freed = self._forget(gone)
        for at in fresh:
            self._last = number = self._last + 1
            self._texts[at], self._numbers[at], self._addresses[number] = texts[at], number, at
            self._index.add(number, oppositions.signs(texts[at]))
        if is_first:
            fresh, freed = self._recall(fresh)
        self._compare(fresh, freed)
        if self._fresh is not None:
            self._fresh[_WORDS] = tuple(word for word, own in self._index.words.items() if len(own) > _COMMON)
        return {pair: self._odds[pair] for pair in sorted(self._odds) if self._share_a_rare_word(*pair)}

    def _compare(self, fresh: Sequence[Address], freed: Iterable[str]) -> None:
        """Compare fresh records with all others, and those with each other that share a word common before."""
        for at in fresh:
            self._keep(at)
        for pair in self._new_pairs([self._numbers[at] for at in fresh], freed):
            older, newer = sorted(self._addresses[number] for number in pair)
            how = oppositions.compare(self._texts[older], self._texts[newer])
            if how and (older, newer) not in self._odds:
                self._odds[older, newer] = how
                self._keep(newer, (self._key(older), how))

    def _key(self, at: Address) -> str:
        """Return what a record is kept by: its address and its text."""
        return f"{at} {self._texts[at]}"

    def _recall(self, addresses: Sequence[Address]) -> tuple[list[Address], set[str]]:
        """Take over what a last run found out of pairs of these records.

        Returns those of which it knew nothing, and the words that were common then.
        """
        known = _LAST.known
        keys = {key: at for at in addresses if (key := self._key(at)) in known}
        pairs: list[tuple[str, str, str]] = [(older, newer, how) for newer in keys for older, how in known[newer]]
        self._odds = {(keys[older], keys[newer]): how for older, newer, how in pairs if older in keys}
        if _LAST.fresh is not None:
            self._known, self._fresh = _LAST.asked, _LAST.fresh = {key: known[key] for key in keys}, {}
        return [at for at in addresses if self._key(at) not in keys], set(known.get(_WORDS, ()))

    def _keep(self, newer: Address, *odds: tuple[str, str]) -> None:
        """Keep a record for the next run, and older ones that it is at odds with."""
        if self._fresh is not None:
            key = self._key(newer)
            self._fresh[key] = (*self._known.pop(key, self._fresh.get(key, ())), *odds)

    def _forget(self, gone: Collection[Address]) -> set[str]:
        """Forget records; return the words that were common with them."""
        freed = set()
        for at in gone:
            for answers in (self._known, self._fresh or {}):
                answers.pop(self._key(at), None)
            number = self._numbers.pop(at)
            freed |= {word for word in self._index[number].subject if len(self._index.words[word]) > _COMMON}
            self._index.remove(number)
            del self._texts[at], self._addresses[number]
        left = set(gone)
        self._odds = {pair: how for pair, how in self._odds.items() if left.isdisjoint(pair)}
        return freed

    def _new_pairs(self, fresh: Iterable[int], freed: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Yield pairs that share a word which few have, and that may be at odds, but nobody knows yet whether they are.

        Of nearly all pairs the index tells that they are not.
        """
        done: set[int] = set()
        words = self._index.words
        for number in fresh:
            having = [words[word] for word in self._index[number].subject]
            near = set[int]().union(*[own for own in having if len(own) <= _COMMON])
            done.add(number)
            for other in self._index.likely(number, near - done):
                yield number, other
        for word in freed:
            if len(own := words.get(word, set())) <= _COMMON:
                yield from combinations(own, 2)

    def _share_a_rare_word(self, older: Address, newer: Address) -> bool:
        both = self._index[self._numbers[older]].subject & self._index[self._numbers[newer]].subject
        return any(len(self._index.words[word]) <= _COMMON for word in both)


def tensions(
    standing: Iterable[Fragment], compared: Compared | None = None, projects: Projects = NOWHERE
) -> list[Tension]:
    """Return the pairs that are at odds, in the order in which they were said; none of two `projects`.

    Of sentences that differ in one place alone only two make a pair: more of a kind are a list. Only those are
    compared that share a word which few have, and by `compared` those that are new.
    """
    records = {fragment.identity: fragment for fragment in standing}
    differing = (compared or Compared()).differing({at: fragment.text for at, fragment in records.items()})
    pairs = [Tension(records[older], records[newer], how) for (older, newer), how in differing.items()]
    pairs = [pair for pair in pairs if len({projects.of(side.identity) for side in pair[:2]} - {""}) < _TWO]
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
        slept_since = "1 instance has" if since == 1 else f"{since} instances have"
        return f"{slept_since} slept since" if since >= int(match[1]) else ""
    if reviewed:
        return ""
    if (match := _TOKENS.search(condition)) and (tokens := size()) > _amount(match):
        return f"memory has {tokens} tokens"
    return f"it is {now[:10]}" if revisit.has_come(condition, now) else ""


def _amount(match: re.Match[str]) -> float:
    number = float(match[1].replace(",", "").replace("_", "").rstrip("."))
    return number * {"k": 1e3, "m": 1e6}.get((match[2] or "").lower(), 1)
