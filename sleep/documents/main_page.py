"""`main.md`: the page an agent reads first.

Owns its sections and editing the managed ones by span. A section is ours only while its first line is our comment: what
a person wrote, above all the purpose, is never rewritten. Refuses to derive what it says: that is `cycle.handoff`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import front_matter
from sleep.documents.markdown import edit, lines
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.markdown.lines import Heading, Line

OURS = "<!-- written by sleep; edits in this section are replaced -->"
PLACEHOLDER = "(Say here"  # what asks a person for words begins with
HANDOFF = "HANDOFF"
STATE = "Current state"
MAP = "Map"
FIELDS = ("updated", "session_summary", "next_priority", "open_risk", "emotional_register", "for_my_successor")

_OURS = re.compile(rf"\s*{re.escape(OURS)}\s*(?:[^\S\n]*+\S[^\n]*(?:\n|\Z))*")  # the comment and the lines below it
_DERIVED = " (derived)"
_ENDS = " .:…"  # of an entry's words, which a quotation may leave out
_BEGINNING, _LEAST = 60, 6  # characters by which they are known, at most and at the least
_OWN = 2  # the level of our sections
_INDENT = 3  # how far in a fence may stand

PROTOCOL = """1. Run `sleepwake wake`. It prints what to read and opens your journal; without the program read this page, then
   `memory/core/` and `memory/hot/`, then the architecture page.
2. Work. Write down what you decide and why, what you doubt and what you must not forget:
   `sleepwake decide "..." --why "..."`, `sleepwake note "..."`, and `sleepwake journal.add --kind KIND --text "..."` for a
   question, a constraint, a task and more. `--said-by person` marks a person's word.
3. Before you end, leave a handoff and run `sleepwake sleep`. Each of its steps is one commit that a person can read and undo.
"""  # noqa: E501  # as it stands in pages


class _Section(NamedTuple):
    title: str
    start: int  # of the heading
    body: int
    stop: int


def new(project: str, purpose: str = "") -> str:
    """Return a fresh main page; without a purpose, with a line that asks a person for one."""
    purpose = purpose.strip() or f"{PLACEHOLDER}, in your own words, what this project is for. It is never rewritten.)"
    return f"# {project}\n\n{purpose}\n\n## Wake protocol\n\n{PROTOCOL}"


def with_section(text: str, title: str, content: str) -> str:
    """Return the page with the managed section's content replaced, or the section added at the end."""
    newline = edit.newline(text)
    written = newline.join(["", OURS, "", *content.strip("\n").split("\n"), ""])
    for section in _sections(text):
        stop = _own_end(text, section)
        if section.title == title and stop:
            tail = newline if stop == section.stop < len(text) else ""
            return edit.apply(text, [edit.Edit(section.body, stop, written + tail)])
    lead = "" if text.endswith("\n") or not text else newline
    return f"{text}{lead}{newline}## {title}{newline}{written}"


def section(text: str, title: str) -> str:
    """Return what stands in a section, without our comment; "" when there is none. A managed one is preferred."""
    contents = [text[part.body : part.stop].strip() for part in _sections(text) if part.title == title]
    managed = [part for part in contents if part.startswith(OURS)]
    return (managed or contents or [""])[0].removeprefix(OURS).strip()


def unmanaged(text: str) -> str:
    """Return the page without what is ours of its sections: what people wrote."""
    ours = [(part.start, stop) for part in _sections(text) if (stop := _own_end(text, part))]
    return edit.apply(text, [edit.Edit(start, stop, "") for start, stop in ours]).rstrip()


def without_map(text: str) -> str:
    """Return the page with our map as empty lines: it says where something stands, and nothing of it."""
    ours = [(part.start, stop) for part in _sections(text) if part.title == MAP and (stop := _own_end(text, part))]
    return edit.apply(text, [edit.Edit(start, stop, "\n" * text.count("\n", start, stop)) for start, stop in ours])


def without_handoff(text: str) -> str:
    """Return the page without the section of the handoff."""
    return edit.apply(text, [edit.Edit(part.start, part.stop, "") for part in _sections(text) if part.title == HANDOFF])


def handoff(text: str) -> dict[str, str]:
    """Return the handoff's fields as they stand; what a person wrote below ours adds to them and overrides none."""
    fields: dict[str, str] = {}
    is_below = False
    for line in section(text, HANDOFF).split("\n"):
        is_below = is_below or not line.strip()
        name, colon, value = line.removeprefix("- ").partition(": ")
        if colon and name in FIELDS and not (is_below and name in fields):
            fields[name] = value.strip()
    return fields


def without_closed(text: str, closed: Iterable[str]) -> str:
    """Return the page without the fields that a sleep derived from records which are closed since, by address."""
    marks = tuple(f"[{address}]{_DERIVED}" for address in closed)
    if not marks:
        return text
    return "".join(row for row in text.splitlines(keepends=True) if not row.rstrip().endswith(marks))


def quotes(value: str, words: str) -> bool:
    """Return whether a field of the handoff tells what an entry says, known by its beginning.

    It may stand behind what leads to it; a few letters stand in many words, and are looked for at the start alone.
    """
    beginning = words.rstrip(_ENDS)[:_BEGINNING]
    return value.startswith(beginning) or (len(beginning) >= _LEAST and beginning in value)


def is_placeholder(text: str) -> bool:
    """True for words that ask a person for others."""
    return text.lstrip().startswith(PLACEHOLDER)


def purpose(text: str) -> str:
    """Return what stands between the title and the first section: a person's words."""
    start, stop = _purpose(text)
    return text[start:stop].strip()


def with_purpose(text: str, words: str) -> str:
    """Return the page with these words between the title and the first section."""
    start, stop = _purpose(text)
    newline = edit.newline(text)
    lead = newline if text[:start].endswith("\n") else newline * 2
    return edit.apply(text, [edit.Edit(start, stop, f"{lead if start else ''}{words.strip()}{newline}{newline}")])


def _own_end(text: str, part: _Section) -> int:
    """Return where what is ours in a section ends, 0 where it is not ours.

    We write lists without a gap: what stands below a blank line behind ours is a person's, who wrote at the page's end.
    """
    ours = _OURS.match(text, part.body, part.stop)
    return 0 if ours is None else part.stop if not text[ours.end() : part.stop].strip() else ours.end()


def _purpose(text: str) -> tuple[int, int]:
    """Return where the purpose stands, with the blank lines around it."""
    rows, heads = _read(text)
    end = next((rows[head.first].start for head in heads if head.level == _OWN), len(text))
    start = rows[0].start if rows else 0
    for head in heads:
        if head.level < _OWN and rows[head.first].start < end:
            start = rows[head.last].end
            break
    return start, end


def _read(text: str) -> tuple[list[Line], list[Heading]]:
    """Return the lines below the front matter, and the headings that part a page."""
    body = front_matter.peek(text).body
    rows = [row for row in lines.split(text) if row.start >= body]
    words = [row.words for row in rows]
    return rows, [head for head in lines.headings(words, lines.code(words, _INDENT)) if head.level <= _OWN]


def _sections(text: str) -> list[_Section]:
    """Return the sections of level 2, outside code fences; a heading of level 1 ends one too."""
    rows, heads = _read(text)
    starts = [*(rows[head.first].start for head in heads), len(text)]
    return [
        _Section(head.title, starts[index], rows[head.last].end, starts[index + 1])
        for index, head in enumerate(heads)
        if head.level == _OWN
    ]
