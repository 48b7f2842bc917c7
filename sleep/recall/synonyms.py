"""Words that are said for one another: what a question may mean by its words.

Owns reading the groups (`language/data/synonyms.txt`, a group a line, by language) and which terms stand for one of a
question. Refuses to say what such a term is worth, and to know a memory.
"""

from __future__ import annotations

from functools import lru_cache

from sleep.language import lexicon, words
from sleep.language.tokenizer import has_wide
from sleep.memo import memo

_SECTION = "\n@ "


def of(term: str) -> tuple[str, ...]:
    """Return the terms (as `words.terms` gives them) that may be said for a term, in the order of their groups."""
    return _groups().get(term, ())


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    """Return the other terms of its groups by each term; one that is written in several words is left out."""
    sections = lexicon.read("synonyms.txt").split(_SECTION)[1:]
    groups: dict[str, dict[str, None]] = {}
    for section in sections:
        for line in section.partition("\n")[2].splitlines():
            terms = _terms(line)
            for term in terms:
                groups.setdefault(term, {}).update(dict.fromkeys(other for other in terms if other != term))
    return {term: tuple(others) for term, others in groups.items()}


@memo(1 << 11, tuple)
def _terms(line: str) -> tuple[str, ...]:
    """Return the terms of a group, a word a term: of a longer word without spaces (`数据库`) its last two signs."""
    known = ((word, words.terms(word)) for word in line.split())
    return tuple(own[-1] for word, own in known if len(own) == 1 or (own and has_wide(word)))
