"""Page titles: what a whole page lists, where its title is the name of a kind and of the project at most.

Owns telling `Decisions`, `Engineering decisions — Acme` and `Acme TODO` from titles that only have such a word in them
(`Status and decisions`). Refuses to say what stands below.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, tokenizer
from sleep.language.acts import kind_names
from sleep.language.acts.forms import form
from sleep.records import classification
from sleep.records.kinds import LISTED, OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 160  # characters of a title that are looked at
_APART = re.compile(r" [—–|-] |: ")  # takes `Acme — Decisions`
_JOINT = re.compile(r" (?:&|/|\+) |, ")
_PROJECT = re.compile(r"^\W*[A-Z][\w.-]*(?:['’]s)? (?=\w)")  # the first word of `Town TODO`


@lru_cache(maxsize=1 << 8)  # every record asks of the title of its page
def listed(title: str) -> tuple[str, str]:
    """Return the kind of what a page of this title lists, and what of the title names it; both empty for any other."""
    for name in _names(title):
        kind = classification.heading_kind(name)
        if kind in LISTED and kind_names.is_name(name) and classification.states(kind, name) and _is_of(kind, name):
            return kind, name
    return "", ""


def _names(title: str) -> Iterator[str]:
    """Yield a title without brackets, and what of it may name a kind, where the rest may name a project."""
    bare = kind_names.without_brackets(title[:_LONGEST].replace("*", "").replace("`", "")).strip()
    yield bare
    parts = _APART.split(bare)
    for part in parts if len(parts) > 1 else ():
        if all(other == part or _is_project(other) for other in parts):
            yield part
    if (first := _PROJECT.match(bare)) and _is_project(first[0]):
        yield bare[first.end() :]
    for of in form("titles.of").written().finditer(bare):
        if _is_project(bare[of.end() :]):
            yield bare[: of.start()]


def _is_project(words: str) -> bool:
    """True for words that may name a project or a day: none of them is a word of a log's titles, or of a kind."""
    others = lexicon.all_words("generic", "subject.none", "kinds", "narrows")
    return others.isdisjoint(_words(words)) and not words.strip()[:1].islower()


def _words(title: str) -> list[str]:
    return [word for word in tokenizer.words(title.casefold()) if not word.isdigit()]


def _is_of(kind: str, name: str) -> bool:
    """True for a name whose parts name no other kind: `Rules & conventions`, not `Decisions & open questions`."""
    if form("signs.of page").fullmatch(name):
        return False  # `How decisions are made`
    joint = form("titles.and").written().sub(" & ", name)
    kinds = {classification.heading_kind(part) for part in _JOINT.split(joint)} - {""}
    return kinds <= {kind} or kinds <= OPEN  # one list may hold them all
