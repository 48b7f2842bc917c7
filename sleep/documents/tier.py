"""A tier's document (hot/context.md, warm/auth.md, ...): sections of list items, edited by span.

Owns reading the items with their spans, and writing by replacing spans only: what a person added to the file
(paragraphs, items without an address, other sections) stays byte for byte. Refuses to decide what goes in.

Reads by lines, without a Markdown parser, because hundreds of these files are read at once: a tier's item starts with
`- ` in the first column, goes on while lines are indented, and belongs to the last heading of level 1 or 2. Fences are
respected.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from operator import attrgetter

from sleep.documents.markdown import edit
from sleep.documents.markdown import lines as reading
from sleep.language import dates
from sleep.records import address as addressing
from sleep.records.fragment import Fragment, parse_item, render
from sleep.records.kinds import BY_PLURAL, KINDS, RECORDS
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.documents.markdown.lines import Heading, Line

_RECORDS = re.compile(
    rf"(?m)^## (?:{'|'.join(kind.plural for kind in RECORDS)})[ \t]*\r?$.*?(?=^#{{1,2}} |\Z)", re.DOTALL
)
_OWN, _DATED = 2, 3  # the levels of our sections, and of the days within one; other headings are a person's
_INDENTS, _INDENT = (" ", "\t"), 1  # a fence that is deeper in belongs to an item
_START = attrgetter("start")
_LONG = 1 << 15  # characters from which on a page is long
# A fence begins a line: as code in the words of a fragment it hides nothing.
_FENCE = re.compile(r"(?m)^\ufeff?[ \t]?(?:```|~~~)")


class Item(NamedTuple):
    """A fragment and where it stands: `text[start:end]` is the item with its final newline."""

    fragment: Fragment
    start: int
    end: int


class Section(NamedTuple):
    """A section of level 2, named by its kind, or a part of one of level 3, named by its day.

    It starts at its heading, its content at `body`; `end` is behind its last line that is not blank, `stop` where the
    next heading of its level or above starts.
    """

    name: str
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
    """A tier's file: the text as it is, its items, its sections of known kinds, its days, items without an address.

    `fragments` are those of the items, in the order of the file.
    """

    text: str
    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    days: tuple[Section, ...]
    loose: tuple[Loose, ...] = ()
    fragments: tuple[Fragment, ...] = ()

    @property
    def unaddressed(self) -> tuple[int, ...]:
        """Where the items without an address start."""
        return tuple(item.lines[0].start for item in self.loose)


def parse(text: str) -> Document:
    """Read a tier's file; never fails, what is no fragment is left alone."""
    return (_long if len(text) > _LONG else _short)(text)


def read(text: str) -> Document:
    """Read a tier's file anew, as `parse` does."""
    rows = reading.split(text)
    words = [row.words for row in rows]
    fenced = reading.code(words, _INDENT) if "```" in text or "~~~" in text else frozenset[int]()
    heads = reading.headings(words, fenced)
    sections = _sections(rows, heads, _OWN)
    days = _sections(rows, heads, _DATED)
    items: list[Item] = []
    loose: list[Loose] = []
    lists = _lists(rows, fenced)
    starts = [lines[0].start for lines in lists]
    for lines, kind, when in zip(lists, _names(sections, starts, "note"), _names(days, starts, ""), strict=True):
        if fragment := _item(tuple([line.words for line in lines]), kind, when):
            items.append(Item(fragment, lines[0].start, lines[-1].end))
        else:
            loose.append(Loose(kind, when, tuple(lines)))
    fragments = tuple([item.fragment for item in items])
    return Document(text, tuple(items), tuple(sections), tuple(days), tuple(loose), fragments)


# What a step wrote, the gate and the next step read; the few long pages behind more short ones than are kept.
_short, _long = lru_cache(maxsize=1 << 9)(read), lru_cache(maxsize=1 << 3)(read)


def _names(parts: Sequence[Section], starts: Iterable[int], default: str) -> Iterator[str]:
    """Yield the name of the part in which each of these places stands, which are in order."""
    at = 0
    for start in starts:
        while at < len(parts) and parts[at].stop <= start:
            at += 1
        yield parts[at].name if at < len(parts) and parts[at].body <= start else default


