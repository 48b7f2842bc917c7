"""The terms of a sentence as compression counts them, each with what its form is worth.

Owns cutting text into terms (words folded and stemmed, names and figures whole and in parts, ideographs in pairs) and
the three short lists of English words that say little, nothing, or when; and how much a sentence counts for by what it
does. Refuses to weigh a term by how rare it is: over conversations and meetings that kept less of what was asked for
than counting every word alike (docs/evaluation.md). Fast enough for millions of words: each token is looked at once.

The stem is Harman's S-stemmer ("How effective is suffixing?", 1991) with `-ed` and `-ing` besides.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME, CAPITAL, FIGURE, WHEN, PLAIN, LIGHT = 1.6, 1.3, 1.2, 2.0, 1.0, 0.4
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_WIDE}]+|#?[^\W{_WIDE}]+(?:['’./:@-][^\W{_WIDE}]+)*")
_IS_WIDE = re.compile(rf"[{_WIDE}]")
_JOINT = re.compile(r"[./:@_-]")
_DIGITS = re.compile(r"[\d.:]+")
_HUMP = re.compile(r"[a-z0-9][A-Z]")
_VOWEL = re.compile(r"[aeiouy]")
_SHORT, _STEM = 3, 3
_ASKS, _ASIDE, _HAPPENED, _WHY = 0.5, 0.5, 1.2, 1.2
_QUESTION = re.compile(r"[?？][\"'”’)\]*_`]*$")
_PAST = re.compile(
    r"\b(?:[a-z]{2,}ed|went|was|were|got|had|did|took|made|saw|gave|met|bought|found|told|left|won|lost|came|ran|built|"
    r"wrote|felt|broke|chose|kept|became|began|sent|set|put|cut|led)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|root cause|turned out|turns out|caused by|the cause|due to|so that|instead of|in order to|therefore|"
    r"did(?:n't| not) work|does(?:n't| not) work|the fix|fixed by|works now|conclusion)\b|因为|由于|原因|结论|解决",
    re.IGNORECASE,
)
_NOTHING = frozenset(
    """
    a an the and or but if then than that this these those of to in on at by for with from into onto over under
    about as is are was were be been being am do does did done doing have has had having i you he she it we they
    me him her us them my your his its our their mine yours hers ours theirs who whom whose which what when where
    why how not no nor so too very can could will would shall should may might must just also there here up out
    off down again once during before after because until while both each few more most other some such only own
    same all any it's i'm don't isn't didn't doesn't can't won't i've i'd i'll we're we've you're they're that's
    there's let's via per yet etc
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_SAYS_LITTLE = frozenset(
    """
    absolutely actually advice agree always amazing anyway anything appreciate awesome awful bet best better bit
    bring bye care catch challenge chance chat check cheer come congrat congratulation cool course crazy cute day
    deal definitely enjoy especially even ever every everything exactly excellent excite exciting experience fan
    fantastic favorite fave feel felt fine forward friend fun get give glad go going gone good gonna got gotta
    grateful great guess guy hang happy hard haha hear heard hello help hey hi hmm honestly hope idea important
    incredible inspire inspiring inspiration interest interesting joy journey keep kind kinda know learn let life
    like listen literally little look lot love lovely luck make many matter maybe memory mean mind moment much
    need never new nice nothing now oh ok okay ooh part passion passionate peace people perfect place plan please
    positive possible power powerful pretty probably proud question rather read ready real really reason relax
    remember right said saw say see share show side someone something soon sort sound special spend start stay
    still strong stuff super support sure surely sweet take talk tell thank thing think thought time today
    together totally tough true truly try understand use view wait wanna want way welcome well went whole wish
    wonder wonderful word work world worry worth wow yeah yep yes yup year yourself
    """.split()  # noqa: SIM905
)
_SAYS_WHEN = frozenset(
    """
    yesterday today tomorrow tonight ago last next week weekend month year morning monday tuesday wednesday
    thursday friday saturday sunday january february march april june july august september october november
    december summer winter spring autumn recently since birthday anniversary
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=1 << 14)
def terms(sentence: str) -> Mapping[str, float]:
    """Return the terms of a sentence, each with the worth of the best form it stands in (`NAME` ... `LIGHT`)."""
    found: dict[str, float] = {}
    first = True
    for token in _TOKEN.findall(sentence):
        for term, worth in _read(token):
            better = CAPITAL if not first and worth == PLAIN and token[0].isupper() else worth
            if better > found.get(term, 0.0):
                found[term] = better
        first = False
    return found


@lru_cache(maxsize=1 << 14)
def factor(sentence: str) -> float:
    """Return how much the terms of a sentence count for: 1 for a plain statement, less for what asks or is said aside.

    What tells what happened, or why, counts for more.
    """
    value = _ASKS if _QUESTION.search(sentence[-12:].rstrip()) else 1.0
    if sentence[:1] in ("(", "（"):
        value *= _ASIDE
    if _PAST.search(sentence):
        value *= _HAPPENED
    if _REASON.search(sentence):
        value *= _WHY
    return value


@lru_cache(maxsize=1 << 15)
def _read(token: str) -> tuple[tuple[str, float], ...]:
    """Return the terms of one token with the worth of its form."""
    if _IS_WIDE.match(token):
        return tuple((token[at : at + 2], PLAIN) for at in range(max(1, len(token) - 1)))
    folded = token.casefold().replace("’", "'").removesuffix("'s")
    parts = [part for part in _JOINT.split(folded) if part]
    if len(parts) > 1:
        if token.replace("-", "").isalpha():
            return tuple(term for part in parts for term in _read(part))
        whole = (folded, FIGURE if _DIGITS.fullmatch(folded) else NAME)
        return (whole, *((part, PLAIN) for part in parts if len(part) >= _SHORT and part not in _NOTHING))
    return _word(token, folded)


def _word(token: str, folded: str) -> tuple[tuple[str, float], ...]:
    """Return the term that a token without joints is, if it says anything."""
    if _DIGITS.fullmatch(folded):
        return ((folded.lstrip("0") or "0", FIGURE),)
    if folded in _NOTHING or (len(folded) < _SHORT and not token.isupper()):
        return ()
    if not folded.replace("'", "").isalpha() or _HUMP.search(token) or (len(token) > 1 and token.isupper()):
        return ((folded, NAME),)
    stem = _stem(folded)
    if folded in _SAYS_WHEN or stem in _SAYS_WHEN:
        return ((stem, WHEN),)
    return ((stem, LIGHT if folded in _SAYS_LITTLE or stem in _SAYS_LITTLE else PLAIN),)


def _stem(word: str) -> str:
    """Return a word without its ending of number or tense, and without a final `e`."""
    if word.endswith("ies") and len(word) > _STEM + 1:
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _STEM:
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _STEM and _VOWEL.search(stem):
            doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"
            word = stem[:-1] if doubled else stem
            break
    return word[:-1] if word.endswith("e") and len(word) > _STEM + 1 else word
