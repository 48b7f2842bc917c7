"""So many of something, in English."""

from __future__ import annotations

import pytest

from sleep import plurals


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [
        (1, "fix", "1 fix"),
        (2, "fix", "2 fixes"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
        (1, "more file", "1 more file"),
        (0, "task", "0 tasks"),
        (2, "handoff", "2 handoffs"),
        (1200, "entry", "1,200 entries"),
    ],
)
def test_names_are_counted_as_people_count_them(number, name, words):
    """The plural of a name is spelt as it is in English."""
    assert plurals.several(number, name) == words
