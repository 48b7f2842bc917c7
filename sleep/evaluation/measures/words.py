"""Content words, as the shared harness counts them: folded, lightly stemmed, numbers and months in one form.

Owns the measures' own idea of a word. It is not the engine's (`language.terms`): an engine that is measured by the
words it chooses by would be right whatever it chose.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from typing import NamedTuple

# Everything that is measured rests on this list and on the endings below; the harness has the same.
_LISTED = """
    a an the and or but if then than that this these those of to in on at by for with from into onto over under about as
    is are was were be been being am do does did done doing have has had having i you he she it we they me him her us
    them my your his its our their mine yours hers ours theirs who whom whose which what when where why how not no nor
    so too very can could will would shall should may might must just also there here s t re ve ll d m don didn doesn
    isn aren wasn weren won wouldn couldn shouldn haven hasn hadn up out off down again once during before after because
    until while both each few more most other some such only own same all any
"""
STOP = frozenset(_LISTED.split())
WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_MONTHS = [
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
]
_ONE_FORM = {
    **{word: str(number) for number, word in enumerate(_DIGITS)},
    **{month[:3]: month for month in _MONTHS},
    "sept": "september",
}


class _Ending(NamedTuple):
    ending: str
    becomes: str = ""
    doubled: bool = False  # whether a consonant that was doubled for it is made single again


_ENDINGS = (
    _Ending("ies", "y"),
    _Ending("sses", "ss"),
    _Ending("ing", doubled=True),
    _Ending("edly"),
    _Ending("ed", doubled=True),
    _Ending("es"),
    _Ending("s"),
)
_SHORT = 4  # letters up to which a word stays as it is
_ROOT = 3  # letters that an ending must leave


def content(text: str) -> list[str]:
    """Return the content words of a text, in order; of CJK text pairs of neighbouring characters."""
    return _words(text, stop=True)


@functools.lru_cache(maxsize=400_000)
def distinct(text: str) -> frozenset[str]:
    """Return the distinct content words of a text."""
    return frozenset(content(text))


def content_or_all(text: str) -> frozenset[str]:
    """Return the distinct content words, or all words where there are none but stop words."""
    return distinct(text) or frozenset(_words(text, stop=False))


def _words(text: str, *, stop: bool) -> list[str]:
    tokens: list[str] = []
    for word in WORD.findall(unicodedata.normalize("NFKC", text or "").lower()):
        if _WIDE.search(word):
            wide = _WIDE.findall(word)
            tokens += [left + other for left, other in itertools.pairwise(wide)] or wide
        elif not (stop and word in STOP) and (form := stem(word)):
            tokens.append(form)
    return tokens


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the form that a folded word is compared by."""
    word = word.replace("'s", "").replace("'", "")
    if known := _ONE_FORM.get(word):
        return known
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    if len(word) <= _SHORT or word[0].isdigit():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending.ending) and len(word) - len(ending.ending) >= _ROOT and not _is_root(word, ending):
            word = word[: -len(ending.ending)] + ending.becomes
            if ending.doubled and len(word) > _ROOT and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORT else word


def _is_root(word: str, ending: _Ending) -> bool:
    """True for the s of `class`, which is no ending."""
    return ending.ending == "s" and word.endswith("ss")
