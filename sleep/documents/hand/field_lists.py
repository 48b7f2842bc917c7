"""Lists that are one decision field by field: `Team: ...`, `Context: ...`, `Decision: ...`, `Alternatives: ...`.

Owns telling such a list from one of several choices, each behind what it is about. Refuses to say what its decision is.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sleep.language.acts import first_words, titles
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.kinds import is_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.hand.outline import Piece

_LEAST = 3  # items of such a list


def fields(text: str, pieces: Iterable[Piece]) -> frozenset[int]:
    """Return where the items begin that only say something of the one decision of their list."""
    own: set[int] = set()
    for is_item, group in groupby(pieces, key=lambda piece: piece.form == "text" and piece.in_list):
        if is_item:
            own |= _of_list([(piece.start, piece.words(text).strip()) for piece in group])
    return frozenset(own)


def _of_list(items: list[tuple[int, str]]) -> set[int]:
    if len(items) < _LEAST or not all(first_words.label_of(words) for _, words in items):
        return set()
    kinds = [classification.label_kind(words) for _, words in items]
    is_one = kinds.count("decision") == 1 and any(_explains(words) for _, words in items)
    return {start for (start, _), kind in zip(items, kinds, strict=True) if not is_record(kind)} if is_one else set()


def _explains(words: str) -> bool:
    """True for an item whose label is that of a reason, a context or a day."""
    label = first_words.label_of(words)
    is_field = label is not None and titles.explains(label[1])
    return is_field or has(words, "signs.stamp")