@lru_cache(maxsize=1 << 9)
def may_be_loose(text: str) -> bool:
    """Return whether a file may have items without an address, or what hides items; tells it without parsing."""
    if "\r" in text or (("```" in text or "~~~" in text) and _FENCE.search(text)):
        return True
    items = (row for row in text.split("\n") if row.startswith(("- ", "\ufeff- ")))
    return any(not addressing.MARK_AT_END.match(row, max(0, row.rfind("[i"))) for row in items)


def count(text: str) -> int:
    """Return how many fragments a file has; one whose items all have an address is not parsed."""
    return len(parse(text).fragments) if may_be_loose(text) else f"\n{text.removeprefix(reading.BOM)}".count("\n- ")


@lru_cache(maxsize=1 << 9)  # the steps of a cycle ask it of the same pages
def may_hold_records(text: str) -> bool:
    """Return whether a file may have a record: it has a heading of a kind of records, read without the rest."""
    rows = [part.partition("\n")[0] for part in f"\n{text.removeprefix(reading.BOM)}".split("\n##")]
    heads = reading.headings([f"##{row}" for row in rows if row[:1] in _INDENTS], frozenset())
    return any(KINDS[name].is_record for head in heads if (name := _name(head)))


def records(text: str) -> tuple[Fragment, ...]:
    """Return the fragments below the headings of records alone: of a long page it costs a tenth of reading all."""
    return parse("\n".join(match[0] for match in _RECORDS.finditer(text))).fragments if "\n## " in text else ()


# Most items of a file that is read again are as they were, and then they are the same (`groups`).
@lru_cache(maxsize=1 << 15)
def _item(words: tuple[str, ...], kind: str, when: str) -> Fragment | None:
    fragment = parse_item(words, kind)
    return fragment._replace(when=when) if fragment and when else fragment


def _sections(rows: Sequence[Line], heads: Sequence[Heading], level: int) -> list[Section]:
    """Return the sections of a level that have a name of ours: a kind's, or a day's."""
    # No underlined titles: taking away the item above a `---` would make one of a person's words.
    heads = [head for head in heads if head.level <= level and head.first == head.last]
    sections = []
    for number, head in enumerate(heads, 1):
        if head.level == level and (name := _name(head)):
            stop = last = heads[number].first if number < len(heads) else len(rows)
            while not rows[last - 1].words.strip():
                last -= 1
            sections.append(
                Section(name, rows[head.first].start, rows[head.last].end, rows[last - 1].end, rows[stop - 1].end)
            )
    return sections


def _name(head: Heading) -> str:
    """Return the kind or the day that a heading names, "" for a person's own."""
    if head.level == _DATED:
        return head.title if dates.is_heading(head.title) else ""
    known = BY_PLURAL.get(head.title.casefold())
    return known.name if known else ""


def _lists(rows: Sequence[Line], fenced: frozenset[int]) -> list[list[Line]]:
    """Return the lines of each list item; a blank line belongs to it when what follows is indented."""
    lists: list[list[Line]] = []
    is_open = False
    for index, row in enumerate(rows):
        words = row.words
        first = words[:1]
        if first == "-" and words.startswith("- ") and index not in fenced:
            lists.append([row])
            is_open = True
        elif not first or words.isspace():
            continue
        elif is_open and first in _INDENTS and index not in fenced:
            lists[-1].append(row)
        else:
            is_open = False
    return lists


