"""Lines of Markdown, read without a parser.

Owns which lines are code and which are headings, for the pages that are read by hundreds or on a hook's path, where
mistune is too slow. Refuses the finer points of Markdown: a heading starts in the first column, and a fence that
nothing closes is an ordinary line, so that one stray sign cannot hide the rest of a page.
"""

from __future__ import annotations

import re
from itertools import accumulate, repeat

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BOM = "\ufeff"
_FENCE = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})")
_ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*))?$")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+$")
_PLAIN = re.compile(r"(?![-*+>#|<`~\s]|\d+[.)]|$)")
_TELLS = re.compile(r"#|(?:=+|-+)\s*$")  # how a heading, or what underlines one, begins
_ANY = 1_000_000
_OUTERMOST = 1  # columns, within which a fence belongs to no item


class Line(NamedTuple):
    """A line: `text[start:end]` with its line feed, and what it says without it (and without a BOM)."""

    start: int
    end: int
    words: str


class Heading(NamedTuple):
    """A heading: its level, its words, and the indexes of its first and last line."""

    level: int
    title: str
    first: int
    last: int


def split(text: str) -> list[Line]:
    """Return the lines of a text; only a line feed ends one, and a BOM belongs to none."""
    start = int(text.startswith(BOM))
    words = text[start:].split("\n")
    edges = [*accumulate(map((1).__add__, map(len, words)), initial=start)]
    bare = [row.rstrip("\r") for row in words] if "\r" in text else words
    # As `Line` makes them, without a call for each: a page of a long memory has thousands.
    rows = [*map(tuple.__new__, repeat(Line), zip(edges, edges[1:], bare, strict=False))]
    last = rows.pop()
    if last.start < len(text):  # it has no line feed
        rows.append(last._replace(end=len(text)))
    return rows


def words(text: str) -> list[str]:
    """Return what the lines of a text say, as `split` does, where nobody asks where they stand."""
    rows = text.removeprefix(BOM).split("\n")
    if not rows[-1]:
        rows.pop()
    return [row.rstrip("\r") for row in rows] if "\r" in text else rows


def code(words: Sequence[str], indent: int = _ANY) -> frozenset[int]:
    """Return the indexes of the lines of code, fences included; a fence opens at most `indent` columns in."""
    fenced: set[int] = set()
    endless = {"`": _ANY, "~": _ANY}  # by sign, the shortest fence that nothing closes from here on
    at = 0
    while at < len(words):
        opened = _FENCE.match(words[at]) if "```" in words[at] or "~~~" in words[at] else None
        if opened and len(opened[1]) <= indent and len(opened[2]) < endless[opened[2][0]]:
            last = next((index for index in range(at + 1, len(words)) if _closes(words[index], opened[2])), None)
            if last is None:
                endless[opened[2][0]] = len(opened[2])
            else:
                fenced.update(range(at, last + 1))
                at = last
        at += 1
    return frozenset(fenced)


def _closes(words: str, fence: str) -> bool:
    bare = words.strip(" \t\r")
    return bare.startswith(fence) and not bare.strip(fence[0])


def headings(words: Sequence[str], fenced: frozenset[int]) -> list[Heading]:
    """Return the headings outside code, with signs (`## x`) or underlined."""
    heads: list[Heading] = []
    for index in [at for at, line in enumerate(words) if _TELLS.match(line)]:
        line = words[index]
        if index in fenced:
            continue
        if line[0] == "#":
            if atx := _ATX.match(line.rstrip()):
                title = (atx[2] or "").strip()
                title = _CLOSING.sub("", title).strip() if title.endswith("#") else title
                heads.append(Heading(len(atx[1]), title, index, index))
        elif _titled(words, index - 1, fenced):
            heads.append(Heading(1 if line[0] == "=" else 2, words[index - 1].strip(), index - 1, index))
    return heads


def _titled(words: Sequence[str], index: int, fenced: frozenset[int]) -> bool:
    """True if the line can be an underlined title: plain words that no list or quote above takes in."""
    if index < 0 or index in fenced or not _PLAIN.match(words[index]):
        return False
    above = words[index - 1] if index else ""
    return not above.strip() or above.startswith("#") or index - 1 in fenced or bool(_PLAIN.match(above))


def page_title(text: str) -> str:
    """Return the first heading of level 1 outside code, "" where there is none."""
    rows = words(text)
    heads = headings(rows, code(rows, _OUTERMOST))
    return next((head.title for head in heads if head.level == 1), "")
