"""The small words of a question in any language: those that it has, whatever it is about.

Owns telling a question's language by them. Refuses what English has too where nothing else tells the language: `die`
and `door` are no small words there. The lists are the sections `stop`, `asking` and `shared` of `lexicon`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

_LEAST = 2  # different words that tell a language


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
