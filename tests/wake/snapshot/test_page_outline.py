"""A page, taken apart."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.wake.snapshot import page_outline

SECTIONS = [
    ("signs", "# A\n\n## Why\n\nThis.\n\n## Next\n\nNo.", "This."),
    ("underlined", "Why\n---\nThis.\n\nNext\n====\nNo.", "This."),
    ("any case, a colon, closing signs", "## WHY: ##\nThis.\n", "This."),
    ("the end of the page", "## Why\nThis.", "This."),
    ("a deeper heading belongs to it", "## Why\n\n### More\n\nThis.\n\n## Next", "### More\n\nThis."),
    ("of a deeper and a higher one the higher", "### Why\n\nNo.\n\n## Why\n\nThis.", "This."),
    ("deeper, where there is no other", "## Log\n\n### Why\n\nThis.\n\n## Next\n\nNo.", "This."),
    ("not in a fence", "```\n## Why\nNo.\n```\n## Why\nThis.", "This."),
    ("not in a comment", "<!-- ## Why\n\n## Why\nno -->\n## Why\nThis.", "This."),
    ("a fence inside stays", "## Why\n\n```\n## Next\n```\n\n## Next\nNo.", "```\n## Next\n```"),
    ("a fence that nothing closes hides nothing", "```\n## Why\nThis.\n", "This."),
    ("no such section", "## Whys and wherefores\nNo.", ""),
    ("a thematic break is no heading", "## Why\n\nThis.\n\n---\n\nThat.", "This.\n\n---\n\nThat."),
    ("no words at all", "", ""),
]


@pytest.mark.parametrize(("text", "said"), [one[1:] for one in SECTIONS], ids=[one[0] for one in SECTIONS])
def test_section(text, said):
    """A section is found in any of the forms in which people write it, and ends where it ends."""
    assert page_outline.section(text, "why").strip() == said


def test_both_ways_to_a_section_agree():
    """The short way, for pages without code and comments, finds what the long way does."""
    for _, text, said in SECTIONS:
        if "```" not in text and "<!--" not in text:
            assert page_outline.section(f"<!-- x -->\n\n{text}", "why").strip() == said


COMMENTS = [
    ("a<!-- b -->c", "ac"),
    ("a\n<!-- b -->\nc", "a\nc"),
    ("a\n\n<!-- b -->\n\nc", "a\n\nc"),
    ("<!-- b -->\n\n\nc", "c"),
    ("a\n\n<!-- b -->", "a\n\n"),
    ("<!-- a --><!-- b -->\nc", "c"),
    ("`<!-- a -->` b", "`<!-- a -->` b"),
    ("``a ` <!-- b -->`` c", "``a ` <!-- b -->`` c"),
    ("` a\n\n<!-- b --> `", "` a\n\n `"),
    ("```\n<!-- a -->\n```\n<!-- b -->", "```\n<!-- a -->\n```\n"),
    ("~~~\n<!-- a -->\n~~~~\n<!-- b -->x", "~~~\n<!-- a -->\n~~~~\nx"),
    ("<!-- ```\n -->\n```\n<!-- a -->\n```", "```\n<!-- a -->\n```"),
    ("```\nopen <!-- a --> b", "```\nopen  b"),
    ("a <!-- b", "a <!-- b"),
    ("no comment", "no comment"),
]


@pytest.mark.parametrize(("text", "left"), COMMENTS)
def test_comments(text, left):
    """A comment goes, with the lines that it has to itself, wherever it is not code."""
    assert page_outline.without_comments(text) == left


@given(st.lists(st.sampled_from(["<!--", "-->", "`", "```", "~~~", "\n", "a", " "]), max_size=60).map("".join))
def test_taking_comments_out_only_takes_away(text):
    """What is left of a page is its text with parts missing; without code, no comment is left."""
    left = page_outline.without_comments(text)
    at = 0
    for sign in left:
        at = text.index(sign, at) + 1
    if "`" not in text and "~" not in text:
        assert "-->" not in left.partition("<!--")[2]


def test_comments_in_bad_pages_take_no_time():
    """Openers that nothing closes are looked for once."""
    for text in ("<!--" * 50_000, "```\n" * 50_000, "`" * 100_000, "`a" * 50_000, "``` `\n" * 30_000):
        page_outline.without_comments(text)


def test_first_line():
    """The first line that says something is taken, a sentence that wraps whole; lists lose their mark."""
    assert page_outline.first_line("\n(To be defined)\n\n- [ ] One\n  goes on\n- Two") == "One goes on"
    assert page_outline.first_line("### Title\n\n```\ncode\n```\n\n> Said.\nMore.") == "Said."
    assert page_outline.first_line("") == ""


def test_first_item():
    """The first list item is taken with the lines that it goes on over, else the first line."""
    assert page_outline.first_item("Words.\n\n- One\n  more\n- Two\n") == "One more"
    assert page_outline.first_item("Words.\n") == "Words."


@pytest.mark.parametrize("text", ["", "# A\n\n## B\n", "<!-- x -->", "- (Add)\n\nTBD\n", "A\n=\n"])
def test_empty(text):
    """A page of headings, comments and placeholders is empty."""
    assert page_outline.is_empty(text)


@pytest.mark.parametrize("text", ["a", "# A\n\nb", "```\n# no\n```", "- [ ] do it"])
def test_not_empty(text):
    """A page with a word of its own is not."""
    assert not page_outline.is_empty(text)


_LIST, _CODE = "- one\n- two\n  goes on", "```\ncode\n\ncode\n```"
_ALL = ["Words.\nMore words.", "## Title", _LIST, _CODE, "1. x\n2. y", "Title\n---", "> q"]
BLOCKS = st.lists(st.sampled_from(_ALL), max_size=8)


@given(BLOCKS)
def test_a_page_is_cut_between_blocks(blocks):
    """Cut anywhere that is allowed, a page has whole lines, closed fences, and no heading at its end."""
    text = "\n\n".join(blocks)
    ends = page_outline.ends(text)
    assert ends == sorted(set(ends))
    assert not blocks or ends[-1] == len(text)
    for end in ends:
        assert text[end : end + 1] in {"", "\n"}
        assert text[:end].count("```") % 2 == 0
        assert not text[:end].endswith(("## Title", "Title\n---")) or end == len(text)


def test_a_page_may_be_cut_behind_each_item_of_the_first_column():
    """Between two items stands a cut; none between an item and what belongs to it."""
    text = "- one\n- two\n  more\n  - deep\n- three\n"
    assert [text[:end].rpartition("\n")[2] for end in page_outline.ends(text)] == ["- one", "  - deep", "- three"]


def test_told():
    """The lines that a reader is told come with their numbers, without code and closed comments."""
    text = "one\n```\ntwo\n```\n<!-- a\nb --> three `x` four\n"
    assert list(page_outline.prose_lines(text)) == [(1, "one"), (5, ""), (6, " three  four"), (7, "")]
    assert list(page_outline.prose_lines("<!-- a --> b <!-- c --><!-- d\ne -->f")) == [(1, " b "), (2, "f")]
    assert list(page_outline.prose_lines("one\n\n<!-- a\nb -->\n\ntwo"))[-1] == (6, "two")


def test_told_of_a_long_line():
    """A line with comments that nothing closes takes no longer than its length."""
    began = time.monotonic()
    line = "x" + "<!-- " * 100_000
    assert list(page_outline.prose_lines(line)) == [(1, line)]
    assert time.monotonic() - began < 5
