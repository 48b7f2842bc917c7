r"""A table of Markdown as rows of cells.

Owns where a cell ends (at a pipe, unless a backslash stands before it), which row names the columns, and how a row is
told on a line of its own. Refuses to find tables: that is `blocks`'.
"""

from __future__ import annotations

import re

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PIPE = re.compile(r"(?<!\\)\|")  # parts `| a | b \| c |` into ` a ` and ` b \| c `
_DELIMITERS = frozenset("|:- \t")
_NAME = re.compile(r"[^\d`/@]{0,30}")  # takes `Tests passed`, leaves `see /docs`
# Takes `$0.25`, `12 ms` and a sign alone, leaves `402 left`.
_FIGURE = re.compile(r"\W{0,4}(?:\d[\d.,:/%]{0,12}\s?[^\W\d]{0,3})?\W{0,4}")
_COUNTS = frozenset(("#", "no", "nr", "№", ""))  # columns that number the rows
_RULE = 1  # the line below the head, which only says how columns are aligned


class Table(NamedTuple):
    """The cells of a table's head, and of each row below it; both without the space around them."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def cells(line: str) -> tuple[str, ...]:
    r"""Return the cells of a row: `a` and `b | c` of `| a | b \| c |`."""
    line = line.strip().removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return tuple(cell.strip().replace("\\|", "|") for cell in _PIPE.split(line))


def parse(text: str) -> Table:
    """Return the head and the rows of a table, given as the text of its block."""
    lines = [cells(line) for line in text.strip().splitlines()]
    return Table(lines[0], tuple(lines[1 + _RULE :]))


def is_delimiter(line: str) -> bool:
    """Return whether a line stands between the names of columns and the rows of a table."""
    return "|" in line and "-" in line and _DELIMITERS.issuperset(line.strip())


def columns(names: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row as names of columns, none where one of them says something."""
    return tuple(names) if all(map(_NAME.fullmatch, names)) else ()


def tell(row: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return what the cells of a row say, `names` being those of its columns: `/search · Price: $0.25 · open`.

    A bare figure stands behind the name of its column, and the number of a row is left out.
    """
    words: list[str] = []
    for place, cell in enumerate(row):
        name = names[place] if place < len(names) else ""
        is_count = place == 0 and bool(names) and name.rstrip(".").casefold() in _COUNTS and cell.isdigit()
        if cell and not is_count:
            words.append(f"{name}: {cell}" if words and name and _FIGURE.fullmatch(cell) else cell)
    return " · ".join(words)
