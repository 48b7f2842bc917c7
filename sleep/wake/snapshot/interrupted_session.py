"""The section of a session whose conversation was cut short: what its own instance has journaled and nobody slept on.

Owns reading entries by lines, for the parser of Markdown that `documents.journal` has is nothing for a hook, and
which of them are told first. Read is what the program writes: an entry below a heading of level 2 that ends in its
address. Refuses whatever no longer holds: a record that the same journal has closed since is not told as if it stood.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep.debt import due, sessions
from sleep.documents.markdown import lines
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.wake.snapshot import page_files, prose
from sleep.wake.snapshot.parts import Item, Part, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.records.address import Address
    from sleep.store.context import Context

NAME = "This Session"
LINE = 240  # characters of a line where there is little room
TOOL = "tool (untrusted)"  # `text.untrusted.MARK`, whose module takes 2 ms to load
_SOURCE, _RECORD, _TO, _TIME = "source", "record", "to", "time"
_SHOWN = ("why", "files", "next", "reason")  # the fields that are told with the words
# Ranks beside those of the kinds: what was asked for comes first, what a tool said with what failed.
_ASKED, _FAILED, _MOVED = 0, 4, 5


class Said(NamedTuple):
    """An entry of a journal as far as it is told: `words` are title and body on one line."""

    address: Address
    number: str
    kind: str
    words: str
    fields: dict[str, str]


def section(context: Context, session: str, share: int | None) -> Part | None:
    """Return what a session has journaled and no cycle has slept on, the newest of each sort first; None for nothing.

    Args:
        context: whose memory.
        session: the id that the client gives.
        share: bytes that the section may have in full, None for any number; above, lines are cut, and the last entries
            only named.
    """
    paths = _journals(context, session)
    found = [one for path in paths for one in read(_text(context, path))]
    items = [(_line(one, 0), _line(one, LINE), str(one.address)) for one in ordered(found)]
    if not items:
        return None
    where = ", ".join(os.path.relpath(path, context.base).replace(os.sep, "/") for path in paths)
    heading = f"## {NAME}\n\nBefore its conversation was compacted it journaled, in {where}:"
    rest = f'in {where}, or `sleepwake recall "QUESTION"`'
    count = f"{len(items)} {'entries' if len(items) > 1 else 'entry'} {rest}"
    less = Part(NAME, heading, [Item(short, name) for _, short, name in items], count=count, where=rest)
    whole = [Item(full, name) for full, _, name in items]
    most = None if share is None else _fitting(whole, share - size(heading))
    return Part(NAME, heading, whole, count=count, where=rest, less=less, most=most)


def _fitting(items: Iterable[Item], room: int) -> int:
    """Return how many items, from the first on, fit a room."""
    number = 0
    for item in items:
        room -= size(item.full) + 1
        if room < 0:
            break
        number += 1
    return number


def _journals(context: Context, session: str) -> list[str]:
    if not (session.strip() and due.is_memory(context)):
        return []
    name = sessions.safe(session)
    return [one.path for one in due.unslept(context) if name in one.sessions]


def _text(context: Context, path: str) -> str:
    """Return a journal's text; OSError with the reason where it cannot be read."""
    found = page_files.single(context, path) or page_files.Text()
    if found.problem:
        raise OSError(f"{os.path.relpath(path, context.base)} {found.problem}")
    return found.text


def read(text: str) -> list[Said]:
    """Return the entries that the program wrote to a journal, in their order."""
    rows = prose.printable(text).split("\n")
    fenced = lines.code(rows) if any("```" in row or "~~~" in row for row in rows) else frozenset()
    heads = [at for at, row in enumerate(rows) if row.startswith(("## ", "# ")) and at not in fenced]
    sections = zip(heads, [*heads[1:], len(rows)], strict=True)
    found = (_entry(rows[at][3:], rows[at + 1 : stop]) for at, stop in sections if rows[at].startswith("## "))
    return [one for one in found if one]


def _entry(head: str, below: Sequence[str]) -> Said | None:
    split = addressing.trailing_mark(head)
    label, _, title = split[0].partition(": ") if split else ("", "", "")
    kind = label.rstrip(":").casefold()
    if split is None or not kinds.is_kind(kind) or len(split[1].addresses) != 1:
        return None
    fields: dict[str, str] = {}
    at = 0
    while at < len(below):
        name, colon, value = below[at].removeprefix("- ").partition(": ")
        is_field = below[at].startswith("- ") and colon and name in kinds.FIELD_NAMES
        if below[at] and not is_field:
            break
        if is_field:
            fields[name] = prose.flat(value)
        elif fields:
            break
        at += 1
    words = prose.flat(" ".join([title, *below[at:]]))
    return Said(split[1].addresses[0], split[1].number, kind, words, fields)


def ordered(found: Sequence[Said]) -> list[Said]:
    """Return what is told, in the order of need: the newest of each sort, then the others by sort, each newest first.

    Tones are not told, and neither is a record that was closed since.
    """
    closed = set(_closed(found))
    told = [one for one in _by_time(found) if one.kind != "tone" and not {one.number, str(one.address)} & closed]
    sorts: dict[int, list[Said]] = {}
    for one in reversed(told):
        sorts.setdefault(_rank(one), []).append(one)
    ranked = [sorts[rank] for rank in sorted(sorts)]
    return [*(newest for newest, *_ in ranked), *(one for _, *others in ranked for one in others)]


def _by_time(found: Iterable[Said]) -> list[Said]:
    """Return entries by when they were said: one that does not tell, not before those that stand above it."""
    latest = ""
    dated: list[tuple[str, int, Said]] = []
    for one in found:
        at = one.fields.get(_TIME, "")
        latest = max(latest, at)
        dated.append((at or latest, len(dated), one))
    return [one for *_, one in sorted(dated)]


def _rank(one: Said) -> int:
    if one.kind == "note" and one.fields.get(_SOURCE) == "person":
        return _ASKED
    if one.fields.get(_SOURCE) == TOOL:
        return _FAILED
    return _MOVED if kinds.event_record(one.kind) else kinds.KINDS[one.kind].session_rank


def exact(handle: str) -> str:
    """Return the address of a reference (`D-014 (i7qxk.12)`), else the handle itself."""
    return handle.rpartition("(")[2].rstrip(") ")


def _closed(found: Iterable[Said]) -> Iterator[str]:
    """Yield the numbers and addresses of the records that entries brought to another state than the first, for good."""
    state: dict[str, str] = {}
    for one in found:
        record = kinds.event_record(one.kind)
        if record and (handle := exact(one.fields.get(_RECORD, ""))):
            state[handle] = "" if one.fields.get(_TO) == record.born else "closed"
    return (handle for handle, now in state.items() if now)


def _line(one: Said, limit: int) -> str:
    """Return an entry as an item of a list, with its address; `limit` characters of its words, 0 for all."""
    label = "Asked" if _rank(one) == _ASKED else one.kind.capitalize()
    named = f"{label}{f' {one.number}' if one.number else ''}"
    told = "; ".join(f"{name}: {value}" for name in _SHOWN if (value := one.fields.get(name)))
    words = " ".join(filter(None, (one.words, f"({told})" if told else "")))
    return f"- {named}: {prose.cut(words, limit) if limit else words} [{one.address}]"
