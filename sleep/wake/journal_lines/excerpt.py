"""Excerpts: the lines of journals as a wake shows them.

Owns reading a journal for its reader: without code, marks and sources, a sentence that was wrapped in one piece, a
table's row as its cells. Refuses to choose among them: that is `selection`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sleep.documents import entries, front_matter, journal
from sleep.documents.hand import subject
from sleep.documents.markdown import line_breaks, tables
from sleep.language.acts import titles
from sleep.language.acts.forms import form
from sleep.memo import memo
from sleep.records.address import Address
from sleep.records.kinds import ENTRIES, KINDS, event_record, is_kind
from sleep.redaction import untrusted
from sleep.tuples import NamedTuple
from sleep.wake import quality
from sleep.wake.journal_lines import line_text, record_lines, repeated_lines
from sleep.wake.quality import SourceLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.journal import Line
    from sleep.records.address import Mark

_MARKER = re.compile(r"[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_DONE = re.compile(r"[ \t]*[-*+][ \t]+\[[xX]\][ \t]")
_TICKED = re.compile("[✅☑✔]")
_UNTICKED = re.compile(r"[🔲⬜⏳🚧]|^[ \t]*[-*+][ \t]+\[ \][ \t]")
_BOLD_LINE = re.compile(r"\s*(?:[-*+]\s+)?\*\*[^*]+\*\*:?\s*")  # takes `**The parser**`, leaves `**It** is new`
_RULE_SIGNS = "-*_=|:+ \t"
_RULE = re.compile(rf"[{_RULE_SIGNS}]*")
_WHERE = re.compile(r"`?(?:[\w.~-]*/)+[\w.-]+`?(?::\d+)?: ")  # takes `src/a.py:12: it is read twice` up to the blank
# Where an entry is from and belongs, and what it says of its standing.
_WHENCE = tuple(
    f"- {name}: " for name in ("topic", "source", "time", "transcript", "standing", "quotation", "confirms", "corrects")
)
# An entry is told with its fields, on one line: an error without the change that mended it helps nobody, nor does a
# choice without its reason. The fields of a handoff are told by themselves: some hold longer than others.
_TOLD_WITH = {kind.name: (*kind.fields, "commit") for kind in ENTRIES.values() if kind.name != "handoff"}
_FIELD = re.compile(r"- ([a-z][a-z ]*): (?=\S)")
_WHOLE = 600  # characters of a line with its fields, each of which was cut, and of any where there is room for all
_NAMES = re.compile(r"[^A-Z]*[A-Z].*[^A-Z]\b[A-Z]")  # takes `Mail API Status`, leaves `Kiln status`
_SHORT = 45  # characters of an item, below which it seldom says what it is about
_SUBJECT = 40  # characters of what a line is told about
_NAME, _REASON = 60, 90  # characters of a record's name, and of a reason: the beginning of one is none
_CHOICE = 150  # characters of what a record says; where that is more, it has the room of its reason
_WORD = re.compile(r"\w")
_TITLE = re.compile(r"Journal: instance \d+$")


class Excerpt(NamedTuple):
    """A line of a journal: as it is shown, what it is judged by, the address of its entry, and the journal's day.

    `address` is None where no entry is known. Of a record (`is_record`) its register tells the words. `kind` is that of
    the entry, "" where nobody said it. `whole` is the line as it is shown where there is room for all.
    """

    text: str
    line: SourceLine
    address: Address | None
    when: str
    is_record: bool = False
    kind: str = ""
    whole: str = ""


class _Draft:
    """A line of a journal while what follows may still change it.

    `text` are its words, without decoration; `form` and `mark` are as in `SourceLine`; `heading` is the one above it,
    `about` the lead of its list, where there is one, else the heading; `place` is its place in the journal.
    """

    __slots__ = ("about", "address", "cells", "form", "heading", "is_record", "kind", "mark", "most", "place", "text")

    def __init__(self, text: str, form: str, heading: str, place: int, mark: str, cells: tuple[str, ...]) -> None:
        self.text, self.form, self.heading, self.place, self.mark, self.cells = text, form, heading, place, mark, cells
        self.about = self.kind = ""
        self.address: Address | None = None
        self.is_record = False
        self.most = line_text.MOST


def _as_excerpts(plain: Iterable[tuple[Any, ...]]) -> list[Excerpt]:
    return [
        Excerpt(shown, SourceLine(*line), Address(*address) if address else None, *rest)
        for shown, line, address, *rest in plain
    ]


def _strip(excerpts: Iterable[Excerpt]) -> list[tuple[object, ...]]:
    return [(shown, tuple(line), address and tuple(address), *rest) for shown, line, address, *rest in excerpts]


@memo(1 << 4, _as_excerpts, _strip)
def read(text: str) -> list[Excerpt]:
    """Return the lines of a journal that say something, in their order; of a machine's run the last, with a count."""
    when, rows = journal.lines_of(text)
    reader = _Reader(line_breaks.width(row.words for row in rows))
    last = -1
    for row in rows:
        reader.may_continue = reader.may_continue and row.place == last + 1
        reader.add(row)
        last = row.place
    return repeated_lines.collapse(
        _excerpt(draft, when)
        for draft in reader.drafts
        if not (line_text.is_a_tools(draft.text) or _is_pasted_order(draft))
    )


