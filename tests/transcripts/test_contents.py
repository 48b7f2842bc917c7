"""What a stretch holds: how it grows, joins, and is stored."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sleep.transcripts import contents
from sleep.transcripts.contents import NOTHING, Contents, Sum
from sleep.transcripts.events import Event

IDS = st.sampled_from(["", "a", "b", "c"])
EDIT = st.builds(Event, st.just("agent"), st.just("edit"), id=IDS, side=st.booleans())
RESULT = st.builds(Event, st.just("tool"), st.just("result"), id=IDS, ok=st.booleans())
SAID = st.builds(
    Event, st.sampled_from(["agent", "person"]), st.sampled_from(["text", "prompt"]), st.just("We chose it."),
    st.sampled_from(["", "1", "2"]),
)  # fmt: skip
LINES = st.lists(st.lists(EDIT | RESULT | SAID, max_size=3), max_size=8)


def summed(lines):
    """Return what lines hold."""
    found = Sum()
    for events in lines:
        found.take(events)
    return found.held()


@given(LINES, LINES)
def test_the_union_is_as_if_read_together(first, second):
    """Two stretches together hold what one hand that reads both finds, in either order."""
    together = summed([*first, *second])
    assert contents.union(summed(first), summed(second)) == together
    assert contents.union(summed(second), summed(first)) == together


@given(LINES, LINES)
def test_a_sum_goes_on_where_another_ended(first, second):
    """What was held, taken up again, grows as if nothing had come between."""
    found = Sum(summed(first))
    for events in second:
        found.take(events)
    assert found.held() == summed([*first, *second])


@given(LINES)
def test_it_comes_back_from_json(lines):
    """What is held comes back from JSON as it was."""
    found = summed(lines)
    assert contents.from_json(json.loads(json.dumps(contents.to_json(found)))) == found


def test_a_call_of_many_files_counts_each_once():
    """A call's files are those of one line, however often the line is repeated; without an id each time counts."""
    patch = [Event("agent", "edit", path=path, id="a") for path in "xyz"]
    assert summed([patch, patch]).calls == {"a": 3}
    bare = [one._replace(id="") for one in patch]
    assert summed([bare, bare]).loose == 6


def test_a_call_that_a_sub_agents_line_repeats_counts_once():
    """A call that both have is one, whichever was read first."""
    own, nested = Event("agent", "edit", id="a"), Event("agent", "edit", id="a", side=True)
    for lines in ([[own], [nested]], [[nested], [own]], [[own, nested]]):
        assert summed(lines).calls == {"a": 1}


def test_less_leaves_the_rest():
    """Calls are taken out by their ids, wherever they stand; the rest stays."""
    found = Contents(calls={"a": 1, "b": 2, "c": 1}, loose=3)
    assert contents.subtract(found, ["a", "c", "x"]) == Contents(calls={"b": 2}, loose=3)


def test_garbage_is_none():
    """What is not what was stored is nothing, whatever it is."""
    sound = contents.to_json(NOTHING)
    assert contents.from_json(sound) == NOTHING
    garbage: list[object] = [None, 1, [], {}, {"calls": {}}]
    for name, values in {
        "calls": [None, [], {"a": -1}, {"a": True}, {"a": 1.0}, {"a": "1"}],
        "failed": [None, {}, [1], "a"],
        "loose": [None, -1, True, 1.5, "1"],
        "side": [None, [], {"a": -1}],
        "loose_side": [None, -1],
    }.items():
        garbage += [{**sound, name: value} for value in values]
    assert [contents.from_json(one) for one in garbage] == [None] * len(garbage)


def test_what_an_older_program_stored_is_read():
    """Its calls of sub-agents are calls as any other, and what was said besides is passed over."""
    talk = {"said": {"turn 1 2": [0, 3]}, "loose_said": [1, 0, 2]}
    older = {"main": {"a": 2}, "side": {"b": 1}, "failed": ["b"], "loose": 1, "loose_side": 3, **talk}
    assert contents.from_json(older) == Contents({"a": 2, "b": 1}, frozenset("b"), 4)


def test_an_id_is_not_kept_beyond_what_clients_write():
    """An id of any length takes bounded room."""
    found = summed([[Event("agent", "edit", id="x" * 10_000)], [Event("tool", "result", id="y" * 10_000, ok=False)]])
    assert all(len(one) <= 200 for one in (*found.calls, *found.failed))
