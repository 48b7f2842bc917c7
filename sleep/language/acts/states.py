"""States: what a text says of its thing, that it is open, broken, done, works or is gone, by its words.

Owns these states, which of them ends which, and their words by language (sections `state.NAME` of the data files); what
is denied is the opposite. Refuses to say what a text speaks of. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon, tokenizer
from sleep.memo import memo

OPEN, BROKEN, DONE, WORKS, GONE = "open", "broken", "done", "works", "gone"
STATES = (OPEN, GONE, DONE, WORKS, BROKEN)  # of several that a line says the first is its own
# What a later text has to say for an earlier one to hold no more, and what a state is where it is denied.
ENDS = {
    OPEN: frozenset((DONE, GONE)),
    BROKEN: frozenset((DONE, WORKS)),
    WORKS: frozenset((GONE, BROKEN)),
}
DENIED = {DONE: OPEN, WORKS: GONE, BROKEN: WORKS}
JOINT = re.compile(r"[./:@\\+#]+")  # cuts `src/a.py` in three
_NEAR = 4  # words before a word of a state, among which one may deny it
_NAMED = re.compile(r"`[^`]*`|\S*\w[/\\#_]\w\S*")  # code and paths: `fix/tests` says nothing of a fix
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@memo(1 << 14, frozenset, None)
def of(text: str) -> frozenset[str]:
    """Return the states that a text speaks of."""
    states, names = _states_of(), set()
    if not states.keys().isdisjoint(_tokens(text)):
        words = [word.casefold() for word in _WORD.findall(_NAMED.sub(" ", text))]
        denies, behind = lexicon.all_words("state.denies"), lexicon.all_words("state.denies behind")
        if not lexicon.all_words("state.supposes").isdisjoint(words):
            return frozenset()
        for index, word in enumerate(words):
            if name := states.get(word):
                before, after = words[max(0, index - _NEAR) : index], words[index + 1 : index + 2]
                is_denied = not denies.isdisjoint(before) or (name == WORKS and not behind.isdisjoint(after))
                names.add(DENIED.get(name, "") if is_denied else name)
    if not text.isascii():
        for name in STATES:
            for match in _runs(name).finditer(text):
                is_denied = text[: match.start()].endswith(_denials())
                names.add(DENIED.get(name, "") if is_denied else name)
    if text.partition(" ")[0].casefold() in lexicon.all_words("state.lacks"):
        names.add(BROKEN)
    return frozenset(names - {""})


def is_report(text: str) -> bool:
    """True for the label of a report and what it says: `Fix (commit 12ab): ...`, which `Fix the tests` is not."""
    return _reports().match(text) is not None


def words(*names: str) -> frozenset[str]:
    """Return the words by which states are said."""
    return frozenset(word for word, name in _states_of().items() if name in names)


def _tokens(text: str) -> set[str]:
    return {part for token in tokenizer.tokenize(text.lower()) for part in JOINT.split(token)}


@lru_cache(maxsize=1)
def _states_of() -> dict[str, str]:
    return {word: name for name in STATES for word in lexicon.all_words(f"state.{name}")}


@lru_cache(maxsize=len(STATES))
def _runs(name: str) -> re.Pattern[str]:
    """Return what finds the words of a state in a script without spaces."""
    words = [word for word in lexicon.all_words(f"state.{name}") if tokenizer.has_wide(word[0])]
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


@lru_cache(maxsize=1)
def _denials() -> tuple[str, ...]:
    """Return what denies the word that follows it, in scripts without spaces."""
    return tuple(word for word in lexicon.all_words("state.denies") if tokenizer.has_wide(word[0]))


@lru_cache(maxsize=1)
def _reports() -> re.Pattern[str]:
    words = "|".join(sorted(lexicon.all_words("state.reports")))
    return re.compile(rf"\W*(?:{words})\b ?(?:\([^)]*\))?[:：]", re.IGNORECASE)
