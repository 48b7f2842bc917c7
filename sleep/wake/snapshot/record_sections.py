"""The sections that are read from this product's own memory: the handoff, and the records that hold.

Owns their lines. A record is shown with its number and its address, which `sleepwake memory.explain` takes. Nothing is
read where there is no hot memory, as in a tree that an older tool left.
"""

from __future__ import annotations

import os

from sleep.documents import paths
from sleep.records import kinds, revisit
from sleep.records.kinds import AT_ODDS
from sleep.wake.snapshot import held_records, page_outline, prose
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.entries import Entry
    from sleep.records.fragment import Fragment
    from sleep.records.revisit import Waiting
    from sleep.store.context import Context
    from sleep.wake.snapshot.held_records import Standing

_REVIEWED = "reviewed"  # `documents.register.REVIEWED`, whose module a hook does without
_NOTICED = 3  # of what nobody stated, the newest, behind what was stated
LINE = 240  # characters of a line where there is little room
# What the next instance needs first; the names are those of `documents.main_page`, which can load what a hook may not.
FIELDS = ("next_priority", "open_risk", "for_my_successor", "session_summary", "emotional_register", "updated")
_OURS = "\n## HANDOFF\n\n<!-- written by sleep"


def handoff(context: Context, held: Standing) -> Part | None:
    """Return the handoff: of the newest journal that waits for a sleep, else of `main.md`, what is to be done first.

    Of `main.md` a person's own words are told where it has no fields.
    """
    entry = held.handoff()
    if entry:
        fields = {name.replace(" ", "_"): value for name, value in entry.fields}
        lines = [(name, fields[name]) for name in FIELDS if name in fields]
        lines += [("in its own words", entry.words)] if entry.words else []
        return _handoff(_of_project(lines, held, entry), f"of {entry.address}", "journal/")
    if held.projects and not held.projects.is_page_told:
        return None
    text = f"\n{held_records.read(context, paths.MAIN)}"
    if "HANDOFF" not in text:
        return None
    ours = text.find(_OURS)
    words = prose.printable(
        page_outline.without_comments(page_outline.section(text[max(ours, 0) :], "handoff"))
    ).strip()
    values = dict(line.removeprefix("- ").partition(": ")[::2] for line in words.split("\n"))
    lines = [(name, prose.flat(values[name].strip())) for name in FIELDS if name in values]
    part = _handoff(_without_closed(lines, held), f"in {paths.MAIN}", paths.MAIN)
    if part or page_outline.is_empty(words.removeprefix(f"- updated: {values.get('updated', '')}")):
        return part
    return Part("Handoff", "## Handoff", count=f"in {paths.MAIN}", where=paths.MAIN, page=words)


def _of_project(lines: list[tuple[str, str]], held: Standing, entry: Entry) -> list[tuple[str, str]]:
    """Return the lines of a handoff, below that of its project where a session has none of its own."""
    name = held.projects.of_entry(entry) if held.projects and not held.projects.own else ""
    return [("project", name), *lines] if name else lines


def others(held: Standing) -> Part | None:
    """Return the other projects, of which a session is told no more than what is next; None where there are none."""
    return held.projects.others() if held.projects else None


def _without_closed(lines: Sequence[tuple[str, str]], held: Standing) -> list[tuple[str, str]]:
    """Return the fields without those that a sleep derived from records closed since (`main_page.without_closed`)."""
    over = tuple(f"[{address}] (derived)" for address in held.closed())
    return [(name, value) for name, value in lines if not value.endswith(over)]


def _handoff(lines: Sequence[tuple[str, str]], count: str, where: str) -> Part | None:
    def part(limit: int, less: Part | None = None) -> Part:
        items = [Item(f"- {name}: {prose.cut(value, limit) if limit else value}", name) for name, value in lines]
        return Part("Handoff", "## Handoff", items, count=count, where=where, less=less)

    return part(0, part(LINE)) if any(name != "updated" for name, _ in lines) else None


