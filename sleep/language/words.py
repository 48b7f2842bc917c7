"""The words of a text as the index keeps them, and as a question asks for them.

Owns cutting text into terms: words folded, without diacritics and stemmed; names of code, paths and ids whole and in
their parts; names with a sign (`C++`, `F#`, `.NET`) with it; scripts without spaces in pairs of characters. Refuses to
say which of them matter: that is the ranking's.
What is written once is cut once, so the index of a text depends on the text and on `VERSION` alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon
from sleep.language.stems import stem
from sleep.language.tokenizer import SIGNED, fold, has_wide, pairs, tokenize

VERSION = 6  # another one rebuilds every index
_PART = re.compile(r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")  # IBANs, APIs: a plural, whatever ending a word of these letters has
_JOINED = re.compile(r"[./:@\\+#_-]")
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,}(?:-[0-9a-f]{4,})+")  # an id of hexadecimal digits: its letters are no words
_ADDRESS = re.compile(r"(i[0-9]{1,7}[a-z]{3})(?:[.-][0-9]{1,7})+")  # of entries, behind their instance: no words either
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = re.compile(r"[aeiouy]+")
_SOUNDS = tuple(
    (re.compile(pattern), letters)
    for pattern, letters in (
        *((r"^kn", "n"), (r"^wr", "r"), (r"sch|sh", "s"), (r"ph|v", "f"), (r"gh", ""), (r"c(?=[eiy])|z", "s")),
        *((r"ck|[cq]", "k"), (r"x", "ks"), (r"(?<=.)h", ""), (r"^[aeiouy]+", "a"), (r"(.)\1+", r"\1")),
    )
)
_SPELLED = re.compile(r"[a-z]{4,24}")
_NO_SLIP = 3  # letters of a word that may be any other
_LONGEST = 64  # characters of a term: what is longer is a blob, of which only the parts are kept


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeats included, stop words left out."""
    stems: list[str] = []
    for token in tokenize(text):
        stems += _read(token)
    return stems


@lru_cache(maxsize=1 << 16)
def _read(token: str) -> tuple[str, ...]:
    """Return the terms of one token: of a name its parts, then itself."""
    if has_wide(token[0]):
        return tuple(pairs(token))
    bare = fold(token)
    if SIGNED.match(token):
        return tuple(
            dict.fromkeys(form for form in (bare[: bare.rfind("+") + 1] or bare, bare) if len(form) <= _LONGEST)
        )
    if not _JOINED.search(token) and (bare == token or not token[1:] or token[1:].islower() or token.isupper()):
        return _word(bare)
    if own := _id(bare):
        return own
    stems = [term for part in _parts(token) for term in _word(fold(part))]
    return tuple(dict.fromkeys((*stems, *_whole(token, bare.replace("'", "")))))


def _parts(token: str) -> list[str]:
    """Return the parts of a name, a plural in capitals without its `s`."""
    return [part[:-1] if _ACRONYMS.fullmatch(part) else part for part in _PART.findall(token)]


def _id(bare: str) -> tuple[str, ...]:
    """Return the terms of an address or of an id of hexadecimal digits, whose letters are no words; () of all else."""
    if address := _ADDRESS.fullmatch(bare):
        return address[1], bare
    if not _HEX.fullmatch(bare):
        return ()
    return tuple(dict.fromkeys((*(term for part in bare.split("-") for term in _word(part)), bare)))


def _whole(token: str, whole: str) -> tuple[str, ...]:
    """Return the terms that a name is as a whole, beside those of its parts."""
    if "-" in token and token.replace("-", "").isalpha():
        return _word(whole.replace("-", ""))  # de-stress is destress
    return (whole,) if len(_PART.findall(token)) > 1 and len(whole) <= _LONGEST else ()


def _word(word: str) -> tuple[str, ...]:
    word = without_apostrophe(word)
    if word in lexicon.words("stop") or len(word) > _LONGEST:
        return ()
    return (stem(word),) if not word.isdigit() else (word.lstrip("0") or "0",)


def without_apostrophe(word: str) -> str:
    """Return what a folded word with an apostrophe is about: `ann` of `ann's`, `architecture` of `l'architecture`."""
    if "'" not in word and "’" not in word:
        return word
    lead, *rest = word.replace("’", "'").removesuffix("'s").split("'")
    return rest[0] if rest and lead in lexicon.all_words("elided") and len(rest[0]) > 2 else lead  # noqa: PLR2004  # l'an, t'is


def spelled(text: str) -> set[str]:
    """Return the words of a text as they are written, folded: those that a slip of the pen can be told by."""
    return set(_SPELLED.findall(fold(text)))


def apart(word: str, other: str, most: int) -> int:
    """Return how many letters are wrong, missing, too many or swapped (Damerau, 1964); above `most` it is only more."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    above: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        fresh = [at]
        for to, there in enumerate(other, 1):
            cost = min(row[to] + 1, fresh[-1] + 1, row[to - 1] + (letter != there))
            if at > 1 and to > 1 and letter == other[to - 2] and word[at - 2] == there:
                cost = min(cost, above[to - 2] + 1)
            fresh.append(cost)
        above, row = row, fresh
    return row[-1]


def unlike(slip: str, word: str, most: int) -> tuple[int, int]:
    """Return how unlikely a slip of the pen is for a word: letters that are off, then what hands seldom do.

    A first letter that is another one counts as one letter more. Of as many letters a hand rather doubles one, swaps
    two or takes another vowel than it takes another consonant. What is further apart than `most` is only that.
    """
    letters = apart(slip, word, most)
    if letters > most:
        return letters, 0
    is_common = _bones(slip) == _bones(word) or sorted(slip) == sorted(word)
    return letters + (slip[0] != word[0] and sorted(slip[:2]) != sorted(word[:2])), 0 if is_common else 1


def is_sure_slip(slip: str, word: str) -> bool:
    """Return whether two words differ by letters that are swapped or doubled: other slips may be words of their own."""
    return sorted(slip) == sorted(word) or _DOUBLED.sub(r"\1", slip) == _DOUBLED.sub(r"\1", word)


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """Return roughly how a folded name sounds: `Steven` and `Stephen`, `Catherine` and `Kathryn` are one."""
    for pattern, letters in _SOUNDS:
        word = pattern.sub(letters, word)
    return word[:1] + _VOWELS.sub("", word[1:])


def swapped(word: str) -> list[str]:
    """Return the words that one would be if two letters beside each other were swapped."""
    return [f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in range(len(word) - 1)]


def is_small_slip(word: str) -> bool:
    """Return whether a word is a stop word but for two letters that are swapped: it tells as little."""
    return len(word) > _NO_SLIP and not lexicon.words("stop").isdisjoint(swapped(word))


def _bones(word: str) -> str:
    """Return the consonants of a word, each run of one as one."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word))
