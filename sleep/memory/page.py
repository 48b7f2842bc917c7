"""`main.md`: the page an agent reads first.

Owns its sections and editing the managed ones by span. A section is ours only while its first line is our comment: what a
person wrote, above all the purpose, is never rewritten. Refuses to derive what it says: that is `cycle.handoff`'s.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.text import edit

OURS = "<!-- written by sleep; edits in this section are replaced -->"
HANDOFF = "HANDOFF"
STATE = "Current state"
MAP = "Map"
FIELDS = ("updated", "session_summary", "next_priority", "open_risk", "emotional_register", "for_my_successor")

_HEADING = re.compile(r"(?m)^##[ \t]+(.+?)[ \t]*\r?$")
_FENCE = re.compile(r"(?m)^(```|~~~)")

PROTOCOL = """1. Run `sleepwake wake`. It prints what to read and opens your journal; without the program read this page, then
   `memory/hot/`, then the architecture page.
2. Work. Write down what you decide and why, what you doubt and what you must not forget:
   `sleepwake journal.add --kind decision --text "..." --why "..."`.
3. Before you end, leave a handoff and run `sleepwake sleep`. Each of its steps is one commit that a person can read and undo.
"""


class _Section(NamedTuple):
    title: str
    start: int  # of the heading
    body: int
    stop: int


def new(project: str, purpose: str = "") -> str:
    """Return a fresh main page; without a purpose, with a line that asks a person for one."""
    purpose = purpose.strip() or "(Say here, in your own words, what this project is for. It is never rewritten.)"
    return f"# {project}\n\n{purpose}\n\n## Wake protocol\n\n{PROTOCOL}"


def with_section(text: str, title: str, content: str) -> str:
    """Return the page with the managed section's content replaced, or the section added at the end."""
    newline = edit.newline(text)
    written = newline.join(["", OURS, "", *content.strip("\n").split("\n"), ""])
    for section in _sections(text):
        if section.title == title and text[section.body : section.stop].lstrip().startswith(OURS):
            tail = newline if section.stop < len(text) else ""
            return edit.apply(text, [edit.Edit(section.body, section.stop, written + tail)])
    lead = "" if text.endswith("\n") or not text else newline
    return f"{text}{lead}{newline}## {title}{newline}{written}"


def section(text: str, title: str) -> str:
    """Return what stands in a section, without our comment; "" when there is none. A managed one is preferred."""
    found = [text[one.body : one.stop].strip() for one in _sections(text) if one.title == title]
    managed = [one for one in found if one.startswith(OURS)]
    return (managed or found or [""])[0].removeprefix(OURS).strip()


def handoff(text: str) -> dict[str, str]:
    """Return the handoff's fields as they stand."""
    fields = {}
    for line in section(text, HANDOFF).split("\n"):
        name, colon, value = line.removeprefix("- ").partition(": ")
        if colon and name in FIELDS:
            fields[name] = value.strip()
    return fields


def purpose(text: str) -> str:
    """Return what stands between the title and the first section: a person's words."""
    first = next((one.start for one in _sections(text)), len(text))
    lines = text[:first].split("\n")
    return "\n".join(line for line in lines if not line.startswith("# ")).strip()


def _sections(text: str) -> list[_Section]:
    """Return the sections of level 2, outside code fences."""
    fences = [found.start() for found in _FENCE.finditer(text)]
    heads = [found for found in _HEADING.finditer(text) if sum(at < found.start() for at in fences) % 2 == 0]
    stops = [*(found.start() for found in heads[1:]), len(text)][: len(heads)]
    return [
        _Section(found[1].strip(), found.start(), min(found.end() + 1, len(text)), stop)
        for found, stop in zip(heads, stops, strict=True)
    ]
