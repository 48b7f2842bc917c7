"""The table of cycles."""

from __future__ import annotations

import pytest
from document_strategies import INSTANCES, MARKDOWN
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.cycles import Cycle, append, read
from sleep.records.address import InstanceId

SESSIONS = st.text("abcXYZ019-_.:", min_size=2, max_size=12)
STEPS = st.sampled_from(["adopt", "seal", "hot to warm", "warm to cold", "journal to hot", "handoff"])
SIZES = st.integers(0, 10**9)
CYCLES = st.builds(
    Cycle,
    SIZES,
    INSTANCES,
    st.just("2026-11-21T09:05:36Z"),
    st.lists(SESSIONS, max_size=3).map(tuple),
    SIZES,
    SIZES,
    st.lists(STEPS, max_size=6).map(tuple),
)
ONE = Cycle(1, InstanceId(7, "qxk"), "2026-11-21T09:05:36Z", (), 10, 5, ("seal",))


@given(st.lists(CYCLES, max_size=5))
def test_round_trip(cycles):
    """Cycles read back in the order in which they were appended."""
    text = None
    for cycle in cycles:
        text = append(text, cycle)
    assert read(text) == tuple(cycles)


@given(st.one_of(MARKDOWN, st.text()), CYCLES, st.sampled_from(["", "\n", "\r\n"]))
def test_append(text, cycle, end):
    """Appending changes no byte that is there, and works below anything."""
    after = append(text + end, cycle)
    assert after.startswith(text + end)
    assert read(after) == (*read(text + end), cycle)


def test_crlf():
    """A table with CRLF goes on with CRLF."""
    text = append(None, ONE).replace("\n", "\r\n")
    assert append(text, ONE._replace(number=2)).count("\n") == append(text, ONE._replace(number=2)).count("\r\n")
    assert read(append(text, ONE._replace(number=2))) == (ONE, ONE._replace(number=2))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("|1|i7qxk|2026-11-21T09:05:36Z|-|10|5|seal|", 1),
        ("  |  1 | i7qxk | 2026-11-21T09:05:36Z |   | 10 | 5 | seal |  ", 1),
        ("1 | i7qxk | 2026-11-21T09:05:36Z | - | 10 | 5 | seal", 1),
        ("| x | i7qxk | a | - | 10 | 5 | seal |", 0),
        ("| ² | i7qxk | a | - | 10 | 5 | seal |", 0),
        ("| " + "9" * 5000 + " | i7qxk | a | - | 10 | 5 | seal |", 0),
        ("| 1 | 7 | a | - | 10 | 5 | seal |", 0),
        ("| 1 | i7qxk | a | - | ten | 5 | seal |", 0),
        ("| 1 | i7qxk | a | - | 10 | 5 |", 0),
        ("a person's words", 0),
    ],
)
def test_by_hand(line, found):
    """Lines are read however a person spaced them; what is no cycle is passed over."""
    assert read(f"# Cycles\n\nWords.\n\n{line}\n") == (ONE,) * found


def test_none():
    """Where there is no file there are no cycles."""
    assert read(None) == ()
    assert read("") == ()


def test_bar():
    """A bar in a cell cannot part it."""
    assert read(append(None, ONE._replace(slept="a|b"))) == (ONE._replace(slept="a/b"),)
