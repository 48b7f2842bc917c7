"""A tier's document (hot/context.md, warm/auth.md, ...): sections of list items, edited by span.

Owns reading the items with their spans, and writing by replacing spans only: what a person added to the file
(paragraphs, items without an address, other sections) stays byte for byte. Refuses to decide what goes in.

Reads by lines, without a Markdown parser, because hundreds of these files are read at once: a tier's item starts with
`- ` in the first column, goes on while lines are indented, and belongs to the last heading of level 1 or 2. Fences are
respected.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.documents.markdown import edit
from sleep.documents.markdown import lines as reading
from sleep.language import dates
from sleep.records.fragment import Fragment, parse_item, render
from sleep.records.kinds import BY_PLURAL, KINDS, RECORDS
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.documents.markdown.lines import Heading, Line

_OWN = 2  # the level of our sections
_DATED = 3  # of the days within one; other headings there are a person's
_RECORDS = re.compile(
    rf"(?m)^## (?:{'|'.join(kind.plural for kind in RECORDS)})[ \t]*\r?$.*?(?=^#{{1,2}} |\Z)", re.DOTALL
)
_INDENT = 1  # a fence that is deeper in belongs to an item


class Item(NamedTuple):
    """A fragment and where it stands: `text[start:end]` is the item with its final newline."""

    fragment: Fragment
    start: int
    end: int


class Section(NamedTuple):
    """A section of level 2 of a known kind.

    It starts at its heading, its content at `body`; `end` is behind its last line that is not blank, `stop` where the
    next heading of level 1 or 2 starts.
    """

    kind: str
    start: int
    body: int
    end: int
    stop: int


class Day(NamedTuple):
    """A part of a section that a heading of level 3 dates; spans as in `Section`."""

    when: str
    start: int
    body: int
    end: int
    stop: int


class Loose(NamedTuple):
    """An item without an address: its kind by its section, its day, and its lines with the offset of each."""

    kind: str
    when: str
    lines: tuple[Line, ...]


class Document(NamedTuple):
    """A tier's file: the text as it is, its items, its sections of known kinds, its days, items without an address."""

    text: str
    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    days: tuple[Day, ...]
    loose: tuple[Loose, ...] = ()

    @property
    def unaddressed(self) -> tuple[int, ...]:
        """Where the items without an address start."""
        return tuple(one.lines[0].start for one in self.loose)

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """The fragments, in the order of the file."""
        return tuple(item.fragment for item in self.items)


@lru_cache(maxsize=1 << 10)  # what a step wrote, the gate and the next step read
def parse(text: str) -> Document:
    """Read a tier's file; never fails, what is no fragment is left alone."""
    rows = reading.split(text)
    words = [row.words for row in rows]
    fenced = reading.code(words, _INDENT)
    heads = reading.headings(words, fenced)
    sections = list(_sections(rows, heads))
    days = list(_days(rows, heads))
    items: list[Item] = []
    loose: list[Loose] = []
    at = day = 0
    for lines in _lists(rows, fenced):
        start, end = lines[0].start, lines[-1].end
        while at < len(sections) and sections[at].stop <= start:
            at += 1
        while day < len(days) and days[day].stop <= start:
            day += 1
        kind = sections[at].kind if at < len(sections) and sections[at].body <= start else "note"
        when = days[day].when if day < len(days) and days[day].body <= start else ""
        if fragment := _item(tuple(line.words for line in lines), kind, when):
            items.append(Item(fragment, start, end))
        else:
            loose.append(Loose(kind, when, tuple(lines)))
    return Document(text, tuple(items), tuple(sections), tuple(days), tuple(loose))


def records(text: str) -> tuple[Fragment, ...]:
    """Return the fragments below the headings of records alone: of a long page it costs a tenth of reading all."""
    if "\n## " not in text:
        return ()
    return parse("\n".join(found[0] for found in _RECORDS.finditer(text))).fragments


@lru_cache(maxsize=1 << 12)  # most items of a file that is read again are as they were
def _item(words: tuple[str, ...], kind: str, when: str) -> Fragment | None:
    found = parse_item(list(words), kind)
    return found._replace(when=when) if found and when else found


