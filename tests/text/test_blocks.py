"""Blocks and items against mistune's own tree."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import mistune
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mistune.plugins.table import table, table_in_list

from sleep.text.blocks import children, items, parse

KINDS = {"block_code": "code", "block_quote": "quote", "block_html": "html", "thematic_break": "break"}
LINES = [
    *("", "", "", "text", "two words", "# One", "## Two ##", "### ", "====", "---", "***", "> quote", ">", "| a | b |"),
    *("|---|---|", "| 1 | 2 |", "a | b", "--|--", "```", "```py x", "~~~", "    code", "\tcode", "- a", "* b", "+ c"),
    *("- ", "-", "  - nested", "    - deep", "      more", "  more", "1. one", "2) two", "   - under", "- [ ] open"),
    *("- [x] done", "- [ ]", "- - inline", "1. - mixed", "-\ttabbed", "\t- by tab", "- # head", "- ```", "  ```", "- > q"),
    *("-     code", "<div>", "</div>", "<!-- c -->", "<!--", "-->", "[a]: /url", "[a]: /url 'x", "- | a |", "  |---|"),
    *("   ", "é 界 😀", "1986. A year", "* * *", "- * 1. x", "\x0c", "\u2028", "#tag", "[x]", "<b>i</b>", "\\# no", "`c`"),
]
DOCUMENTS = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)
_QUOTE_BEFORE_LIST = re.compile(r"^ {0,3}>.*\n(?:.*\S.*\n)*? {0,3}(?:[-*+]|\d+[.)])", re.MULTILINE)


def tree(text):
    """mistune's tokens as they are before it reads inline Markdown."""
    block = mistune.create_markdown(renderer=None, plugins=[table, table_in_list]).block
    state = block.state_cls()
    state.process(text + "\n")
    block.parse(state)
    return [token for token in state.tokens if token["type"] != "blank_line"]


def outline(text):
    """The kind, level and number of items of each block, as mistune says; definitions have no token there."""
    out = []
    for token in tree(text):
        if token["type"] == "block_code" and not token["raw"].strip() and token["style"] == "indent":
            continue
        out.append(
            (
                KINDS.get(token["type"], token["type"]),
                token.get("attrs", {}).get("level", 0),
                len(token["children"]) if token["type"] == "list" else 0,
            )
        )
    return out


def ours(text):
    return [(b.kind, b.level, len(items(text, b))) for b in parse(text) if b.kind != "reference"]


def nested(text, found):
    return [nested(text, children(text, item)) for item in found]


def their_nested(token):
    return [
        [shape for part in item["children"] if part["type"] == "list" for shape in their_nested(part)]
        for item in token["children"]
    ]


def assert_sound(text):
    """Spans are in order, apart, whole lines, with only blank space between them; text lies inside its span."""
    done = 0
    for block in parse(text):
        assert not text[done : block.start].strip(" \t\r\n\f\v\ufeff")
        assert block.start < block.end
        assert block.start <= block.text_start <= block.text_end <= block.end
        assert block.end == len(text) or text[block.end - 1] in "\r\n"
        done = block.end
        _assert_items(text, items(text, block), block.start, block.end)
    assert not text[done:].strip(" \t\r\n\f\v\ufeff")


def _assert_items(text, found, start, end, depth=0):
    done = start
    for item in found:
        assert done <= item.start < item.end <= end
        assert item.start < item.text_start <= item.text_end <= item.end
        assert not text[item.text_start : item.text_end].endswith((" ", "\n", "\r"))
        assert text[item.start : item.text_start].lstrip()[0] in "-*+0123456789"
        done = item.end
        if depth < 6:
            _assert_items(text, children(text, item), item.start, item.end, depth + 1)


def _shift(block, text):
    r"""The same block where every line ends in `\r\n`."""
    return block._replace(**{name: at + text.count("\n", 0, at) for name, at in block._asdict().items() if "start" in name or "end" in name})


@given(DOCUMENTS)
@example("> q\n- a")
def test_outline(text):
    """The kinds, levels and numbers of items are those that mistune finds."""
    assume(not _QUOTE_BEFORE_LIST.search(text))
    assert ours(text) == outline(text)


@given(DOCUMENTS)
def test_cover(text):
    """Blocks and the blank space between them cover the text in order."""
    assert_sound(text)


@given(st.text(st.sampled_from("ab #-*>`|\t\r\n1.[]x:=~<!\ufeff\udc80\f"), max_size=60))
def test_cover_noise(text):
    """Any text is covered, whatever line ends, tabs and bytes it holds."""
    assert_sound(text)


@given(DOCUMENTS)
def test_nesting(text):
    """Lists nest as they do for mistune, in lists that it parses to the end."""
    assume(not _QUOTE_BEFORE_LIST.search(text))
    theirs = [their_nested(token) for token in tree(text) if token["type"] == "list"]
    assert [nested(text, items(text, block)) for block in parse(text) if block.kind == "list"] == theirs


@given(DOCUMENTS)
def test_carriage(text):
    """A text with CRLF line ends has the same blocks and items at the shifted places."""
    other = text.replace("\n", "\r\n")
    assert parse(other) == [_shift(block, text) for block in parse(text)]
    for block in parse(text):
        moved = _shift(block, text)
        assert items(other, moved) == [_shift(item, text) for item in items(text, block)]
        for item in items(text, block):
            assert children(other, _shift(item, text)) == [_shift(child, text) for child in children(text, item)]


@given(DOCUMENTS)
def test_lone_carriage(text):
    """A lone carriage return ends a line as a newline does."""
    assert parse(text.replace("\n", "\r")) == parse(text)


@given(DOCUMENTS)
def test_heading_text(text):
    """The text of a heading or paragraph is what mistune reads as its text."""
    assume(not _QUOTE_BEFORE_LIST.search(text))
    said = [text[b.text_start : b.text_end] for b in parse(text) if b.kind in {"heading", "paragraph"}]
    assert said == [t["text"].strip(" \n\t\f") for t in tree(text) if t["type"] in {"heading", "paragraph"}]


@given(DOCUMENTS)
def test_item_text(text):
    """The text of an item is the first paragraph that mistune finds in it, without a checkbox."""
    assume(not _QUOTE_BEFORE_LIST.search(text))
    theirs = [token["children"] for token in tree(text) if token["type"] == "list"]
    for block, their_items in zip((b for b in parse(text) if b.kind == "list"), theirs, strict=True):
        for item, theirs_in in zip(items(text, block), their_items, strict=True):
            parts = [part for part in theirs_in["children"] if part["type"] != "blank_line"]
            if parts and parts[0]["type"] in {"paragraph", "block_text", "heading"}:
                said = re.sub(r"^\[[ xX]\](\s+|$)", "", parts[0]["text"].strip(" \n\t\f"))
                ours_said = text[item.text_start : item.text_end]
                assert [line.strip() for line in ours_said.split("\n")] == [line.strip() for line in said.split("\n")]


@given(DOCUMENTS, st.integers(0, 30))
def test_start(text, start):
    """Blocks from an offset are those of the rest of the text, moved."""
    start = min(start, len(text))
    moved = [b._replace(**{n: v + start for n, v in b._asdict().items() if "start" in n or "end" in n}) for b in parse(text[start:])]
    assert parse(text, start) == moved
