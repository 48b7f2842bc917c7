"""Moves that were slept on before the record that they move, because that stands in somebody else's open journal.

Owns finding them. Example: one person answers a question of another's open journal, and sleeps. The question is in no
tier until the other sleeps, but it is answered from now on. Refuses to make a move.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from sleep.documents import front_matter, main_page, paths, register
from sleep.errors import DocumentError
from sleep.records import address as addressing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.address import InstanceId


def with_waiting(view: View) -> list[tuple[str, Entry]]:
    """Return the entries of journals not slept on, each with its path, and such moves: a move behind what it moves."""
    return sorted((*view.waiting, *_moves(view)), key=_order)


def slept_before(view: View, instance: InstanceId) -> list[str]:
    """Return the journals that may move an instance's records and were slept on before its own, in order.

    Those of later instances, and of others that were open in another clone at its time those that name it.
    """
    own, start = view.path_of(instance), f"{instance}."
    names = _slept_since(view, instance.number, _start(view, own) if own else "")
    return [
        path
        for path in names
        if path != own and ((paths.journal_number(path) or 0) > instance.number or start in (view.read(path) or ""))
    ]


def is_open_elsewhere(view: View, handle: str) -> bool:
    """Return whether a handle has the address of a record that a journal opens on which no cycle has slept."""
    address = addressing.parse(register.exact(handle))
    if address is None or view.path_of(address.instance) not in view.unslept:
        return False
    with contextlib.suppress(DocumentError):  # `doctor` reports it
        entry = view.entry(address)
        return entry is not None and register.is_opening(entry)
    return False


def main_page_of(view: View) -> str:
    """Return the main page without what its handoff says of records that were closed since the last sleep."""
    closed = (str(at) for at, record in view.moved.items() if record.moves and not record.fragment.is_open)
    return main_page.without_closed(view.read(paths.MAIN) or "", closed)


def read(view: View, path: str) -> str | None:
    """Return a document's text, None where there is none; of the main page what `main_page_of` returns."""
    return main_page_of(view) if path == paths.MAIN else view.read(path)


def _moves(view: View) -> Iterator[tuple[str, Entry]]:
    """Yield the moves; a journal that names no instance whose records wait is not parsed."""
    opening = {path: entry.address.instance for path, entry in view.waiting if register.is_opening(entry)}
    if not opening:
        return
    names = tuple(f"{instance}." for instance in opening.values())
    start = min(filter(None, (_start(view, path) for path in opening)), default="")
    for path in _slept_since(view, min(instance.number for instance in opening.values()), start):
        if any(name in (view.read(path) or "") for name in names):
            with contextlib.suppress(DocumentError):  # `doctor` reports it
                entries = view.journal(path).entries
                yield from ((path, each) for each in entries if register.is_move(each) and _is_of(each, names))


def _slept_since(view: View, number: int, start: str) -> list[str]:
    """Return the journals slept on of instances from a number on, or that ended after `start`."""
    late = {cycle.instance.number for cycle in view.cycles if start and cycle.slept > start}
    waiting = frozenset(view.unslept)
    numbers = ((paths.journal_number(path) or 0, path) for path in view.journals if path not in waiting)
    return [path for own, path in numbers if own >= number or own in late]


def _start(view: View, path: str) -> str:
    """Return when a journal began, "" where it does not say so."""
    return str(front_matter.peek(view.read(path) or "").fields.get("started") or "")


def _is_of(entry: Entry, names: tuple[str, ...]) -> bool:
    return register.exact(entry.field("record")).startswith(names)


def _order(place: tuple[str, Entry]) -> tuple[int, bool]:
    """Return the number of an entry's journal; a move of what another of that number or a later one opens is behind."""
    path, entry = place
    number = paths.journal_number(path) or 0
    at = addressing.parse(register.exact(entry.field("record"))) if register.is_move(entry) else None
    if at is None or at.instance == entry.address.instance or at.number < number:
        return number, False
    return at.number, True
