"""Blocks and items against mistune's own tree."""

from __future__ import annotations

import inspect
import os
import re
import sys
import time
from pathlib import Path

import mistune
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mistune.plugins.table import table, table_in_list

from sleep.documents.markdown.blocks import children, items, parse

SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
KINDS = {"block_code": "code", "block_quote": "quote", "block_html": "html", "thematic_break": "break"}
LINES = [
    *("", "", "", "text", "two words", "# One", "## Two ##", "### ", "====", "---", "***", "> quote", ">", "| a | b |"),
    *("|---|---|", "| 1 | 2 |", "a | b", "--|--", "```", "```py x", "~~~", "    code", "\tcode", "- a", "* b", "+ c"),
    *("- ", "-", "  - nested", "    - deep", "      more", "  more", "1. one", "2) two", "   - under", "- [ ] open"),
    *(
        "- [x] done",
        "- [ ]",
        "- - inline",
        "1. - mixed",
        "-\ttabbed",
        "\t- by tab",
        "- # head",
        "- ```",
        "  ```",
        "- > q",
    ),
    *("-     code", "<div>", "</div>", "<!-- c -->", "<!--", "-->", "[a]: /url", "[a]: /url 'x", "- | a |", "  |---|"),
    *(
        "   ",
        "é 界 😀",
        "1986. A year",
        "* * *",
        "- * 1. x",
        "\x0c",
        "\u2028",
        "#tag",
        "[x]",
        "<b>i</b>",
        "\\# no",
        "`c`",
    ),
]
DOCUMENTS = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)
_QUOTE_BEFORE_LIST = re.compile(r"^ {0,3}>.*\n(?:[ \t]*[^ \t\n].*\n)*? {0,3}(?:[-*+]|\d+[.)])", re.MULTILINE)


def tree(text):
    """Tokens of mistune as they are before it reads inline Markdown."""
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
    return block._replace(
        **{
            name: at + text.count("\n", 0, at)
            for name, at in block._asdict().items()
            if "start" in name or "end" in name
        }
    )


@given(DOCUMENTS)
@example("> q\n- a")
@example("> q\n\u2028\n1. a")
@example("> q" + "\ntwo words" * 13)  # a pattern that goes back over each line's characters never ends
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
@example("- [ ]\n\u2028\n-->")
def test_item_text(text):
    """The text of an item is the first paragraph that mistune finds in it, without a checkbox."""
    assume(not _QUOTE_BEFORE_LIST.search(text))
    theirs = [token["children"] for token in tree(text) if token["type"] == "list"]
    for block, their_items in zip((b for b in parse(text) if b.kind == "list"), theirs, strict=True):
        for item, theirs_in in zip(items(text, block), their_items, strict=True):
            parts = [part for part in theirs_in["children"] if part["type"] != "blank_line"]
            if parts and parts[0]["type"] in {"paragraph", "block_text", "heading"}:
                said = re.sub(r"^\[[ xX]\]([ \n\t\f]+|$)", "", parts[0]["text"].strip(" \n\t\f"))
                ours_said = text[item.text_start : item.text_end]
                if not ours_said.startswith("[a]:"):  # a definition counts as the text of its item
                    assert [one.strip() for one in ours_said.split("\n")] == [one.strip() for one in said.split("\n")]


@given(DOCUMENTS, st.integers(0, 30))
def test_start(text, start):
    """Blocks from an offset are those of the rest of the text, moved."""
    start = min(start, len(text))
    moved = [
        b._replace(**{n: v + start for n, v in b._asdict().items() if "start" in n or "end" in n})
        for b in parse(text[start:])
    ]
    assert parse(text, start) == moved


