"""The sections that are read from this product's own memory: handoff, threads, questions, constraints.

Owns their lines. A record is shown with its number and its address, which `sleepwake memory.explain` takes. Nothing is
read where there is no hot memory, as in a tree that an older tool left.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.memory import paths
from sleep.snapshot import outline, prose, reading
from sleep.snapshot.parts import Item, Part

if TYPE_CHECKING:
    from sleep.memory.fragment import Fragment
    from sleep.store.context import Context

LINE = 240  # characters of a line where there is little room
# What the next instance needs first; the names are those of `memory.page`, which can load what a hook may not.
FIELDS = ("next_priority", "open_risk", "for_my_successor", "session_summary", "emotional_register", "updated")
_OURS = "\n## HANDOFF\n\n<!-- written by sleep"


def handoff(context: Context) -> Part | None:
    """Return the handoff of `main.md`, what is to be done next first; a person's own words where it has no fields."""
    text = f"\n{_read(context, paths.MAIN)}"
    if "HANDOFF" not in text:
        return None
    ours = text.find(_OURS)
    words = prose.printable(outline.without_comments(outline.section(text[max(ours, 0) :], "handoff"))).strip()
    said = dict(line.removeprefix("- ").partition(": ")[::2] for line in words.split("\n"))
    lines = [(name, prose.flat(said[name].strip())) for name in FIELDS if name in said]
    where = paths.MAIN

    def part(limit: int, less: Part | None = None) -> Part:
        items = [Item(f"- {name}: {prose.cut(value, limit) if limit else value}", name) for name, value in lines]
        return Part("Handoff", "## Handoff", items, count=f"in {where}", where=where, less=less)

    if lines:
        return part(0, part(LINE))
    if outline.is_empty(words):
        return None
    return Part("Handoff", "## Handoff", count=f"in {where}", where=where, page=words)


def threads(context: Context) -> Part | None:
    """Return the active threads."""
    found = [one for one in _fragments(context, paths.THREADS) if one.kind == "thread" and one.state == "active"]
    return _records("Active Threads", found, ("next",), "sleepwake thread.list")


def questions(context: Context) -> Part | None:
    """Return the open questions."""
    found = [one for one in _fragments(context, paths.CONTEXT) if one.kind == "question" and one.is_open]
    return _records("Open Questions", found, (), "sleepwake question.list")


def constraints(context: Context) -> Part | None:
    """Return the constraints that stand."""
    found = [one for one in _fragments(context, paths.CONTEXT) if one.kind == "constraint" and one.is_open]
    return _records("Standing Constraints", found, ("why",), "sleepwake constraint.list")


def commands(context: Context) -> Part | None:
    """Return the line that says how to get more; None where these commands have no memory to work on."""
    if not os.path.exists(context.settings):
        return None
    line = (
        "- `sleepwake wake` prints what to read and opens this session's journal; `sleepwake memory.explain ADDRESS`"
        " tells where a line comes from (`[i7qxk.12]` is an address); `sleepwake decision.list` and `sleepwake"
        " thread.list` show the records."
    )
    place = f"\n- Paths here are below `{context.base}`." if context.separate else ""
    return Part(
        "Commands", "## Commands", [Item(line + place, "Commands")], count="`sleepwake wake`", where="sleepwake --list"
    )


def _records(name: str, found: list[Fragment], fields: tuple[str, ...], where: str) -> Part | None:
    if not found:
        return None
    count = f"{len(found)}: `{where}`"

    def line(one: Fragment, limit: int) -> Item:
        number = f"{one.number} " if one.number else ""
        says = "".join(f" ({field}: {value})" for field in fields if (value := one.field(field)) and not limit)
        return Item(f"- {number}{prose.cut(one.text, limit) if limit else one.text}{says} [{one.identity}]", one.handle)

    less = Part(name, f"## {name}", [line(one, LINE) for one in found], count=count, where=f"`{where}`")
    return Part(name, f"## {name}", [line(one, 0) for one in found], count=count, where=f"`{where}`", less=less)


def _fragments(context: Context, path: str) -> tuple[Fragment, ...]:
    text = _read(context, path)
    if "[i" not in text:  # no address: no fragment
        return ()
    from sleep.memory import tier  # late: where nothing was slept on yet, nobody reads tiers  # noqa: PLC0415

    return tier.parse(prose.printable(text)).fragments


def _read(context: Context, path: str) -> str:
    """Return a page of the memory, "" where there is none; OSError with the reason where it cannot be read."""
    if os.path.basename(context.folder) != paths.MEMORY.rstrip("/"):
        return ""
    read = reading.single(context, os.path.join(context.base, *path.split("/"))) or reading.Text()
    if read.problem:
        raise OSError(f"{path} {read.problem}")
    return read.text
