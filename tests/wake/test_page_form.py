"""The page is read and written line by line, with the addresses at the end of a line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.records.address import Address
from sleep.wake import page
from sleep.wake.page import PageLine

PAGE = """# Ledger

A service that books invoices. [i1abc.1]

## Rules

- Never round prices. [i1abc.4, i2xyz.9]
"""


def test_a_page_is_written_as_it_was_read():
    """Headings, lines and addresses come back as they stood."""
    lines = page.read(PAGE)
    assert [line.addresses for line in lines if not line.is_heading] == [
        (Address(1, "abc", 1),),
        (Address(1, "abc", 4), Address(2, "xyz", 9)),
    ]
    assert page.write(lines) == PAGE


def test_a_heading_without_lines_goes():
    """A heading below which nothing is told is not written; one above a deeper heading with lines is."""
    assert page.write([PageLine("# A"), PageLine("## B"), PageLine("- b"), PageLine("## C")]) == "# A\n\n## B\n\n- b\n"
    assert page.write([PageLine("# A")]) == ""


@given(st.lists(st.builds(PageLine, st.from_regex(r"- [a-z][a-z .]{0,30}[a-z]", fullmatch=True), st.just(()))))
def test_lines_come_back(lines):
    """Whatever lines a page has, they are read as they were written."""
    assert page.read(page.write(lines)) == lines
