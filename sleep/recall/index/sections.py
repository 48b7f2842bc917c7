"""The pieces of a journal or a page: headings, items, paragraphs and blocks of code, each with the mark behind it.

Owns cutting Markdown by lines, because a thousand journals are read. Refuses to say what is one entry: that is `rows`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.markdown import lines
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
# Where an entry is from: it says nothing itself.
_WHENCE = re.compile(r"\**Date\**:.*|- (?:time: \d{4}-\d\d-\d\dT\S+|(?:transcript|stands in): \S+)$")
_DERIVED = " (derived)"  # what main.md says behind a mark
_COMMENT = re.compile(r"[ \t]*<!--(?:(?!-->).)*-->[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")


class Piece(NamedTuple):
    """A piece: its text, the mark behind it, its level if it is a heading (else 0), and its line from 1."""

    text: str
    mark: addressing.Mark | None
    level: int
    line: int


def read(body: str, first: int, own: int | None = None) -> Iterator[Piece]:
    """Yield headings, items with what is nested in them and has no mark, paragraphs, and blocks of code.

    Args:
        body: a text without its front matter.
        first: the number of its first line.
        own: the number of the instance whose journal it is, and whose marks alone count there.
    """
    rows = [row.words for row in lines.split(body)]
    fenced = lines.code(rows)
    heads = {head.first: head for head in lines.headings(rows, fenced)}
    under = {head.last for head in heads.values()} - heads.keys()
    held: list[str] = []
    was_code, line = False, first
    for at, row in enumerate(rows):
        is_code = at in fenced
        if at in heads:
            yield from _closed(held, line, own)
            held = []
            split = addressing.trailing_mark(heads[at].title, own)
            title, mark = split or (heads[at].title, None)
            yield Piece(title, mark, heads[at].level, first + at)
        elif at in under or _says_nothing(row, is_code=is_code):
            continue
        elif is_code:
            if not was_code:
                yield from _closed(held, line, own)
                held, line = [], first + at
            held.append(row)
        elif was_code or _begins(row, own):
            yield from _closed(held, line, own)
            held, line = [] if _is_empty(row) else [row], first + at
        else:
            line = line if held else first + at
            held.append(row)
        was_code = is_code
    yield from _closed(held, line, own)


def _says_nothing(row: str, *, is_code: bool) -> bool:
    """Return whether a line only says where an entry is from, or is a comment."""
    return bool(_WHENCE.match(row)) or (not is_code and "<!--" in row and bool(_COMMENT.match(row)))


def _is_empty(row: str) -> bool:
    """Return whether a line outside code says nothing: a blank one, or a rule from side to side."""
    bare = row.strip()
    return not bare or (bare[0] in "-*_" and bool(_RULE.match(row)))


def _begins(row: str, own: int | None) -> bool:
    """Return whether a line ends what is above it: an empty one, an outermost item, or one with a mark of its own."""
    if _is_empty(row):
        return True
    if not _BULLET.match(row):
        return False
    bare = row.rstrip().removesuffix(_DERIVED)
    return not row.startswith((" ", "\t")) or (bare.endswith("]") and addressing.trailing_mark(bare, own) is not None)


def _closed(held: list[str], line: int, own: int | None) -> Iterator[Piece]:
    if not held:
        return
    mark = None
    clean = []
    for at, row in enumerate(held):
        bare = row.rstrip().removesuffix(_DERIVED)
        split = addressing.trailing_mark(bare, own) if mark is None and bare.endswith("]") else None
        mark = split[1] if split else mark
        words_ = split[0] if split else row.rstrip()
        bullet = None if at else _BULLET.match(words_)
        clean.append(words_[bullet.end() :] if bullet else words_)
    if text := "\n".join(clean).strip():
        yield Piece(text, mark, 0, line)
