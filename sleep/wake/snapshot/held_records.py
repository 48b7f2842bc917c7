"""The records that hold, as a hook can afford to read them: of every tier, and of journals that nobody slept on yet.

Owns which records still hold: a hot page is parsed whole, of warm and cold pages only sections of records are, and of
waiting journals the entries that the program wrote, their moves included. Refuses to fail for a page of an older tier;
a hot page that cannot be read is the error of its section.
"""

from __future__ import annotations

import os
import re

from sleep.documents import paths
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.wake.snapshot import page_files, prose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.debt.due import Waiting
    from sleep.documents.entries import Entry
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.store.context import Context
    from sleep.wake.several_projects.session_projects import SessionProjects

PERSON = "person"
# `documents.register.REVIEW`, whose module a hook does without: a record was looked at again, here also in a field.
REVIEW = "kept"
SOURCE = "source"
TOOL = "tool (untrusted)"  # `redaction.untrusted.MARK`, whose module takes 2 ms to load
_STATUS = "status"
_LAST = 64  # journals that wait, the newest, are read
_OLDER = ("warm", "cold")
_STATES = frozenset(kind.name for kind in kinds.RECORDS)
_KIND = f"(?:{kinds.NOTICED} )?(?:{'|'.join(sorted(_STATES))})"
_INFERRED = re.compile(rf"(?m)^[^#\n].*\[i[0-9]+[a-z]{{3}}\.[0-9]+ {_KIND}\b")
_MARKER = re.compile(r"^[ \t]*(?:>[ \t]*|(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)")


class Standing:
    """The records of a memory, each file read once.

    Args:
        context: whose memory.
        session: the id of a session whose own journals are left out, because they are told elsewhere; "" for none.
        projects: whose what is, in a memory of several; None in one of one.
    """

    __slots__ = ("_context", "_hot", "_older", "_session", "_waiting", "projects")

    def __init__(self, context: Context, session: str = "", projects: SessionProjects | None = None) -> None:
        self.projects = projects
        self._context = context
        self._session = session
        self._hot: dict[str, tuple[Fragment, ...]] = {}
        self._older: tuple[Fragment, ...] | None = None
        self._waiting: tuple[Entry, ...] | None = None

    def records(self, *wanted: str) -> list[Fragment]:
        """Return the records of these kinds that hold: a person's first, then the newest; OSError for a hot page.

        Of several projects they are the session's own, and behind them those of none.
        """
        records: dict[Address, Fragment] = {}
        for path in dict.fromkeys(map(paths.hot_of, wanted)):
            records.update((record.identity, record) for record in self._page(path) if record.kind in wanted)
        for record in self._old():
            if record.kind in wanted:
                records.setdefault(record.identity, record)
        entries = self._said()
        for entry in entries:
            if entry.fragment_kind in wanted:
                records.setdefault(entry.address, _record(entry))
        moved = _moves(entries) if entries else {}
        now = (_as_moved(record, moved) for record in records.values())
        held = filter(_holds, now)
        listed = sorted(_without_judged(held, entries) if entries else held, key=_order)
        return self.projects.told(listed) if self.projects else listed

    def closed(self) -> frozenset[str]:
        """Return the addresses of the records that entries closed on which nobody has slept."""
        last = {}
        for entry in self._said():
            kind, to = kinds.event_record(entry.kind), entry.field("to")
            if kind and to in kind.states:
                last[exact(entry.field("record"))] = kind.is_open(to)
        return frozenset(address for address, is_open in last.items() if not is_open)

    def handoff(self) -> Entry | None:
        """Return what the newest journal that waits says to its successor, None where none says anything.

        Of several projects it is the last journal of the session's own, slept on or not.
        """
        if self.projects and self.projects.own:
            return self.projects.plan()
        handoffs = (entry for entry in reversed(self._said()) if entry.kind == "handoff")
        return next((entry for entry in handoffs if entry.field(SOURCE) != TOOL), None)

    def _page(self, path: str) -> tuple[Fragment, ...]:
        if path not in self._hot:
            self._hot[path] = _parsed(read(self._context, path))
        return self._hot[path]

    def _old(self) -> tuple[Fragment, ...]:
        """Return the records of warm and cold memory that are kept with a state."""
        if self._older is None:
            texts = (text for folder in _OLDER for text in _texts(self._context, folder))
            self._older = tuple(record for text in texts for record in _parsed(text, only_records=True))
        return self._older

    def _said(self) -> tuple[Entry, ...]:
        if self._waiting is None:
            self._waiting = tuple(_entries(self._context, self._session))
        return self._waiting


def read(context: Context, path: str) -> str:
    """Return a page of the memory, "" where there is none; OSError with the reason where it cannot be read."""
    return page_files.insist(context, os.path.join(context.base, *path.split("/"))) if context.is_own else ""


def who(record: Fragment) -> str:
    """Return who said a record, in brackets, "" where it is the instance's own word."""
    source = prose.flat(record.field(SOURCE))
    return f" ({prose.cut(source.removesuffix(' (untrusted)'), 60)})" if source else ""


def _texts(context: Context, folder: str) -> Iterator[str]:
    for page in page_files.pages(context, folder).files if context.is_own else ():
        yield page_files.whole(context, page.path).text


