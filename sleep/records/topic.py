"""Topics: the names under which warm and cold memory keep what belongs together.

Owns names and slugs, and what a heading names. Refuses to say what goes where: that is `topic_plan`'s.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sleep.language import lexicon
from sleep.records import classification

GENERAL = "general"
_WORD = re.compile(r"[^\W\d_][\w'-]*")
# Of Latin letters: in other scripts (kana, Cyrillic, Devanagari) a mark makes another letter.
_DIACRITICS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_WORDS = 3
LEAST = 3  # fragments that have to ask for a topic
_LETTERS = 40
_PART = re.compile(r"-(?=\d+(?:-\d+)*$)")


def slug(name: str) -> str:
    """Return a file name for a topic: letters and digits of any script, diacritics folded, words joined by hyphens.

    A number at its end is joined too (`python3`), for `python-3` is the third part of `python`.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    folded = unicodedata.normalize("NFKC", _DIACRITICS.sub("", folded))
    parts = "".join(letter if letter.isalnum() or _is_vowel_sign(letter) else " " for letter in folded).split()
    name = "-".join(parts)[:_LETTERS].strip("-") or GENERAL
    while _PART.search(name):
        name = _PART.sub("", name)
    return name


def _is_vowel_sign(letter: str) -> bool:
    """True for a mark that is part of a word's spelling (Devanagari, Thai), not one that picks an emoji's form."""
    return unicodedata.category(letter) in {"Mn", "Mc"} and not "\ufe00" <= letter <= "\ufe0f"


@lru_cache(maxsize=1 << 10)  # many fragments stand under one heading
def from_heading(heading: str) -> str:
    """Return the topic that a heading names, or "" for one that only says what kind of thing or when."""
    if classification.heading_kind(heading):
        return ""
    bare = re.sub(r"\([^)]*\)|`|\*|[✅❌🚨⏳🔄]", " ", heading)
    bare = re.sub(r"\b\d{1,4}[-:/.]\d{1,2}(?:[-:/.]\d{1,4})?\b", " ", bare)
    words = [word for word in _WORD.findall(bare) if word.casefold() not in lexicon.words("generic") and len(word) > 1]
    return slug(" ".join(words[:_WORDS])) if words else ""
