"""Tables of Markdown, as rows of cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.markdown import tables

WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\\"), max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_cells_are_read_as_they_were_written(row):
    """What is written as a row, pipes escaped, comes back cell by cell."""
    line = "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    assert tables.cells(line) == tuple(row)


def test_a_table_has_a_head_and_rows():
    """The line below the head is no row, and rows without outer pipes are rows."""
    assert tables.parse("| a | b |\n| --- | :-: |\n| 1 | x \\| y |\n| | 2 |\n") == tables.Table(
        ("a", "b"), (("1", "x | y"), ("", "2"))
    )
    assert tables.parse("a | b\n--- | ---\n1 | 2").rows == (("1", "2"),)
