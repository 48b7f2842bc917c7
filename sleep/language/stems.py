"""The stem of an English word: what its forms share, so that `adopted` finds `adoption`.

Owns Porter's algorithm ("An algorithm for suffix stripping", Program 14(3), 1980, with his later departures) and the
irregular forms that no ending tells. Refuses other scripts and whatever holds a figure: they come back as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SHORT = 2
_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_MEASURE = re.compile(r"[aeiouy]+[^aeiouy]+")
_PLAIN = re.compile(r"[a-z]+")
_SHORT_END = re.compile(r".*[^aeiou][aeiouy][^aeiouwxy]")
_SECOND = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able")),
    *(("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")),
    *(("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al")),
    *(("iviti", "ive"), ("biliti", "ble"), ("logi", "log"), ("fulli", "ful"), ("lessli", "less"), ("bli", "ble")),
    *((f"{one}li", one) for one in "cdeghkmnrt"),
)
_THIRD = (
    *(("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")),
)
_FOURTH = tuple(
    "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou".split()  # noqa: SIM905
)
# One form for each verb or noun whose others no ending tells; `left` and `saw` are too much else.
_IRREGULAR = {
    form: base
    for base, forms in {
        "go": "went gone goes",
        "buy": "bought",
        "bring": "brought",
        "teach": "taught",
        "catch": "caught",
        "think": "thought",
        "fight": "fought",
        "seek": "sought",
        "write": "wrote written",
        "make": "made",
        "meet": "met",
        "feel": "felt",
        "lose": "lost",
        "win": "won",
        "run": "ran",
        "eat": "ate eaten",
        "drive": "drove driven",
        "fly": "flew flown",
        "sing": "sang sung",
        "swim": "swam swum",
        "build": "built",
        "send": "sent",
        "spend": "spent",
        "tell": "told",
        "sell": "sold",
        "keep": "kept",
        "sleep": "slept",
        "find": "found",
        "hold": "held",
        "get": "got gotten",
        "give": "gave given",
        "take": "took taken",
        "break": "broke broken",
        "choose": "chose chosen",
        "speak": "spoke spoken",
        "wear": "wore worn",
        "begin": "began begun",
        "become": "became",
        "come": "came",
        "know": "knew known",
        "grow": "grew grown",
        "throw": "threw thrown",
        "draw": "drew drawn",
        "hear": "heard",
        "say": "said",
        "pay": "paid",
        "ride": "rode ridden",
        "rise": "rose risen",
        "fall": "fell fallen",
        "forget": "forgot forgotten",
        "hide": "hid hidden",
        "bear": "born",
        "child": "children",
        "man": "men",
        "woman": "women",
        "person": "people",
        "foot": "feet",
        "wife": "wives",
    }.items()
    for form in forms.split()
}


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Return the stem of a folded word."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= _SHORT or not _PLAIN.fullmatch(word):
        return word
    word = _tense(_plural(word))
    if word.endswith("y") and len(word) > _SHORT and word[-2] not in "aeiou":
        word = f"{word[:-1]}i"
    word = _replaced(_replaced(word, _SECOND), _THIRD)
    return _tidied(_derived(word))


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