def rows(text):
    """A readable form: kind, level, span, text; items below their list."""
    out = []
    for block in parse(text):
        said = text[block.text_start : block.text_end]
        out.append((block.kind, block.level, text[block.start : block.end], said))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One ##\n", [("heading", 1, "# One ##\n", "One")]),
        ("  ## a #b# #\n", [("heading", 2, "  ## a #b# #\n", "a #b#")]),
        ("###\n", [("heading", 3, "###\n", "")]),
        ("# #\n", [("heading", 1, "# #\n", "")]),
        ("a\n b \n==\n", [("heading", 1, "a\n b \n==\n", "a\n b")]),
        ("a\n---", [("heading", 2, "a\n---", "a")]),
        ("\ufeff# BOM", [("heading", 1, "# BOM", "BOM")]),
        ("# a\r\n\r\nb\r\n", [("heading", 1, "# a\r\n", "a"), ("paragraph", 0, "b\r\n", "b")]),
        ("# a\rb\r", [("heading", 1, "# a\r", "a"), ("paragraph", 0, "b\r", "b")]),
        ("``` py title=x\n# no\n\n```\n", [("code", 0, "``` py title=x\n# no\n\n```\n", "")]),
        ("~~~\n## Why\n", [("code", 0, "~~~\n## Why\n", "")]),
        ("    a\n\n    b\n\n", [("code", 0, "    a\n\n    b\n", "")]),
        ("> a\nlazy\n\n", [("quote", 0, "> a\nlazy\n", "")]),
        ("[a]: /u\n[b]: /v\n", [("reference", 0, "[a]: /u\n", ""), ("reference", 0, "[b]: /v\n", "")]),
        ("<!--\n# no\n\n-->\n", [("html", 0, "<!--\n# no\n\n-->\n", "")]),
        ("* * *\n", [("break", 0, "* * *\n", "")]),
        ("a | b\n--|--\n1 | 2\n", [("table", 0, "a | b\n--|--\n1 | 2\n", "")]),
        ("p\n- a\n", [("paragraph", 0, "p\n", "p"), ("list", 0, "- a\n", "")]),
        ("\udc80 x\n", [("paragraph", 0, "\udc80 x\n", "\udc80 x")]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_fixture(text, expected):
    """A block is found with its span and its text."""
    assert rows(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> q\n1. a\n# H\n", ["quote", "list", "heading"]),
        ("p\n> q\n2. a\n", ["paragraph", "quote", "list"]),
        ("> q\n- a\n> q\n- a\n", ["quote", "list", "quote", "list"]),
        ("a\n      \nb\n", ["paragraph", "paragraph"]),
    ],
)
def test_order_of_text(text, expected):
    """Where mistune misplaces a list after a quote, or joins over a blank line of five spaces, the text decides."""
    assert [block.kind for block in parse(text)] == expected
    assert_sound(text)


def shapes(text, found):
    """Each item as its text, whether it is numbered and checked, and the same for what is below it."""
    return [
        (text[i.text_start : i.text_end], i.indent, i.ordinal, i.checked, shapes(text, children(text, i)))
        for i in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n- b  \n", [("a", 0, False, None, []), ("b", 0, False, None, [])]),
        ("1. a\n   b\n", [("a\n   b", 0, True, None, [])]),
        ("- a\nlazy\n\n  more\n", [("a\nlazy", 0, False, None, [])]),
        ("- [ ] a\n- [x] b\n- [X]\tc\n- [y] d\n- [x]e\n", None),
        ("-\n  late\n", [("late", 0, False, None, [])]),
        ("-\n", [("", 0, False, None, [])]),
        ("- ```\n  - no\n  ```\n", [("", 0, False, None, [])]),
        ("- a\n\n  ```\n  - no\n  ```\n  - b\n", [("a", 0, False, None, [("b", 2, False, None, [])])]),
        ("- | a |\n  |---|\n  | 1 |\n", [("", 0, False, None, [])]),
        ("- # head #\n", [("head", 0, False, None, [])]),
        ("- [TODO]: fix\n", [("[TODO]: fix", 0, False, None, [])]),
        ("- a\n  - b\n    1. c\n  - d\n", None),
        ("- - a\n  - b\n", [("", 0, False, None, [("a", 2, False, None, []), ("b", 2, False, None, [])])]),
        ("-\ta\n\t- b\n\t\t- c\n", None),
        ("  * a\r\n    * b\r\n", [("a", 2, False, None, [("b", 4, False, None, [])])]),
        ("- \udc80 é\n", [("\udc80 é", 0, False, None, [])]),
    ],
)
def test_items(text, expected):
    """An item is found with its text, its column, its number, its checkbox and its nested items."""
    found = shapes(text, items(text, parse(text)[0]))
    if text.startswith("- [ ]"):
        assert [(one[0], one[3]) for one in found] == [
            ("a", False),
            ("b", True),
            ("c", True),
            ("[y] d", None),
            ("[x]e", None),
        ]
    elif text.startswith("-\t"):
        assert found == [("a", 0, False, None, [("b", 4, False, None, [("c", 8, False, None, [])])])]
    elif expected is None:
        inner = [("b", 2, False, None, [("c", 4, True, None, [])]), ("d", 2, False, None, [])]
        assert found == [("a", 0, False, None, inner)]
    else:
        assert found == expected


