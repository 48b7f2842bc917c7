"""Choices that a later one takes the place of: they stay, and say so.

Owns finding them: a sentence that replaces something names it, and the choices and rules before it that share the name
are past. Refuses to say so of several at once: a word that many choices share names none of them.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import REQUEST, Fact
from sleep.conversation.summary.marks import CONSTRAINT, DECISION
from sleep.language import lexicon
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.shapes import Turn

CHOICES = frozenset((DECISION, CONSTRAINT))
_REPLACING = CHOICES | {REQUEST}
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}|\d{2,}")
_OBJECT = 40  # characters behind a word that replaces, in which stands what is replaced
_COMMON = 3  # choices that share a word, from which on it names none of them
MARK = " (superseded"


class _Replacement(NamedTuple):
    """A fact that takes the place of another: where it stands, the words that name the other, and that one's mark."""

    at: int
    place: int
    words: frozenset[str]
    mark: str


def supersede(
    old: Sequence[tuple[str, str]], facts: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes
) -> tuple[list[tuple[str, str]], list[Fact]]:
    """Return the facts of an earlier summary and the new ones; those that a later one replaces say so.

    `numbers` are the numbers of people's messages by the index of a turn; in `words` each word of the turns stands.
    """
    past, now = list(old), list(facts)
    for replacement in _replacements(facts, numbers, turns, words):
        before = [at for at, (kind, text) in enumerate(past) if kind in CHOICES and replacement.words & words_of(text)]
        beside = [at for at, fact in enumerate(now) if _is_replaced(fact, replacement)]
        if len(before) + len(beside) > _COMMON:
            continue
        for at in before:
            past[at] = (past[at][0], marked(past[at][1], replacement.mark))
        for at in beside:
            now[at] = now[at]._replace(text=marked(now[at].text, replacement.mark))
    return past, now


def _replacements(
    facts: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes
) -> list[_Replacement]:
    """Return the facts that replace something. What an agent did `instead of` something explains."""
    likely = _likely([fact for fact in facts if fact.kind in _REPLACING and not fact.name], words)
    of_agent = form("dialogue.replaces").written()
    of_person = form("dialogue.replaces", "dialogue.in place of").written()
    replacements = []
    for fact in likely:
        text = fact.text
        is_person = fact.at < 0 or turns[fact.at].role == "user"
        match = (of_person if is_person else of_agent).search(text)
        if match and not form("dialogue.supposes").search(text):
            names = words_of(text[match.end() : match.end() + _OBJECT]) or words_of(text[: match.start()])
            mark = f"{MARK} @{numbers[fact.at]})" if 0 <= fact.at < len(numbers) else f"{MARK})"
            replacements.append(_Replacement(fact.at, fact.place, names, mark))
    return replacements


def _likely(facts: Sequence[Fact], words: bytes) -> list[Fact]:
    """Return the facts in which a word stands that may say that something is replaced."""
    texts = [fact.text for fact in facts]
    signs = sieve.standing(sieve.likely(_signs(), words, texts), texts, others=True)
    low = [(fact, fact.text.lower()) for fact in facts if signs or not fact.text.isascii()]
    return [fact for fact, text in low if not text.isascii() or any(sign in text for sign in signs)]


def _is_replaced(fact: Fact, replacement: _Replacement) -> bool:
    is_earlier = fact.kind in CHOICES and (fact.at, fact.place) < (replacement.at, replacement.place)
    return is_earlier and bool(replacement.words & words_of(fact.text))


def marked(text: str, mark: str) -> str:
    """Return a text with a mark that it is past, once."""
    return text if MARK in text else text + mark


@functools.cache
def _signs() -> tuple[str, ...]:
    """Return pieces of words, one of which stands in every text of ASCII that replaces something."""
    return lexicon.phrases("marks.replaces")


@functools.lru_cache(512)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that name something; the humps of a name are words."""
    return frozenset(word.lower() for word in _WORD.findall(text)) - lexicon.words("stop") - lexicon.words("common")
