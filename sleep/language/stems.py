"""Stems of English words: what their forms share, at three strengths.

Owns `stem` (Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with his later departures and irregular
forms), by which `adopted` finds `adoption`; `light` (Harman's S-stemmer, "How effective is suffixing?", 1991, with
`-ed` and `-ing`); and `singular`. Refuses other scripts: their words come back as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon

_SHORT = 2
_LEAST = 3  # letters that `light` and `singular` leave
_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_MEASURE = re.compile(r"[aeiouy]+[^aeiouy]+")
_ANY_VOWEL = re.compile(r"[aeiouy]")
_PLAIN = re.compile(r"[a-z]+")
_SHORT_END = re.compile(r".*[^aeiou][aeiouy][^aeiouwxy]")
_SECOND = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able")),
    *(("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")),
    *(("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al")),
    *(("iviti", "ive"), ("biliti", "ble"), ("logi", "log"), ("fulli", "ful"), ("lessli", "less"), ("bli", "ble")),
    *((f"{letter}li", letter) for letter in "cdeghkmnrt"),
)
_THIRD = (
    *(("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")),
)
_FOURTH = tuple(
    "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou".split()  # noqa: SIM905
)


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Return the stem of a folded word."""
    word = _irregular().get(word, word)
    if len(word) <= _SHORT or not _PLAIN.fullmatch(word):
        return word
    word = _tense(_plural(word))
    if word.endswith("y") and len(word) > _SHORT and word[-2] not in "aeiou":
        word = f"{word[:-1]}i"
    word = _replaced(_replaced(word, _SECOND), _THIRD)
    return _tidied(_derived(word))


@lru_cache(maxsize=1 << 15)
def light(word: str) -> str:
    """Return a folded word without its ending of number or tense, and without a final `e`."""
    if word.endswith("ies") and len(word) > _LEAST + 1:
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _LEAST:
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _LEAST and _ANY_VOWEL.search(rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            word = rest[:-1] if doubled else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > _LEAST + 1 else word


def singular(word: str) -> str:
    """Return a folded word without the `s` of its plural; a word of three letters keeps it."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > _LEAST else word


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    """Return the base of each form that no ending tells; `left` and `saw` are too much else."""
    return lexicon.table("irregular")


def _measure(stem_: str) -> int:
    """Return Porter's m: how often a consonant follows a vowel."""
    return len(_MEASURE.findall(stem_))


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > 4 else word[:-1]  # noqa: PLR2004  # ties is of tie
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _tense(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _VOWEL.search(rest):
            if len(rest) <= _SHORT:
                return f"{rest}e" if rest[-1] not in "aeiouy" else rest
            if rest.endswith(("at", "bl", "iz")):
                return f"{rest}e"
            if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
                return rest[:-1]
            return f"{rest}e" if _measure(rest) == 1 and _SHORT_END.fullmatch(rest) else rest
    return word


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, becomes in table:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + becomes if _measure(rest) else word
    return word


def _derived(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            is_ion = ending == "ion" and not rest.endswith(("s", "t"))
            return rest if _measure(rest) > 1 and not is_ion else word
    return word


def _tidied(word: str) -> str:
    """Return the word without a final e, and with one l of two."""
    if word.endswith("e"):
        rest = word[:-1]
        if len(rest) <= _SHORT:
            return word
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _SHORT_END.fullmatch(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
