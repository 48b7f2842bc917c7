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


def test_two_pages_of_one_have_the_lines_of_both():
    """A line of either side stands once below its heading, and one that a side took away is gone."""
    base = "# Page\n\n## Rules\n\n- Keep the lock [i1abc.1]\n- Old rule [i1abc.2]\n"
    ours = "# Page\n\n## Rules\n\n- Keep the lock [i1abc.1]\n- Old rule [i1abc.2]\n- Ours [i2abc.1]\n"
    theirs = "- First [i2xyz.3]\n\n## Rules\n\n- Keep the lock [i1abc.1]\n- Theirs [i2xyz.1]\n\n## Next\n\n"
    theirs += "- More [i2xyz.2]\n"
    assert page.merged(ours, base, theirs) == (
        "- First [i2xyz.3]\n\n# Page\n\n## Rules\n\n- Keep the lock [i1abc.1]\n- Ours [i2abc.1]\n"
        "- Theirs [i2xyz.1]\n\n## Next\n\n- More [i2xyz.2]\n"
    )
    assert page.merged(ours, ours, ours) == page.write(page.read(ours))
