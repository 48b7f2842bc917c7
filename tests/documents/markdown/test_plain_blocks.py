"""Plain blocks, which are read without the parser."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents.markdown import block_rules, blocks, plain_blocks
from sleep.documents.markdown.blocks import children, items, parse

PLAIN = st.lists(
    st.sampled_from(["- a b", "- é ß  ", "* c", "+ d", "- x | y", "- e\x0cf", "-  two", "- - n", "- [ ] t", "- `c`"])
    | st.sampled_from(
        ["", "", " ", "word", "# head", "#tag", "  more", "---", "> q", "```", "|---|---|", "\x0c", "1. o"]
    )
    | st.sampled_from(["- a\r", "\r", "<b>", "[r]: x", "    code", "-\tt", "- ²", "[r]: x 'y", "z'", "- Open:", "==="])
    | st.sampled_from(
        ["# One", "## Two ##", "**Bold** a", "- **b**: c", "2026 was", "1.5 x", "- 7 b", "字", "- 字", "(a)"]
    ),
    max_size=12,
).map("\n".join)


@given(PLAIN)
@example("- a\n- b")
@example("- a\n\n- b\n")
@example("- a | b\n\na | b\n--|--\n")
@example("> q\n# One")
def test_short_cut(text):
    """What is plain is read the same without the parser as with it."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, block_rules):
            patch.setattr(module, "_PLAIN_LIST", re.compile("(?!)"))
        patch.setattr(plain_blocks, "parts", lambda text, start: [(start, len(text), None)])
        patch.setattr(blocks, "_has_words_alone", lambda *_: False)
        long = parse(text)
        listed = [items(text, block) for block in long]
        nested = [[children(text, item) for item in own] for own in listed]
    assert parse(text) == long
    assert [items(text, block) for block in long] == listed
    assert [[children(text, item) for item in own] for own in listed] == nested


def test_plain_text_asks_no_parser():
    """A journal of headings, paragraphs and lists of one line an item is read without mistune."""
    journal = "# A\n\nSome **words**\nand more.\n\n## B\n\nOpen:\n- `a`\n- **b**: c\n\n2026 was\n"
    journal += "\n```py\n# x\n```\n\n| a |\n|---|\n"
    code = (
        "import sys\nfrom sleep.documents.markdown.blocks import children, items, parse\n"
        "text = sys.argv[1]\nfound = parse(text)\n"
        "assert not [child for block in found for item in items(text, block) for child in children(text, item)]\n"
        "print([block.kind for block in found], 'mistune' in sys.modules)\n"
    )
    said = subprocess.run((sys.executable, "-c", code, journal), check=True, capture_output=True, text=True).stdout
    kinds = ["heading", "paragraph", "heading", "paragraph", "list", "paragraph", "code", "table"]
    assert said == f"{kinds} False\n"
