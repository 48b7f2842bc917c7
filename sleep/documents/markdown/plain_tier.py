"""A tier's file as the program writes it, read in one pass: where its items, sections and days are.

Owns the outline of such a file. Refuses a file with anything in it that the program does not write (code, tabs, an
underlined title, blank lines with spaces): `tier` reads that line by line. Pure.
"""

from __future__ import annotations

from sleep.documents.markdown import lines as reading
from sleep.language import dates
from sleep.records.kinds import BY_PLURAL
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.documents.markdown.lines import Heading

    Part = tuple[str, int, int, int, int]  # as `tier.Section`
    Lines = tuple[list[str], str, str, int, int]  # of an item: what they say, its kind, its day, from where to where

OWN = 2  # the level of our sections
DATED = 3  # of the days within one; other headings there are a person's
_UNUSUAL = ("\r", "\t", "```", "~~~", "\ufeff")
_NO_TEXT = ("-", "=")  # a line that begins so may underline a title


class Outline(NamedTuple):
    """Where the items of a file, its sections of known kinds and its days are."""

    items: list[Lines]
    sections: list[Part]
    days: list[Part]


def name(head: Heading) -> str:
    """Return the kind or the day that a heading names, "" for a person's own."""
    if head.level == DATED:
        return head.title if dates.is_heading(head.title) else ""
    known = BY_PLURAL.get(head.title.casefold())
    return known.name if known else ""


def read(text: str) -> Outline | None:
    """Return the outline of a file, None where it has anything that the program does not write."""
    if not text.endswith("\n") or any(map(text.__contains__, _UNUSUAL)):
        return None
    reader = _Reader()
    start = 0
    for line in text.split("\n"):
        end = start + len(line) + 1
        first = line[:1]
        if first == "-" and line[1:2] == " " and not line.endswith(" "):
            reader.begin(line, start, end)
        elif first == " " and not line.isspace():
            reader.go_on(line, end)
        elif first in _NO_TEXT or first.isspace():
            return None
        elif first:
            reader.take(line, start, end)
        start = end
    return reader.close(len(text))


class _Reader:
    """What has been read: the item, the section and the day that the next line may belong to."""

    __slots__ = ("_day", "_end", "_last", "_lines", "_outline", "_section", "_start")

    def __init__(self) -> None:
        self._outline = Outline([], [], [])
        self._lines: list[str] = []
        self._start = self._end = self._last = 0  # of the item; of the last line that is not blank
        self._section: tuple[str, int, int] | None = None  # name, start, body
        self._day: tuple[str, int, int] | None = None

    def begin(self, line: str, start: int, end: int) -> None:
        """Begin an item."""
        self._end_item()
        self._lines, self._start = [line], start
        self._end = self._last = end

    def go_on(self, line: str, end: int) -> None:
        """Take in a line that is indented: what is no item's is left alone."""
        if self._lines:
            self._lines.append(line)
            self._end = end
        self._last = end

    def take(self, line: str, start: int, end: int) -> None:
        """Take in another line: a heading ends the sections and days above it."""
        self._end_item()
        for head in reading.headings([line], frozenset()) if line[0] == "#" else ():
            if head.level <= DATED:
                self._end_part(head.level, start)
            if head.level == OWN and (named := name(head)):
                self._section = named, start, end
            elif head.level == DATED and (named := name(head)):
                self._day = named, start, end
        self._last = end

    def close(self, size: int) -> Outline:
        """End what is open at the end of the file, and return the outline."""
        self._end_item()
        self._end_part(OWN, size)
        return self._outline

    def _end_item(self) -> None:
        if self._lines:
            kind = self._section[0] if self._section else "note"
            when = self._day[0] if self._day else ""
            self._outline.items.append((self._lines, kind, when, self._start, self._end))
            self._lines = []

    def _end_part(self, level: int, stop: int) -> None:
        """End the day, and from the level of sections on the section, before a heading or the end of the file."""
        if self._day:
            self._outline.days.append((*self._day, self._last, stop))
            self._day = None
        if self._section and level <= OWN:
            self._outline.sections.append((*self._section, self._last, stop))
            self._section = None
