"""Journals that people wrote in, read as the Markdown that they are.

Owns which piece of a journal carries which mark, how far an entry reaches that does not say where it ends, and which
lines of a paragraph or list item their writer meant as several: those with the label of a kind, and those behind a list
item that are neither indented nor wrapped. Refuses to part a field (`Why: ...`) from what it explains, and to mark what
carries no mark: that is `annotation`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from sleep.documents import entries, front_matter
from sleep.documents.hand import quotes, reason_parts
from sleep.documents.hand.outline import Piece, pieces
from sleep.documents.markdown import blocks
from sleep.records import address as addressing
from sleep.records import classification
from sleep.records.address import Mark
from sleep.records.fragment import flat
from sleep.records.kinds import FIELD_NAMES, is_record
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.front_matter import Front
    from sleep.records.address import Address, InstanceId

LABEL_LEVEL = 7  # a label is deeper than any heading
_WIDTH = 66  # characters: a line that had room for the next word up to here was not wrapped
_DECORATION = "*_ \t"
_COLUMN = 2  # lines below the first, from which on labels that are not bold are a column of them
_PLAIN = re.compile(r"[^\W\d_a-z][\w /-]{1,30}: \S|\s*$")  # takes `Next action: approve the plan`
_BOLD = ("**", "__")
_HIDES = ("```", "~~~", "<")  # what may take a heading in


class MarkedPiece(NamedTuple):
    """A piece, its first words without its own mark, and that mark; both empty where it has none.

    `end` is where an entry ends that says so itself, for the program wrote it; 0 for what was written by hand.
    """

    piece: Piece
    words: str = ""
    mark: Mark | None = None
    end: int = 0

    def first_words(self, text: str) -> str:
        """Return its first words in its text, without its mark."""
        return self.words if self.mark else self.piece.words(text)


def own_mark(text: str, piece: Piece, instance: InstanceId) -> tuple[str, Mark] | None:
    """Return a piece's first words without its mark, and the mark, if it ends in one address of this journal."""
    if piece.form not in {"heading", "text"}:
        return None
    split = addressing.trailing_mark(quotes.unquoted(piece.words(text)).rstrip())
    return split if split and [address.instance for address in split[1].addresses] == [instance] else None


@lru_cache(maxsize=4)  # a journal is read before it is marked
def marked_pieces(text: str, body: int, instance: InstanceId) -> tuple[MarkedPiece, ...]:
    """Return the pieces of a journal from `body` on, each with its own mark.

    An address belongs to one piece: that of the entry which the program wrote, else the first heading, or piece whose
    mark says kind or number, that ends in it, else the first piece that does. All others only refer to it. Raises
    ValueError when the front matter is broken.
    """
    marked: list[MarkedPiece] = []
    at = body
    is_ended = entries.has_end_lines(front_matter.read(text).fields)
    for item in entries.find(text, body, instance, _hiding(text)) if is_ended else ():
        marked += _by_hand(text, at, item.start, instance, is_apart=True)
        words = item.start + len(text[item.start : item.body].rstrip())
        piece = Piece("heading", item.start, item.body, item.start + entries.LEVEL + 1, words, entries.LEVEL)
        marked.append(MarkedPiece(piece, item.words, item.mark, item.end))
        at = item.stop
    marked += _by_hand(text, at, len(text), instance, is_apart=is_ended)
    owners: dict[Address, int] = {
        item.mark.addresses[0]: index for index, item in enumerate(marked) if item.end and item.mark
    }
    for sure in (True, False):
        for index, (piece, _, mark, _) in enumerate(marked):
            if mark and (not sure or piece.form == "heading" or mark.kind or mark.number):
                owners.setdefault(mark.addresses[0], index)
    own = set(owners.values())
    return tuple(item if index in own else MarkedPiece(item.piece) for index, item in enumerate(marked))


def _hiding(text: str) -> Callable[[int, int], bool]:
    """Return what tells headings that stand in code or a comment which a person began above them."""

    def is_hidden(run: int, start: int) -> bool:
        if not any(sign in text[run:start] for sign in _HIDES):
            return False
        parsed = blocks.parse(text[: text.find("\n", start) + 1 or len(text)], run)
        return not any(block.kind == "heading" and block.start == start for block in parsed)

    return is_hidden


def _by_hand(text: str, start: int, stop: int, instance: InstanceId, *, is_apart: bool) -> list[MarkedPiece]:
    """Return the pieces of a run that no entry of the program's takes in."""
    if not text[start:stop].strip():
        return []
    whole = text if stop == len(text) else text[:stop]
    outlined = pieces(whole, start)
    outlined = outlined if is_apart else chain.from_iterable(quotes.apart(text, piece) for piece in outlined)
    outline_pieces = _split(text, outlined, None if is_apart else instance)
    return [MarkedPiece(piece, *(own_mark(text, piece, instance) or ("", None))) for piece in outline_pieces]


def holds(entry: Piece, item: MarkedPiece) -> bool:
    """Return whether a piece without a mark belongs to the open entry: what began at a heading holds its section."""
    is_below = item.piece.form != "heading" or item.piece.level > entry.level
    return not item.mark and entry.form == "heading" and is_below


