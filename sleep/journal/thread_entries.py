"""The entries of a thread: what any journal says under its name, in the order in which it was said.

Owns the search. Refuses to tell what belongs together by its words: an entry names its thread, or is not of it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.errors import DocumentError, UsageError
from sleep.journal import named_record
from sleep.records import address as addressing

if TYPE_CHECKING:
    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment

_LIST = "sleepwake thread.list; sleepwake thread.open"


def of(view: View, thread: Fragment) -> list[tuple[str, Entry]]:
    """Return the entries whose field `thread` names a thread, and those that move it, each with its journal's path.

    A journal that names it nowhere is not parsed, one that cannot be read is passed over.
    """
    names = {str(thread.identity), *([_normal(thread.number)] if thread.number else [])}
    entries_of = []
    for path in view.journals:
        text = view.read(path) or ""
        if not (
            str(thread.identity) in text
            or any(_normal(match[0]) in names for match in addressing.NUMBER.finditer(text))
        ):
            continue
        with contextlib.suppress(DocumentError):  # `wake.check` reports it
            entries = view.journal(path).entries
            entries_of += [(path, entry) for entry in entries if _names(entry) & names]
    return entries_of


def refuse_unknown(view: View, handle: str) -> None:
    """Raise UsageError where no record has the number or address that an entry is to belong to."""
    if not register.named(view.records.values(), handle):
        near = named_record.near(view.records.values(), handle) or " (one that is there would be right)"
        raise UsageError(f"there is no thread {handle!r}{near}", hint=_LIST)


def _names(entry: Entry) -> set[str]:
    """Return the threads that an entry is of, by number or address."""
    handles = [entry.field("thread"), entry.field("record") if register.is_move(entry) else ""]
    return {_normal(register.exact(handle)) for handle in handles if handle.strip()}


def _normal(handle: str) -> str:
    number = addressing.number_of(handle.strip())
    return addressing.number(*number) if number else handle.strip()
