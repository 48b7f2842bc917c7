"""The values of a document as the index stores them: made of its path and text alone, so kept by `memo`.

Owns what stands in which column. Numbers of rows are not known here: what names a row names its place in the document.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from sleep.language import words
from sleep.memo import memo
from sleep.recall.index import rows
from sleep.recall.index.index_form import SHIFT
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of a row: terms, characters, flags, the number of its label in the document, rows back to its heading.
FACTS = struct.Struct("<HHBBH")
_MOST, _LABELS = 65_535, 256


class Values(NamedTuple):
    """What is stored of a document.

    `document` are the last columns of its own row: how many rows and terms, what is packed of them, labels, days.
    `rows` are the columns of its rows behind their number, `terms` what each is found by, `places` handles and `moves`
    records and states, each with the place of its row; `spelled` are the words as they are written, in order.
    """

    tier: str
    day: str
    document: tuple[Any, ...]
    rows: tuple[tuple[Any, ...], ...]
    terms: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    moves: tuple[tuple[str, int, str], ...]
    spelled: tuple[str, ...]


def read(path: str, text: str) -> Values:
    """Return the values of a document."""
    return _values(f"{path}\n{text}")


@memo(1 << 4, Values._make)
def _values(named: str) -> Values:
    path, _, text = named.partition("\n")
    tier, day = rows.tier_of(path), rows.day_of(path, text)
    parsed = rows.read(path, text, day)[: 1 << SHIFT]
    own_terms = [rows.terms(row) for row in parsed]
    labels = list(dict.fromkeys(("", *(row.who for row in parsed))))[:_LABELS]
    which = {label: at for at, label in enumerate(labels)}
    known = b"".join(
        FACTS.pack(min(len(own), _MOST), min(len(row.text), _MOST), row.flags, which.get(row.who, 0), _back(row))
        for row, own in zip(parsed, own_terms, strict=True)
    )
    days = "" if all(row.day == day for row in parsed) else "\n".join(row.day for row in parsed)
    return Values(
        tier,
        day,
        (len(parsed), sum(map(len, own_terms)), known, "\n".join(labels), days),
        tuple(_columns(row) for row in parsed),
        tuple(stored(row, own, tier) for row, own in zip(parsed, own_terms, strict=True)),
        tuple((handle, at) for at, row in enumerate(parsed) for handle in row.handles),
        tuple((move.record, at, move.state) for at, row in enumerate(parsed) if (move := row.move)),
        tuple(sorted(words.spelled(text))),
    )


def _columns(row: rows.Row) -> tuple[Any, ...]:
    return (
        *(row.text, " ".join(row.addresses), row.kind, row.state, row.day, row.who, row.number),
        *(row.line, row.below, row.source),
    )


def _back(row: rows.Row) -> int:
    return row.below if row.below <= _MOST else 0


def stored(row: rows.Row, terms: Sequence[str], tier: str) -> str:
    """Return what a row is found by, as the index stores it."""
    return " ".join((*terms, *rows.marks(row, tier)))