def test_item_span():
    """An item covers its nested content and whole lines, and none of the blank lines after it."""
    text = "- a\n\n  para\n  - b\n\n\n- c\n\n"
    assert [text[i.start : i.end] for i in items(text, parse(text)[0])] == ["- a\n\n  para\n  - b\n", "- c\n"]


@given(DOCUMENTS)
def test_suffix(text):
    """What is put at the end of an item's text belongs to that text, and to no other item."""
    for block in parse(text):
        for number, item in enumerate(items(text, block)):
            first = text[item.text_start : item.text_end]
            if not first or first[0] in "|[<" or block.start:
                continue
            new = text[: item.text_end] + " zz" + text[item.text_end :]
            again = items(new, parse(new)[0])[number]
            assert new[again.text_start : again.text_end] == first + " zz"


def test_not_a_list():
    """Only a list has items."""
    assert items("# a\n", parse("# a\n")[0]) == []


def test_deep():
    """Hundreds of levels of lists, and as many quotes and lists by turns, are read without recursion."""
    text = "".join("  " * depth + "- a\n" for depth in range(200))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        found, depth = items(text, parse(text)[0]), 0
        while found:
            found, depth = children(text, found[0]), depth + 1
        assert depth == 200
        assert len(parse("> q\n- a\n" * 500)) == 1000
        assert len(parse(">" * 5000)) == 1
    finally:
        sys.setrecursionlimit(limit)


SLOW = {
    "bullets": lambda n: "- a bullet\n" * n,
    "nested": lambda n: "- a\n  - **b**\n" * n,
    "many children": lambda n: "- a\n" + "  - b\n" * n,
    "many rich children": lambda n: "- a\n" + "  - **b**\n    c\n" * (n // 2),
    "one line": lambda n: "x " * (50 * n),
    "one bullet": lambda n: "- " + "x " * (50 * n),
    "spaces in a heading": lambda n: "# a" + " " * (50 * n) + "b\n",
    "blank lines in an item": lambda n: "- a\n" + "\n" * n + "  b\n",
    "failing tables": lambda n: "-|-\n" * n + "a|b|c\n",
    "indented lines of a paragraph": lambda n: "a\n" + "    b\n" * (2 * n),
    "quotes and lists": lambda n: "> q\n- a\n" * n,
    "lazy lines": lambda n: "> a\n" + "b\n" * n + "\n- a\n" + "b\n" * n,
    "open brackets": lambda n: "[\n" * n,
    "definitions": lambda n: "[a]: /u\n" * n,
    "everything": lambda n: "# H\r\n\r\na\nb\n\n- a\n\n```\nc\n```\n\n|a|\n|-|\n\n" * (n // 8),
}


def seconds(text):
    start = time.process_time()
    for block in parse(text):
        for item in items(text, block)[:1]:
            children(text, item)
    return time.process_time() - start


@pytest.mark.parametrize("name", SLOW)
def test_linear(name):
    """Eight times the text takes nowhere near sixty-four times as long; what else the machine does is no reason."""
    assert any(seconds(SLOW[name](4_000)) < 30 * max(seconds(SLOW[name](500)), 0.001) for _ in range(4))


@pytest.mark.real
def test_real():
    """Every real journal is covered in order, and has the blocks and items that mistune finds."""
    assert SHARED, "set SLEEP_SHARED to the directory that holds data/journals"
    pages = sorted((Path(SHARED) / "data" / "journals").rglob("*.md"))
    assert pages, "no Markdown under SLEEP_SHARED/data/journals"
    for page in pages:
        text = page.read_bytes().decode("utf-8", "surrogateescape")
        assert_sound(text)
        plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
        if not _QUOTE_BEFORE_LIST.search(plain) and not re.search(r"^ {5,}$", plain, re.MULTILINE):
            assert ours(plain) == outline(plain), page.name
        assert parse(plain.replace("\n", "\r\n")) == [_shift(block, plain) for block in parse(plain)], page.name
