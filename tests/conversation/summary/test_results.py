"""What a tool's result keeps: what a client prints before it goes, and nothing of what it says."""

from __future__ import annotations

import pytest

from sleep.conversation.summary import results

COUNT = "Original token count: 12\nOutput:\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (f"Chunk ID: ab12\nWall time: 0.1 seconds\nProcess exited with code 0\n{COUNT}3 passed", "3 passed"),
        (f"Chunk ID: ab12\nwarning\n{COUNT}3 passed", "warning 3 passed"),
        (f"Chunk ID: ab12\nit said {COUNT}3 passed", f"it said {COUNT}3 passed"),
    ],
)
def test_the_count_that_codex_prints_goes_where_it_has_lines_of_its_own(text, after):
    """The lines by which Codex counts an output are left out, and the same words within a line stay."""
    assert results._without_preamble(text).split() == after.split()
