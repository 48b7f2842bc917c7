"""Lists of plain lines, which are read without the parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents.markdown import blocks
from sleep.documents.markdown.blocks import items, parse

PLAIN = st.lists(
    st.sampled_from(["- a b", "- é ß  ", "* c", "+ d", "- x | y", "- e\x0cf", "-  two", "- - n", "- [ ] t", "- `c`"])
    | st.sampled_from(
        ["", "", " ", "word", "# head", "#tag", "  more", "---", "> q", "```", "|---|---|", "\x0c", "1. o"]
    )
    | st.sampled_from(["- a\r", "\r", "<b>", "[r]: x", "    code", "-\tt", "- ²"]),
    max_size=9,
).map("\n".join)


@given(PLAIN)
@example("- a\n- b")
@example("- a\n\n- b\n")
@example("- a | b\n\na | b\n--|--\n")
def test_short_cut(text):
    """A list of plain lines is read the same without the parser as with it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_PLAIN_LIST", "_PLAIN_BLOCK"):
            patch.setattr(blocks, name, re.compile("(?!)"))
        long = parse(text)
        listed = [items(text, block) for block in long]
    assert parse(text) == long
    assert [items(text, block) for block in long] == listed
