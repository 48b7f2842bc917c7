"""What became of a record is told by the moves that count, not by the last one that stands in a journal."""

from __future__ import annotations

import pytest

from sleep.recall import search
from sleep.recall.index import access
from sleep.recall.index.record_state import amend, last_state
from sleep.store.tree import InMemory

RESOLVED, ABANDONED = "resolved in i4ofn.3 (renamed)", "abandoned in i4lsd.3 (not needed)"
EVENTS = [("i4lsd.3", ABANDONED), ("i4ofn.3", RESOLVED)]


@pytest.mark.parametrize(
    ("tier", "carried", "state"),
    [
        (ABANDONED, {"i4lsd.3"}, ABANDONED),
        (RESOLVED, {"i4ofn.3"}, RESOLVED),
        ("", set(), ABANDONED),  # nobody has slept on either
        ("resolved (renamed)", {"i4ofn.3"}, RESOLVED),
    ],
)
def test_of_two_ends_the_one_that_was_carried_out_is_told(tier, carried, state):
    """Two branches closed one thread: the move that a sleep passed over is not what became of it."""
    assert last_state("thread", tier, carried, EVENTS) == state


def test_a_move_that_waits_for_a_sleep_counts_if_it_is_legal():
    """What was journaled after the last sleep is told; a field that is said anew is no state."""
    again = [*EVENTS, ("i5abc.2", ""), ("i5abc.3", "next in i5abc.3 (measure)")]
    assert last_state("thread", RESOLVED, {"i4ofn.3"}, again[:3]) == ""
    assert last_state("thread", RESOLVED, {"i4ofn.3"}, again) == ""
    assert last_state("note", "", (), EVENTS) == RESOLVED


def test_what_is_next_is_told_as_it_was_last_said():
    """The journal that opened a thread says what was next then; each later event takes the place of that."""
    events = [("i2abc.3", "next in i2abc.3 (measure (twice))"), ("i3abc.2", "paused in i3abc.2 (a holiday)")]
    assert amend("thread", "A lock\n- next: write it", events) == "A lock\n  next: measure (twice) (i2abc.3)"
    assert amend("thread", "A lock", events) == "A lock\n  next: measure (twice) (i2abc.3)"
    assert amend("note", "A lock\n  next: write it", events) == "A lock\n  next: write it"


def _journal(name, *entries):
    text = "\n".join(f"{entry}\n" for entry in entries)
    return f"---\ninstance: {name[1]}\ntag: {name[2:]}\nform: 2\n---\n# Journal: instance {name[1]}\n\n{text}"


def test_recall_says_of_a_merged_memory_what_the_register_says():
    """The journal of the other branch stands last, and its move was passed over: the tier has the one that holds."""
    event = "## Thread event: T-001 {to} [{at}]\n\n- record: T-001\n- to: {to}\n- reason: {why}\n"
    tree = InMemory(
        {
            "journal/instance-1.md": _journal("i1dhh", "## Thread: The walrus survives a crash [i1dhh.6 T-001]"),
            "journal/instance-4-ofn.md": _journal("i4ofn", event.format(to="resolved", at="i4ofn.3", why="renamed")),
            "journal/instance-4.md": _journal("i4lsd", event.format(to="abandoned", at="i4lsd.3", why="not needed")),
            "memory/warm/general.md": "# general\n\n## Threads\n\n- **T-001** The walrus survives a crash "
            "[i1dhh.6 i4lsd.3]\n  - status: abandoned (not needed)\n",
        }
    )
    found = search.recall(access.index_tree(tree), "walrus crash")
    assert ABANDONED in found.text
    assert "resolved in" not in found.text
