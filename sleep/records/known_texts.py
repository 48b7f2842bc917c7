"""Texts that are there already: whether a further one would say what one of them says.

Owns the relation by which a journal is not told a thing twice: the same words, a part of them, or four fifths of the
terms with the same figures and turns (not, fails, before). Refuses to judge which of two is right.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, similarity, terms, tokenizer
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

_SHARE = 0.8  # of a text's terms that another has
_ALL, _BEGINS = "", " "  # handles: of all texts, and what stands before the words that one begins with
_FIRST = 64  # of these words, at most: of fewer many texts begin with the same
_LEAST = 3  # terms, or words, that two texts have in common at least


class KnownTexts:
    """What a journal says, to know when a further text would say it again."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: list[str] = []
        self._spoken: list[str] = []
        self._statements: list[_Statement] = []
        self._by: dict[Hashable, list[int]] = {}  # what `repeating` looks at, when it is first asked
        self._read = 0
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take in a text."""
        statement = _statement(text)
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
                or (fixed == self._statements[index].fixed and _repeat(text, self._texts[index]))
            ):
                yield index

    def repeating(self, text: str) -> Iterator[int]:
        """Yield the places, from 0, of the texts that say this in the same words, or one of the two with a few more.

        Stricter than `saying`: of two rules that differ in a name alone neither repeats the other.
        """
        for at in range(self._read, len(self._texts)):
            for handle in set(handles(self._texts[at])):
                self._by.setdefault(handle, []).append(at)
        self._read = len(self._texts)
        by = self._by
        near = {at for handle in asked(text, lambda handle: len(by.get(handle, ()))) for at in by.get(handle, ())}
        yield from (at for at in sorted(near) if repeats(text, self._texts[at]))


def _repeat(text: str, other: str) -> bool:
    return similarity.repeats(text, other) or similarity.repeats(other, text)


def repeats(text: str, other: str) -> bool:
    """Return whether a text says another in the same words, or one of the two with a few more: see `repeating`."""
    spoken, is_part, fixed = _statement(text)
    whole, _, same = _statement(other)
    is_within = (len(whole) >= _SHARE * len(spoken) and whole in spoken) or (is_part and spoken in whole)
    return (
        spoken == whole or (is_within and _turns(spoken) == _turns(whole)) or (fixed == same and _repeat(text, other))
    )


def spoken(text: str) -> str:
    """Return a text's words, folded, between spaces: two texts with the same are the same words."""
    return _statement(text).spoken


def handles(text: str) -> Iterator[Hashable]:
    """Yield what leads to a text that is known: how it begins, its words, and what leads to one that repeats it."""
    words = _statement(text).spoken.split()
    yield _BEGINS + " ".join(words[:_FIRST])
    yield _ALL
    yield from _drop_common(words)
    yield from similarity.leads(text)


def asked(text: str, count: Callable[[Hashable], int]) -> Iterator[Hashable]:
    """Yield the handles of which each known text has one that a text repeats, or that repeats it.

    `count` says how many known texts have a handle: of a text's words, all of which one that repeats it has, that is
    taken which the fewest have.
    """
    spoken, is_part, _ = _statement(text)
    yield from _beginnings(spoken)
    if is_part:
        yield min(_drop_common(spoken.split()), key=count, default=_ALL)
    yield from similarity.leads(text)


def _beginnings(spoken: str) -> Iterator[str]:
    """Yield how a text may begin that stands in these words and has four fifths of their length."""
    yield _BEGINS
    least = _SHARE * len(spoken)
    edges = [at for at, sign in enumerate(spoken) if sign == " "]
    for index, at in enumerate(edges):
        if len(spoken) - at < least:
            break
        ends = edges[index + 1 : index + 1 + _FIRST]
        # One of fewer words than lead to it ends here, so it is as long as that.
        yield from (spoken[at:end] for some, end in enumerate(ends, 1) if some == _FIRST or end + 1 - at >= least)


def _drop_common(words: Iterable[str]) -> Iterator[str]:
    stop = lexicon.all_words("stop")
    return (word for word in words if word not in stop)


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


@memo(1 << 13, _Statement._make)  # the records of a memory are asked about again and again
def _statement(text: str) -> _Statement:
    words = tokenizer.words(text)
    return _Statement(f" {' '.join(words)} ", len(words) >= _LEAST, similarity.fixed(text))


@lru_cache(maxsize=1 << 11)
def _content(text: str) -> _Content:
    return _Content(terms.terms(text), _exact(_statement(text).spoken.split()))


def _is_alike(content: _Content, other: _Content) -> bool:
    common = len(content.terms & other.terms)
    return common >= _LEAST and common >= _SHARE * len(content.terms) and content.exact == other.exact


def _turns(spoken: str) -> frozenset[str]:
    """Return the words that turn what is said: `Do not keep it` has the words of `keep it`."""
    return lexicon.words("reversals").intersection(spoken.split())


def _exact(words: Iterable[str]) -> frozenset[str]:
    """Return the words that have to be the same: figures, and those that turn a statement."""
    reversals = lexicon.words("reversals")
    return frozenset(word for word in words if word in reversals or any(map(str.isdigit, word)))
