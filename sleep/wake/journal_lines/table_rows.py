"""Rows of a table as a wake tells them: its cells on one line, a bare figure behind the name of its column.

Owns which row names the columns of a table: that is told with the others, and not by itself. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.wake.journal_lines import line_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_DELIMITERS = frozenset("|:- \t")
_NAME = re.compile(r"[^\d`/@]{0,30}")  # takes `Tests passed`, leaves `see /docs`
# Takes `$0.25`, `12 ms` and a sign alone, leaves `402 left`.
_FIGURE = re.compile(r"\W{0,4}(?:\d[\d.,:/%]{0,12}\s?[^\W\d]{0,3})?\W{0,4}")
_COUNTS = frozenset(("#", "no", "nr", "№", ""))  # columns that number the rows


def is_delimiter(line: str) -> bool:
    """Return whether a line stands between the names of columns and the rows of a table."""
    return "|" in line and "-" in line and _DELIMITERS.issuperset(line)


def columns(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns that a row gives, none where a cell of it says something."""
    names = tuple(map(line_text.bare, cells))
    return names if all(map(_NAME.fullmatch, names)) else ()


def tell(cells: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return what a row says, `names` being those of its columns: `/search · Price: $0.25 · open`."""
    words: list[str] = []
    for place, cell in enumerate(map(line_text.bare, cells)):
        name = names[place] if place < len(names) else ""
        is_count = place == 0 and bool(names) and name.rstrip(".").casefold() in _COUNTS and cell.isdigit()
        if cell and not is_count:
            words.append(f"{name}: {cell}" if words and name and _FIGURE.fullmatch(cell) else cell)
    return " · ".join(words)
