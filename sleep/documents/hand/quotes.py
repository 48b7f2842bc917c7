"""Quotes of a document (`> ...`) that hold its author's own records.

Owns which lines of a quote are pieces: those that begin with the label of a record, or with the first words of a rule,
for people set off so what is not to be missed. Refuses the mail and the words of others, and what merely sounds like a
record: all else in a quote stays one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import quotation
from sleep.language.acts import first_words
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.kinds import is_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.documents.hand.outline import Piece

_SIGN = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?>[ \t]?")
_SIGNS = re.compile(r"\n[ \t]*>[ \t]?")
_LEADS = re.compile(r"^[\W_]*(?:(?:critical|important|warning|caution|note|rule)[\s*_]*[:：—–-])?[\W_]*", re.IGNORECASE)


def unquoted(words: str) -> str:
    """Return the words of a piece without the signs of a quote before its further lines."""
    return _SIGNS.sub("\n", words) if "\n" in words else words


def apart(text: str, piece: Piece) -> Iterator[Piece]:
    """Yield a piece; in the place of a quote that has records these, each with the lines that go on with it."""
    whole = text[piece.start : piece.end]
    if piece.form != "other" or not _SIGN.match(whole) or _is_others(whole):
        yield piece
        return
    starts = [start for start, words in _lines(text, piece) if _states(words)]
    if not starts:
        yield piece
        return
    if text[piece.start : starts[0]].strip("> \t\r\n"):
        yield piece._replace(end=starts[0])
    for start, stop in zip(starts, [*starts[1:], piece.end], strict=True):
        sign = _SIGN.match(text, start)
        first = sign.end() if sign else start
        last = first + len(_paragraph(text[first:stop]).rstrip())
        yield piece._replace(form="text", start=start, end=stop, text_start=first, text_end=last, introduces=False)


def _is_others(whole: str) -> bool:
    """True for a quote that is a mail, or in which somebody is said to speak."""
    rows = _SIGNS.sub("\n", f"\n{whole}").strip()
    return any(is_quoted for _, is_quoted in quotation.lines(rows)) or rows[:1] in "\"“„«「'"


def _lines(text: str, piece: Piece) -> Iterator[tuple[int, str]]:
    """Yield where each line of a quote begins, and what it says."""
    at = piece.start
    while at < piece.end:
        stop = text.find("\n", at, piece.end) + 1 or piece.end
        if sign := _SIGN.match(text, at, stop):
            yield at, text[sign.end() : stop].strip()
        at = stop


def _states(words: str) -> bool:
    """True for a line that begins with the label of a record, in bold, or with a rule, whatever warns before it."""
    if is_record(classification.label_kind(words)) and words.startswith(("**", "__")):
        return True
    bare = _LEADS.sub("", words)
    return has(bare, "signs.rule begins") and first_words.lays_down(bare, "")


def _paragraph(words: str) -> str:
    """Return the lines up to the first empty one of a quote."""
    rows = words.split("\n")
    end = next((place for place, row in enumerate(rows) if place and not row.strip("> \t\r")), len(rows))
    return "\n".join(rows[:end])
