"""The terms of a sentence as compression counts them, each with what its form is worth.

Owns what each token is worth (words stemmed lightly, names and figures whole and in parts, ideographs in pairs), and
how much a sentence counts for by what it does. Refuses to weigh a term by how rare it is: over conversations and
meetings that kept less of what was asked for than counting every word alike. Fast enough for
millions of words: each token is looked at once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, sentences
from sleep.language.acts.forms import form
from sleep.language.stems import light
from sleep.language.tokenizer import has_wide, pairs, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME, CAPITAL, FIGURE, WHEN, PLAIN, LIGHT = 1.6, 1.3, 1.2, 2.0, 1.0, 0.4
_JOINT = re.compile(r"[./:@_-]")
_DIGITS = re.compile(r"[\d.:]+")
_HUMP = re.compile(r"[a-z0-9][A-Z]")
_SHORT = 3
_ASKS, _ASIDE, _HAPPENED, _WHY = 0.5, 0.5, 1.2, 1.2


@lru_cache(maxsize=1 << 12)
def terms(sentence: str) -> Mapping[str, float]:
    """Return the terms of a sentence, each with the worth of the best form it stands in (`NAME` ... `LIGHT`)."""
    worths: dict[str, float] = {}
    first = True
    for token in tokenize(sentence):
        for term, worth in _read(token):
            better = CAPITAL if not first and worth == PLAIN and token[0].isupper() else worth
            if better > worths.get(term, 0.0):
                worths[term] = better
        first = False
    return worths


@lru_cache(maxsize=1 << 12)
def factor(sentence: str) -> float:
    """Return how much the terms of a sentence count for: 1 for a plain statement, less for what asks or is said aside.

    What tells what happened, or why, counts for more.
    """
    value = _ASKS if sentences.asks(sentence) else 1.0
    if sentence[:1] in ("(", "（"):
        value *= _ASIDE
    if form("weights.past").search(sentence):
        value *= _HAPPENED
    if form("weights.reason").search(sentence):
        value *= _WHY
    return value


@lru_cache(maxsize=1 << 15)
def _read(token: str) -> tuple[tuple[str, float], ...]:
    """Return the terms of one token with the worth of its form."""
    if has_wide(token[0]):
        return tuple((pair, PLAIN) for pair in pairs(token))
    folded = token.casefold().replace("’", "'").removesuffix("'s")
    parts = [part for part in _JOINT.split(folded) if part]
    if len(parts) > 1:
        if token.replace("-", "").isalpha():
            return tuple(term for part in parts for term in _read(part))
        whole = (folded, FIGURE if _DIGITS.fullmatch(folded) else NAME)
        return (whole, *((part, PLAIN) for part in parts if len(part) >= _SHORT and part not in lexicon.words("stop")))
    return _word(token, folded)


def _word(token: str, folded: str) -> tuple[tuple[str, float], ...]:
    """Return the term that a token without joints is, if it says anything."""
    if _DIGITS.fullmatch(folded):
        return ((folded.lstrip("0") or "0", FIGURE),)
    if folded in lexicon.words("stop") or (len(folded) < _SHORT and not token.isupper()):
        return ()
    if not folded.replace("'", "").isalpha() or _HUMP.search(token) or (len(token) > 1 and token.isupper()):
        return ((folded, NAME),)
    stem = light(folded)
    forms = {folded, stem}
    if not forms.isdisjoint(lexicon.words("when")):
        return ((stem, WHEN),)
    return ((stem, PLAIN if forms.isdisjoint(lexicon.words("light")) else LIGHT),)
