"""A tier's document (hot/context.md, warm/auth.md, ...): sections of list items, edited by span.

Owns reading the items with their spans, and writing by replacing spans only: what a person added to the file (paragraphs,
items without an address, other sections) stays byte for byte. Refuses to decide what goes in.

Reads by lines, without a Markdown parser, because hundreds of these files are read at once: a tier's item starts with `- `
in the first column, goes on while lines are indented, and belongs to the last heading. Fences are respected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.memory.fragment import Fragment, parse_item, render
from sleep.memory.kinds import BY_PLURAL, KINDS
from sleep.text import edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Item(NamedTuple):
    """A fragment and where it stands: `text[start:end]` is the item with its final newline."""

    fragment: Fragment
    start: int
    end: int


class Section(NamedTuple):
    """A section of level 2 of a known kind.

    It starts at its heading, its content at `body`; `end` is behind its last line that is not blank, `stop` where the next
    heading starts.
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


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each line, its newline included; only a line feed ends a line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end, text[start:end]
        start = end


def parse(text: str) -> Document:
    """Read a tier's file; never fails, what is no fragment is left alone."""
    items: list[Item] = []
    sections: list[Section] = []
    unaddressed: list[int] = []
    kind, fence = "note", ""
    lines: list[str] = []
    first = last = 0  # the span of the item under way

    def close() -> None:
        if lines:
            fragment = parse_item(lines, kind)
            if fragment:
                items.append(Item(fragment, first, last))
            else:
                unaddressed.append(first)
            lines.clear()

    for start, end, raw in _lines(text):
        stripped = raw.strip()
        if sections and sections[-1].stop < 0 and stripped and not (raw.startswith("#") and not fence):
            sections[-1] = sections[-1]._replace(end=end)
        if fence:
            fence = "" if stripped.startswith(fence) else fence
        elif stripped.startswith(("```", "~~~")) and not raw.startswith("  "):
            close()
            fence = stripped[:3]
        elif raw.startswith("#"):
            close()
            if sections and sections[-1].stop < 0:
                sections[-1] = sections[-1]._replace(stop=start)
            known = BY_PLURAL.get(stripped.lstrip("#").strip().casefold()) if raw.startswith("## ") else None
            kind = known.name if known else "note"
            if known:
                sections.append(Section(known.name, start, end, end, -1))
        elif raw.startswith("- "):
            close()
            first, last = start, end
            lines.append(raw)
        elif lines and raw.startswith((" ", "\t")) and stripped:
            last = end
            lines.append(raw)
        else:
            close()
    close()
    if sections and sections[-1].stop < 0:
        sections[-1] = sections[-1]._replace(stop=len(text))
    return Document(text, tuple(items), tuple(sections), tuple(unaddressed))


def title_of(text: str) -> str:
    """Return the first heading's text, or ""."""
    return next((line.lstrip("#").strip() for line in text.split("\n") if line.startswith("# ")), "")


def write(
    text: str,
    *,
    drop: Iterable[Fragment] = (),
    replace: Mapping[Fragment, Fragment] | None = None,
    add: Sequence[Fragment] = (),
    title: str = "",
) -> str:
    """Return the file with fragments dropped, replaced where they stand, and added at the end of their kind's section.

    Sections are made when missing, in the order of `kinds.KINDS`; those that lose their last line go. Everything else
    stays byte for byte.
    """
    if not text.strip():
        text = f"# {title}\n"
    document = parse(text)
    newline = edit.newline(text)
    gone, swap = set(drop), replace or {}
    fresh: dict[str, list[Fragment]] = {}
    for fragment in add:
        fresh.setdefault(fragment.kind, []).append(fragment)
    emptied = _emptied(document, gone, fresh)
    edits = [edit.Edit(section.start, section.stop, "") for section in emptied]
    for item in document.items:
        if any(section.start <= item.start < section.stop for section in emptied):
            continue
        if item.fragment in gone:
            edits.append(edit.Edit(item.start, item.end, ""))
        elif item.fragment in swap:
            edits.append(edit.Edit(item.start, item.end, render(swap[item.fragment], newline)))
    ends = {section.kind: section for section in document.sections}
    for kind, fragments in fresh.items():
        if section := ends.get(kind):
            lead = "" if text[section.end - 1] == "\n" else newline
            lead += newline if section.end == section.body else ""
            edits.append(edit.Edit(section.end, section.end, lead + _items(fragments, newline)))
    text = edit.apply(text, sorted(edits))
    for known in KINDS.values():
        if known.name in fresh and known.name not in ends:
            lead = "" if text.endswith("\n") else newline
            lead += newline if text.rstrip("\r\n") and not text.endswith(newline * 2) else ""
            text += f"{lead}## {known.plural}{newline}{newline}{_items(fresh[known.name], newline)}"
    return text


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
