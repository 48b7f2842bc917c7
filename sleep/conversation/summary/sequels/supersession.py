"""Choices that a later one takes the place of: they stay, and say so.

Owns finding them: a sentence that replaces something names it, and the choices and rules before it that share the name
are past. Refuses to say so of several at once: a word that many choices share names none of them.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import REQUEST, Fact
from sleep.conversation.summary.marks import CONSTRAINT, DECISION
from sleep.language import lexicon
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.conversation.messages.shapes import Turn

CHOICES = frozenset((DECISION, CONSTRAINT))
_REPLACING = CHOICES | {REQUEST}
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}|\d{2,}")
_OBJECT = 40  # characters behind a word that replaces, in which stands what is replaced
_COMMON = 3  # choices that share a word, from which on it names none of them
MARK = " (superseded"
BEFORE = -2  # the turn of what an earlier summary told, before all others


class _Replacement(NamedTuple):
    """A fact that takes the place of another: where it stands, and the words that name the other."""

    at: int
    place: int
    words: frozenset[str]


class Index:
    """Facts by their words, each read once, however much is asked; `words` are those of a fact by its place."""

    def __init__(self, words: dict[int, frozenset[str]]) -> None:
        self.words = words
        self._places: dict[str, list[int]] = {}
        for place, own in words.items():
            for word in own:
                self._places.setdefault(word, []).append(place)

    def sharing(self, words: Iterable[str]) -> Counter[int]:
        """Return how many of some words each fact has, by its place, where it has any."""
        return Counter(chain.from_iterable(self._places.get(word, ()) for word in words))


def supersede(rows: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes) -> list[Fact]:
    """Return facts, those of an earlier summary first, in which those that a later one replaces say so.

    `numbers` are the numbers of people's messages by the index of a turn; in `words` each word of the turns stands.
    """
    now = list(rows)
    replacements = _replacements(rows, turns, words)
    if not replacements:
        return now
    index = Index({at: words_of(fact.text) for at, fact in enumerate(rows) if fact.kind in CHOICES})
    for replacement in replacements:
        past = [at for at in index.sharing(replacement.words) if (now[at].at, now[at].place) < replacement[:2]]
        for at in past if len(past) <= _COMMON else ():
            now[at] = marked(now[at], replacement.at, numbers)
    return now


def _replacements(facts: Sequence[Fact], turns: Sequence[Turn], words: bytes) -> list[_Replacement]:
    """Return the facts that replace something. What an agent did `instead of` something explains."""
    likely = _likely([fact for fact in facts if fact.kind in _REPLACING and not fact.name and fact.at > BEFORE], words)
    of_agent = form("dialogue.replaces")
    of_person = form("dialogue.replaces", "dialogue.in place of")
    replacements = []
    for fact in likely:
        text = fact.text
        is_person = fact.at < 0 or turns[fact.at].role == "user"
        span = (of_person if is_person else of_agent).span(text)
        if span and not form("dialogue.supposes").search(text):
            names = words_of(text[span[1] : span[1] + _OBJECT]) or words_of(text[: span[0]])
            replacements.append(_Replacement(fact.at, fact.place, names))
    return replacements


def _likely(facts: Sequence[Fact], words: bytes) -> list[Fact]:
    """Return the facts in which a word stands that may say that something is replaced."""
    texts = [fact.text for fact in facts]
    signs = sieve.standing(sieve.likely(_signs(), words, texts), texts, others=True)
    low = [(fact, fact.text.lower()) for fact in facts if signs or not fact.text.isascii()]
    return [fact for fact, text in low if not text.isascii() or any(sign in text for sign in signs)]


def marked(fact: Fact, at: int, numbers: Sequence[int]) -> Fact:
    """Return a fact that says, once, that what was said in a turn took its place."""
    if MARK in fact.text:
        return fact
    return fact._replace(text=f"{fact.text}{MARK}{f' @{numbers[at]}' if 0 <= at < len(numbers) else ''})")


@functools.cache
def _signs() -> tuple[str, ...]:
    """Return pieces of words, one of which stands in every text of ASCII that replaces something."""
    return lexicon.phrases("marks.replaces")


@functools.lru_cache(512)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that name something; the humps of a name are words."""
    return frozenset(word.lower() for word in _WORD.findall(text)) - lexicon.words("stop") - lexicon.words("common")
