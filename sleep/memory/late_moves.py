"""Moves that were slept on before the record that they move: whoever opened it has not slept on it yet.

Owns finding them. One person answers a question of the other's open journal and sleeps; the record stands in no tier
until the other sleeps, and is what the answer made of it all the same. Refuses to make a move.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from sleep.documents import main_page, paths, register
from sleep.errors import DocumentError
from sleep.records import address as addressing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.documents.entries import Entry
    from sleep.memory.view import View


def with_waiting(view: View) -> list[tuple[str, Entry]]:
    """Return the entries of journals not slept on, each with its path, and such moves, by number of journal."""
    moves = [*_moves(view)]
    return sorted((*view.waiting, *moves), key=_number) if moves else view.waiting


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
    """Return the main page without what its handoff says of records that entries closed on which no cycle has slept."""
    closed = (str(at) for at, record in view.moved.items() if record.moves and not record.fragment.is_open)
    return main_page.without_closed(view.read(paths.MAIN) or "", closed)


def read(view: View, path: str) -> str | None:
    """Return a document's text, None where there is none; of the main page what `main_page_of` returns."""
    return main_page_of(view) if path == paths.MAIN else view.read(path)


def _moves(view: View) -> Iterator[tuple[str, Entry]]:
    """Yield the moves; a journal that names no instance that waits is not parsed."""
    opened = _opened(view)
    if not opened:
        return
    first, waiting = paths.journal_number(view.unslept[0]) or 0, frozenset(view.unslept)
    for path in view.journals:
        if (paths.journal_number(path) or 0) <= first or path in waiting:
            continue
        if any(start in (view.read(path) or "") for start in opened):
            with contextlib.suppress(DocumentError):  # `doctor` reports it
                entries = view.journal(path).entries
                yield from ((path, each) for each in entries if register.is_move(each) and _names(each, opened))


def _opened(view: View) -> tuple[str, ...]:
    """Return how the addresses of the instances that wait begin."""
    return tuple(f"{instance}." for path in view.unslept if (instance := view.instance_of(path)))


def _names(entry: Entry, opened: tuple[str, ...]) -> bool:
    return register.exact(entry.field("record")).startswith(opened)


def _number(place: tuple[str, Entry]) -> int:
    return paths.journal_number(place[0]) or 0
