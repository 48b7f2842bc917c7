"""The text that takes the place of what was removed: written, and read again at the next consolidation.

Owns its form. What was kept once is read as it was written, so facts pass from one consolidation to the next
unchanged, in one list. Texts that stand word for word say how long they are: nothing in them can be taken for the
form.

    [Session context consolidated]

    First request (word for word, 24 characters):
    Move the queue to Redis.

    State of the work:
    - files changed: queue.py ×2
    - last error: [shell] FATAL: no such stream (then 4 results without one)

    Order: @n stands behind what was said after the n-th message of a person, of 3; the later holds.

    Decisions:
    - we will go with Redis streams because consumers need replay @2

    Tool results (untrusted):
    - [shell] Exit code 0. Deployed 47 files … 3 warnings

    Originals: sha256 5f70..., 57 messages (sleepwake conversation.originals 5f70...)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.conversation.summary.compatible import HEADER, NOTHING
from sleep.conversation.summary.fact import PINNED, PROSE, REPORT, REQUEST, TOOL
from sleep.conversation.summary.marks import CONSTRAINT, DECISION, ERROR, FACT, QUESTION, TODO

TITLES = {
    PINNED: "Pinned:",
    CONSTRAINT: "Constraints:",
    DECISION: "Decisions:",
    QUESTION: "Open questions:",
    TODO: "To do:",
    ERROR: "Errors and outcomes:",
    REQUEST: "Requests:",
    REPORT: "What came of it:",
    FACT: "Facts:",
    TOOL: "Tool results (untrusted):",
    PROSE: "In short:",
}
FIRST, LATEST, STATE = "First request", "Latest request", "State of the work:"
_KINDS = {title: kind for kind, title in TITLES.items()} | {STATE: STATE}
_VERBATIM = re.compile(rf"({FIRST}|{LATEST}) \(word for word, (\d{{1,9}}) characters\):\n")
_ORDER = "Order: @n stands behind what was said after the n-th message of a person, of {people}; the later holds."
_PEOPLE = re.compile(re.escape(_ORDER).replace(r"\{people\}", r"(\d{1,6})"))
_ORIGINALS = re.compile(r"Originals: sha256 ([0-9a-f]{64}), (\d{1,9}) messages\b[^\n]*")
_BULLET = re.compile(r"(?:- )+")
_TOOL = re.compile(r"\[[^\]\n]{1,80}\] ")


class Summary(NamedTuple):
    """What a summary holds: the two requests, facts as (kind, text), the originals' address and their number.

    `state` are the lines of the state of the work, `people` how many messages of people it stands for.
    """

    first: str = ""
    latest: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    address: str = ""
    number: int = 0
    state: tuple[str, ...] = ()
    people: int = 0

    def __str__(self) -> str:
        sections = [
            f"{title} (word for word, {len(text)} characters):\n{text}"
            for title, text in ((FIRST, self.first), (LATEST, self.latest))
            if text
        ]
        if self.state:
            sections.append("\n".join([STATE, *(f"- {line}" for line in self.state)]))
        if self.people > 1:
            sections.append(_ORDER.format(people=self.people))
        by: dict[str, list[str]] = {}
        for kind, text in self.facts:
            by.setdefault(kind, []).append(text)
        for kind, title in TITLES.items():
            if kind in by:
                sections.append("\n".join([title, *(f"- {text}" for text in by[kind])]))
        if not sections:
            sections.append(NOTHING)
        if self.address:
            sections.append(
                f"Originals: sha256 {self.address}, {self.number} messages"
                f" (sleepwake conversation.originals {self.address[:12]})"
            )
        return "\n\n".join(sections)


def message_text(text: str) -> str:
    """Return the text of the message that carries a summary."""
    return f"{HEADER}\n\n{text}"


def is_summary(text: str) -> bool:
    """Return whether the text of a message is a summary, of this strategy or the compatible one."""
    return text.startswith(HEADER) and not text[len(HEADER) :].partition("\n")[0].strip()


def read(text: str) -> Summary:
    """Return what a summary holds; of one in another form the bullets, told by their first words."""
    body = text.removeprefix(HEADER).lstrip("\n")
    requests: dict[str, str] = {}
    while match := _VERBATIM.match(body):
        start, length = match.end(), int(match[2])
        requests[match[1]] = body[start : start + length]
        body = body[start + length :].lstrip("\n")
    read = Summary(requests.get(FIRST, ""), requests.get(LATEST, ""), people=int(FIRST in requests))
    facts: list[tuple[str, str]] = []
    kind = ""
    for line in body.split("\n"):
        if line in _KINDS:
            kind = _KINDS[line]
        elif match := _PEOPLE.fullmatch(line):
            read = read._replace(people=int(match[1]))
        elif match := _ORIGINALS.fullmatch(line):
            read = read._replace(address=match[1], number=int(match[2]))
        else:
            _take(line, kind, facts)
    state = tuple(fact for own, fact in facts if own == STATE)
    return read._replace(facts=tuple(fact for fact in facts if fact[0] != STATE), state=state)


def _take(line: str, kind: str, facts: list[tuple[str, str]]) -> None:
    """Add the fact of a line below a title, or of a line of a summary without titles."""
    if line.startswith("- ") and line != NOTHING:
        bullet = line[_BULLET.match(line).end() :].strip() if not kind else line[2:]  # type: ignore[union-attr]
        if bullet:
            facts.append((kind or (TOOL if _TOOL.match(bullet) else FACT), bullet))
    elif line.strip() and facts and not kind:  # the compatible strategy keeps the lines of what a tool printed
        facts[-1] = (facts[-1][0], f"{facts[-1][1]} · {line.strip()}")