def of_kinds(held: Standing, name: str) -> Part | None:
    """Return the section that lists the records of its kinds: what was stated first, then a few that were noticed.

    A record is listed while it is in its first state.
    """
    own = kinds.of_section(name)
    if not own:
        return None
    order = [kind.name for kind in own]
    noticed = [kinds.noticed(kind.name) for kind in own]
    records = [record for record in held.records(*order) if record.state == kinds.KINDS[record.kind].born]
    records.sort(key=lambda record: order.index(record.kind))  # stable
    records += held.records(*noticed)[:_NOTICED]
    main = next(kind for kind in own if kind.heads_section)
    labels = {kind.name: f"{kind.label}: " for kind in own if kind is not main}
    labels |= {kinds.noticed(kind.name): f"{kind.label}, noticed: " for kind in own}
    labels |= {kinds.noticed(main.name): "Noticed: "}
    if not records:
        return None
    where = f"`sleepwake {main.command}.list`"

    if any(record.field(AT_ODDS) for record in records):
        records = _unsettled(records, held)

    def part(limit: int, less: Part | None = None) -> Part:
        items = [line(record, limit, labels.get(record.kind, "")) for record in records]
        return Part(name, f"## {name}", items, count=f"{len(records)}: {where}", where=where, less=less, counts=True)

    return part(0, part(LINE))


def review(context: Context, held: Standing, most: int, today: str) -> Part | None:
    """Return what waits for the person's word: what contradicts, what is due, how many were noticed, and the command.

    What was at odds or due when somebody slept last stands in `main.md`; a day that has come since `today` tells.
    """
    items = [
        Item(f"- {prose.printable(waiting.words)}", waiting.handles[0]) for waiting in _waiting(context, held, today)
    ]
    noticed = min(most, len(held.records(*(kinds.noticed(kind.name) for kind in kinds.RECORDS))))
    if noticed:
        what = "record waits" if noticed == 1 else "records wait"
        items.append(Item(f"- {noticed} noticed {what} for the person's word", "Review"))
    if not items:
        return None
    last = items[-1].full + ": `sleepwake review`, then `review.confirm`, `review.correct` or `review.reject`"
    items[-1] = items[-1]._replace(full=last)
    waits = len(items) + max(0, noticed - 1)
    return Part("Review", "## Review", items, count=f"{waits} wait", where="`sleepwake review`")


def _waiting(context: Context, held: Standing, today: str) -> list[Waiting]:
    """Return what contradicts or is due, of records that hold and that nobody has kept since."""
    standing = {record.handle: record for record in held.records(*kinds.BINDING)}
    unsettled = {handle for handle, record in standing.items() if not record.field(held_records.REVIEW)}
    try:
        page = held_records.read(context, paths.MAIN)
    except OSError:  # the handoff says it
        page = ""
    listed = list(revisit.read(page))
    named = {waiting.handles[0] for waiting in listed}
    listed += [
        revisit.Waiting(f"{handle} {revisit.DUE}: {revisit.CONDITION} {condition} [{record.identity}]", (handle,))
        for handle, record in standing.items()
        if (condition := record.field(revisit.CONDITION)) and handle not in named
        if revisit.has_come(condition, today) and not record.field(_REVIEWED)
    ]
    return [waiting for waiting in listed if unsettled.issuperset(waiting.handles)]


def _unsettled(records: Sequence[Fragment], held: Standing) -> list[Fragment]:
    """Return records that say what they are at odds with only while that holds too."""
    standing = {str(record.identity) for record in held.records(*kinds.BINDING)}
    return [
        record if any(address in record.field(AT_ODDS) for address in standing) else record.with_field(AT_ODDS, "")
        for record in records
    ]


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


def line(record: Fragment, limit: int = 0, label: str = "") -> Item:
    """Return a record as an item of a list, with its first field; `limit` characters of its words, 0 for all."""
    number = f"{record.number} " if record.number else ""
    text = prose.cut(record.text, limit) if limit else record.text
    field = kinds.KINDS[record.kind].fields[0]
    value = record.field(field)
    says = f" ({field}: {prose.cut(value, limit // 2) if limit else value})" if value else ""
    says += f" ({AT_ODDS} {record.field(AT_ODDS)})" if record.field(AT_ODDS) else ""
    return Item(f"- {label}{number}{text}{says}{held_records.who(record)} [{record.identity}]", record.handle)
