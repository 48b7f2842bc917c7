r"""The blocks of a Markdown text and the items of its lists, as spans of the original text.

Owns the block structure, as mistune's block parser finds it, whose state records the cursor (`block_rules`). Refuses
inline Markdown and refuses to render anything back: who wants to change a document edits the spans.

Only the top level of a container is ever parsed, and no paragraph text is kept, so the work is linear. The parser sees
a copy with `\n` line ends and without whitespace in blank lines; a map leads back to the original offsets. Where
mistune puts a list that follows a quote without a blank line out of order, here the order of the text holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sleep.documents.markdown.offsets import SPACE, Lines, Source, column, dedent, strip
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {"block_code": "code", "block_quote": "quote", "block_html": "html", "thematic_break": "break"}
_MARKER = re.compile(r"[ \t]*(?P<sign>[*+-]|(?P<number>\d{1,9}[.)]))")
_BOM = "\ufeff"


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


class Item(NamedTuple):
    """One list item with everything in it.

    `start:end` covers whole lines (a nested item on the line of its parent starts at its marker) without the blank
    lines after it. `indent` is the column of the marker. `text_start:text_end` is the first paragraph without marker
    and checkbox; what is put at `text_end` belongs to that paragraph. Both are the end of the marker where the item
    does not begin with a paragraph. `checked` is None without a checkbox.
    """

    start: int
    end: int
    indent: int
    text_start: int
    text_end: int
    ordinal: bool
    checked: bool | None

    def words(self, text: str) -> str:
        """Return what it says in its text, without its markers."""
        return text[self.text_start : self.text_end]


class _RawItem(NamedTuple):
    """A list item before its offsets lead anywhere: span, end of the marker, and what the parser sees inside it."""

    start: int
    end: int
    marker: int
    after: int
    ordinal: bool
    inner: str
    skipped: int


def parse(text: str, start: int = 0) -> list[Block]:
    """Return the blocks of `text[start:]` in order; with the blank space between them they cover it."""
    if start == 0 and text.startswith(_BOM):
        start = 1
    source = Source(text[start:])
    blocks = []
    for token, begin, end in _tokens(source.text):
        kind, level, first, last = token["type"], 0, begin, begin
        if kind == "heading":
            level = token["attrs"]["level"]
            first, last = _heading(source.text, begin, end, setext=token["style"] == "setext")
        elif kind == "paragraph":
            first, last = strip(source.text, begin, end)
        at = [start + source.at(offset) for offset in (begin, end, first, last)]
        blocks.append(Block(_KINDS.get(kind, kind), at[0], at[1], level, at[2], at[3]))
    return blocks


def headings(text: str, start: int = 0) -> list[Block]:
    """Return the headings of `text[start:]`."""
    return [block for block in parse(text, start) if block.kind == "heading"]


def items(text: str, block: Block) -> list[Item]:
    """Return the outermost items of a list block of `text`; other kinds have none."""
    if block.kind != "list":
        return []
    source = Source(text[block.start : block.end])
    out = []
    for token in _raw_items(source.text):
        first, last, checked = _words(source.text, token)
        at = [block.start + source.at(offset) for offset in (token.start, token.end, first, last)]
        out.append(Item(at[0], at[1], token.marker - token.start, at[2], at[3], token.ordinal, checked))
    return out


def children(text: str, item: Item) -> list[Item]:
    """Return the items of the lists directly inside an item, in order."""
    if item.text_start < item.text_end and not text[item.text_end : item.end].strip():
        return []
    source = Source(text[item.start : item.end])
    head, *rest = source.text.lstrip(" \t").split("\n")
    flush = "\n".join([head, *(dedent(line, item.indent) for line in rest)])
    outer = next(_raw_items(flush), None)
    if outer is None:
        return []
    to_flush, to_source = Lines(flush[: outer.end], outer.inner, skipped=outer.skipped), Lines(source.text, flush)

    def back(offset: int) -> int:
        return item.start + source.at(to_source.at(to_flush.at(offset)))

    out, inner = [], outer.inner + "\n"
    for raw in _raw_items(inner):
        first, last, checked = _words(inner, raw)
        marker, end = back(raw.marker), item.start + source.at(to_source.after(to_flush.after(raw.end)))
        begin = text.rfind("\n", item.start, marker) + 1
        begin = text.rfind("\r", begin or item.start, marker) + 1 or begin
        if begin:
            indent, start = column(text[begin:marker]), begin
        else:  # on the line of the parent's own marker
            before = text[item.start : marker]
            indent, start = column(before, 0 if before[:1] in SPACE else item.indent), marker
        out.append(Item(start, end, indent, back(first), back(last), raw.ordinal, checked))
    return out


def _tokens(src: str) -> list[tuple[dict[str, Any], int, int]]:
    """Return the tokens that are no blank lines, each with its span."""
    from sleep.documents.markdown import block_rules  # late: it loads a parser of Markdown  # noqa: PLC0415

    tokens = block_rules.tokens(src)
    out = []
    for token, follower in zip(tokens, [*tokens[1:], {"at": len(src)}], strict=True):
        begin, end = token["at"], follower["at"]
        if token["type"] != "block_code" or token["style"] == "indent":
            last = strip(src, begin, end)[1]
            end = min(end, src.find("\n", last) + 1 or end)
        if token["type"] != "blank_line":
            out.append((token, begin, end))
    return out


def _raw_items(src: str) -> Iterator[_RawItem]:
    for token, begin, end in _tokens(src):
        if token["type"] != "list":
            continue
        start = begin
        for number, (cursor, inner) in enumerate(token["items"], 1):
            stop = end if number == len(token["items"]) else src.rfind("\n", 0, cursor - 1) + 1
            marker = _MARKER.match(src, start)
            assert marker  # the parser saw one here  # noqa: S101
            head = src.find("\n", start)
            last = strip(src, start, stop)[1]
            yield _RawItem(
                start,
                min(stop, src.find("\n", last) + 1),
                marker.start("sign"),
                marker.end(),
                marker["number"] is not None,
                inner,
                int(not src[marker.end() : head].strip()),
            )
            start = stop


def _words(src: str, item: _RawItem) -> tuple[int, int, bool | None]:
    """Return the span of an item's first paragraph, and its checkbox."""
    inner = item.inner
    if not item.skipped and inner[:1].isalpha() and inner.find("\n") in {-1, len(inner) - 1}:
        last = strip(src, item.after, src.find("\n", item.after))[1]
        return last - len(inner.rstrip(SPACE)), last, None
    blocks = parse(inner)
    if not blocks or blocks[0].kind not in {"paragraph", "heading", "reference"}:
        return item.after, item.after, None
    block = blocks[0]
    span = strip(inner, block.start, block.end) if block.kind == "reference" else (block.text_start, block.text_end)
    lines = Lines(src[item.start : item.end], inner, skipped=item.skipped)
    first, last = (item.start + lines.at(offset) for offset in span)
    box = src[first : first + 3]
    if box in {"[ ]", "[x]", "[X]"} and (first + 3 >= last or src[first + 3].isspace()):
        return min(strip(src, first + 3, last)[0], last), last, box != "[ ]"
    return first, last, None


def _heading(src: str, begin: int, end: int, *, setext: bool) -> tuple[int, int]:
    if setext:
        return strip(src, begin, src.rfind("\n", begin, end - 1))
    first, last = strip(src, begin, end)
    while first < last and src[first] == "#":
        first += 1
    first, last = strip(src, first, last)
    bare = len(src[first:last].rstrip("#")) + first
    if bare == first or src[bare - 1].isspace():
        last = bare
    return strip(src, first, last)
