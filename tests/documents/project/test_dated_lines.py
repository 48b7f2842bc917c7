"""Dated lines: put in once, in the page's own order, and told from a person's."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents.project import dated_lines
from sleep.documents.project.dated_lines import Dated
from sleep.wake.snapshot import page_outline, pages

ONE = Dated("2026-11-23", "Use flock for it", "i2bfm.2")
LINE = "- 2026-11-23: Use flock for it [i2bfm.2]"
ENTRY = "### 2026-11-23 - Sleep on i2bfm\n- Use flock for it [i2bfm.2]\n"
PAGES = {
    "none": ("# Auth\n\nWhy.\n", f"# Auth\n\nWhy.\n\n## Changelog\n\n{LINE}\n"),
    "empty": ("", f"## Changelog\n\n{LINE}\n"),
    "no last line feed": ("# Auth", f"# Auth\n\n## Changelog\n\n{LINE}\n"),
    "empty log": ("## Changelog\n\n## Notes\n\nx\n", f"## Changelog\n\n{LINE}\n\n## Notes\n\nx\n"),
    "bullets": ("## Log\n- 2026-11-01: b\n- 2026-10-01: a\n", f"## Log\n{LINE}\n- 2026-11-01: b\n- 2026-10-01: a\n"),
    "oldest first": ("## Log\n\n- 2026-10-01: a\n- 2026-11-01: b\n\n## X\n", f"- 2026-11-01: b\n{LINE}\n\n## X\n"),
    "entries": (
        "## Changelog\n<!-- newest at top -->\n\n### 2026-02-25 - Created\n- x\n",
        f"## Changelog\n<!-- newest at top -->\n\n{ENTRY}\n### 2026-02-25 - Created\n- x\n",
    ),
    "entries, oldest first": (
        "## Changelog\n\n### 2026-02-25 - Created\n- x\n\n### 2026-03-25 - More\n- y\n",
        f"### 2026-03-25 - More\n- y\n\n{ENTRY}",
    ),
    "CRLF": (
        "# A\r\n\r\n## Changelog\r\n\r\n- 2026-01-01: x\r\n",
        f"## Changelog\r\n\r\n{LINE}\r\n- 2026-01-01: x\r\n",
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_line_goes_where_the_page_has_its_newest(name):
    """A line stands where the page's own order has the newest, in the form of its changelog."""
    before, wanted = PAGES[name]
    after = dated_lines.added(before, ONE)
    assert after.endswith(wanted)
    assert dated_lines.is_kept(before, after)
    assert dated_lines.added(after, ONE) == after


def test_an_entry_is_what_the_snapshot_tells_last():
    """In a feature's changelog of entries the snapshot shows the sleep's as the latest."""
    page = dated_lines.added("## Why\n\nx\n\n## Changelog\n\n### 2026-02-25 - Made it\n- x\n", ONE)
    told = pages._latest(page_outline.section(page, "changelog"))
    assert told == "2026-11-23 - Use flock for it [i2bfm.2]"


def _words(page):
    return [row.rstrip("\r") for row in page.split("\n") if row.strip() not in ("", "## Changelog")]


ROW = st.sampled_from(
    [
        *("# T", "## Changelog", "## Log", "## Why", "### 2026-01-02 - Made", "### 2026-03-02 - More", "", "", "words"),
        *(
            "- 2026-01-01: by hand",
            "- 2026-05-01: later",
            "- [ ] open",
            "```",
            "<!-- newest at top -->",
            "---",
            "  - x",
        ),
        *(LINE.replace("bfm", "xyz").replace("23", "20"), "- said by nobody [x]", "a: b"),
    ]
)


@example(["## Changelog", "```", LINE.replace("bfm", "xyz"), "```"], "\n", False, ONE)
@given(
    st.lists(ROW, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.sampled_from([ONE, ONE._replace(address="i3aaa.1")]),
)
def test_every_byte_of_a_persons_stays(rows, newline, ends, dated):
    """Whatever a page is, a person's lines stay in their order, once is enough, and ours leave no trace."""
    page = newline.join(rows) + (newline if ends else "")
    after = dated_lines.added(page, dated)
    assert dated_lines.is_kept(page, after)
    assert dated_lines.added(after, dated) == after
    bare, ours = dated_lines.split(after)
    assert dated in ours
    assert _words(bare) == _words(dated_lines.split(page)[0])
    assert set(dated_lines.split(dated_lines.join(bare, ours))[1]) == set(ours)
