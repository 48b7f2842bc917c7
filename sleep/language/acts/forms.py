r"""The forms of speech: patterns of the data files by name, each compiled when it is first asked.

Owns how rows become one phrase (`{NAME}` in a row stands for the section `part.NAME`, a section `marks.*` gives words
instead of patterns, the rows of all languages count alike), and how a phrase is searched in a quarter of the time:
alternatives that begin with `\b` or `^` share that beginning, the text is searched in small letters, and one without a
sign of Chinese, Japanese or Korean not for what begins with one. Refuses to say what a form means: that is
`grammar`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, tokenizer
from sleep.memo import memo

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY, _ENDING = re.compile(r"\\\*"), r"\\w*"  # `regress*`
_PART = re.compile(r"\{([a-z][a-z ]*)\}")
_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)  # an escape, a set, what groups and what parts
_ESCAPED = re.compile(r"\\.|[^\\]+", re.DOTALL)
_OPENINGS = (r"\b", "^")
_KEEPS_CASE = "(?-i:"
_SMALL, _WIDE = "s", "w"  # for texts in small letters, for texts with something of a script without spaces
_NOTHING = "(?!)"  # matches nowhere
_MAY_MISS = ("?", "*", "{")  # behind what need not be there
# Letters that count as those of a pattern in any case, but become others in small letters: dotted and dotless i, the
# long s, and old forms of Cyrillic ones.
_ODD = re.compile("[\u0130\u0131\u017f\u1c80-\u1c88]")


@lru_cache(maxsize=1 << 8)
def form(*sections: str) -> Phrase:
    """Return what finds any form of these sections, in any language."""
    return Phrase(_source("|".join(sections)))


@memo(1 << 8, str, None)
def _source(sections: str) -> str:
    """Return the pattern of sections, with `|` between their names."""
    return "|".join(row for section in sections.split("|") for row in _rows(section))


def _rows(section: str) -> list[str]:
    if section.startswith("marks."):
        return [rf"\b(?<![./]){_ANY.sub(_ENDING, re.escape(words))}\b" for words in lexicon.phrases(section)]
    return [_expand(row) for row in lexicon.rows(section)]


def _expand(row: str) -> str:
    """Return a row with the parts it names written out."""
    return _PART.sub(lambda part: f"(?:{'|'.join(map(_expand, lexicon.rows(f'part.{part[1]}')))})", row)


class Phrase:
    """A pattern in any case of letters, compiled when it is first asked: most commands read no hand-written journal.

    Args:
        source: the pattern; it refers back to no group.
    """

    __slots__ = ("_compiled", "_keeps_case", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._keeps_case = _KEEPS_CASE in source
        self._compiled: dict[tuple[bool, bool], re.Pattern[str]] = {}

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in the text."""
        return self._find(text) is not None

    def span(self, text: str) -> tuple[int, int] | None:
        """Return where the pattern matches first in the text, None where it does not."""
        match = self._find(text)
        return match.span() if match else None

    def written(self) -> re.Pattern[str]:
        """Return the pattern as it is written, in any case of letters, for who asks where it matches."""
        return self._compiled.get((False, True)) or self._pattern(is_small=False, is_wide=True)

    def fullmatch(self, text: str) -> bool:
        """Return whether the pattern matches the whole text."""
        pattern, text = self._for(text)
        return pattern.fullmatch(text) is not None

    def _find(self, text: str) -> re.Match[str] | None:
        pattern, text = self._for(text)
        return pattern.search(text)

    def _for(self, text: str) -> tuple[re.Pattern[str], str]:
        """Return the pattern for a text, and the text that it takes: in small letters where that finds the same."""
        small, is_wide = _looked_at(text)
        if self._keeps_case:
            small = None
        key = small is not None, is_wide
        pattern = self._compiled.get(key) or self._pattern(is_small=key[0], is_wide=is_wide)
        return pattern, text if small is None else small

    def _pattern(self, *, is_small: bool, is_wide: bool) -> re.Pattern[str]:
        """Return the pattern for texts in small letters or not, with something of a script without spaces or not."""
        form = (_SMALL if is_small else "") + (_WIDE if is_wide else "")
        pattern = re.compile(_searched(f"{form} {self._source}"), re.NOFLAG if is_small else re.IGNORECASE)
        self._compiled[is_small, is_wide] = pattern
        return pattern


@lru_cache(maxsize=1 << 6)  # a text is searched for one phrase after another
def _looked_at(text: str) -> tuple[str | None, bool]:
    """Return a text in small letters, None where that would find something else, and whether it has a wide script."""
    small = text.lower() if text.isascii() or not _ODD.search(text) else None
    return small, tokenizer.has_wide(text)


@memo(1 << 8, str, None)
def _searched(form: str) -> str:
    """Return a pattern as it is compiled, told by what it is for (`_SMALL`, `_WIDE`), a space and how it is written."""
    use, _, source = form.partition(" ")
    if _SMALL in use:
        source = _ESCAPED.sub(lambda run: _folded(run[0]), source)
    return _grouped(part for part in _alternatives(source) if _WIDE in use or not _begins_wide(part))


def _folded(run: str) -> str:
    """Return a run of a pattern in small letters, an escape as it is."""
    return run if run.startswith("\\") else run.lower()


def _grouped(alternatives: Iterable[str]) -> str:
    """Return a pattern with the alternatives together that begin alike; their order does not matter."""
    groups: dict[str, list[str]] = {}
    for alternative in alternatives:
        opening = next((sign for sign in _OPENINGS if alternative.startswith(sign)), "")
        groups.setdefault(opening, []).append(alternative.removeprefix(opening))
    return "|".join(f"{opening}(?:{'|'.join(some)})" for opening, some in groups.items()) or _NOTHING


def _begins_wide(pattern: str) -> bool:
    """Return whether all that a pattern matches begins with a sign of a script without spaces, where that is plain."""
    depth = 0
    for sign in _SIGN.finditer(pattern if pattern.startswith("(?:") else ""):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if not depth:
            is_needed = pattern[sign.end() : sign.end() + 1] not in _MAY_MISS
            return is_needed and all(map(_begins_wide, _alternatives(pattern[3 : sign.start()])))
    return tokenizer.has_wide(pattern[:1]) and pattern[1:2] not in _MAY_MISS


def _alternatives(source: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for sign in _SIGN.finditer(source):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if sign[0] == "|" and not depth:
            parts.append(source[start : sign.start()])
            start = sign.end()
    return [*parts, source[start:]]