def _excerpt(draft: _Draft, when: str) -> Excerpt:
    own = line_text.unsigned(draft.text)
    line = SourceLine(own, 0, draft.heading, draft.place, draft.form, draft.mark, about=draft.about)
    shown, whole = _tell(draft)
    return Excerpt(shown, line, draft.address, when, draft.is_record, draft.kind, whole)


def _is_pasted_order(draft: _Draft) -> bool:
    """True for an instruction to the reader among a person's words: a mail that they pasted may have it."""
    return draft.mark == line_text.PROMPT and untrusted.is_instruction(draft.text)


def _tell(draft: _Draft) -> tuple[str, str]:
    """Return a line as it is shown, and as it is where there is room for all.

    The path that it begins with is not counted, for that alone says nothing.
    """
    text = line_text.unlabelled(draft.text)
    where = _WHERE.match(text) if draft.most == line_text.MOST else None
    about = line_text.PERSON if draft.mark == line_text.PROMPT else _about(draft)
    lead = f"{about}: " if about else ""
    lead += "✅ " if draft.form == "done" and not _TICKED.match(text) else ""
    words = line_text.cut(text, draft.most + where.end() if where else draft.most)
    more = line_text.cut(text, max(_WHOLE, draft.most))
    shown = f"{lead}{words}"
    return shown, shown if more == words else f"{lead}{more}"


def _about(draft: _Draft) -> str:
    """Return what the heading above says a line is about, "" where it needs none or says it.

    A detail needs it (`Location: ...`), a short item below the lead of its list, and what tells how something stands
    (`Still silent`, below `Mail API Status`).
    """
    label = line_text.LABEL.match(draft.text) if draft.form in ("", "item") else None
    if label and form("labels.detail").fullmatch(label[1]):
        about = "" if _is_general_state(draft.about) else subject.of_heading(draft.about)
    else:
        about = subject.of_heading(draft.about) if _wants_subject(draft) else ""
        if not quality.terms(about).isdisjoint(quality.terms(draft.text)):
            return ""
    return about if len(about) <= _SUBJECT and about.casefold() not in draft.text.casefold() else ""


def _is_general_state(heading: str) -> bool:
    """True for a heading that says that states follow, and not of what: `System status`, and not `Mail API Status`."""
    return record_lines.is_of_state(heading) and not _NAMES.match(heading)


def _wants_subject(draft: _Draft) -> bool:
    if draft.form == "item" and len(draft.text) < _SHORT and draft.about != draft.heading:
        return True
    return draft.form != "heading" and bool(_NAMES.match(draft.about)) and record_lines.is_of_state(draft.about)


