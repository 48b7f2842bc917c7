r"""A table of Markdown as rows of cells.

Owns where a cell ends: at a pipe, unless a backslash stands before it. Refuses to find tables: that is `blocks`'.
"""

from __future__ import annotations

import re

from sleep.tuples import NamedTuple

_PIPE = re.compile(r"(?<!\\)\|")  # parts `| a | b \| c |` into ` a ` and ` b \| c `
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
