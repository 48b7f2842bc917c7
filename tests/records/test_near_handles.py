"""What a handle that names nothing may have meant."""

from __future__ import annotations

import pytest

from sleep.records import near_handles

KNOWN = ("T-001", "T-010", "D-014", "i1abc.9", "i1abc.2", "i2xyz.1")


@pytest.mark.parametrize(
    ("handle", "said"),
    [
        ("T001", "would be right: T-001"),
        ("t 1", "would be right: T-001"),
        ("i1.9", "would be right: i1abc.9"),
        ("I1ABC-2", "would be right: i1abc.2"),
        ("i1xyz.9", "would be right: i1abc.9"),
        ("D-015", "the nearest: D-014"),
        ("i1abc.8", "the nearest: i1abc.9"),
        ("Q-001", ""),
        ("i7.1", ""),
        ("T-1a", ""),
        ("", ""),
    ],
)
def test_the_nearest_is_told(handle, said):
    """What differs in signs alone would be right, else the number next to it is the nearest; no kind is guessed."""
    assert near_handles.meant(handle, KNOWN) == (f" ({said})" if said else "")