class _Reader:
    """The lines of a journal so far, and what holds for the next one.

    Args:
        width: the columns that its lines were broken to, 0 where they were not.
    """

    def __init__(self, width: int) -> None:
        self.drafts: list[_Draft] = []
        self._width = width
        self._line = ""  # the one above, as it is written
        self.may_continue = False  # whether the row right above is a sentence that may go on
        self._heading = ""
        self._address: Address | None = None
        self._is_record = self._is_skipped = self._is_prompt = False
        self._kind = ""
        self._unmarked: list[_Draft] = []  # lines above the mark of their entry
        self._fields: tuple[str, ...] = ()  # that go on with the line above
        self._number = ""  # of the record whose entry this is, where a heading says its name alone
        self._why = ""  # its reason, as it was added to its name
        self._is_name = False  # whether the line above is such a record's, and does not say yet what it says
        self._lead, self._depth = "", -1  # what stands above a list, and how far in its items stand at the least
        self._columns: tuple[str, ...] = ()  # of the table whose rows follow

    def add(self, row: Line) -> None:
        """Read a row."""
        mark = row.mark
        is_heading = row.words.startswith("#")
        if mark or is_heading:
            self._begin(mark)
        if _begins(row):
            self._unmarked = []
        if tables.is_delimiter(row.words):
            self._name_columns(row.place)
        self._mark_prompt(row.words)
        draft = None if self._joins(row.words) else _draft(row.words, self._heading, row.place, self._columns)
        if draft is None:
            return
        self._columns = self._columns if draft.form == "row" else ()
        continues = self._continues(draft, row.words)
        self._line = row.words
        if draft.form == "heading":
            self._begin_section(draft, mark)
        elif self._number:
            self._add_statement(draft)
            return
        if not self._is_skipped and not _TITLE.match(draft.text):
            self._add(draft, continues=continues)
            if mark:
                self._mark_above()
        if mark or is_heading:
            self._unmarked = []

    def _mark_prompt(self, words: str) -> None:
        """Mark what a person said in a session that was captured, by the fields of its entry."""
        self._is_prompt = self._is_prompt or words == "- source: person"
        if self._is_prompt and self._kind == "note" and words.startswith("- transcript: ") and self.drafts:
            self.drafts[-1].mark = line_text.PROMPT

    def _name_columns(self, place: int) -> None:
        """Take the row above for the names of the columns of a table, unless it says more than these."""
        above = self.drafts[-1] if self.drafts else None
        if above and above.form == "row" and above.place == place - 1:
            self._columns = tables.columns(tuple(map(line_text.bare, above.cells)))
            if self._columns:
                self.drafts.remove(above)

    def _begin(self, mark: Mark | None) -> None:
        """Go on with the entry of a mark, or below a heading with none."""
        self._number, self._is_name = "", False
        self._address, self._is_record, self._kind, self._is_prompt = None, False, "", False
        if mark:
            self._address, self._is_record, self._kind = mark.addresses[0], _is_record(mark), mark.kind

    def _continues(self, draft: _Draft, words: str) -> bool:
        """Return whether a line goes on with the sentence above."""
        if not self.may_continue or draft.form:
            return False
        return draft.text[0].islower() or line_breaks.goes_on(self._line, words, self._width)

    def _mark_above(self) -> None:
        """Give the lines above the mark of their entry what it says."""
        for unmarked in self._unmarked:
            unmarked.address, unmarked.is_record, unmarked.kind = self._address, self._is_record, self._kind

    def _joins(self, words: str) -> bool:
        """Return whether a row is a field that was joined to the line of its entry."""
        field = _FIELD.match(words) if self._fields else None
        if field is None:
            self._fields = ()
        if field and field[1] in self._fields and self.drafts:
            last = self.drafts[-1]
            value = line_text.bare(words[field.end() :])
            if self._number:
                reason = line_text.cut(value, _REASON)
                self._why = f" ({field[1]}: {reason})" if reason[-1] != "…" else ""
                last.text += self._why
            else:
                last.text = _with_field(line_text.cut(last.text, last.most), field[1], line_text.cut(value))
            last.most = _WHOLE
            return True
        return field is not None and field[1] == "thread"

    def _begin_section(self, draft: _Draft, mark: Mark | None) -> None:
        """Go on below a heading. That of a command's entry is no heading: its title is the entry's first words."""
        title = draft.text
        label = title.partition(":")[0].casefold()
        self._heading = title
        self._is_record = self._is_record or (mark is not None and _is_registered(label))
        self._is_skipped = title.startswith(entries.TONE_CHECK)
        if mark and is_kind(label):
            self._kind = label
            words = title.partition(": ")[2]
            draft.text = (words if label == "note" else title) or title
            draft.form = ""
            self._fields = _TOLD_WITH.get(label, ())
            if mark.number and words.endswith(":"):
                self._number, self._is_name, self._why, self._fields = mark.number, True, "", ("why",)
                draft.text = f"{mark.number} {line_text.cut(words.rstrip(':'), _NAME)}"

    def _add_statement(self, draft: _Draft) -> None:
        """Put what a record says between its name and its reason, which stand above.

        What else its entry has repeats the document, line for line, and would name no record.
        """
        if self._is_name and not draft.form and self.drafts:
            last = self.drafts[-1]
            name = last.text.removesuffix(self._why)
            choice = line_text.cut(draft.text, _CHOICE)
            is_told = choice[-1] == "…" or self._why.partition(": ")[2].rstrip(").") in choice
            reason = "" if is_told else self._why
            last.text, last.most = f"{name}: {choice}{reason}", _WHOLE
            self._is_name = False

    def _add(self, draft: _Draft, *, continues: bool) -> None:
        """Add a line, or its words to the sentence above that it continues."""
        if continues and self.drafts:
            self.drafts[-1].text += f" {draft.text}"
        elif self.may_continue and not draft.form and (at := _behind_why(draft.text)):
            last = self.drafts[-1]
            why = line_text.cut(draft.text[at:])
            last.text, last.most = _with_field(line_text.cut(last.text, last.most), "why", why), _WHOLE
        else:
            draft.address, draft.is_record, draft.kind = self._address, self._is_record, self._kind
            draft.about = self._lead_above(draft)
            draft.text = titles.under(draft.about, draft.text)
            if draft.form != "row":  # a table is of the entry above it
                self._unmarked.append(draft)
            self.drafts.append(draft)
        self.may_continue = draft.form not in ("heading", "row")

    def _lead_above(self, draft: _Draft) -> str:
        """Return the lead of a line's list, else the heading; and keep the line, if it leads to a list itself."""
        depth = len(self._line) - len(self._line.lstrip())
        if draft.form not in ("item", "done") or depth < self._depth:
            self._lead, self._depth = "", -1
        lead = self._lead or draft.heading
        if draft.text.endswith((":", "：")) or _BOLD_LINE.fullmatch(self._line):
            self._lead, self._depth = draft.text, depth + 1 if draft.form == "item" else 0
        return lead


