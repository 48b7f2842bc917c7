r"""The blocks of plain Markdown, read by line: headings, paragraphs, lists of one line an item, code and tables.

Owns how far a text is plain, and the spans of its blocks up to there. Refuses all that could be something else (quotes,
HTML, definitions of links, rules below words, indented lines, an item that goes on): mistune is asked about that, up to
the next heading behind a blank line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.markdown.offsets import strip
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# How a line begins that is words, whatever stands before it: a letter, a figure that numbers nothing, bold, code, and
# the like.
WORDS = r"[^\W\d_]|[0-9]+[^0-9.)\n]|\*\*[^\W_]|`[^`\n]|[\"'(/.@$]|[^\x00-\x7f\s]"
_LINE = re.compile(
    rf"(?P<blank>\n)|(?P<heading>#{{1,6}}) +[^\s#]|(?P<code>```[\w+#.-]*\n)|(?P<table>\|)|(?P<list>[-*+] )?(?:{WORDS})"
)
_PART = re.compile(r"(?<=\n\n)#{1,6} +[^\s#]")
_REACHES = re.compile(r"```|~~~|\r|^[ \t]*(?:<|\[[^\]]*\]:)", re.MULTILINE)  # what may take a heading in
_FENCE = re.compile(r"^ {0,3}```.*\n?", re.MULTILINE)
_NOT_PLAIN = -1
_ROW = r"\|[^\n\\]*\|\n"
_TABLE = re.compile(rf"({_ROW})(\|(?: *:?-+:? *\|)+\n)((?:{_ROW})*)(?=\n|\Z)")


class Block(NamedTuple):
    """One block at the top level of a document.

    `kind` is heading, paragraph, list, code, quote, table, html, break or reference. `start:end` covers whole lines
    with the last newline and no blank lines after it. `text_start:text_end` is what a heading or paragraph says without
    its markers (both are `start` for other kinds); `level` is 1 to 6 for a heading, else 0.
    """

    kind: str
    start: int
    end: int
    level: int
    text_start: int
    text_end: int

    def words(self, text: str) -> str:
        """Return what it says in its text, without its markers."""
        return text[self.text_start : self.text_end]


def parts(text: str, start: int) -> Iterator[tuple[int, int, list[Block] | None]]:
    """Yield the parts of `text[start:]` in order: from where to where, and its blocks, None where it is not plain."""
    at, is_plain = start, "\r" not in text
    while at < len(text):
        spans, stop = read(text, at) if is_plain else ([], at)
        if stop > at:
            yield at, stop, spans
        at = stop
        if at < len(text):
            part = _PART.search(text, at + 1)
            stop = part.start() if part and is_plain and not _REACHES.search(text, at, part.start()) else len(text)
            yield at, stop, None
            at = stop


def read(text: str, start: int) -> tuple[list[Block], int]:
    """Return the blocks of a text from `start` on, and where the part of it begins that is not plain: its end for none.

    Each part begins at a heading behind a blank line, and is read alike alone and with the others.
    """
    reading = _Reading(text, start)
    at = start
    while at < len(text):
        match = _LINE.match(text, at)
        stop = reading.take(match, at) if match else _NOT_PLAIN
        if stop == _NOT_PLAIN:
            return reading.spans[: reading.known], reading.safe
        at = stop
    reading.close(at)
    return reading.spans, at


class _Reading:
    """The blocks so far, and the kind of the one that the line before belongs to, with where it begins.

    `before` is the kind of the block behind which there was a blank line, "" for none. The part of the text that is
    read began at `safe`, behind so many `known` spans.
    """

    __slots__ = ("_before", "_begin", "_kind", "_text", "known", "safe", "spans")

    def __init__(self, text: str, start: int) -> None:
        self.spans: list[Block] = []
        self.known = 0
        self.safe = self._begin = start
        self._text = text
        self._kind = self._before = ""

    def take(self, match: re.Match[str], at: int) -> int:
        """Take in the line at `at`, with what follows where a block is told by that; return where the next begins."""
        text, now = self._text, match.lastgroup or "paragraph"
        if _is_doubtful(now, self._kind, self._before, same=text[at] == text[self._begin]):
            return _NOT_PLAIN
        if now != self._kind:
            self._turn(now, at)
        if now not in _ALONE:
            return text.find("\n", at) + 1 or len(text)
        span = _ALONE[now](text, match)
        if span is None:
            return _NOT_PLAIN
        self.spans.append(span)
        return span.end

    def _turn(self, now: str, at: int) -> None:
        self.close(at)
        if now == "heading" and not self._kind:
            self.safe, self.known = at, len(self.spans)
        self._before = (self._kind or self._before) if now == "blank" else ""
        self._kind, self._begin = "" if now == "blank" else now, at

    def close(self, end: int) -> None:
        """End the block of the line before."""
        text, kind, begin = self._text, self._kind, self._begin
        if kind in {"paragraph", "list"}:
            words = strip(text, begin, end) if kind == "paragraph" else (begin, begin)
            self.spans.append(Block(kind, begin, end, 0, *words))


def _is_doubtful(now: str, kind: str, before: str, *, same: bool) -> bool:
    """Return whether a line may be more than it seems, by the block before it and the one before a blank line."""
    if now == "list":
        return before == "list" or (kind == "list" and not same)  # one list or two
    if now == "paragraph":
        return kind == "list"  # it belongs to the item
    return now in {"code", "table"} and kind in {"list", "paragraph", "table"}


def heading(text: str, begin: int, end: int) -> tuple[int, int]:
    """Return the span of what a heading says, without its signs."""
    first, last = strip(text, begin, end)
    while first < last and text[first] == "#":
        first += 1
    first, last = strip(text, first, last)
    bare = len(text[first:last].rstrip("#")) + first
    if bare == first or text[bare - 1].isspace():
        last = bare
    return strip(text, first, last)


def _heading(text: str, match: re.Match[str]) -> Block:
    start, stop = match.start(), text.find("\n", match.end()) + 1 or len(text)
    return Block("heading", start, stop, match.end("heading") - start, *heading(text, start, stop))


def _code(text: str, match: re.Match[str]) -> Block | None:
    fence = _FENCE.search(text, match.end())
    if not fence or fence[0].rstrip("\n") != "```":
        return None
    start = match.start()
    return Block("code", start, fence.end(), 0, start, start)


def _table(text: str, match: re.Match[str]) -> Block | None:
    """Return a table of which every row has as many cells."""
    start = match.start()
    table = _TABLE.match(text, start)
    if not table or len({row.count("|") for row in table[0].splitlines()}) > 1:
        return None
    return Block("table", start, table.end(), 0, start, start)


_ALONE = {"heading": _heading, "code": _code, "table": _table}
