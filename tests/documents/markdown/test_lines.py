"""Lines of Markdown, read without a parser."""

from __future__ import annotations

import pytest
from document_strategies import MARKDOWN
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.markdown.lines import code, headings, split, words


@given(st.one_of(MARKDOWN, st.text()))
def test_split(text):
    """The lines cover the text but for a BOM, and each ends with its line feed."""
    lines = split(text)
    assert "".join(text[line.start : line.end] for line in lines) == text.removeprefix("\ufeff")
    assert all("\n" not in line.words for line in lines)
    assert words(text) == [line.words for line in lines]


@pytest.mark.parametrize(
    ("text", "fenced"),
    [
        ("a\n```\nb\n```\nc", {1, 2, 3}),
        ("~~~ py\n```\n~~~\n```", {0, 1, 2}),
        ("````\n```\n````\nx", {0, 1, 2}),
        ("```\n## open to the end", set()),
        ("```x\n```y\n```z", set()),
        ("```\n# a\n~~~\n# b\n~~~", {2, 3, 4}),
        ("```inline``` code\nx\n```", set()),
        ("```\r\nx\r\n``` \r\ny", {0, 1, 2}),
        ("    ```\nx\n```", set()),
        ("", set()),
    ],
)
def test_code(text, fenced):
    """A fence reaches to the line that closes it; one that nothing closes is no fence."""
    assert code([line.words for line in split(text)], 3) == fenced


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n## B ##\n###  C\t#\n####### D\n#E\n #F", [(1, "A"), (2, "B"), (3, "C")]),
        ("A\n===\n\nB\n-\n\nC\n\n---", [(1, "A"), (2, "B")]),
        ("- a\n---\n> b\n===\n\n---\n===", []),
        ("- a\nlazy\n---", []),
        ("\ufeff# A\r\nB\r\n---\r\n", [(1, "A"), (2, "B")]),
        ("```\n# A\nB\n===\n```\nC\n---", [(2, "C")]),
        ("##\n## #\n", [(2, ""), (2, "")]),
    ],
)
def test_headings(text, found):
    """Headings are found with signs or underlined, and neither in code nor under a list."""
    said = [line.words for line in split(text)]
    assert [(head.level, head.title) for head in headings(said, code(said, 3))] == found
