"""The blocks of a message's Markdown: headings, paragraphs, items, rows of tables, and the gaps where code stands.

Owns reading a message line by line, quotations told apart. Refuses to say what a block states: that is `passages`'.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import quotation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    _Row = tuple[str, int, str, bool]

_FENCE = re.compile(r"^(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})\s+((?:.*[^\s#])?)[\s#]*$")
_ITEM = re.compile(r"^(?:[-*+•]|(\d{1,3}[.)]))\s+(?:\[[ xX]\]\s+)?(?=\S)")
_NUMBERED = re.compile(r"^\*\*(\d{1,2}[.)] [^*]+)\*\*((?: \([^()]*\))?):?$")  # `**2. No timeout** (`net.rs:11`)`
_RULE = re.compile(r"^[-*_=\s|:>]*$")
_ALONE = ("heading", "gap", "columns", "row")
_CODE = 100  # characters of code that is told in a sentence
BOLD = 7  # the level of a line that is all bold: below every heading
_FILE = re.compile(r"[\w@.\\/-]+\.\w{1,8}:?")  # a block of its own above code: the name of what is left out


def parse(text: str) -> Iterator[tuple[str, int, str, bool]]:
    """Yield (heading, text, item, columns, row or gap; level of a heading; words; is it a quotation) of a message.

    Code is a gap, which has the words of a single short line. So is a table: its columns (the names at its head) and
    its rows follow the gap.
    """
    sort, words, quoted = "", [""], False
    for row, level, line, is_quoted in _with_tables(_rows(text)):
        if sort and (row != "text" or quoted != is_quoted):
            if not (row == "code" and sort == "text" and _FILE.fullmatch(" ".join(words))):
                yield sort, 0, " ".join(words), quoted
            sort = ""
        quoted = is_quoted
        if row == "code":
            yield "gap", 0, line, quoted
        elif row in _ALONE:
            yield row, level, line, quoted
        elif row == "item":
            sort, words = row, [line]
        elif row == "text":
            words = [*words, line] if sort else [line]
            sort = sort or row
    if sort:
        yield sort, 0, " ".join(words), quoted


def _with_tables(rows: Iterable[_Row]) -> Iterator[_Row]:
    """Yield the lines of a message, those of a table as a gap, its columns and its rows."""
    is_table = False
    for sort, level, line, is_quoted in rows:
        if sort != "table":
            yield sort, level, line, is_quoted
        else:
            if not is_table:
                yield "gap", 0, "", is_quoted
            if not _RULE.match(line):
                yield "row" if is_table else "columns", 0, line, is_quoted
        is_table = sort == "table"


def _rows(text: str) -> Iterator[_Row]:
    """Yield (heading, item, text, table, code or rule; level of a heading; words; is it a quotation) of each line."""
    for bare, is_quoted, is_code in _lines(text):
        if is_code:
            yield "code", 0, bare, is_quoted
        elif bare.startswith("|"):
            yield "table", 0, bare.strip("| "), is_quoted
        elif heading := _HEADING.match(bare):
            yield "heading", len(heading[1]), heading[2], is_quoted
        elif bold := _NUMBERED.match(bare):
            yield "heading", BOLD, bold[1] + bold[2], is_quoted
        elif item := _ITEM.match(bare):
            # A number says which it is and stays; a bullet says nothing.
            yield "item", 0, bare if item[1] else bare[item.end() :], is_quoted
        else:
            yield "rule" if _RULE.match(bare) else "text", 0, bare, is_quoted


def _lines(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield (words, is it a quotation, is it code) of each line, of code those of a single short line, once."""
    fence, code, is_quoted, is_marked = "", list[str](), False, False  # `is_marked`: the code stands behind `>`
    for raw, is_quoted in quotation.lines(text):
        line = raw.strip()
        bare = line.lstrip("> ") if is_quoted else line
        if fence and is_marked and not line.startswith(">"):  # a quotation ends, and the code in it
            yield _short(code), True, True
            fence, code = "", []
        row = bare if is_marked else line
        if fence and row.startswith(fence) and not row.strip(fence[0]):
            yield _short(code), is_quoted, True
            fence, code = "", []
        elif fence:
            code.append(row)
        elif opening := _FENCE.match(bare):
            fence, is_marked = opening[1], line.startswith(">")
        else:
            yield bare, is_quoted, False
    if fence:
        yield "", is_quoted, True


def _short(code: Sequence[str]) -> str:
    """Return a single line of code in its marks, "" for more lines, or for a long one."""
    rows = [line for line in code if line]
    line = rows[0].removeprefix("$ ") if len(rows) == 1 else ""
    return f"`{line}`" if line and len(line) <= _CODE and "`" not in line else ""