def _parsed(text: str, *, only_records: bool = False) -> tuple[Fragment, ...]:
    if "[i" not in text:  # no address: no fragment
        return ()
    from sleep.documents import tier  # late: where nothing was slept on yet, nobody reads tiers  # noqa: PLC0415

    text = prose.printable(text)
    return tier.records(text) if only_records else tier.parse(text).fragments


def _entries(context: Context, session: str) -> Iterator[Entry]:
    """Yield the entries of journals that no cycle has slept on, in their order, behind what was said of them before."""
    if not os.path.isdir(os.path.join(context.base, "journal")) or not os.path.exists(context.settings):
        return
    from sleep.debt import due, sessions  # late: many trees have no journal  # noqa: PLC0415
    from sleep.documents import entries  # noqa: PLC0415  # same

    own = sessions.safe(session) if session.strip() else ""
    every: list[Entry] = []
    opening: dict[str, Waiting] = {}  # by how the addresses of what waits begin
    for waiting in due.unslept(context)[-_LAST:]:
        if not own or own not in waiting.sessions:
            text = page_files.text(context, waiting.path)
            own_entries = (*entries.read(prose.printable(text)), *_inferred(text))
            opening.update((f"{entry.address.instance}.", waiting) for entry in own_entries)
            every += own_entries
    yield from _late_moves(context, opening) if opening else ()
    yield from every


def _late_moves(context: Context, opening: Mapping[str, Waiting]) -> Iterator[Entry]:
    """Yield what journals that are slept on say of records that wait, as `memory.late_moves` does."""
    from sleep.debt import due  # late: as above  # noqa: PLC0415
    from sleep.documents import entries  # noqa: PLC0415  # same

    starts, waiting = tuple(opening), opening.values()
    start = min(filter(None, (each.began for each in waiting)), default="")
    for path in due.slept_since(context, min(each.number for each in waiting), start)[-_LAST:]:
        text = page_files.text(context, path)
        if any(start in text for start in starts):
            moves = (each for each in entries.read(prose.printable(text)) if kinds.event_record(each.kind))
            yield from (each for each in moves if exact(each.field("record")).startswith(starts))


def _inferred(text: str) -> Iterator[Entry]:
    """Yield the records that were recognised in a journal of another form: lines whose mark names their kind."""
    from sleep.documents.entries import Entry  # late: as above  # noqa: PLC0415

    for row in prose.printable(text).split("\n") if _INFERRED.search(text) else ():
        split = addressing.trailing_mark(row) if row.endswith("]") and row[:1] != "#" else None
        if split and kinds.stated(split[1].kind) in _STATES:
            title, mark = prose.flat(_MARKER.sub("", split[0], count=1)), split[1]
            kind = kinds.stated(mark.kind)
            is_noticed = kind != mark.kind or kinds.must_state(kind)
            yield Entry(mark.addresses[0], kind, title, "", (), mark.number, 0, 0, (), "", is_noticed)


def _record(entry: Entry) -> Fragment:
    from sleep.records.fragment import Fragment  # late: where something waits  # noqa: PLC0415

    return Fragment(entry.fragment_kind, entry.words, (entry.address,), entry.number, entry.fields)


def _without_judged(records: Iterable[Fragment], entries: Sequence[Entry]) -> list[Fragment]:
    """Return the records without what was noticed and judged since, or stated in the same words."""
    held = list(records)
    if not any(record.is_noticed for record in held):
        return held
    from sleep.documents import verdicts  # late: few memories have any  # noqa: PLC0415

    judged = {verdict.address for verdict in map(verdicts.of_entry, entries) if verdict}
    stated = {(entry.kind, entry.words.casefold()) for entry in entries if not entry.noticed}
    return [
        record
        for record in held
        if not record.is_noticed
        or not (record.identity in judged or (record.stated_kind, record.text.casefold()) in stated)
    ]


def _moves(waiting: Sequence[Entry]) -> dict[str, dict[str, str]]:
    """Return by handle the fields that entries give a record: its last state, and what they say of it anew."""
    moved: dict[str, dict[str, str]] = {}
    for entry in waiting:
        kind, to = kinds.event_record(entry.kind), entry.field("to")
        own = moved.setdefault(exact(entry.field("record")), {}) if kind else {}
        if kind and to in kind.states:
            own[_STATUS] = to
        elif kind and to in kind.amends:
            own[to] = entry.field("reason")
        elif kind and to == REVIEW:
            own[REVIEW] = str(entry.address)
    return moved


def exact(handle: str) -> str:
    """Return the address of a reference (`D-014 (i7qxk.12)`), else the handle itself."""
    return handle.rpartition("(")[2].rstrip(") ")


def _as_moved(record: Fragment, moved: dict[str, dict[str, str]]) -> Fragment:
    """Return a record with what waiting entries say of it."""
    for name, value in (moved.get(record.number) or moved.get(str(record.identity)) or {}).items():
        record = record.with_field(name, value)
    return record


def _holds(record: Fragment) -> bool:
    """Return whether a record binds; of a kind without states, unless something newer has taken its place."""
    known = kinds.KINDS.get(record.kind)
    return record.is_open if known and known.states else not record.is_superseded


def _order(record: Fragment) -> tuple[bool, int, int]:
    """Return what sorts records: a person's first, then the newest, but noticed tasks in the order of their list."""
    ordinal = record.identity.ordinal
    is_listed = record.is_noticed and record.stated_kind == "task"
    return record.field(SOURCE) != PERSON, -record.identity.number, ordinal if is_listed else -ordinal
