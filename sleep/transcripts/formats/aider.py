"""Aider's history (`.aider.chat.history.md`): Markdown of all sessions in one file, one after another.

Owns that form, as far as prompts, the agent's text, edits and errors can be told: `####` is what was typed, `>` what
the program says, and everything else is the agent's. What the program itself sends to the model (what a linter found,
what a command printed) is written like a prompt and told by how it begins.
"""

from __future__ import annotations

import re
from itertools import groupby

from sleep.transcripts import boilerplate
from sleep.transcripts.events import Event, clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "aider"
_START = re.compile(r"# aider chat started at (\S+ \S+)\s*\Z")
_EDIT = "> Applied edit to "
_PROGRAM = re.compile(r"# Fix any errors below|I ran this command:|The LLM did not conform|# \d+ SEARCH/REPLACE block")
_ERROR = re.compile(
    r"> (?:The LLM did not conform|# \d+ SEARCH/REPLACE blocks? failed)|[^:]{0,400}Error\b[^:]{0,400}: "
)


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like Aider's."""
    return b"# aider chat started at " in head


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, run of lines by run; never raises for what a line holds."""
    at, edits = "", 0
    rows = (raw.decode("utf-8", "replace").rstrip("\r\n").lstrip("\ufeff") for raw in lines)
    for role, run in groupby(enumerate(rows, 1), key=lambda row: _role(row[1])):
        numbered = list(run)
        line, text = numbered[0][0], "\n".join(text for _, text in numbered)
        if role == "start":
            begun = _START.match(numbered[-1][1])
            at, edits = begun[1] if begun else at, 0
        elif role == "person":
            typed = "\n".join(text.removeprefix("####").strip() for _, text in numbered).strip()
            if not _PROGRAM.match(typed) and (typed := boilerplate.strip(typed)):
                yield Event("person", "prompt", typed, at=at, line=line)
        elif role == "program":
            for event in _program(numbered):
                edits += event.kind == "edit"
                yield event._replace(at=at, id=f"{at}#{edits}" if event.kind == "edit" else "")
        elif text.strip() and at:
            line += text[: len(text) - len(text.lstrip())].count("\n")
            yield Event("agent", "text", text.strip(), at=at, line=line)


def _program(numbered: list[tuple[int, str]]) -> Iterator[Event]:
    """Yield the edits that the program reports up to the first error, which takes the rest of what it says."""
    for place, (number, text) in enumerate(numbered):
        if text.startswith(_EDIT):
            yield Event("agent", "edit", path=text.removeprefix(_EDIT).strip(), line=number)
        if _ERROR.match(text):
            shown = "\n".join(row.removeprefix(">").strip() for _, row in numbered[place:]).strip()
            yield Event("tool", "result", clip(shown), ok=False, line=number)
            return


def _role(text: str) -> str:
    """Return who a line is of."""
    if _START.match(text):
        return "start"
    if text.startswith("####"):
        return "person"
    return "program" if text.startswith(">") else "agent"
