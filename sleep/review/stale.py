"""Stale records: what has long stood open, though work went on, and nothing came back to it.

Owns when one is stale: the last day on which a journal said it, said it again, moved it or named it lies more days
before the last day of all journals than is set. Days are counted to the last journal and not to today, for nothing goes
stale while nobody works. What somebody decided, a rule and a dead end never do. Refuses to close anything.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from sleep.documents import front_matter
from sleep.language import dates
from sleep.records import address as addressing
from sleep.records.kinds import KINDS
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.documents.register import Record
    from sleep.memory.view import View
    from sleep.records.address import Address

# What a text calls a record: `i7qxk.12`, `Q-024`.
_HANDLE = re.compile(rf"\b(?:i[0-9]+[a-z]*\.[0-9]+|{addressing.NUMBERED})\b")


class Stale(NamedTuple):
    """A record that has long stood open, and the last day (ISO) that something came back to it."""

    record: Record
    since: str


def find(view: View, days: int, now: str) -> list[Stale]:
    """Return the open records to which nothing came back for so many days, longest first; none for 0 days.

    One of which no journal says the day is not among them. A journal of a day after `now` (ISO 8601) counts for today.
    """
    if not days:
        return []
    by_path = _days(view, now[:10])
    newest = max(by_path.values(), default="")
    waiting = [record for record in view.records.values() if _waits(record)]
    own = _own_days(view, waiting, by_path)
    old = [record for record in waiting if _is_long(own[record.fragment.identity], newest, days)]
    named = _named_days(view, old, by_path) if old else {}
    stale = [Stale(record, max(days_.get(record.fragment.identity, "") for days_ in (own, named))) for record in old]
    return sorted((each for each in stale if _is_long(each.since, newest, days)), key=lambda each: each.since)


def _waits(record: Record) -> bool:
    return record.fragment.is_open and KINDS[record.fragment.kind].unsettled


def _days(view: View, today: str) -> dict[str, str]:
    """Return the day of each journal, by its path, where it says one: today at the latest."""
    days = {path: dates.of_fields(front_matter.peek(view.read(path) or "").fields) for path in view.journals}
    return {path: min(day, today) for path, day in days.items() if day}


def _own_days(view: View, waiting: Sequence[Record], days: Mapping[str, str]) -> dict[Address, str]:
    """Return the last day on which an entry said or moved each record, by its identity; "" where no journal says it."""
    by_instance = {view.instance_of(path): day for path, day in days.items()}
    return {
        record.fragment.identity: max(by_instance.get(address.instance, "") for address in record.fragment.addresses)
        for record in waiting
    }


def _named_days(view: View, waiting: Sequence[Record], days: Mapping[str, str]) -> dict[Address, str]:
    """Return the last day on which any journal named each record, also in passing, by its identity."""
    last: dict[Address, str] = {}
    by_handle = {handle: record.fragment.identity for record in waiting for handle in _handles(record)}
    for path, day in days.items():
        for handle in set(_HANDLE.findall(view.read(path) or "")) & by_handle.keys():
            identity = by_handle[handle]
            last[identity] = max(day, last.get(identity, ""))
    return last


def _handles(record: Record) -> Iterator[str]:
    """Yield what journals call a record: its numbers, and the addresses of all that said or moved it."""
    yield from record.fragment.numbers
    yield from map(str, record.fragment.addresses)


def _is_long(day: str, newest: str, days: int) -> bool:
    """Return whether a day (ISO, "" for none) lies more than so many days before the newest."""
    return bool(day) and (date.fromisoformat(newest) - date.fromisoformat(day)).days > days
