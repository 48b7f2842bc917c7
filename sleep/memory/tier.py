"""A tier's document (hot/context.md, warm/auth.md, ...): sections of list items, edited by span.

Owns reading the items with their spans, and writing by replacing spans only: what a person added to the file
(paragraphs, items without an address, other sections) stays byte for byte. Refuses to decide what goes in.

Reads by lines, without a Markdown parser, because hundreds of these files are read at once: a tier's item starts with
`- ` in the first column, goes on while lines are indented, and belongs to the last heading of level 1 or 2. Fences are
respected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import lines as reading
from sleep.memory.fragment import Fragment, parse_item, render
from sleep.memory.kinds import BY_PLURAL, KINDS
from sleep.text import edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.memory.lines import Heading, Line

_OWN = 2  # the level of our sections; what is deeper is a person's order within one
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


class Document(NamedTuple):
    """A tier's file: the text as it is, its items, its sections of known kinds, and items that carry no address."""

    text: str
    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    unaddressed: tuple[int, ...]

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """The fragments, in the order of the file."""
        return tuple(item.fragment for item in self.items)


def parse(text: str) -> Document:
    """Read a tier's file; never fails, what is no fragment is left alone."""
    rows = reading.split(text)
    words = [row.words for row in rows]
    fenced = reading.code(words, _INDENT)
    sections = list(_sections(rows, reading.headings(words, fenced)))
    items: list[Item] = []
    unaddressed: list[int] = []
    at = 0
    for lines in _lists(rows, fenced):
        start, end = lines[0].start, lines[-1].end
        while at < len(sections) and sections[at].stop <= start:
            at += 1
        kind = sections[at].kind if at < len(sections) and sections[at].body <= start else "note"
        if fragment := parse_item([line.words for line in lines], kind):
            items.append(Item(fragment, start, end))
        else:
            unaddressed.append(start)
    return Document(text, tuple(items), tuple(sections), tuple(unaddressed))


def _sections(rows: Sequence[Line], heads: Sequence[Heading]) -> Iterator[Section]:
    # Underlined titles are left out: taking away the item above a `---` would make one of a person's words.
    outer = [head for head in heads if head.level <= _OWN and head.first == head.last]
    for number, head in enumerate(outer, 1):
        stop = outer[number].first if number < len(outer) else len(rows)
        known = BY_PLURAL.get(head.title.casefold()) if head.level == _OWN else None
        if known:
            last = next(index for index in range(stop - 1, head.last - 1, -1) if rows[index].words.strip())
            yield Section(known.name, rows[head.first].start, rows[head.last].end, rows[last].end, rows[stop - 1].end)


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
    edits = [edit.Edit(section.start, section.stop, "") for section in emptied]
    for item in document.items:
        if any(section.start <= item.start < section.stop for section in emptied):
            continue
        if item.fragment in gone:
            edits.append(edit.Edit(item.start, item.end, ""))
        elif item.fragment in swap:
            edits.append(edit.Edit(item.start, item.end, render(swap[item.fragment], newline)))
    there = {section.kind: section for section in document.sections}
    for kind in fresh.keys() & there.keys():
        section = there[kind]
        lead = "" if text[section.end - 1] == "\n" else newline
        lead += newline if section.end == section.body else ""
        edits.append(edit.Edit(section.end, section.end, lead + _items(fresh[kind], newline)))
    text = edit.apply(text, sorted(edits))
    for known in KINDS.values():
        if known.name in fresh and known.name not in there:
            text += f"{_gap(text, newline)}## {known.plural}{newline}{newline}{_items(fresh[known.name], newline)}"
    return text


def _gap(text: str, newline: str) -> str:
    """Return what stands between the end of a text and a new section."""
    lead = "" if text.endswith("\n") or not text else newline
    return lead + (newline if text.rstrip("\r\n") and not text.endswith(newline * 2) else "")


def _items(fragments: Iterable[Fragment], newline: str) -> str:
    return "".join(render(fragment, newline) for fragment in fragments)


def _emptied(document: Document, gone: set[Fragment], fresh: Mapping[str, object]) -> list[Section]:
    """Return the sections whose every line is a fragment that goes, and that gain none."""
    found = []
    for section in document.sections:
        inside = [item for item in document.items if section.body <= item.start < section.stop]
        rest = section.body
        blank = True
        for item in inside:
            blank = blank and not document.text[rest : item.start].strip() and item.fragment in gone
            rest = item.end
        if inside and blank and not document.text[rest : section.stop].strip() and section.kind not in fresh:
            found.append(section)
    return found
