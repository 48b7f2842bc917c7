"""What a wake chooses to show."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.cycle import reading, selection, wake
from sleep.cycle.selection import Placed, Share
from sleep.memory.address import Address
from sleep.memory.fragment import Fragment
from sleep.settings import Settings

ALL = 10_000


def _placed(*texts, kind="note", at="memory/warm/auth.md"):
    found = [Fragment(kind, text, (Address(1, "abc", index),)) for index, text in enumerate(texts, 1)]
    return [Placed(at, one, reading.line(one, brief=True)) for one in found]


def _shown(placed, known, budget, *, task="", first=0, said=""):
    share = (Share(hot=True, rest=True, budget=budget),)
    return [placed[index].fragment.text for index in sorted(selection.choose(placed, known, share, task, first, said))]


def test_what_was_spoken_of_again_is_shown():
    """Of two fragments, the one whose names are worth more is shown."""
    placed = _placed("we built old_part for it", "we built new_part for it")
    assert _shown(placed, {"new_part": 0.5, "old_part": 0.1}, 9) == ["we built new_part for it"]


def test_one_thing_is_not_said_twice():
    """What is shown already is worth less: another thing is shown before the same thing in other words."""
    placed = _placed("we built new_part here", "then new_part was done", "we have other_one here")
    known = {"new_part": 0.5, "other_one": 0.4}
    assert _shown(placed, known, 15) == ["we built new_part here", "we have other_one here"]
    assert _shown(placed, known, 8, said="- next: new_part") == ["we have other_one here"]


def test_names_that_stand_together():
    """Of two fragments with names of equal worth, the one with the pair that was heard is shown."""
    placed = _placed("a_a and then c_c", "a_a and then b_b")
    assert _shown(placed, {"a_a": 0.5, "b_b": 0.5, "c_c": 0.5, "a_a\0b_b": 0.2}, 6) == ["a_a and then b_b"]


def test_what_must_be_shown_has_its_own_tokens():
    """An open question is shown where what must be shown has tokens of its own, whatever else is worth."""
    placed = [*_placed("who knows", kind="question", at="memory/hot/context.md"), *_placed("we built new_part for it")]
    known = {"new_part": 1.0}
    assert _shown(placed, known, 9) == ["we built new_part for it"]
    assert _shown(placed, known, 9, first=9) == ["who knows"]
    assert _shown(placed, known, 99, first=9) == ["who knows", "we built new_part for it"]


@pytest.mark.parametrize("task", ["make the parsers fast", "the Parser"])
def test_the_task_comes_before_the_rest(task):
    """What speaks of the task, in whatever form of its words, comes before what is worth more without it."""
    placed = _placed("new_part is built on other_one", "the parser is slow")
    known = {"new_part": 1.0, "other_one": 1.0, "new_part\0other_one": 0.2}
    assert _shown(placed, known, 9) == ["new_part is built on other_one"]
    assert _shown(placed, known, 9, task=task) == ["the parser is slow"]


def test_what_the_task_names_is_shown():
    """A fragment whose address the task names is shown before all others."""
    placed = _placed("the parser is slow", "nothing of note", "the parser is slow and the lexer too")
    assert _shown(placed, {}, 5, task="the slow parser, and i1abc.2") == ["nothing of note"]


def test_the_order_of_what_is_given_does_not_matter():
    """The same fragments are chosen in whatever order they stand, where none are worth the same."""
    placed = _placed(*(f"part_{number} of {'so ' * number}much" for number in range(12)))
    known = {f"part_{number}": 0.01 * number * number for number in range(12)}
    assert sorted(_shown(placed, known, 40)) == sorted(_shown(placed[::-1], known, 40))


def test_journals_are_read_for_what_was_heard():
    """A name is worth more when journals spoke of it again, though memory has it once."""
    memory = Memory()
    for number in range(3):
        memory.journal(f"Built `once_{number}` for them.\n\nAgain we looked at `ever_y`.\n")
        memory.sleep()
    known = selection.heard(memory.view, [(at, one) for at, one in memory.placed()])
    assert known["ever_y"] > known["once_2"] > known["once_0"] > 0
    assert not any("i1" in name or "[" in name for name in known)


def test_a_journal_that_waits_is_not_heard():
    """What is chosen does not change when a journal is opened."""
    memory = Memory()
    memory.journal("Built `first_part` for them.\n")
    memory.sleep()
    before = wake.assemble(memory.view, Settings(), budget=ALL).text
    memory.journal("Built `second_part` for them.\n")
    assert wake.assemble(memory.view, Settings(), budget=ALL).text == before
