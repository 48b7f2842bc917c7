r"""The forms of speech: patterns of the data files by name, each compiled when it is first asked.

Owns how rows become one phrase (`{NAME}` in a row stands for the section `part.NAME`, a section `marks.*` gives words
instead of patterns, the rows of all languages count alike), and how a phrase is searched in an eighth of the time:
alternatives that begin with `\b` or `^` share that beginning, the text is searched in small letters, one without a
sign of Chinese, Japanese or Korean not for what begins with one, and none for a phrase of whose letters it has none.
Refuses to say what a form means: that is `grammar`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, tokenizer
from sleep.language.acts.pattern_parts import SIGN, alternatives, needed
from sleep.memo import memo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ANY, _ENDING = re.compile(r"\\\*"), r"\\w*"  # `regress*`
_PART = re.compile(r"\{([a-z][a-z ]*)\}")
_ESCAPED = re.compile(r"\\.|[^\\]+", re.DOTALL)
_OPENINGS = (r"\b", "^")
_KEEPS_CASE = "(?-i:"
# What a pattern is compiled for: texts in small letters, what keeps its case, a script without spaces.
_SMALL, _CASED, _WIDE = "s", "c", "w"
_NOTHING = "(?!)"  # matches nowhere
_OFTEN = 8  # searches of a process for a pattern, behind which more are likely to come
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

    __slots__ = ("_compiled", "_keeps_case", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._keeps_case = _KEEPS_CASE in source
        self._compiled: dict[str, _Part] = {}

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in the text.

        It asks what `_parts` yields, written out: this is asked most, and a generator costs a third more.
        """
        small, script = _looked_at(text)
        if small is None:
            return self._part(script).pattern.search(text) is not None
        part = self._part(_SMALL + script)
        if part.may_match(small) and part.pattern.search(small):
            return True
        if not self._keeps_case:
            return False
        part = self._part(_CASED + script)
        return part.may_match(small) and part.pattern.search(text) is not None

    def span(self, text: str) -> tuple[int, int] | None:
        """Return where the pattern matches first in the text, None where it does not."""
        matches = (pattern.search(words) for pattern, words in self._parts(text))
        return min((match.span() for match in matches if match), default=None)

    def written(self) -> re.Pattern[str]:
        """Return the pattern as it is written, in any case of letters, for who asks where it matches."""
        return self._part(_WIDE).pattern

    def fullmatch(self, text: str) -> bool:
        """Return whether the pattern matches the whole text."""
        return any(pattern.fullmatch(words) for pattern, words in self._parts(text))

    def _parts(self, text: str) -> Iterator[tuple[re.Pattern[str], str]]:
        """Yield patterns that together find what this one finds, each with the text in which it may.

        Where small letters find the same, what keeps its case is searched alone, and what the text has no letters of
        is not searched at all.
        """
        small, script = _looked_at(text)
        if small is None:
            yield self._part(script).pattern, text
            return
        for use, words in ((_SMALL, small), (_CASED, text)) if self._keeps_case else ((_SMALL, small),):
            part = self._part(use + script)
            if part.may_match(small):
                yield part.pattern, words

    def _part(self, use: str) -> _Part:
        """Return what is compiled for a use."""
        part = self._compiled.get(use)
        if part is None:
            source = _searched(f"{use} {self.source}")
            part = self._compiled[use] = _Part(re.compile(source, re.NOFLAG if _SMALL in use else re.IGNORECASE))
        return part


class _Part:
    """A pattern as it is compiled for a use; its letters are told once it is asked often: that costs fifty searches."""

    __slots__ = ("_asked", "_runs", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self._asked = 0
        self._runs: tuple[str, ...] = ()

    def may_match(self, small: str) -> bool:
        """Return whether the pattern may match in a text, told by the text in small letters."""
        self._asked += 1
        if self._asked == _OFTEN:
            self._runs = _runs(self.pattern.pattern)
        return not self._runs or any(map(small.__contains__, self._runs))


@lru_cache(maxsize=1 << 6)  # a text is searched for one phrase after another
def _looked_at(text: str) -> tuple[str | None, str]:
    """Return a text in small letters, None where that finds something else, and `_WIDE` if it has such a script."""
    small = text.lower() if text.isascii() or not _ODD.search(text) else None
    return small, _WIDE if tokenizer.has_wide(text) else ""


@memo(1 << 8, str, None)
def _searched(form: str) -> str:
    """Return a pattern as it is compiled, told by what it is for, a space and how it is written."""
    use, _, source = form.partition(" ")
    parts = [part for part in alternatives(source) if _WIDE in use or not _begins_wide(part)]
    if _SMALL in use or _CASED in use:
        parts = [part for part in parts if (_KEEPS_CASE in part) == (_CASED in use)]
    if _SMALL in use:
        parts = [_ESCAPED.sub(lambda run: _folded(run[0]), part) for part in parts]
    return _grouped(parts)


@memo(1 << 8, tuple)
def _runs(pattern: str) -> tuple[str, ...]:
    """Return runs of small letters of which all that a pattern matches has one; nothing where none is plain."""
    return tuple(sorted(needed(pattern)))


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
    for sign in SIGN.finditer(pattern if pattern.startswith("(?:") else ""):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if not depth:
            is_needed = pattern[sign.end() : sign.end() + 1] not in _MAY_MISS
            return is_needed and all(map(_begins_wide, alternatives(pattern[3 : sign.start()])))
    return tokenizer.has_wide(pattern[:1]) and pattern[1:2] not in _MAY_MISS