def read(
    text: str, head: Front, instance: InstanceId, source: str, *, is_marked: bool = False
) -> tuple[list[Entry], int]:
    """Return the entries of a journal, and how many pieces belong to none and have no mark.

    Args:
        text: the journal.
        head: its front matter.
        instance: whose it is.
        source: the source of all of it, as its front matter gives it.
        is_marked: whether its marks say which records were noticed.
    """
    begun: list[tuple[int, tuple[str, ...]]] = []  # the place of a piece, and the titles above it
    ends: list[int] = []
    sections: dict[int, str] = {}  # the titles above, by level
    unmarked = 0
    walked = marked_pieces(text, head.body, instance)
    for place, item in enumerate(walked):
        piece = item.piece
        is_open = len(ends) < len(begun)
        if is_open and holds(walked[begun[-1][0]].piece, item):
            continue
        heads = piece.form in {"heading", "label"}
        if is_open and (heads or item.mark):
            ends.append(piece.start)
        level = piece.level or LABEL_LEVEL + piece.in_list
        sections = _above(sections, level if heads else LABEL_LEVEL + piece.in_list + piece.nested)
        if item.mark:
            begun.append((place, tuple(sections.values())))
        else:
            unmarked += piece.form == "text" or not (heads or is_open)
        if item.end:
            ends.append(item.end)
        elif heads:
            sections[level] = flat(item.first_words(text))
    ends += [len(text)] * (len(begun) - len(ends))
    spans = zip(begun, ends, strict=True)
    return [_entry(text, walked, *first, end, source, is_marked=is_marked) for first, end in spans], unmarked


def _above(sections: dict[int, str], level: int) -> dict[int, str]:
    return {above: title for above, title in sections.items() if above < level}


def _entry(
    text: str,
    walked: Sequence[MarkedPiece],
    at: int,
    sections: tuple[str, ...],
    end: int,
    source: str,
    *,
    is_marked: bool,
) -> Entry:
    item = walked[at]
    piece = item.piece
    is_heading = piece.form == "heading"
    span = (piece.start, piece.end if is_heading else piece.text_end, end)
    mark = item.mark or Mark(())
    entry = entries.entry(text, mark, item.words, span, sections, source, is_marked=is_marked, is_heading=is_heading)
    return reason_parts.with_parts(text, entry, walked, at)


def _split(text: str, pieces: Iterable[Piece], document: InstanceId | None) -> Iterator[Piece]:
    """Yield the pieces of a journal, texts of several such lines as one piece for each.

    `document` is given for one that says where no entry ends: its lines are apart where their label is a record's.
    """
    for piece in pieces:
        if piece.form == "text" and "\n" in piece.words(text).strip("\n"):
            yield from _lines_apart(text, piece, document)
        else:
            yield piece


def _lines_apart(text: str, piece: Piece, document: InstanceId | None) -> Iterator[Piece]:
    if text[piece.text_end : piece.end].strip():
        yield piece  # what is nested below belongs to all of it
        return
    lines = _line_starts(text, piece.text_start, piece.text_end)
    if document:
        starts = _labelled_lines(text, piece, lines, document)
    else:
        starts = [at for at in lines if _begins(text, piece, at)]
    edges = [piece.text_start, *starts, piece.text_end]
    for number, (start, end) in enumerate(pairwise(edges)):
        is_last = number == len(starts)
        yield piece._replace(
            start=start if number else piece.start,
            end=piece.end if is_last else end,
            text_start=start,
            text_end=piece.text_end if is_last else start + len(text[start:end].rstrip()),
            in_list=piece.in_list and not number,
            checked=None if number else piece.checked,
            introduces=piece.introduces and is_last,
        )


def _labelled_lines(text: str, piece: Piece, lines: Iterable[int], instance: InstanceId) -> list[int]:
    """Return where a column of labels (`**Task:** ...`, `**Lesson:** ...`) has a record of its own.

    Of a column of plain labels (`Stopped at: ...`, `Next action: ...`) all lines are apart where one is a record. One
    that was marked as a whole stays so: a line of it is apart only behind a mark.
    """
    lines = list(lines)
    starts = [at for at in lines if _states(_line(text, at).lstrip())]
    if not starts and len(lines) >= _COLUMN and all(map(_PLAIN.match, piece.words(text).split("\n"))):
        starts = lines if any(is_record(classification.label_kind(_line(text, at))) for at in lines) else []
    whole = piece._replace(text_end=starts[0]) if starts else piece
    is_marked = own_mark(text, piece, instance) and not own_mark(text, whole, instance)
    return [] if is_marked else starts


def _states(line: str) -> bool:
    """True for a line whose label, in bold, is that of a record, or of a lesson."""
    kind = classification.label_kind(line) if line.startswith(_BOLD) else ""
    return is_record(kind) or kind == "insight"


def _line(text: str, at: int) -> str:
    return text[at : (text.find("\n", at) + 1 or len(text) + 1) - 1]


def _line_starts(text: str, start: int, end: int) -> Iterator[int]:
    at = text.find("\n", start, end) + 1
    while at:
        if text[at:end].strip():
            yield at
        at = text.find("\n", at, end) + 1


def _begins(text: str, piece: Piece, at: int) -> bool:
    """True if a line inside a piece is one of its own."""
    line = _line(text, at)
    label = line.partition(":")[0].strip(_DECORATION).casefold()
    if classification.label_kind(line) and label not in FIELD_NAMES:
        return True
    if not piece.in_list or line[:1] in {" ", "\t"} or label in FIELD_NAMES or not line.strip():
        return False
    above = addressing.MARK.sub("", text[text.rfind("\n", 0, at - 1) + 1 : at]).rstrip()
    return len(above) + 1 + len(line.split(maxsplit=1)[0]) <= _WIDTH
