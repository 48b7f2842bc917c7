"""Texts that are there already: whether a further one would say what one of them says.

Owns the relation by which a journal is not told a thing twice: the same words, a part of them, or four fifths of the
terms with the same figures and turns (not, fails, before). Refuses to judge which of two is right.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from sleep.language import lexicon, similarity, terms, tokenizer
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHARE = 0.8  # of a text's terms that another has
_LEAST = 3  # terms, or words, that two texts have in common at least


class KnownTexts:
    """What a journal says, to know when a further text would say it again."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: list[str] = []
        self._spoken: list[str] = []
        self._statements: list[_Statement] = []
        # What `repeating` looks at of many texts: those with the same `fixed`, those that begin with a word.
        self._by_fixed: dict[tuple[str, ...], list[int]] = {}
        self._by_first: dict[str, list[int]] = {}
        self._joined = ""
        self._starts: list[int] = []
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take in a text."""
        statement = _statement(text)
        self._by_fixed.setdefault(statement.fixed, []).append(len(self._texts))
        self._by_first.setdefault(_first(statement.spoken), []).append(len(self._texts))
        self._texts.append(text)
        self._spoken.append(statement.spoken)
        self._statements.append(statement)

    def has(self, text: str) -> bool:
        """True if one of the texts says this too: the same words, as a part of it, or nearly all that tells."""
        return next(self.saying(text), None) is not None

    def saying(self, text: str) -> Iterator[int]:
        """Yield the places, from 0, of the texts that say this too."""
        spoken, is_part, fixed = _statement(text)
        for index, other in enumerate(self._spoken):
            if (
                spoken == other
                or (is_part and spoken in other)
                or _is_alike(_content(text), _content(self._texts[index]))
                or (fixed == self._statements[index].fixed and self._repeats(text, index))
            ):
                yield index

    def repeating(self, text: str) -> Iterator[int]:
        """Yield the places, from 0, of the texts that say this in the same words, or one of the two with a few more.

        Stricter than `saying`: of two rules that differ in a name alone neither repeats the other.
        """
        spoken, is_part, fixed = _statement(text)
        least = _SHARE * len(spoken)
        for index in self._near(spoken, fixed):
            other = self._spoken[index]
            if (
                spoken == other
                or (len(other) >= least and other in spoken)
                or (is_part and spoken in other)
                or (fixed == self._statements[index].fixed and self._repeats(text, index))
            ):
                yield index

    def _near(self, spoken: str, fixed: tuple[str, ...]) -> list[int]:
        """Return the places of the texts that may hold these words, stand in them, or have the same `fixed`."""
        near = {*self._by_fixed.get(fixed, ()), *self._holding(spoken)}
        for word in {"", *spoken.split()}:
            near.update(self._by_first.get(word, ()))
        return sorted(near)

    def _holding(self, spoken: str) -> Iterator[int]:
        """Yield the places of the texts that hold these words in their order."""
        if len(self._starts) < len(self._spoken):
            self._joined = "\n".join(self._spoken)
            self._starts = [0, *accumulate(len(other) + 1 for other in self._spoken[:-1])]
        at = self._joined.find(spoken)
        while at >= 0:
            yield bisect_right(self._starts, at) - 1
            at = self._joined.find(spoken, at + 1)

    def _repeats(self, text: str, index: int) -> bool:
        other = self._texts[index]
        return similarity.repeats(text, other) or similarity.repeats(other, text)


class _Statement(NamedTuple):
    """What a text says: its words between spaces, whether they are enough to be a part, and `fixed`.

    `fixed` is what another has to have the same in order.
    """

    spoken: str
    is_part: bool
    fixed: tuple[str, ...]


class _Content(NamedTuple):
    """The terms of a text, and those of its words that another has to have too."""

    terms: frozenset[str]
    exact: frozenset[str]


def _first(spoken: str) -> str:
    return spoken[1 : spoken.find(" ", 1)]


@memo(1 << 14, _Statement._make)  # the records of a memory are asked about again and again
def _statement(text: str) -> _Statement:
    words = tokenizer.words(text)
    return _Statement(f" {' '.join(words)} ", len(words) >= _LEAST, similarity.fixed(text))


@lru_cache(maxsize=1 << 11)
def _content(text: str) -> _Content:
    return _Content(terms.terms(text), _exact(_statement(text).spoken.split()))


def _is_alike(content: _Content, other: _Content) -> bool:
    common = len(content.terms & other.terms)
    return common >= _LEAST and common >= _SHARE * len(content.terms) and content.exact == other.exact


def _exact(words: Iterable[str]) -> frozenset[str]:
    """Return the words that have to be the same: figures, and those that turn a statement."""
    reversals = lexicon.words("reversals")
    return frozenset(word for word in words if word in reversals or any(map(str.isdigit, word)))
