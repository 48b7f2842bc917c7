"""Texts that are there already: whether a further one would say what one of them says.

Owns the relation by which a journal is not told a thing twice: the same words, a part of them, or four fifths of the
terms with the same figures and turns (not, fails, before). Refuses to judge which of two is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language import lexicon, similarity, terms, tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SHARE = 0.8  # of a text's terms that another has
_LEAST = 3  # terms, or words, that two texts have in common at least


class KnownTexts:
    """What a journal says, to know when a further text would say it again."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: list[str] = []
        self._spoken: list[str] = []
        self._terms: list[frozenset[str]] = []
        self._exact: list[frozenset[str]] = []
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take in a text."""
        words = tokenizer.words(text)
        self._texts.append(text)
        self._spoken.append(f" {' '.join(words)} ")
        self._terms.append(terms.terms(text))
        self._exact.append(_exact(words))

    def has(self, text: str) -> bool:
        """True if one of the texts says this too: the same words, as a part of it, or nearly all that tells."""
        return next(self.saying(text), None) is not None

    def saying(self, text: str) -> Iterator[int]:
        """Yield the places, from 0, of the texts that say this too."""
        words = tokenizer.words(text)
        own, exact = terms.terms(text), _exact(words)
        for index in range(len(self._spoken)):
            if self._holds(words, index) or self._is_alike(own, exact, index) or self._repeats(text, index):
                yield index

    def repeating(self, text: str) -> Iterator[int]:
        """Yield the places, from 0, of the texts that say this in the same words, or one of the two with a few more.

        Stricter than `saying`: of two rules that differ in a name alone neither repeats the other.
        """
        words = tokenizer.words(text)
        spoken = f" {' '.join(words)} "
        for index, other in enumerate(self._spoken):
            is_most = other in spoken and len(other) >= _SHARE * len(spoken)
            if is_most or self._holds(words, index) or self._repeats(text, index):
                yield index

    def _holds(self, words: Sequence[str], index: int) -> bool:
        """True if a text has these words in a row, or is no more than they."""
        spoken, other = f" {' '.join(words)} ", self._spoken[index]
        return spoken == other or (len(words) >= _LEAST and spoken in other)

    def _is_alike(self, own: frozenset[str], exact: frozenset[str], index: int) -> bool:
        common = len(own & self._terms[index])
        return common >= _LEAST and common >= _SHARE * len(own) and exact == self._exact[index]

    def _repeats(self, text: str, index: int) -> bool:
        other = self._texts[index]
        return similarity.repeats(text, other) or similarity.repeats(other, text)


def _exact(words: Iterable[str]) -> frozenset[str]:
    """Return the words that have to be the same: figures, and those that turn a statement."""
    reversals = lexicon.words("reversals")
    return frozenset(word for word in words if word in reversals or any(map(str.isdigit, word)))
