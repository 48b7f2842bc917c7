"""Edits by span."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.markdown.edit import Edit, apply, newline

TEXT = st.text(st.characters(), max_size=40)


@st.composite
def edited(draw):
    text = draw(TEXT)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [Edit(start, end, draw(TEXT)) for start, end in pairs]


@given(edited())
def test_outside(case):
    """What stands outside the edited spans comes out as it was, and each span comes out as its edit says."""
    text, edits = case
    out = apply(text, edits)
    at = done = 0
    for edit in edits:
        kept = text[done : edit.start]
        assert out[at : at + len(kept)] == kept
        at += len(kept)
        assert out[at : at + len(edit.text)] == edit.text
        at += len(edit.text)
        done = edit.end
    assert out[at:] == text[done:]


@given(TEXT)
def test_nothing(text):
    """No edits leave the text as it is."""
    assert apply(text, []) == text


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(2, 3, ""), Edit(0, 1, "")],
        [Edit(0, 2, ""), Edit(1, 3, "")],
        [Edit(3, 2, "")],
        [Edit(-1, 2, "")],
        [Edit(2, 6, "")],
    ],
)
def test_refused(edits):
    """Edits out of order, that overlap, run backwards or leave the text are refused."""
    with pytest.raises(ValueError, match="sorted, apart"):
        apply("abcde", edits)


@pytest.mark.parametrize(
    ("text", "ending"),
    [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("\r\n", "\r\n"), ("a\rb", "\n"), ("\n", "\n")],
)
def test_newline(text, ending):
    """The first line end of a text decides how new lines end."""
    assert newline(text) == ending
