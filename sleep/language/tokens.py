"""Counting tokens without a tokenizer.

Owns the product's count: four characters a token for Latin text and code, one token a character for CJK (section 10.17
of the design). Every budget that is called hard holds by this count.
"""

from __future__ import annotations

import re

# Kana, ideographs with extension A, compatibility ideographs, Hangul, full-width forms, and the planes beyond.
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_CJK = re.compile(f"[{_WIDE}]+")
_IN_WORD = re.compile(rf"[^\s{_WIDE}]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ASCII = bytes(range(128))
_NARROW = bytes(range(0xE3))  # in UTF-8, all that stands before Kana: letters of other alphabets, dashes, arrows
CHARACTERS = 4


def count(text: str) -> int:
    """Return the tokens of a text, rounded up; 0 for the empty text."""
    if text.isascii():  # most are, and nothing is asked as often
        return -(-len(text) // CHARACTERS)
    wide = _wide(text)
    return wide + -(-(len(text) - wide) // CHARACTERS)


def share(text: str) -> float:
    """Return the tokens of a text that is part of another, not rounded: those of the parts add up to the whole's."""
    wide = _wide(text)
    return wide + (len(text) - wide) / CHARACTERS


def _wide(text: str) -> int:
    raw = text.encode("utf-8", "surrogatepass")
    if not raw.translate(None, _NARROW):  # most texts hold no other signs, and this costs a tenth of the pattern
        return 0
    return sum(map(len, _CJK.findall(raw.translate(None, _ASCII).decode("utf-8", "surrogatepass"))))


def clip(text: str, budget: int) -> str:
    """Return the longest run of whole words from the start that fits `budget` tokens, with `…` where it was cut.

    CJK text may be cut between any two characters; a first word that is longer than the budget is cut inside.
    """
    if count(text) <= budget:
        return text
    if budget <= 1:
        return ""
    low, high = 0, min(len(text), budget * CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) < budget else (low, middle - 1)
    whole = low
    while whole and _IN_WORD.match(text, whole) and _IN_WORD.match(text, whole - 1):
        whole -= 1
    cut = text[:whole].rstrip() or text[:low].rstrip()
    return (cut[:-1] if cut and _PAIR.match(text, len(cut) - 1) else cut) + "…"
