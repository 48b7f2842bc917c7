"""Lines that Markdown takes for one paragraph or list item, and that whoever wrote them meant as several.

Owns the two signs of it: a line with the label of a kind (`Open question: ...`), and a line behind a list item that is
neither indented nor a line that was wrapped there. Refuses to part a field (`Why: ...`) from what it explains.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sleep.records import address as addressing
from sleep.records import classification
from sleep.records.kinds import FIELD_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sleep.documents.hand.outline import Piece

_WIDTH = 66  # characters: a line that had room for the next word up to here was not wrapped
_DECORATION = "*_ \t"


def split(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a journal, texts of several such lines as one piece for each."""
    for piece in pieces:
        if piece.form == "text" and "\n" in text[piece.text_start : piece.text_end].strip("\n"):
            yield from _parts(text, piece)
        else:
            yield piece


def _parts(text: str, piece: Piece) -> Iterator[Piece]:
    if text[piece.text_end : piece.end].strip():
        yield piece  # what is nested below belongs to all of it
        return
    starts = [at for at in _lines(text, piece.text_start, piece.text_end) if _begins(text, piece, at)]
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


def _lines(text: str, start: int, end: int) -> Iterator[int]:
    at = text.find("\n", start, end) + 1
    while at:
        if text[at:end].strip():
            yield at
        at = text.find("\n", at, end) + 1


def _begins(text: str, piece: Piece, at: int) -> bool:
    """True if a line inside a piece is one of its own."""
    line = text[at : (text.find("\n", at) + 1 or len(text) + 1) - 1]
    label = line.partition(":")[0].strip(_DECORATION).casefold()
    if classification.label_kind(line) and label not in FIELD_NAMES:
        return True
    if not piece.in_list or line[:1] in {" ", "\t"} or label in FIELD_NAMES:
        return False
    above = addressing.MARK.sub("", text[text.rfind("\n", 0, at - 1) + 1 : at]).rstrip()
    return len(above) + 1 + len(line.split(maxsplit=1)[0]) <= _WIDTH
