"""When two records are one: the later says what the earlier says, and a register tells it once.

Owns the relation: the same kind, nearly the same words with the same figures and turns, and no field that says
otherwise. Refuses what says more than a few words more, and threads, on which entries hang.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.records import known_texts
from sleep.records.fragment import ALSO, SOURCE, STATUS
from sleep.records.kinds import AT_ODDS, KINDS

if TYPE_CHECKING:
    from sleep.records.fragment import Fragment

_MORE = 1.25  # times the words of a record, up to which what repeats it says no more
_EQUAL = (STATUS, AT_ODDS)  # fields that both have, or neither


def may_repeat(fragment: Fragment) -> bool:
    """Return whether a record can be one with another: it binds, and nothing hangs on it, as on a thread."""
    return fragment.is_record and fragment.is_open and not KINDS[fragment.kind].amends


def is_repeated(record: Fragment, new: Fragment) -> bool:
    """Return whether a new record says what a record says, and nothing that this has no room for."""
    return (
        record.kind == new.kind
        and record.identity != new.identity
        and known_texts.repeats(new.text, record.text)  # few pass: it comes before what costs as much
        and may_repeat(record)
        and len(new.text.split()) <= _MORE * len(record.text.split())
        and all(record.field(name) == new.field(name) for name in _EQUAL)
        and all(name in (SOURCE, ALSO) or record.field(name) in ("", value) for name, value in new.fields)
    )


def join(record: Fragment, *same: Fragment) -> Fragment:
    """Return a record with what those have that say the same, and the source of whoever's word binds most."""
    if not same:
        return record
    sources = (fragment.field(SOURCE) for fragment in (record, *same))
    source = min(sources, key=lambda source: (source != "person", bool(source)))
    joined = record.with_addresses(*same)
    for name, value in (field for fragment in same for field in fragment.fields):
        if not joined.field(name):
            joined = joined.with_field(name, value)
    also = dict.fromkeys(number for fragment in (record, *same) for number in fragment.numbers)
    also.pop(record.number, None)
    return joined.with_field(ALSO, ", ".join(also)).with_field(SOURCE, source)
