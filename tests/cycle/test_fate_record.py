"""What a page of fates says of the pieces of an entry."""

from __future__ import annotations

from sleep.cycle import fate_record
from sleep.records.address import Address
from sleep.records.fragment import Fragment


def piece(ordinal, text):
    """A fragment of an entry."""
    return Fragment("note", text, (Address(1, "abc", ordinal),))


def test_pieces_are_numbered_by_their_entry():
    """Each piece has its place among those of its entry, from 1, wherever it stands; of equal ones the first tells."""
    first, second, other, third = piece(1, "a"), piece(1, "b"), piece(2, "a"), piece(1, "c")
    numbers = fate_record._numbered([first, other, second, first, third])
    assert numbers == {first: 1, other: 1, second: 2, third: 4}
