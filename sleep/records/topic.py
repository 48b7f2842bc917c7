"""Topics: where in warm and cold memory a fragment belongs.

Owns names and slugs. Prefers what people named (a topic field, a thread, a topic that exists), then the heading a
fragment stood under, and opens a new topic only when several fragments ask for it and there are not too many: few
topics with human names. A name that says no more or no less than a topic that exists is that topic.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import lexicon
from sleep.language.stems import singular
from sleep.records import classification

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GENERAL = "general"
_WORD = re.compile(r"[^\W\d_][\w'-]*")
# Of Latin letters: in other scripts (kana, Cyrillic, Devanagari) a mark makes another letter.
_DIACRITICS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+([\w-]+)(?:\.\w+)?")
_WORDS = 3
LEAST = 3  # fragments that have to ask for a new topic, and that one has to hold
MOST = 16  # topics of a tier, above which only a person opens one
_HEADED = 12  # of which headings may open so many; the rest is left for what a topic is divided by
_LETTERS = 40
_PART = re.compile(r"-(?=\d+(?:-\d+)*$)")


class Wish(NamedTuple):
    """Where a fragment would go: its text, the name of a topic ("" for none), and whether a person gave that."""

    text: str
    name: str
    named: bool = False


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


def words(text: str) -> frozenset[str]:
    """Return the words of a text that can tell topics apart, folded."""
    return frozenset(
        word.casefold()
        for word in _WORD.findall(text)
        if len(word) > 2 and word.casefold() not in lexicon.words("generic")  # noqa: PLR2004
    )


def assign(
    items: Sequence[tuple[str, Sequence[str], str]], existing: Iterable[str], threads: Mapping[str, str]
) -> list[str]:
    """Return a topic for each item.

    An item is (text, headings it stood under from the outermost in, its own topic or thread or ""). `threads` maps a
    thread's number to its title.
    """
    return settle(wishes(items, threads), existing)


def wishes(items: Iterable[tuple[str, Sequence[str], str]], threads: Mapping[str, str]) -> list[Wish]:
    """Return what each item asks for; arguments as in `assign`."""
    return [Wish(text, _wish(text, headings, own, threads), bool(own)) for text, headings, own in items]


def settle(asked_for: Sequence[Wish], existing: Iterable[str]) -> list[str]:
    """Return a topic for each wish: the one it names, if that exists or may be opened, else the one its words name."""
    known = {name: _key(name) for name in sorted({*existing, GENERAL})}
    for name in dict.fromkeys(wish.name for wish in asked_for if wish.named):
        if _key(name) not in known.values():
            known[name] = _key(name)
    asked = Counter(wish.name for wish in asked_for if wish.name)
    for name, times in sorted(asked.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
        if times >= LEAST and len(known) <= _HEADED and not _same(name, known):
            known[name] = _key(name)
    return [
        _named(wish, known) if wish.named else _same(wish.name, known) or nearest(wish, known) for wish in asked_for
    ]


def nearest(wish: Wish, names: Iterable[str]) -> str:
    """Return the topic of which more than half of the words stand in a text or in what it asks for, else `GENERAL`."""
    present = _key(wish.name).union(map(singular, words(wish.text)))
    fits = [(len(key & present) / len(key), name) for name in names if (key := _key(name)) and name != GENERAL]
    best = max(fits, default=(0.0, ""))
    return best[1] if best[0] > 0.5 else GENERAL  # noqa: PLR2004


def _named(wish: Wish, known: Mapping[str, frozenset[str]]) -> str:
    """Return the topic that a person named, which may exist in the plural."""
    if wish.name in known:
        return wish.name
    return next(name for name, key in known.items() if key == _key(wish.name))


def _same(name: str, known: Mapping[str, frozenset[str]]) -> str:
    """Return the topic whose words are among those of a name, or the other way round; the one most like it, or ""."""
    if not name or name in known:
        return name
    own = _key(name)
    fits = [(len(own & key) / len(own | key), topic) for topic, key in known.items() if own <= key or key <= own]
    return max(fits, default=(0.0, ""))[1]


def _key(name: str) -> frozenset[str]:
    return frozenset(map(singular, name.split("-"))) - {""}


def _wish(text: str, headings: Sequence[str], own: str, threads: Mapping[str, str]) -> str:
    if own:
        return slug(" ".join(_WORD.findall(threads[own])[:_WORDS])) if own in threads else slug(own)
    for heading in reversed(headings):
        if topic := from_heading(heading):
            return topic
    folder = Counter(_PATH.findall(text)).most_common(1)
    return slug(folder[0][0]) if folder else ""
