"""The small words of a text in any language: those that it has, whatever it is about.

Owns telling the language of a text by them. Refuses what English has too where nothing else tells the language: `die`
and `door` are no small words there. The lists are the sections `stop`, `asking` and `shared` of `lexicon`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.language.tokenizer import fold, has_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

_LEAST = 2  # different words that tell a language
_WORD = re.compile(r"\w+")
_SIGNS = {"ja": re.compile("[\u3040-\u30ff]"), "ko": re.compile("[가-힣]"), "zh": re.compile("")}
WIDE = tuple(_SIGNS)  # the languages without spaces, and Korean


@lru_cache(maxsize=1)
def not_missed() -> frozenset[str]:
    """Return the small and asking words of all languages but English: none is missed where a memory lacks it."""
    known = (lexicon.words(section, language) for section in ("stop", "asking") for language in lexicon.SPACED)
    return frozenset().union(*known) - lexicon.words("shared") - lexicon.words("stop")


def small(folded: Iterable[str]) -> frozenset[str]:
    """Return the small words of the language that these folded words are of; none where they may be English."""
    present = not_missed().intersection(folded)
    if len(present) < _LEAST and all(map(str.isascii, present)):  # one in letters of their own is enough
        return frozenset()
    return max((lexicon.words("stop", language) for language in lexicon.SPACED), key=lambda own: len(own & present))


def small_of_question(folded: Iterable[str]) -> frozenset[str]:
    """Return the small words of the language of a question; none where it may be English."""
    own = language_of_question(folded)
    return lexicon.words("stop", own) if own else frozenset()


def language_of_question(folded: Iterable[str]) -> str:
    """Return the language of a question's folded words, as `lexicon` names it; "" where it may be English.

    A question is short: one word that English does not have tells its language beside one that English has too
    (`wann` beside `die`), or three that both have (`wie hat die`), if there are more of these than of English ones.
    """
    spoken = frozenset(folded)
    present = not_missed() & spoken
    shared = {name: lexicon.words("stop", name) & spoken for name in lexicon.SPACED}
    best = max(shared, key=lambda name: (len(shared[name] & present), len(shared[name])))
    is_plain = len(shared[best]) >= max(_LEAST, 1 + len(lexicon.words("stop") & spoken))
    is_sure = shared[best] & present or len(shared[best]) > _LEAST
    return best if (is_plain and is_sure) or small(spoken) else ""


def language(text: str) -> str:
    """Return the language that a text is in, as `lexicon` names it; "" where fewer than two small words tell it."""
    if has_wide(text):
        return next(name for name, sign in _SIGNS.items() if sign.search(text))
    known = _languages()
    shares = dict.fromkeys(("en", *lexicon.SPACED), 0)
    for word in known.keys() & _WORD.findall(fold(text)):
        for name in known[word]:
            shares[name] += 1
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _LEAST else ""


@lru_cache(maxsize=1)
def _languages() -> dict[str, list[str]]:
    """Return by each small word the languages with spaces that have it."""
    known: dict[str, list[str]] = {}
    for name in ("en", *lexicon.SPACED):
        for word in lexicon.words("stop", name):
            known.setdefault(word, []).append(name)
    return known


def without_small(text: str) -> str:
    """Return a question without the small words of Chinese and Japanese, which have no spaces, and of Korean."""
    return _run_on().sub(" ", text) if has_wide(text) else text


@lru_cache(maxsize=1)
def _run_on() -> re.Pattern[str]:
    """Return what finds them: Korean words whole, and the endings of others that leave two signs before them."""
    small = lexicon.by_language("stop.asked")
    korean, ends = ("|".join(words) for words in (small["ko"], lexicon.by_language("stop.asked ends")["ko"]))
    spaced = rf"(?<![가-힣])(?:{korean})(?![가-힣])|(?<=[가-힣]{{2}})(?:{ends})(?![가-힣])"
    return re.compile("|".join((*lexicon.by_language("stop")["zh"], *small["ja"], spaced)))