def write(
    text: str,
    *,
    drop: Iterable[Fragment] = (),
    replace: Mapping[Fragment, Fragment] | None = None,
    add: Sequence[Fragment] = (),
    title: str = "",
) -> str:
    """Return the file with fragments dropped, replaced where they stand, and added to their kind's section.

    There they stand by day, and within a day as they were said. Sections are made when missing, in the order of
    `kinds.KINDS`; those that lose their last line go. What has no kind of ours becomes a note. Everything else stays
    byte for byte.
    """
    if not text.strip():
        text = f"# {title}\n"
    document = parse(text)
    newline = edit.newline(text)
    gone, swap = set(drop), replace or {}
    fresh = _by_kind(add)
    emptied = _emptied(document, gone)
    places = _places(document, fresh, emptied, newline)
    edits = [_emptied_edit(text, part, places, newline) for part in emptied]
    edits += _changed(document, gone, swap, emptied)
    edits += (_inserted(document, at, words, newline) for at, words in places.items())
    ends = any(part.stop == len(text) for part in emptied)
    text = edit.apply(text, sorted(edits))
    if ends and text.endswith(newline * 2):  # what set the last section apart goes with it
        text = text.rstrip("\r\n") + newline
    return text


def _by_kind(fragments: Iterable[Fragment]) -> dict[str, list[Fragment]]:
    groups: dict[str, list[Fragment]] = {kind: [] for kind in KINDS}
    for fragment in fragments:
        groups[fragment.kind if fragment.kind in KINDS else "note"].append(fragment)
    return {kind: own for kind, own in groups.items() if own}


def _follower(document: Document, kind: str) -> int:
    """Return where the first section starts that a new one of a kind stands before, the end where it comes last."""
    later = set(tuple(KINDS)[tuple(KINDS).index(kind) + 1 :])
    return next((section.start for section in document.sections if section.name in later), len(document.text))


def _places(
    document: Document, fresh: Mapping[str, Sequence[Fragment]], emptied: Sequence[Section], newline: str
) -> dict[int, str]:
    """Return what is inserted where: in the section of a kind, or as a new one in its place or before the next."""
    there = {section.name: section for section in document.sections}
    places: dict[int, str] = {}
    for kind, fragments in fresh.items():
        section = there.get(kind)
        if section and section not in emptied:
            own = _added(document, section, fragments, emptied, newline)
        else:
            at = section.stop if section else _follower(document, kind)
            own = {at: newline + _section(KINDS[kind].plural, fragments, newline)}
        for at, words in own.items():
            places[at] = places.get(at, "") + words
    return places


def _changed(
    document: Document, gone: set[Fragment], swap: Mapping[Fragment, Fragment], emptied: Sequence[Section]
) -> Iterator[edit.Edit]:
    """Yield the edits of items that go or are replaced, where they do not go with their section or day."""
    for item in document.items:
        if any(part.start <= item.start < part.stop for part in emptied):
            continue
        if item.fragment in gone:
            yield edit.Edit(item.start, item.end, "")
        elif item.fragment in swap:
            yield edit.Edit(item.start, item.end, render(swap[item.fragment], edit.newline(document.text)))


def _section(title: str, fragments: Sequence[Fragment], newline: str) -> str:
    by_day = _by_day(fragments)
    undated = by_day.pop("", [])
    above = f"{newline}{_items(undated, newline)}" if undated else ""
    return f"## {title}{newline}{above}{_dated(by_day, newline)}"


def _added(
    document: Document, section: Section, fragments: Sequence[Fragment], emptied: Sequence[Section], newline: str
) -> dict[int, str]:
    """Return what is to be inserted where, for a section to hold the fragments: each under its day, old or new."""
    text = document.text
    days = [day for day in document.days if section.body <= day.start < section.stop]
    standing = {day.name: day for day in days if day not in emptied}
    places: dict[int, str] = {}
    by_day = _by_day(fragments)
    if undated := by_day.pop("", []):  # above the first day
        end = max(section.body, _line_end(text, len(text[: days[0].start].rstrip()))) if days else section.end
        places[end] = (newline if end == section.body else "") + _items(undated, newline)
    for when, day in standing.items():
        for at, words in _in_order(document, day, by_day.pop(when, []), newline):
            places[at] = places.get(at, "") + words
    following: dict[int, dict[str, Sequence[Fragment]]] = {}
    for when, own in by_day.items():
        later = (day.start for name, day in standing.items() if dates.order(name) > dates.order(when))
        following.setdefault(next(later, section.end), {})[when] = own
    for at, group in following.items():
        places[at] = places.get(at, "") + _dated(group, newline)
    return places


