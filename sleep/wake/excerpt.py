"""Excerpts: the lines of journals as a wake shows them.

Owns reading a journal for its reader: without code, marks, sources and decoration, a sentence that was wrapped in one
piece, a long line cut at the end of a clause, a table's row as its cells. Refuses to choose among them: that is
`selection`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.quality import Line
from sleep.documents import journal
from sleep.documents.markdown import lines
from sleep.documents.yaml import front_matter
from sleep.records import address as addressing
from sleep.records.kinds import KINDS, event_record, is_kind, noticed

if TYPE_CHECKING:
    from sleep.records.address import Address, Mark

MOST = 140  # characters of a line; of a script without spaces, half as many
_SLACK = 20  # characters more, where a clause ends there
_WIDE = "\u2e80"
_MARKER = re.compile(r"[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)+")
_DONE = re.compile(r"[ \t]*[-*+][ \t]+\[[xX]\][ \t]")
_RULE = re.compile(r"[-*_=|:+ \t]*")
_DECORATION = re.compile(r"<!--.*?-->| ?[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f300-\U0001faff]+")
_BOLD = re.compile(r"(?<![\w/*])\*\*(?=[^\s*/])(.+?)(?<=[^\s*/])\*\*(?![/*])")  # takes `**so**`, leaves `src/**/a.py`
_EDGE = re.compile(r"^\*\*(?=\w)|(?<=[\w:.])\*\*$")  # half of it, where a sentence goes on in the next line
_DASHES = re.compile(r"^(?:[-–—]+ )+|(?: [-–—]+)+$")  # around a line; leaves `--force is slow`
_SPACE = re.compile(r"[ \t\r\f\v]+")
_CLAUSE = re.compile(r"[.;!?](?=\s)|[。；！？]|, | — | – | \(|，|、")
_STOPS = ".;!?。；！？"
_TRAIL = " ,;:(—–-，、"
_UNTRUSTED = "tool (untrusted):"
_WORD = re.compile(r"\w")
_TITLE = re.compile(r"Journal: instance \d+$")
_CHECK = "Tone: tone check"  # what a wake opens a journal with


class Excerpt(NamedTuple):
    """A line of a journal: as it is shown, what it is judged by, the address of its entry, and the journal's day.

    `address` is None where no entry is known. Of a record (`is_record`) its register tells the words.
    """

    text: str
    line: Line
    address: Address | None
    when: str
    is_record: bool = False


class _Row(NamedTuple):
    text: str
    form: str
    heading: str
    place: int
    goes_on: bool


def read(text: str, instance: int = 0) -> list[Excerpt]:
    """Return the lines of a journal that say something, in their order."""
    try:
        head = front_matter.read(text)
        start, when = head.body, journal.when(head.fields)
    except ValueError:
        start, when = 0, ""
    reader = _Reader(instance, when)
    rows = [row.words for row in lines.split(text[start:])]
    fenced = lines.code(rows)
    for place, words in enumerate(rows):
        if place in fenced or not words.strip():
            reader.above = False
        else:
            reader.add(words, place)
    return [one._replace(text=cut(one.text)) for one in reader.found if not one.text.startswith(_UNTRUSTED)]


class _Reader:
    """What was read of a journal so far."""

    def __init__(self, instance: int, when: str) -> None:
        self.found: list[Excerpt] = []
        self.above = False  # whether the row right above says something
        self._instance, self._when = instance, when
        self._heading = ""
        self._address: Address | None = None
        self._registered = self._skips = False
        self._waits: list[int] = []  # lines above the mark of their entry

    def add(self, words: str, place: int) -> None:
        """Read a row."""
        mark = addressing.trailing_mark(words)
        row = _row(mark[0] if mark else words, self._heading, place, above=self.above)
        if mark:
            self._address, self._registered = mark[1].addresses[0], _is_record(mark[1])
        elif words.startswith("#"):
            self._address, self._registered = None, False
        if words.startswith("#"):
            self._waits = []
        if row is None:
            return
        if row.form == "heading":
            label = row.text.partition(":")[0].casefold()
            self._heading = row.text
            self._registered = self._registered or (mark is not None and _is_registered(label))
            self._skips = row.text.startswith(_CHECK)
            if mark and is_kind(label):  # an entry of the command's: its title is its first words
                said = row.text.partition(": ")[2] if label == "note" else row.text
                row = row._replace(text=said or row.text, form="")
        if not self._skips and not _TITLE.match(row.text):
            self._keep(row)
            if mark:
                self._settle()
        if mark or words.startswith("#"):
            self._waits = []

    def _keep(self, row: _Row) -> None:
        if row.goes_on and self.found:
            last = self.found[-1]
            joined = f"{last.line.text} {row.text}"
            self.found[-1] = last._replace(text=joined, line=last.line._replace(text=joined))
        else:
            line = Line(row.text, self._instance, row.heading, row.place, row.form)
            self._waits.append(len(self.found))
            self.found.append(Excerpt(row.text, line, self._address, self._when, self._registered))
        self.above = row.form not in ("heading", "row")

    def _settle(self) -> None:
        """Give the lines above a mark the address that it says."""
        for index in self._waits:
            self.found[index] = self.found[index]._replace(address=self._address, is_record=self._registered)


def _row(words: str, heading: str, place: int, *, above: bool) -> _Row | None:
    """Return what a line says, None where that is nothing; `above` is True right below another that says something."""
    if _RULE.fullmatch(words) or _is_source(words):
        return None
    marker = _MARKER.match(words)
    text = words[marker.end() :] if marker else words
    form = "heading" if words.startswith("#") else "done" if _DONE.match(words) else "item" if marker else ""
    if text.lstrip().startswith("|"):
        form, text = "row", " · ".join(filter(None, (cell.strip() for cell in text.strip().strip("|").split("|"))))
    text = bare(text)
    if not _WORD.search(text):
        return None
    return _Row(text, form, heading, place, above and not form and text[0].islower())


def _is_source(words: str) -> bool:
    """True for a line that says where an entry is from."""
    return words.startswith(("- source: ", "- time: ", "- transcript: "))


def bare(text: str) -> str:
    """Return a line without what decorates it: pictures, comments, emphasis, dashes around it."""
    if not text.isascii() or "<!" in text:
        text = _DECORATION.sub("", text)
    return plain(text)


def plain(text: str) -> str:
    """Return a line without emphasis and without dashes around it; of code nothing is taken."""
    if "**" in text:
        text = _EDGE.sub("", _BOLD.sub(r"\1", text))
    return _DASHES.sub("", _SPACE.sub(" ", text).strip())


def cut(text: str, most: int = MOST) -> str:
    """Return a line, or as much of it as fits, to the end of a clause where there is one, with `…`."""
    if not text.isascii() and sum(sign > _WIDE for sign in text) > len(text) // 4:
        most //= 2
    if len(text) <= most + _SLACK:
        return text
    ends = [one.end() if one[0] in _STOPS else one.start() for one in _CLAUSE.finditer(text, most // 2, most + _SLACK)]
    space = text.rfind(" ", most // 2, most)
    at = ends[-1] if ends else space if space > 0 else most
    shown = text[:at].rstrip(_TRAIL)
    shown += "`" if shown.count("`") % 2 else ""
    return shown if shown[-1] in _STOPS else f"{shown}…"


def _is_record(mark: Mark) -> bool:
    return bool(mark.number) or _is_registered(mark.kind)


def _is_registered(kind: str) -> bool:
    """True for the kind of a record, and of what moves one."""
    known = KINDS.get(noticed(kind))
    return bool(known and known.is_record) or event_record(kind) is not None


def is_imported(text: str) -> bool:
    """True for a journal that was taken in from a document."""
    try:
        fields = front_matter.read(text).fields
    except ValueError:
        return False
    return bool(fields.get("imported") or fields.get("source"))
