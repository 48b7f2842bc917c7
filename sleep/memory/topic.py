"""Topics: where in warm and cold memory a fragment belongs.

Owns names and slugs. Prefers what people named (a topic field, a thread, a topic that exists), then the heading a
fragment stood under, and opens a new topic only when several fragments ask for it: few topics with human names.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from sleep.memory import extract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GENERAL = "general"
_WORD = re.compile(r"[^\W\d_][\w'-]*")
# Of Latin letters: in other scripts (kana, Cyrillic, Devanagari) a mark makes another letter.
_DIACRITICS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+([\w-]+)(?:\.\w+)?")
_GENERIC = frozenset(
    """
    a an and the of for to in on at by with from after before new old note notes log daily memory session
    sessions today summary status update updates work done complete completed fixed fix issue issues result
    results context overview details technical system check morning evening afternoon night am pm key main other
    misc general instance journal part phase step added created updated tasks task findings test tests testing
    background problem solution outcome intent friction code repo workflow open items learnings timezone date
    what was is this that still
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_WORDS = 3
_LEAST = 3  # fragments that have to ask for a new topic
_LETTERS = 40


def slug(name: str) -> str:
    """Return a file name for a topic: letters and digits of any script, diacritics folded, words joined by hyphens."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    folded = unicodedata.normalize("NFKC", _DIACRITICS.sub("", folded))
    found = "".join(one if one.isalnum() or _is_vowel_sign(one) else " " for one in folded).split()
    return "-".join(found)[:_LETTERS].strip("-") or GENERAL


def _is_vowel_sign(one: str) -> bool:
    """True for a mark that is part of a word's spelling (Devanagari, Thai), not one that picks an emoji's form."""
    return unicodedata.category(one) in {"Mn", "Mc"} and not "\ufe00" <= one <= "\ufe0f"


def from_heading(heading: str) -> str:
    """Return the topic that a heading names, or "" for one that only says what kind of thing or when."""
    if extract.heading_kind(heading):
        return ""
    bare = re.sub(r"\([^)]*\)|`|\*|[✅❌🚨⏳🔄]", " ", heading)
    bare = re.sub(r"\b\d{1,4}[-:/.]\d{1,2}(?:[-:/.]\d{1,4})?\b", " ", bare)
    words = [word for word in _WORD.findall(bare) if word.casefold() not in _GENERIC and len(word) > 1]
    return slug(" ".join(words[:_WORDS])) if words else ""


def words(text: str) -> frozenset[str]:
    """Return the words of a text that can tell topics apart, folded."""
    return frozenset(
        word.casefold()
        for word in _WORD.findall(text)
        if len(word) > 2 and word.casefold() not in _GENERIC  # noqa: PLR2004
    )


def assign(
    items: Sequence[tuple[str, Sequence[str], str]], existing: Iterable[str], threads: Mapping[str, str]
) -> list[str]:
    """Return a topic for each item.

    An item is (text, headings it stood under from the outermost in, its own topic or thread or ""). `threads` maps a
    thread's number to its title.
    """
    known = sorted(set(existing))
    names = {topic: words(topic.replace("-", " ")) for topic in known}
    wishes = [_wish(*item, threads) for item in items]
    asked = Counter(wish for wish in wishes if wish)
    chosen = []
    for (text, _, own), wish in zip(items, wishes, strict=True):
        if wish and (own or wish in names or asked[wish] >= _LEAST):
            chosen.append(wish)
            continue
        present = words(text) | words(wish.replace("-", " "))
        fits = [(len(name & present) / len(name), topic) for topic, name in names.items() if name and name & present]
        best = max(fits, key=lambda fit: (fit[0], fit[1]), default=(0.0, ""))
        chosen.append(best[1] if best[0] > 0.5 else GENERAL)  # noqa: PLR2004
    return chosen


def _wish(text: str, headings: Sequence[str], own: str, threads: Mapping[str, str]) -> str:
    if own:
        return slug(" ".join(_WORD.findall(threads[own])[:_WORDS])) if own in threads else slug(own)
    for heading in reversed(headings):
        if topic := from_heading(heading):
            return topic
    found = Counter(_PATH.findall(text)).most_common(1)
    return slug(found[0][0]) if found else ""
