"""The named features that a sentence has by its message: what kind of message it is, and what else it says.

Owns the shape of a message (how long it is, how many headings, items, rows and paragraphs it has, how it ends), what
any of its sentences speaks of, and how much of a sentence its message says again. A report, a step that is told and a
review hold other records in the same words. Refuses what a sentence says by itself: that is `features`'.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.language.acts.likelihood import features

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COUNTS = {
    "characters": (60, 150, 300, 600, 1200, 2500),
    "headings": (1, 3, 8, 15),
    "gaps": (1, 3, 8, 15),
    "items": (1, 3, 8, 15),
    "rows": (1, 3, 8, 15),
    "paragraphs": (2, 3, 5, 9),
}
_SORTS = {"headings": "heading", "gaps": "gap", "items": "item", "rows": "row", "paragraphs": "break"}
_SHARES = (0.1, 0.3, 0.5, 0.7)  # of a sentence's words that its message says again
_WORD = re.compile(r"[^\W\d_]{2,}")
_INTRODUCES, _ASKS = (":", "："), ("?", "？")


class Message:
    """A message as its sentences see it.

    Args:
        units: the sort and the text of each of its units, in order; a `break` and a `gap` have no text.
    """

    def __init__(self, units: Sequence[tuple[str, str]]) -> None:
        self._units = units
        self._counts = Counter(word for _, text in units for word in _words(text))
        self._shared = frozenset((*self._shape(), *self._says()))

    def around(self, number: int) -> frozenset[str]:
        """Return the features that a unit has by its message."""
        return self._shared.union(self._again(number))

    def _shape(self) -> Iterator[str]:
        sorts = Counter(sort for sort, _ in self._units)
        numbers = {name: sorts[sort] for name, sort in _SORTS.items()}
        numbers["characters"] = sum(len(text) for _, text in self._units)
        yield from (f"{name} {_grade(number, _COUNTS[name])}" for name, number in numbers.items())
        end = next((text.rstrip() for _, text in reversed(self._units) if text), "")
        if end.endswith(_INTRODUCES):
            yield "message introduces"
        if end.endswith(_ASKS):
            yield "message asks"

    def _says(self) -> Iterator[str]:
        return (f"message: {name}" for _, text in self._units if text for name in features.hints(text))

    def _again(self, number: int) -> Iterator[str]:
        own = _words(self._units[number][1])
        if own:
            yield f"again {_grade(sum(self._counts[word] > 1 for word in own) / len(own), _SHARES)}"


def _grade(number: float, edges: Sequence[float]) -> int:
    return sum(number >= least for least in edges)


def _words(text: str) -> frozenset[str]:
    """Return the words of a text that are no small ones."""
    return frozenset(_WORD.findall(text.lower())) - lexicon.words("stop")
