"""The tokens of a text: where words, names and figures begin and end, in any script.

Owns the three cuts that the program has. `tokenize` gives words and whole names of code (`src/read_item.py`, `C++`),
`words` the plain words of prose, `surface` runs as they are written, with the signs that end a sentence between them.
A script without spaces gives runs, which `pairs` cuts in two characters each. Refuses to say which tokens matter.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Lao, Thai, Burmese, Khmer, kana, ideographs, Hangul: written without spaces, or with few.
WIDE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WIDES = tuple((first, last) for first, last in zip(WIDE[::3], WIDE[2::3], strict=True))
_SIGNED = r"(?<!{0})(?:[A-Za-z](?:\+\+[A-Za-z0-9_]*|#(?!{0}))|\.(?:NET|Net|net)(?!{0}))"  # {0}: a letter
SIGNED = re.compile(_SIGNED.format(r"\w"))  # names of which the sign is a part: C++, F#, .NET
# Where nothing is wide; what a token is in any script takes 10 ms to compile.
_TOKEN = re.compile(SIGNED.pattern + r"|\w+(?:['’][^\W\d_]+|[./:@\\+#-]+(?=\w)\w+)*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MARKS = re.compile("[\u0300-\u036f]+")
_STATES = "✅❌🔲⏳☐☑✔✗✘⚠🚧🔄☒🔴🟢🟡"  # signs of state, each a token
_ENDS = "!?。！？"
_APART = r"\s`*\"“”„«»<>()\[\]{}|,;=…—、，：；（）「」『』【】《》·•→←"  # what no name is written with


def tokenize(text: str) -> list[str]:
    """Return words, names of code, paths and ids as they stand, and runs of scripts without spaces."""
    return (_any_script() if has_wide(text) else _TOKEN).findall(text)


def words(text: str) -> list[str]:
    """Return the plain words and figures of a text, folded; `don't` is one, `read-only` two."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=1)
def surface() -> re.Pattern[str]:
    """Return what finds runs as they are written, runs of scripts without spaces, signs of state and `!` and `?`."""
    run = rf"[^{_APART}{_ENDS}{_STATES}{WIDE}]|,(?=\d)"
    return re.compile(rf"[{WIDE}]+|(?:{run})+|[{_ENDS}{_STATES}]")


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    """Return what a token is, in any script."""
    letter = rf"[^\W{WIDE}]"
    signed = _SIGNED.format(letter)
    return re.compile(rf"{signed}|[{WIDE}]+|{letter}+(?:['’][^\W\d_{WIDE}]+|[./:@\\+#-]+(?={letter}){letter}+)*")


def has_wide(text: str) -> bool:
    """Return whether a text has anything of a script without spaces."""
    return not text.isascii() and _has_wide(text)


@lru_cache(maxsize=1 << 12)  # whoever cuts a text asks first
def _has_wide(text: str) -> bool:
    signs = [sign for sign in set(text) if sign >= WIDE[0]]  # without a pattern, which takes 2 ms to compile
    return any(first <= sign <= last for sign in signs for first, last in _WIDES)


def count_broad(text: str) -> int:
    """Return how many signs of a text are as broad as two letters: ideographs and what stands beside them, pictures."""
    return 0 if text.isascii() else sum(sign > "\u2e80" for sign in text)


@lru_cache(maxsize=4)  # a list of words is asked for again and again
def by_script(words: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of scripts with spaces, and the runs of those without, the longest first."""
    wide = sorted(filter(has_wide, words), key=lambda run: (-len(run), run))
    return words.difference(wide), tuple(wide)


def is_state(token: str) -> bool:
    """Return whether a token of `surface` is a sign of state."""
    return token in _STATES


def pairs(run: str) -> list[str]:
    """Return the pairs of neighbouring characters of a run; of a single character itself."""
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def fold(text: str) -> str:
    """Return a text in one form: lower case, compatible characters alike, Latin letters without diacritics."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _MARKS.sub("", unicodedata.normalize("NFKD", text))).casefold()
