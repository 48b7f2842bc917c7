"""A fact: one thing to keep, on one line.

Owns the value, and making a line of a text. A fact with a tool's name was printed by that tool, and nobody vouches
for it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.conversation.summary.marks import CONSTRAINT, DECISION, ERROR, FACT, QUESTION, TODO

PINNED, REQUEST, REPORT, TOOL, PROSE = "pinned", "request", "report", "tool", "prose"
KINDS = (PINNED, CONSTRAINT, DECISION, QUESTION, TODO, ERROR, REQUEST, REPORT, FACT, TOOL, PROSE)
HIGH = frozenset(KINDS[: KINDS.index(REQUEST)])  # what binds, was chosen, is open or went wrong
JOINT = " · "  # between what stood on lines of its own
_LEAD = re.compile(r"\s*(?:[-*+•>|]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+")
_NUMBER = re.compile(r" @\d{1,5}$")
LONG = 480  # characters of a fact that is longer than others, where room lacks
PART = 20  # bits of a place below the number of its part


class Fact(NamedTuple):
    """Something to keep: its kind, its text on one line, what it is worth, and where it stands.

    `at` is the index of its message, `place` its part and position there. Of what a tool printed `name` is the tool,
    and `end` says that the text is its end, to be joined to its head.
    """

    kind: str
    text: str
    worth: float
    at: int
    place: int = 0
    name: str = ""
    end: bool = False

    @property
    def part(self) -> tuple[int, int]:
        """Where it stands, as the index of its message and the number of the part."""
        return self.at, self.place >> PART


def flat(text: str) -> str:
    """Return a text on one line, its lines apart by `·`; other space stays as it is."""
    if "\n" not in text and "\r" not in text:
        return text.strip()
    return JOINT.join([bare for line in text.splitlines() if (bare := line.strip())])


def clipped(text: str, limit: int) -> str:
    """Return a text's head and end in about `limit` characters, cut between words where there are some."""
    if len(text) <= limit:
        return text
    half = limit // 2
    head = text.rfind(" ", 0, half + 1)
    tail = text.find(" ", len(text) - half)
    start = text[: head if head > half // 2 else half]
    return f"{start} … {text[tail + 1 if 0 <= tail < len(text) - half // 2 else len(text) - half :]}"


def lead(line: str) -> int:
    """Return where a line's words begin, behind signs of a list, a heading or a quotation."""
    if line[:1].isalpha():
        return 0
    signs = _LEAD.match(line)
    return signs.end() if signs else len(line) - len(line.lstrip())


def bare(line: str) -> str:
    """Return a line without signs of a list, a heading or a quotation before its words."""
    return line[lead(line) :].rstrip()


def unnumbered(text: str) -> str:
    """Return a fact's text without the number of the message after which it was said."""
    return _NUMBER.sub("", text) if text[-1:].isdigit() else text
