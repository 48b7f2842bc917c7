"""Finding the line of the memory that a person has before them: by its place, or by its words.

Owns the order in which words are looked for: a whole line first, then a part of one, then what says them over several
lines. Refuses similarity: that is recall's.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import fates_page, paths
from sleep.errors import DocumentError, UsageError
from sleep.records import address as addressing
from sleep.records.fragment import flat
from sleep.store import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.store.layout import Root

CONFIDENCE = "confidence"
WHOLE, PART, OVER = "the whole line", "part of the line", "over several lines"
_PLACE = re.compile(r"(.+):([1-9][0-9]{0,6})")
_LEAD = re.compile(r"^(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]+")
_NUMBER = re.compile(rf"^\*\*{addressing.NUMBERED}\*\* ")


class Line(NamedTuple):
    """A line of a document: where it is, its words, the addresses of what it belongs to (none for a person's own).

    `how` says how it was found, "" by its place.
    """

    path: str
    line: int
    text: str
    addresses: tuple[Address, ...]
    how: str = ""


class Part(NamedTuple):
    """A fragment or an entry: where it stands in a document, its addresses, a record's number, and its confidence."""

    start: int
    end: int
    addresses: tuple[Address, ...]
    number: str = ""
    confidence: str = ""


def at(root: Root, view: View, place: str, folder: str) -> Line | None:
    """Return the line that `memory/warm/auth.md:12` names, None where that is no place of a document.

    The path is relative to the memory's root, or to the folder that the command runs in.

    Raises UsageError when the document has no such line.
    """
    match = _PLACE.fullmatch(place)
    if not match:
        return None
    path = known(root, match[1], folder)
    text = view.read(path) if path else None
    if text is None:
        return None
    rows, number = text.split("\n"), int(match[2])
    if number > len(rows):
        raise UsageError(f"{path} has {len(rows)} lines, and no line {number}")
    start = sum(len(row) + 1 for row in rows[: number - 1])
    return Line(path, number, rows[number - 1].strip(), _addresses(view, path, start))


def known(root: Root, path: str, folder: str) -> str:
    """Return a path relative to the memory's root if it is memory, else ""; given so, or relative to a folder."""
    near = os.path.relpath(os.path.realpath(os.path.join(folder, path)), root.path).replace(os.sep, "/")
    for name in (path, near):
        if layout.is_owned(name) and os.path.isfile(root.absolute(name)):
            return name
    return ""


def find(view: View, text: str) -> list[Line]:
    """Return the lines that say a text, in the order of documents, hot memory first; of the best kind only."""
    wanted = flat(text)
    bare = _bare(wanted)
    if not bare:
        return []
    folders = ("memory/hot/", paths.WARM, paths.COLD, paths.JOURNALS)
    others = (path for path in view.files(paths.MEMORY) if layout.is_owned(path))
    names = dict.fromkeys((*(path for folder in folders for path in view.files(folder)), paths.MAIN, *others))
    documents = [(path, view.read(path) or "") for path in names if not path.startswith(fates_page.FOLDER)]
    return (
        _rows(view, documents, lambda row: row == wanted or _bare(row) == bare, WHOLE)
        or _rows(view, documents, lambda row: wanted in row or bare in row, PART)
        or [line for path, content in documents for line in _over(view, path, content, bare)]
    )


def _rows(view: View, documents: Sequence[tuple[str, str]], fits: Callable[[str], bool], how: str) -> list[Line]:
    result = []
    for path, content in documents:
        start = 0
        for number, row in enumerate(content.split("\n"), 1):
            if row.strip() and fits(flat(row)):
                result.append(Line(path, number, row.strip(), _addresses(view, path, start), how))
            start += len(row) + 1
    return result


def _over(view: View, path: str, content: str, bare: str) -> Iterator[Line]:
    """Yield the fragments and entries of a document that say words over several lines."""
    first = bare.partition(" ")[0]
    if first not in content:
        return
    for part in parts(view, path):
        if bare in flat(" ".join(_bare(row) for row in content[part.start : part.end].split("\n"))):
            number = content.count("\n", 0, part.start) + 1
            row = content[part.start :].partition("\n")[0].strip()
            yield Line(path, number, row, part.addresses, OVER)


def _bare(row: str) -> str:
    """Return the words of a line without its list sign or heading sign, number and mark."""
    row = _LEAD.sub("", flat(row))
    split = addressing.trailing_mark(row)
    return _NUMBER.sub("", split[0] if split else row)


def parts(view: View, path: str) -> list[Part]:
    """Return the fragments of a tier, the entries of a journal; of another document the lines that end in a mark."""
    if paths.tier_of(path):
        return [
            Part(item.start, item.end, item.fragment.addresses, item.fragment.number, item.fragment.field(CONFIDENCE))
            for item in view.tier(path).items
        ]
    if paths.journal_number(path) is None:
        return list(_marked(view.read(path) or ""))
    try:
        entries = view.journal(path).entries
    except DocumentError:
        return []
    return [Part(entry.start, entry.end, (entry.address,), entry.number, entry.field(CONFIDENCE)) for entry in entries]


def _marked(text: str) -> Iterator[Part]:
    start = 0
    for row in text.split("\n"):
        if split := addressing.trailing_mark(row.rstrip("\r")):
            yield Part(start, start + len(row) + 1, split[1].addresses)
        start += len(row) + 1


def _addresses(view: View, path: str, start: int) -> tuple[Address, ...]:
    return next((part.addresses for part in parts(view, path) if part.start <= start < part.end), ())
