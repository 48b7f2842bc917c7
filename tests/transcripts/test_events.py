"""What readers share: records out of lines, and clipping."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sleep.transcripts import claude, codex, events


def test_records_skip_and_count_a_bad_line():
    """A line that is no JSON object gives None in its place, and the lines around it are read."""
    lines = [b'{"a": 1}\n', b"not json\n", b"[1]\n", b"\n", b'{"b": 2}']
    assert list(events.records(lines)) == [{"a": 1}, None, None, {"b": 2}]


def test_records_read_two_objects_on_one_line():
    """Two objects that were written onto one line are two records; what is broken behind them is one bad line."""
    assert list(events.records([b'{"a": 1}{"b": 2} {"c": '])) == [{"a": 1}, {"b": 2}, None]


def test_records_end_on_a_line_of_endless_objects():
    """A line is left after some hundreds of objects, so that garbage costs no more than it is long."""
    assert len(list(events.records([b"{}" * 5_000]))) < 1_000


def test_records_take_what_is_nested_too_deep_for_a_bad_line():
    """A line that is nested deeper than the parser goes is a bad line, not an exception."""
    assert list(events.records([b"[" * 100_000])) == [None]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(["type", "message", "content", "payload", "uuid", "cwd", "input", "name", "id", "role", "text"])
SHAPED = st.dictionaries(KEYS, JSON | st.dictionaries(KEYS, JSON | st.lists(st.dictionaries(KEYS, JSON), max_size=3)))


@given(st.lists(SHAPED.map(json.dumps) | st.text(max_size=40), max_size=6))
def test_no_line_raises(lines):
    """Whatever stands in a line, every reader yields events and never an exception."""
    raw = [line.encode("utf-8", "surrogatepass") for line in lines]
    for kind in ("user", "assistant", "response_item", "compacted"):
        typed = [line.replace(b'"type": ', f'"type": "{kind}", "x": '.encode(), 1) for line in raw]
        for reader in (claude, codex):
            assert all(isinstance(event, events.Event) for event in reader.read(typed))


def test_clipping_keeps_head_and_end():
    """What is longer than the limit keeps its head and its end, where errors say what they are."""
    assert events.clipped("abcdefghij", 4) == "ab…ij"
    assert events.clipped("abcd", 4) == "abcd"
