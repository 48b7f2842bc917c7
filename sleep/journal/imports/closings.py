"""Closings: the entries by which an imported log closes or pauses what it, or a log before it, left open.

Owns which of its lines settles which record, as `later_lines` tells it, which line of work stands below a heading that
says that it is paused (`On hold`), and what the entry says: the new state, and the words and the address of the line.
So a person can read why a record is closed, and open it again. Refuses to close what somebody journaled here, and what
a later log said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter, register
from sleep.documents.hand import later_lines
from sleep.documents.hand.later_lines import Line
from sleep.documents.journal import Draft
from sleep.language import tokens
from sleep.language.acts import kind_names
from sleep.language.acts.forms import form
from sleep.records import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment

_MOST = 400  # records of earlier logs, the newest, that a log may settle: each is compared with each log
_SHOWN = 40  # tokens of the line that settles a record
_UNLISTED = "not in the newer list"
_THREAD, _PAUSED = "thread", "paused"


class _Open(NamedTuple):
    """A record that an imported log left open, the day of that log, "" where it has none, and its repository."""

    record: Fragment
    day: str
    repository: str


class Closings:
    """What imported logs left open, as one after the other is taken in."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._open: list[_Open] | None = None

    def of(self, entries: Sequence[Entry], day: str, repository: str = "") -> list[Draft]:
        """Return the entries that close what the lines of a new journal settle, and keep what is open after it.

        A log settles nothing of another repository, whose numbers (`#57`) and names are others; "" may be any.
        """
        before = self._before(repository)
        known = [Line(left.record.kind, left.record.text) for left in before]
        records = [register.from_entry(entry) if register.is_opening(entry) else None for entry in entries]
        lines = [Line(entry.kind, register.on_one_line(entry), entry.sections) for entry in entries]
        drafts, closed = [], set()
        for index, newer in sorted(later_lines.settled([*known, *lines], len(known)).items()):
            record = before[index].record if index < len(known) else records[index - len(known)]
            if record is None or (index < len(known) and not _is_before(before[index].day, day)):
                continue
            closed.add(record.identity)
            entry = entries[newer - len(known)]
            drafts.append(_closing(record, lines[newer - len(known)], f"{entry.address}"))
        drafts += _pauses(records, entries)
        own = [_Open(record, day, repository) for record in records if record and later_lines.is_unsettled(record.kind)]
        self._open = [left for left in (*self._standing(), *own) if left.record.identity not in closed]
        return drafts

    def _before(self, repository: str) -> list[_Open]:
        """Return what a log of a repository may settle, the newest last."""
        same = (left for left in self._standing() if not repository or left.repository in ("", repository))
        return list(same)[-_MOST:]

    def _standing(self) -> list[_Open]:
        if self._open is None:
            records = [record.fragment for record in self._view.records.values()]
            waiting = [record for record in records if record.is_open and later_lines.is_unsettled(record.kind)]
            imported = [record for record in waiting if self._view.is_import(record.identity.instance)]
            imported.sort(key=lambda record: record.identity)  # the newest last
            self._open = [_Open(record, *self._origin(record)) for record in imported]
        return self._open

    def _origin(self, record: Fragment) -> tuple[str, str]:
        """Return the day of the log that left a record open, and its repository."""
        path = self._view.path_of(record.identity.instance)
        fields = front_matter.peek((self._view.read(path) if path else None) or "").fields
        origin = fields.get("imported")
        repository = origin.get("repository") if isinstance(origin, dict) else ""
        return str(fields.get("date") or ""), str(repository or "")


def _pauses(records: Sequence[Fragment | None], entries: Sequence[Entry]) -> list[Draft]:
    """Return the entries that pause lines of work below a heading that says so: `## On hold`, `### ⏸️ 已暂停`."""
    paused = form("headings.paused")
    return [
        _pause(record, entry)
        for record, entry in zip(records, entries, strict=True)
        if record and record.kind == _THREAD and entry.sections
        if paused.search(kind_names.trimmed(entry.sections[-1]))
    ]


def _pause(record: Fragment, entry: Entry) -> Draft:
    """Return the entry that pauses a line of work by the heading that it stands below."""
    fields = (("record", register.reference(record)), ("to", _PAUSED), ("reason", f"below {entry.sections[-1]}"))
    return Draft(kinds.event(record.kind), f"{record.handle} {_PAUSED}", fields=fields)


def _is_before(day: str, other: str) -> bool:
    return not (day and other) or day <= other


def _closing(record: Fragment, line: Line, address: str) -> Draft:
    """Return the entry that closes a record by the line that settles it."""
    kind = kinds.KINDS[record.kind]
    moves = [move for move in kind.moves if record.state in move.origins and not kind.is_open(move.to)]
    move = moves[-1] if line.is_open or later_lines.is_given_up(line.text) else moves[0]
    reason = _UNLISTED if line.is_open else tokens.clip(line.text, _SHOWN)
    fields = (("record", register.reference(record)), ("to", move.to), ("reason", f"{reason} ({address})"))
    return Draft(kinds.event(record.kind), f"{record.handle} {move.to}", fields=fields)
