"""Verdicts: what somebody said of a record that had only been noticed, as journals have it.

Owns the three forms: an entry that `confirms` or `corrects` an address states the record in its own words, an event
that says `to: rejected` says that it is none. Each quotes what was noticed, so that it is known when it comes again.
What a document or a transcript says about itself is no verdict. Refuses to look at tiers.

    ## Decision event: i7qxk.12 rejected [i9abc.4]

    - record: i7qxk.12
    - to: rejected
    - quotation: let us try redis some day
"""

from __future__ import annotations

from sleep.documents import entries
from sleep.documents.entries import CONFIRMS, CORRECTS, IMPORTED
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.records.fragment import QUOTATION, TRANSCRIPT
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.documents.entries import Entry
    from sleep.records.address import Address

CONFIRMED, CORRECTED, REJECTED = "confirmed", "corrected", "rejected"
_STATING = ((CONFIRMS, CONFIRMED), (CORRECTS, CORRECTED))
_SIGNS = (f"\n- {CONFIRMS}: i", f"\n- {CORRECTS}: i", f"\n- to: {REJECTED}")


class Verdict(NamedTuple):
    """What became of a noticed record: its address, `to` what, what it had said, and the entry that says so."""

    address: Address
    to: str
    quotation: str
    by: Address


def is_rejection(entry: Entry) -> bool:
    """True for the event that says that a noticed record is none; it moves no record."""
    return kinds.event_record(entry.kind) is not None and entry.field("to") == REJECTED


def of_entry(entry: Entry) -> Verdict | None:
    """Return the verdict that an entry is, None for any other entry."""
    if entry.source.startswith(IMPORTED) or entry.field(TRANSCRIPT):
        return None
    if is_rejection(entry):
        to, named = REJECTED, entry.field("record")
    elif kinds.is_record(entry.kind):
        to, named = next(((to, entry.field(name)) for name, to in _STATING if entry.field(name)), ("", ""))
    else:
        return None
    address = addressing.parse(named)
    return Verdict(address, to, entry.field(QUOTATION), entry.address) if address else None


def read(text: str) -> tuple[Verdict, ...]:
    """Return the verdicts of a journal, in order; one that has none is not read."""
    if not any(sign in text for sign in _SIGNS):
        return ()
    return tuple(verdict for entry in entries.read(text) if (verdict := of_entry(entry)))
