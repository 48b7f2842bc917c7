"""The blocks of a message's Markdown: headings, paragraphs, items, and the gaps where code and tables stand.

Owns reading a message line by line, quotations told apart. Refuses to say what a block states: that is `passages`'.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import quotation

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"^(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^(?:[-*+•]|(\d{1,3}[.)]))\s+(?:\[[ xX]\]\s+)?(?=\S)")
_RULE = re.compile(r"^[-*_=\s|:>]*$")
_FILE = re.compile(r"[\w@.\\/-]+\.\w{1,8}:?")  # a block of its own above code: the name of what is left out


def parse(text: str) -> Iterator[tuple[str, int, str, bool]]:
    """Yield (heading, text, item or gap; level of a heading; words; is it a quotation) of a message.

    Code and tables are gaps.
    """
    sort, words, quoted = "", [""], False
    for row, level, line, is_quoted in _rows(text):
        if sort and (row != "text" or quoted != is_quoted):
            if not (row == "code" and sort == "text" and _FILE.fullmatch(" ".join(words))):
                yield sort, 0, " ".join(words), quoted
            sort = ""
        quoted = is_quoted
        if row in ("code", "table"):
            yield "gap", 0, "", quoted
        elif row == "heading":
            yield row, level, line, quoted
        elif row == "item":
            sort, words = row, [line]
        elif row == "text":
            words = [*words, line] if sort else [line]
            sort = sort or row
    if sort:
        yield sort, 0, " ".join(words), quoted


def _rows(text: str) -> Iterator[tuple[str, int, str, bool]]:
    """Yield (heading, item, text, table, code or rule; level of a heading; words; is it a quotation) of each line.

    Of code only the line that opens it is told.
    """
    fence = ""
    for raw, is_quoted in quotation.lines(text):
        line = raw.strip()
        if fence:
            fence = "" if line.startswith(fence) and not line.strip(fence[0]) else fence
            continue
        bare = line.lstrip("> ") if is_quoted else line
        if opening := _FENCE.match(bare):
            fence = opening[1]
            yield "code", 0, "", is_quoted
        elif bare.startswith("|"):
            yield "table", 0, "", is_quoted
        elif heading := _HEADING.match(bare):
            yield "heading", len(heading[1]), heading[2], is_quoted
        elif item := _ITEM.match(bare):
            # A number says which it is and stays; a bullet says nothing.
            yield "item", 0, bare if item[1] else bare[item.end() :], is_quoted
        else:
            yield "rule" if _RULE.match(bare) else "text", 0, bare, is_quoted
