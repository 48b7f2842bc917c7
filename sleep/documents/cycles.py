"""`memory/cycles.md`: one appended line a cycle, which survives what loses trailers (squash merges).

Owns the table's form and reading it. Refuses to know how a cycle ran.
"""

from __future__ import annotations

import heapq
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents.markdown import edit
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from sleep.records.address import InstanceId

PATH = "memory/cycles.md"
_HEAD = """# Cycles

One line a cycle, appended by `sleep`.

| cycle | instance | slept | sessions | tokens before | tokens after | steps |
| --- | --- | --- | --- | --- | --- | --- |
"""
_COLUMNS = 7
_NUMBER = re.compile("[0-9]{1,15}")


class Cycle(NamedTuple):
    """One cycle. `before` are the tokens of the journal, `after` those it became in hot memory."""

    number: int
    instance: InstanceId
    slept: str
    sessions: tuple[str, ...]
    before: int
    after: int
    steps: tuple[str, ...]

    @property
    def key(self) -> tuple[int, str]:
        """The number and the instance: two branches may have given two cycles one number."""
        return self.number, str(self.instance)


@lru_cache(maxsize=2)  # every step of a sleep asks, and the table grows for ever
def read(text: str | None) -> tuple[Cycle, ...]:
    """Return the cycles in the order of the file; lines of another form are passed over."""
    cycles = []
    for line in (text or "").split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != _COLUMNS or not all(_NUMBER.fullmatch(cells[index]) for index in (0, 4, 5)):
            continue
        instance = addressing.parse_instance(cells[1])
        if instance is None:
            continue
        sessions = tuple(word for word in cells[3].split() if word != "-")
        steps = tuple(word.strip() for word in cells[6].split(",") if word.strip())
        cycles.append(Cycle(int(cells[0]), instance, cells[2], sessions, int(cells[4]), int(cells[5]), steps))
    return tuple(cycles)


def append(text: str | None, cycle: Cycle) -> str:
    """Return the file with the cycle's line at its end."""
    text = text or _HEAD
    cells = (
        str(cycle.number),
        str(cycle.instance),
        cycle.slept,
        " ".join(cycle.sessions) or "-",
        str(cycle.before),
        str(cycle.after),
        ", ".join(cycle.steps),
    )
    newline = edit.newline(text)
    lead = "" if text.endswith("\n") else newline
    return f"{text}{lead}| {' | '.join(cell.replace('|', '/') for cell in cells)} |{newline}"


def merged(now: str, before: str, after: str) -> str:
    """Return the table of cycles with the lines that went gone, and those that came at its end: a line is a cycle."""
    rows = [text.splitlines(keepends=True) for text in (now, before, after)]
    left = [line for line in rows[0] if line in rows[2] or line not in rows[1]]
    return "".join((*left, *(line for line in rows[2] if line not in rows[1] and line not in left)))


def of_both(base: str, ours: str, theirs: str) -> str:
    """Return the table with the rows of both sides of a merge: what each added stands in the order of the sleeps.

    The last row is that of the last sleep, whichever side a merge calls its own.
    """
    table = merged(ours, base, theirs).splitlines(keepends=True)
    old, own = base.splitlines(keepends=True), ours.splitlines(keepends=True)
    known = [line for line in table if line in old or not read(line)]
    added = [line for line in table if line not in known]
    sides = ([line for line in added if line in own], [line for line in added if line not in own])
    return "".join((*known, *heapq.merge(*sides, key=lambda line: read(line)[0].slept)))