def _begins(row: Line) -> bool:
    """True for a heading, and for the first line of an item with a mark: what stands above is of another entry."""
    return row.words.startswith("#") or (row.mark is not None and _ITEM.match(row.words) is not None)


def _behind_why(text: str) -> int:
    """Return where the words begin behind a label that announces a reason (`Rationale: ...`), 0 where there is none."""
    label = line_text.LABEL.match(text)
    return label.end() if label and form("labels.why").fullmatch(label[1]) else 0


def _with_field(text: str, name: str, value: str) -> str:
    """Return an entry's line with a field; a title that is only the field's name gives way to what the field says."""
    if text.casefold().endswith(f": {name}"):
        return text[: -len(name)] + value
    text = text[:-1] if text.endswith(".") and not text.endswith("..") else text
    return f"{text}; {name}: {value}"


def _draft(words: str, heading: str, place: int, columns: tuple[str, ...]) -> _Draft | None:
    """Return what a line says, None where that is nothing; `columns` are the names of a table's."""
    if (words[-1:] in _RULE_SIGNS and _RULE.fullmatch(words)) or words.startswith(_WHENCE):
        return None
    marker = _MARKER.match(words)
    text = words[marker.end() :] if marker else words
    cells: tuple[str, ...] = ()
    form = "heading" if words.startswith("#") else "done" if _DONE.match(words) else "item" if marker else ""
    if text.lstrip().startswith("|"):
        form, cells = "row", tables.cells(text)
        text = tables.tell(tuple(map(line_text.bare, cells)), columns)
    mark = "done" if form == "done" or _TICKED.search(text) else "open" if _UNTICKED.search(words) else ""
    text = line_text.bare(text)
    text = line_text.unsigned(text) if form == "heading" else text
    return _Draft(line_text.unnumbered(text), form, heading, place, mark, cells) if _WORD.search(text) else None


def _is_record(mark: Mark) -> bool:
    return bool(mark.number) or _is_registered(mark.kind)


def _is_registered(kind: str) -> bool:
    """True for the kind of a record, and of what moves one."""
    known = KINDS.get(kind)
    return bool(known and known.is_record and not known.must_state) or event_record(kind) is not None


def day(text: str) -> str:
    """Return the day that a journal is of, ISO, "" where nobody says it."""
    return journal.when(front_matter.peek(text).fields)