def _sections(rows: Sequence[Line], heads: Sequence[Heading]) -> Iterator[Section]:
    # Underlined titles are left out: taking away the item above a `---` would make one of a person's words.
    outer = [head for head in heads if head.level <= _OWN and head.first == head.last]
    for number, head in enumerate(outer, 1):
        stop = outer[number].first if number < len(outer) else len(rows)
        known = BY_PLURAL.get(head.title.casefold()) if head.level == _OWN else None
        if known:
            last = next(index for index in range(stop - 1, head.last - 1, -1) if rows[index].words.strip())
            yield Section(known.name, rows[head.first].start, rows[head.last].end, rows[last].end, rows[stop - 1].end)


def _days(rows: Sequence[Line], heads: Sequence[Heading]) -> Iterator[Day]:
    inner = [head for head in heads if head.level <= _DATED]
    for number, head in enumerate(inner, 1):
        if head.level == _DATED and head.first == head.last and dates.is_heading(head.title):
            stop = inner[number].first if number < len(inner) else len(rows)
            last = next(index for index in range(stop - 1, head.last - 1, -1) if rows[index].words.strip())
            yield Day(head.title, rows[head.first].start, rows[head.last].end, rows[last].end, rows[stop - 1].end)


def _lists(rows: Sequence[Line], fenced: frozenset[int]) -> Iterator[list[Line]]:
    """Yield the lines of each list item; a blank line belongs to it when what follows is indented."""
    lines: list[Line] = []
    for index, row in enumerate(rows):
        indented = row.words.startswith((" ", "\t"))
        if not row.words.strip():
            continue
        if lines and indented and index not in fenced:
            lines.append(row)
            continue
        if lines:
            yield lines
        lines = [row] if row.words.startswith("- ") and index not in fenced else []
    if lines:
        yield lines


def title_of(text: str) -> str:
    """Return the first heading of level 1, or ""."""
    words = [line.words for line in reading.split(text)]
    heads = reading.headings(words, reading.code(words, _INDENT))
    return next((head.title for head in heads if head.level == 1), "")


def write(
    text: str,
    *,
    drop: Iterable[Fragment] = (),
    replace: Mapping[Fragment, Fragment] | None = None,
    add: Sequence[Fragment] = (),
    title: str = "",
) -> str:
    """Return the file with fragments dropped, replaced where they stand, and added at the end of their kind's section.

    Sections are made when missing, in the order of `kinds.KINDS`; those that lose their last line go. What has no kind
    of ours becomes a note. Everything else stays byte for byte.
    """
    if not text.strip():
        text = f"# {title}\n"
    document = parse(text)
    newline = edit.newline(text)
    gone, swap = set(drop), replace or {}
    fresh: dict[str, list[Fragment]] = {}
    for fragment in add:
        fresh.setdefault(fragment.kind if fragment.kind in KINDS else "note", []).append(fragment)
    emptied = _emptied(document, gone, fresh)
    edits = [edit.Edit(one.start, one.stop, "") for one in emptied]
    edits += _changed(document, gone, swap, emptied, newline)
    there = {section.kind: section for section in document.sections}
    for kind in fresh.keys() & there.keys():
        for at, words in _added(document, there[kind], fresh[kind], emptied, newline).items():
            edits = _inserted(text, edits, at, words, newline)
    text = edit.apply(text, sorted(edits))
    for known in KINDS.values():
        if known.name in fresh and known.name not in there:
            text += _gap(text, newline) + _section(known.plural, fresh[known.name], newline)
    return text


def _changed(
    document: Document,
    gone: set[Fragment],
    swap: Mapping[Fragment, Fragment],
    emptied: Sequence[Section | Day],
    newline: str,
) -> Iterator[edit.Edit]:
    """Yield the edits of items that go or are replaced, where they do not go with their section or day."""
    for item in document.items:
        if any(one.start <= item.start < one.stop for one in emptied):
            continue
        if item.fragment in gone:
            yield edit.Edit(item.start, item.end, "")
        elif item.fragment in swap:
            yield edit.Edit(item.start, item.end, render(swap[item.fragment], newline))