def _in_order(
    document: Document, day: Section, fragments: Iterable[Fragment], newline: str
) -> Iterator[tuple[int, str]]:
    """Yield where each fragment stands in a day: before the first that was said later, else behind all."""
    inside = [item for item in document.items if day.body <= item.start < day.stop]
    for fragment in fragments:
        later = (item.start for item in inside if item.fragment.identity > fragment.identity)
        yield next(later, day.end), render(fragment, newline)


def _emptied_edit(text: str, part: Section, places: dict[int, str], newline: str) -> edit.Edit:
    """Return the edit of a part that goes; what was to be inserted in it takes its place, and is no place any more."""
    inside = [at for at in sorted(places) if part.start < at <= part.stop]
    words = "".join(map(places.pop, inside)).removeprefix(newline)
    return edit.Edit(part.start, part.stop, words + (newline if words and text[part.stop :].strip() else ""))


def _inserted(document: Document, at: int, words: str, newline: str) -> edit.Edit:
    """Return the edit of an insertion; a heading is set apart by one blank line from what is before and behind it."""
    text, bare = document.text, words.removeprefix(newline)
    if bare.startswith("#") and any(part.start == at for part in (*document.sections, *document.days)):
        return edit.Edit(at, at, bare + newline)
    if bare.startswith("#") and text[:at].endswith(newline * 2):
        return edit.Edit(at, at, bare)
    return edit.Edit(at, at, (newline if at and text[at - 1] != "\n" else "") + words)


def _by_day(fragments: Iterable[Fragment]) -> dict[str, list[Fragment]]:
    """Return fragments by day, those of one day as they were said."""
    groups: dict[str, list[Fragment]] = {}
    for fragment in fragments:
        groups.setdefault(fragment.when, []).append(fragment)
    return {when: sorted(own, key=lambda fragment: fragment.identity) if when else own for when, own in groups.items()}


def _dated(by_day: Mapping[str, Sequence[Fragment]], newline: str) -> str:
    """Return fragments under the heading of their day, oldest first, a blank line before each."""
    parts = sorted(by_day.items(), key=lambda group: dates.order(group[0]))
    return "".join(f"{newline}### {when}{newline}{newline}{_items(own, newline)}" for when, own in parts)


def _items(fragments: Iterable[Fragment], newline: str) -> str:
    return "".join(render(fragment, newline) for fragment in fragments)


def _emptied(document: Document, gone: set[Fragment]) -> list[Section]:
    """Return the sections whose every line is a fragment that goes, and of the others the days and what is undated."""
    empty = [part for part in document.sections if _is_emptied(document, part, gone)]
    heads = (head for section in document.sections if (head := _undated(document, section)))
    parts = [part for part in (*heads, *document.days) if not any(own.start <= part.start < own.stop for own in empty)]
    return [*empty, *(part for part in parts if _is_emptied(document, part, gone))]


def _undated(document: Document, section: Section) -> Section | None:
    """Return what stands in a section above its first day, with the blank lines that set it apart."""
    first = next((day.start for day in document.days if section.body <= day.start < section.stop), None)
    start = _line_end(document.text, section.body)
    start = section.body if document.text[section.body : start].strip() else start
    return Section(section.name, start, start, first, first) if first and start < first else None


def _line_end(text: str, at: int) -> int:
    """Return where the line ends that a place is in, behind its line feed: lines of one page may end in two ways."""
    return text.find("\n", at) + 1 or len(text)


def _is_emptied(document: Document, part: Section, gone: set[Fragment]) -> bool:
    first, last = (bisect_left(document.items, at, key=_START) for at in (part.body, part.stop))
    rest = part.body
    for item in document.items[first:last]:
        if item.fragment not in gone or not _is_bare(document, rest, item.start):
            return False
        rest = item.end
    return first < last and _is_bare(document, rest, part.stop)


def _is_bare(document: Document, start: int, stop: int) -> bool:
    """True for a run that holds nothing but blank lines and headings of days."""
    first, last = (bisect_left(document.days, at, key=_START) for at in (start, stop))
    for day in document.days[first:last]:
        if document.text[start : day.start].strip():
            return False
        start = day.body
    return not document.text[start:stop].strip()
