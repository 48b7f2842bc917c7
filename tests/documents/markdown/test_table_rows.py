"""Rows of tables as a wake tells them."""

from __future__ import annotations

import pytest

from sleep.documents.markdown import tables
from sleep.wake.journal_lines import excerpt


def _told(text):
    return [line.text for line in excerpt.read(f"# Day\n\n{text}")][1:]


def test_a_bare_figure_stands_behind_the_name_of_its_column():
    """The row of names is not told by itself, nor is the number of a row; what says itself what it is has no name."""
    head = "| # | Path | Price | State |\n|---|:---|--:|---|\n"
    assert _told(f"{head}| 1 | `/search` | $0.25 | ✅ |\n| 2 | `/all` | free | gone |\n") == [
        "`/search` · Price: $0.25 · State: ✅",
        "`/all` · free · gone",
    ]


def test_a_first_row_that_says_something_is_told():
    """A table without names of columns has a fact in its first row."""
    assert _told("| Host | db.local:5432 |\n|---|---|\n| Port | 80 |\n") == ["Host · db.local:5432", "Port · 80"]


def test_names_end_with_their_table():
    """Rows of another table, without names, have none of the one above."""
    first = "| Path | Price |\n|---|---|\n| `/a` | 2 |\n"
    assert _told(f"{first}\nProse.\n\n| `/b` | 3 |\n")[-1] == "`/b` · 3"


@pytest.mark.parametrize(
    ("line", "is_one"), [("|---|:-:|", True), ("--- | ---", True), ("---", False), ("| a | b |", False), ("|", False)]
)
def test_a_delimiter_stands_below_names(line, is_one):
    """A rule is none, nor is a row with words."""
    assert tables.is_delimiter(line) == is_one