def _section(title: str, fragments: Sequence[Fragment], newline: str) -> str:
    undated = [one for one in fragments if not one.when]
    above = f"{newline}{_items(undated, newline)}" if undated else ""
    return f"## {title}{newline}{above}{_dated(fragments, newline)}"


def _added(
    document: Document, section: Section, fragments: Sequence[Fragment], emptied: Sequence[Section | Day], newline: str
) -> dict[int, str]:
    """Return what is to be inserted where, for a section to hold the fragments: each under its day, old or new."""
    text = document.text
    days = [one for one in document.days if section.body <= one.start < section.stop]
    standing = {one.when: one for one in days if one not in emptied}
    found: dict[int, str] = {}
    undated = [one for one in fragments if not one.when]
    if undated and days:  # above the first day
        end = max(section.body, len(text[: days[0].start].rstrip("\r\n ")) + len(newline))
        found[end] = (newline if end == section.body else "") + _items(undated, newline)
    elif undated:
        found[section.end] = (newline if section.end == section.body else "") + _items(undated, newline)
    for when, day in standing.items():
        if own := [one for one in fragments if one.when == when]:
            found[day.end] = _items(own, newline)
    if new := [one for one in fragments if one.when and one.when not in standing]:
        found[section.end] = found.get(section.end, "") + _dated(new, newline)
    return found


def _inserted(text: str, edits: list[edit.Edit], at: int, words: str, newline: str) -> list[edit.Edit]:
    """Return the edits with an insertion; in a run that goes, it takes the place of that run."""
    for index, one in enumerate(edits):
        if one.start < at <= one.end and text[one.start] == "#":
            rest = newline if text[one.end :].strip() else ""
            edits[index] = edit.Edit(one.start, one.end, words.removeprefix(newline) + rest)
            return edits
    lead = newline if at and text[at - 1] != "\n" else ""
    return [*edits, edit.Edit(at, at, lead + words)]


def _dated(fragments: Iterable[Fragment], newline: str) -> str:
    """Return fragments that have a day under the heading of that day, oldest first, a blank line before each."""
    groups: dict[str, list[Fragment]] = {}
    for one in fragments:
        if one.when:
            groups.setdefault(one.when, []).append(one)
    parts = sorted(groups.items(), key=lambda group: dates.order(group[0]))
    return "".join(f"{newline}### {when}{newline}{newline}{_items(own, newline)}" for when, own in parts)


def _gap(text: str, newline: str) -> str:
    """Return what stands between the end of a text and a new section."""
    lead = "" if text.endswith("\n") or not text else newline
    return lead + (newline if text.rstrip("\r\n") and not text.endswith(newline * 2) else "")


def _items(fragments: Iterable[Fragment], newline: str) -> str:
    return "".join(render(fragment, newline) for fragment in fragments)


def _emptied(document: Document, gone: set[Fragment], fresh: Mapping[str, object]) -> list[Section | Day]:
    """Return the sections and days whose every line is a fragment that goes, and sections that gain none."""
    found: list[Section | Day] = []
    found += [one for one in document.sections if one.kind not in fresh and _is_emptied(document, one, gone)]
    inside = [one for one in document.days if not any(other.start <= one.start < other.stop for other in found)]
    return [*found, *(one for one in inside if _is_emptied(document, one, gone))]


def _is_emptied(document: Document, part: Section | Day, gone: set[Fragment]) -> bool:
    inside = [item for item in document.items if part.body <= item.start < part.stop]
    rest = part.body
    for item in inside:
        if not _is_bare(document, rest, item.start) or item.fragment not in gone:
            return False
        rest = item.end
    return bool(inside) and _is_bare(document, rest, part.stop)


def _is_bare(document: Document, start: int, stop: int) -> bool:
    """True for a run that holds nothing but blank lines and headings of days."""
    for day in document.days:
        if start <= day.start < stop:
            if document.text[start : day.start].strip():
                return False
            start = day.body
    return not document.text[start:stop].strip()
