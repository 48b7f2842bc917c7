"""Which words stand anywhere in many texts, asked once for all of them, before each is looked at for any.

Owns the sieve. What tools print are a few forms, filled in with other numbers again and again: without digits, its
distinct lines are few, and words are looked for in those alone. Refuses words with a digit, a capital or a line's end.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DIGITS = b"0123456789"
_LISTS = 16  # lists of words that are remembered as they are looked for
LOWER = bytes(range(256)).lower()


def standing(words: Sequence[str], texts: Iterable[str], *, others: bool = False) -> list[str]:
    """Return the words, in their order, that stand in one of the texts in any case.

    Only texts of ASCII are read, unless `others` are too: then words of ASCII are looked for in them.
    """
    if not words:
        return []
    joined = "\n".join(texts if others else filter(str.isascii, texts)).encode("ascii", "replace")
    return within(words, set(joined.translate(LOWER, DIGITS).split(b"\n")))


def known(words: Sequence[str], text: bytes) -> list[str]:
    """Return the words, in their order, that may stand in what a text has each word of: each part of them does."""
    return [
        word
        for word, parts in zip(words, _parts(tuple(words)), strict=True)
        if parts[0] in text and all(part in text for part in parts)
    ]


def likely(words: Sequence[str], text: bytes, texts: Iterable[str]) -> Sequence[str]:
    """Return `known` of words, or all of them where these texts are soon looked through for each."""
    return known(words, text) if 0 < len(text) < sum(map(len, texts)) else words


@functools.lru_cache(_LISTS)
def _parts(words: tuple[str, ...]) -> list[list[bytes]]:
    return [word.encode().split() for word in words]


def within(words: Sequence[str], lines: Iterable[bytes]) -> list[str]:
    """Return the words, in their order, that stand in one of these lines of small letters without digits."""
    whole = b"\n".join(lines)
    return [word for word, sign in zip(words, _encoded(tuple(words)), strict=True) if sign in whole]


@functools.lru_cache(_LISTS)
def _encoded(words: tuple[str, ...]) -> list[bytes]:
    return [word.encode() for word in words]
