"""The section of a session whose conversation was cut short: what its own instance has journaled and nobody slept on.

Owns which entries are told first. Told is what the program wrote (`documents.entries`). Refuses whatever no longer
holds: a record that the same journal has closed since is not told as if it stood.
"""

from __future__ import annotations

import os

from sleep.debt import due, sessions
from sleep.documents import entries
from sleep.plurals import several
from sleep.records import kinds
from sleep.wake.snapshot import held_records, page_files, prose
from sleep.wake.snapshot.parts import Item, Part, fitting, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.store.context import Context

NAME = "This Session"
LINE = 240  # characters of a line where there is little room
_RECORD, _TO, _TIME = "record", "to", "time"
_SHOWN = ("error", "change", "why", "files", "next", "reason")  # the fields that are told with the words
# Ranks beside those of the kinds: what was asked for comes first, what a tool said with what failed.
_ASKED, _FAILED, _MOVED = 0, 4, 5


def section(context: Context, session: str, share: int | None) -> Part | None:
    """Return what a session has journaled and no cycle has slept on, the newest of each sort first; None for nothing.

    Args:
        context: whose memory.
        session: the id that the client gives.
        share: bytes that the section may have in full, None for any number; above, lines are cut, and the last entries
            only named.
    """
    paths = _journals(context, session)
    journaled = [entry for path in paths for entry in entries.read(prose.printable(page_files.insist(context, path)))]
    items = [(_line(entry, 0), _line(entry, LINE), str(entry.address)) for entry in ordered(journaled)]
    if not items:
        return None
    where = ", ".join(os.path.relpath(path, context.base).replace(os.sep, "/") for path in paths)
    heading = f"## {NAME}\n\nBefore its conversation was compacted it journaled, in {where}:"
    rest = f'in {where}, or `sleepwake recall "QUESTION"`'
    count = f"{several(len(items), 'entry')} {rest}"
    less = Part(NAME, heading, [Item(short, name) for _, short, name in items], count=count, where=rest)
    whole = [Item(full, name) for full, _, name in items]
    most = None if share is None else len(fitting(whole, share - size(heading)))
    return Part(NAME, heading, whole, count=count, where=rest, less=less, most=most)


def _journals(context: Context, session: str) -> list[str]:
    if not (session.strip() and due.is_memory(context)):
        return []
    name = sessions.safe(session)
    return [waiting.path for waiting in due.unslept(context) if name in waiting.sessions]


def ordered(journaled: Sequence[Entry]) -> list[Entry]:
    """Return what is told, in the order of need: the newest of each sort, then the others by sort, each newest first.

    Tones are not told, and neither is a record that was closed since.
    """
    closed = set(_closed(journaled))
    standing = [
        entry
        for entry in _by_time(journaled)
        if entry.kind != "tone" and not {entry.number, str(entry.address)} & closed
    ]
    sorts: dict[int, list[Entry]] = {}
    for entry in reversed(standing):
        sorts.setdefault(_rank(entry), []).append(entry)
    ranked = [sorts[rank] for rank in sorted(sorts)]
    return [*(newest for newest, *_ in ranked), *(entry for _, *others in ranked for entry in others)]


def _by_time(journaled: Iterable[Entry]) -> list[Entry]:
    """Return entries by when they were said: one that does not tell, not before those that stand above it."""
    latest = ""
    dated: list[tuple[str, int, Entry]] = []
    for entry in journaled:
        at = entry.field(_TIME)
        latest = max(latest, at)
        dated.append((at or latest, len(dated), entry))
    return [entry for *_, entry in sorted(dated)]


def _rank(entry: Entry) -> int:
    if entry.kind == "note" and entry.source == "person":
        return _ASKED
    if entry.source == held_records.TOOL:
        return _FAILED
    return _MOVED if kinds.event_record(entry.kind) else kinds.KINDS[entry.kind].session_rank


def _closed(journaled: Iterable[Entry]) -> Iterator[str]:
    """Yield the numbers and addresses of the records that entries brought to another state than the first, for good."""
    state: dict[str, str] = {}
    for entry in journaled:
        record = kinds.event_record(entry.kind)
        if record and (handle := held_records.exact(entry.field(_RECORD))):
            state[handle] = "" if entry.field(_TO) in (record.born, held_records.REVIEW, *record.amends) else "closed"
    return (handle for handle, now in state.items() if now)


def _line(entry: Entry, limit: int) -> str:
    """Return an entry as an item of a list, with its address; `limit` characters of its words, 0 for all."""
    label = "Asked" if _rank(entry) == _ASKED else entry.kind.capitalize()
    label += ", noticed" if entry.is_asked else ""
    named = f"{label}{f' {entry.number}' if entry.number else ''}"
    says = "; ".join(f"{name}: {value}" for name in _SHOWN if (value := entry.field(name)))
    text = " ".join(filter(None, (entry.words, f"({says})" if says else "")))
    return f"- {named}: {prose.cut(text, limit) if limit else text} [{entry.address}]"
