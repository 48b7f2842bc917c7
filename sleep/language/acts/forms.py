r"""The forms of speech: patterns of the data files by name, each compiled when it is first asked.

Owns how rows become one phrase (`{NAME}` in a row stands for the section `part.NAME`, a section `marks.*` gives words
instead of patterns, the rows of all languages count alike), and how a phrase is searched in a quarter of the time:
alternatives that begin with `\b` or `^` share that beginning, and the text is searched in small letters. Refuses to
say what a form means: that is `grammar`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon

_ANY, _ENDING = re.compile(r"\\\*"), r"\\w*"  # `regress*`
_PART = re.compile(r"\{([a-z][a-z ]*)\}")
_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)  # an escape, a set, what groups and what parts
_ESCAPED = re.compile(r"\\.|[^\\]+", re.DOTALL)
_OPENINGS = (r"\b", "^")
_KEEPS_CASE = "(?-i:"
# Letters that count as those of a pattern in any case, but become others in small letters: dotted and dotless i, the
# long s, and old forms of Cyrillic ones.
_ODD = re.compile("[\u0130\u0131\u017f\u1c80-\u1c88]")


@lru_cache(maxsize=1 << 7)
def form(*sections: str) -> Phrase:
    """Return what finds any form of these sections, in any language."""
    return Phrase("|".join(row for section in sections for row in _rows(section)))


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

    __slots__ = ("_any_case", "_small", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._any_case: re.Pattern[str] | None = None
        self._small: re.Pattern[str] | None = None  # for a text in small letters

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in the text."""
        return self._find(text) is not None

    def span(self, text: str) -> tuple[int, int] | None:
        """Return where the pattern matches first in the text, None where it does not."""
        match = self._find(text)
        return match.span() if match else None

    def written(self) -> re.Pattern[str]:
        """Return the pattern as it is written, in any case of letters, for who asks where it matches."""
        if self._any_case is None:
            self._any_case = re.compile(_grouped(self._source), re.IGNORECASE)
        return self._any_case

    def _find(self, text: str) -> re.Match[str] | None:
        small = self._in_small(text)
        return self.written().search(text) if small is None else self._folded().search(small)

    def fullmatch(self, text: str) -> bool:
        """Return whether the pattern matches the whole text."""
        small = self._in_small(text)
        match = self.written().fullmatch(text) if small is None else self._folded().fullmatch(small)
        return match is not None

    def _in_small(self, text: str) -> str | None:
        return None if _KEEPS_CASE in self._source else _in_small(text)

    def _folded(self) -> re.Pattern[str]:
        if self._small is None:
            self._small = re.compile(_grouped(_ESCAPED.sub(lambda run: _folded(run[0]), self._source)))
        return self._small


@lru_cache(maxsize=1 << 6)  # a text is searched for one phrase after another
def _in_small(text: str) -> str | None:
    """Return the text in small letters, None where that would find something else."""
    return text.lower() if text.isascii() or not _ODD.search(text) else None


def _folded(run: str) -> str:
    """Return a run of a pattern in small letters, an escape as it is."""
    return run if run.startswith("\\") else run.lower()


def _grouped(source: str) -> str:
    """Return the pattern with the alternatives together that begin alike; their order does not matter."""
    groups: dict[str, list[str]] = {}
    for alternative in _alternatives(source):
        opening = next((sign for sign in _OPENINGS if alternative.startswith(sign)), "")
        groups.setdefault(opening, []).append(alternative.removeprefix(opening))
    return "|".join(f"{opening}(?:{'|'.join(some)})" for opening, some in groups.items())


def _alternatives(source: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for sign in _SIGN.finditer(source):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if sign[0] == "|" and not depth:
            parts.append(source[start : sign.start()])
            start = sign.end()
    return [*parts, source[start:]]
