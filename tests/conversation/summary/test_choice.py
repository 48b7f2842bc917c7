"""What has room: who gives way to whom, and what of a result goes first."""

from __future__ import annotations

import pytest

from sleep.conversation.summary.choice import choose
from sleep.conversation.summary.fact import PROSE, TOOL, Fact
from sleep.conversation.summary.marks import DECISION


def _words(text):
    return len(text.split())


def _choose(old, new, budget):
    return choose(old, new, budget, _words, frozenset())


def _earlier(kind):
    """Return four facts of an earlier summary, of ten tokens each."""
    return [(kind, f"{name} one two three four five six seven eight") for name in ("Ann", "Bob", "Cid", "Dan")]


NEW = Fact(DECISION, "Never push to main before the tests pass", 3.0, 1)


@pytest.mark.parametrize(
    ("kind", "budget", "stay", "is_new_there"),
    [
        (PROSE, 40, 3, True),
        (PROSE, 50, 4, True),
        (DECISION, 40, 4, False),
        (DECISION, 35, 3, False),
    ],
)
def test_what_was_kept_before_gives_way_to_what_binds(kind, budget, stay, is_new_there):
    """Of what was merely said the latest goes for what binds, and no more; what binds goes where room lacks."""
    old = _earlier(kind)
    choice = _choose(old, [NEW], budget)
    assert [fact for fact in choice.facts if fact in old] == old[:stay]
    assert ((DECISION, NEW.text) in choice.facts) is is_new_there
    assert choice.dropped.get(kind, 0) == 4 - stay + (kind == DECISION)
    assert choice.tokens <= budget


def test_of_results_the_lines_that_return_go_first():
    """Where room lacks, a line whose form returns in every result is left out of each, and what differs stays."""
    words = ("lighthouse", "barrel", "meadow", "anchor", "violin")
    new = [
        Fact(TOOL, f"compiled the file {number}.c without a warning · the {word} was left over", 1.0, number, 0, "make")
        for number, word in enumerate(words)
    ]
    assert _choose([], new, 70).facts == tuple((TOOL, f"[make] the {word} was left over") for word in words)
    assert _choose([], new, 700).facts == tuple((TOOL, f"[make] {fact.text}") for fact in new)


def test_of_equals_the_later_stays():
    """Of more decisions that weigh alike than have room, the last are kept, and stand in the order of time."""
    new = [Fact(DECISION, f"Use supplier {number} for the part", 3.0, number) for number in range(40)]
    choice = _choose([], new, 80)
    assert [text for _, text in choice.facts] == [fact.text for fact in new[-len(choice.facts) :]]
    assert 0 < len(choice.facts) < len(new)
