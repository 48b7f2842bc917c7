"""Reading a command line by a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.errors import UsageError
from sleep.options import Option, Word, parse

OPTIONS = (Option("budget", "b", is_valued=True), Option("json", "j"))


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (["--budget", "3", "x"], [("budget", "3"), ("", "x")]),
        (["--budget=3", "-j"], [("budget", "3"), ("json", "")]),
        (["-b", "-j"], [("budget", "-j")]),
        (["-", "--", "--json"], [("", "-"), ("", "--json")]),
        ([], []),
    ],
)
def test_the_forms(words, read):
    """A value stands behind its option or a sign, a flag alone, and what follows two dashes is plain."""
    assert [(word.name, word.value) for word in parse(words, OPTIONS, "x")] == read


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--budget"], "--budget wants a value"),
        (["--jsn"], "x cannot take --jsn"),
        (["--json=1"], "cannot take --json=1"),
    ],
)
def test_slips(words, said):
    """What the table does not have is named, with where to look."""
    with pytest.raises(UsageError, match=said) as refused:
        list(parse(words, OPTIONS, "x"))
    assert refused.value.hint == "sleepwake x --help"


@given(st.lists(st.text(max_size=6) | st.sampled_from(["--budget", "-b", "--json", "--", "-", "--x", "-b=1"])))
def test_another_reads_it_after(words):
    """Read for another, a command line is never refused, and its parts are all of its words in order."""
    found = list(parse(words, OPTIONS, "x", is_open=True))
    assert [part for word in found for part in word.words] == words
    assert all(isinstance(word, Word) for word in found)
