"""A journal's outline: which pieces of its Markdown can be an idea of their own.

Owns the walk that the reader and the marker of journals share, so that both see the same pieces: headings, paragraphs,
the outermost items of lists, and, below an item or paragraph that only introduces (`**Open items:**`, the name of a
group of boxes), the items it introduces. Refuses to say what a piece means.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.markdown import blocks
from sleep.records.address import MARK_AT_END
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.documents.markdown.blocks import Block

LABEL_LIMIT = 80  # characters of what introduces a list
_INTRODUCES = re.compile(r"[:：]\s*[*_`]*\s*$")
_LABEL = re.compile(r"(\*\*|__)[^*_\n]{1,60}(?:[:：]\1|\1[:：])")  # takes `**Learning (Technical):**`
_EMPTY = re.compile(r"(?:[-*+_\s]|\d{1,9}[.)]\s|\[ \])*")  # bullets of a template without a word: no idea
_BOX = re.compile(  # of a list, or a keyword in its place (Logseq)
    r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\]|TODO|DOING|DONE|NOW|LATER|WAITING)[ \t]", re.MULTILINE
)
# A link's definition, which a mark behind it would turn into words.
_REFERENCE = re.compile(r"\[[^\]]+\]:\s*\S*(?:\s+[\"'(].*)?", re.DOTALL)


class Piece(NamedTuple):
    """A piece of the text.

    `form` is `heading` (with a `level`), `label` (introduces the items that follow, has no content of its own), `text`
    (a paragraph or a list item with all that is nested in it) or `other` (code, table, quote, HTML: cannot carry a
    mark). `text[start:end]` is the whole piece, `text[text_start:text_end]` its first words; a mark is put at
    `text_end`. A paragraph that `introduces` has a list, code or a table right behind it. An item is `nested` when it
    stands below a label of its list; a paragraph or list is `ruled_off` when a rule (`---`) stands right before it.
    """

    form: str
    start: int
    end: int
    text_start: int
    text_end: int
    level: int = 0
    checked: bool | None = None
    in_list: bool = False
    introduces: bool = False
    nested: bool = False
    ruled_off: bool = False

    def words(self, text: str) -> str:
        """Return its first words in its text."""
        return text[self.text_start : self.text_end]


def pieces(text: str, start: int = 0) -> Iterator[Piece]:
    """Yield the pieces of a document from `start` on, in order, without overlap."""
    parsed = _with_labels(text, blocks.parse(text, start))
    for index, block in enumerate(parsed):
        ruled_off = index > 0 and parsed[index - 1].kind == "break"
        following = parsed[index + 1].kind if index + 1 < len(parsed) else ""
        if block.kind == "heading":
            yield Piece("heading", block.start, block.end, block.text_start, block.text_end, block.level)
        elif _EMPTY.fullmatch(text, block.start, block.end):
            continue
        elif block.kind == "paragraph":
            own = block.words(text)
            form = "label" if following == "list" and _introduces(own) else "text"
            before = following in ("list", "code", "table")
            yield Piece(
                form, block.start, block.end, block.text_start, block.text_end, introduces=before, ruled_off=ruled_off
            )
        elif block.kind == "list":
            for place, piece in enumerate(_list(text, block)):
                yield piece if place else piece._replace(ruled_off=ruled_off)
        elif block.kind != "break":
            yield Piece("other", block.start, block.end, block.start, block.end)


def _with_labels(text: str, parsed: Sequence[Block]) -> list[Block]:
    """Return blocks, a paragraph and the label that stands alone above it (`**Learning:**`) as one."""
    made: list[Block] = []
    for block in parsed:
        above = made[-1] if made else block
        is_text = block.kind == above.kind == "paragraph" and not _introduces(block.words(text))
        if is_text and _LABEL.fullmatch(above.words(text).strip()):
            made[-1] = block._replace(start=above.start, text_start=above.text_start)
        else:
            made.append(block)
    return made


def _list(text: str, block: Block) -> Iterator[Piece]:
    for item in blocks.items(text, block):
        if _EMPTY.fullmatch(text, item.start, item.end):
            continue
        leads = _introduces(item.words(text)) or _groups(text, item)
        nested = [_item(text, child) for child in blocks.children(text, item)] if leads else []
        if nested and all(piece.form == "text" for piece in nested):
            yield Piece("label", item.start, nested[0].start, item.text_start, item.text_end, in_list=True)
            yield from (piece._replace(nested=True) for piece in nested)
        else:
            yield _item(text, item)


def _item(text: str, item: blocks.Item) -> Piece:
    own = item.words(text).strip()
    if own and not _REFERENCE.fullmatch(own):
        return Piece("text", item.start, item.end, item.text_start, item.text_end, 0, item.checked, in_list=True)
    return Piece("other", item.start, item.end, item.start, item.end, in_list=True)


def _groups(text: str, item: blocks.Item) -> bool:
    """True for an item that only names a group: a heading, or one without a box of its own in which boxes are nested.

    One with a mark has words.
    """
    own = item.words(text)
    if item.checked is not None or len(own) > LABEL_LIMIT or MARK_AT_END.search(own):
        return False
    is_heading = text[item.start : item.text_start].rstrip().endswith("#")
    return is_heading or _BOX.search(text, item.text_end, item.end) is not None


def _introduces(own: str) -> bool:
    return len(own) <= LABEL_LIMIT and "\n" not in own.strip() and bool(_INTRODUCES.search(own))
