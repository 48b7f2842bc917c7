"""What a register tells once: a record that a later journal says again is one with the one that stands."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.documents import register
from sleep.memory import repetitions
from sleep.records.address import Address
from sleep.records.kinds import AT_ODDS

DECIDED = "## Decisions\n\n- Keep sqlite for the index, for it needs no server\n"
OPEN = "## Next steps\n\n- Fund the test account of the relay with 500 coins\n"
_WHEN = ("- revisit when: it blocks\n", "- revisit when: May comes\n")
_DAYS = ("the parser", "the sea", "the moon", "the weather", "a train")


def _lived(*journals):
    memory = Memory()
    for journal in journals:
        memory.journal(f"# Day\n\n{journal}")
        memory.sleep()
    return memory


def _records(memory, kind):
    return [record.fragment for record in memory.view.records.values() if record.fragment.kind == kind]


def test_once_wherever_it_stands():
    """In hot, warm and cold memory the record gains the address; a later cycle moves both as one."""
    between = [f"## Insights\n\n- We looked at {what} and learnt how it goes\n" for what in _DAYS]
    for number in range(len(between) + 1):
        memory = _lived(DECIDED, *between[:number], DECIDED)
        (decided,) = _records(memory, "decision")
        assert [address.number for address in decided.addresses] == [1, number + 2]


def test_its_number_goes_on_leading_to_it():
    """A number that was given out is found, told, and not given out again."""
    memory = _lived(DECIDED, DECIDED)
    (decided,) = _records(memory, "decision")
    assert (decided.number, decided.field("also"), decided.numbers) == ("D-001", "D-002", ("D-001", "D-002"))
    assert [record.fragment.number for record in memory.view.named("D-002")] == ["D-001"]
    assert register.find(memory.view.records.values(), "D-002").fragment == decided
    memory.journal("# Day\n\n## Decisions\n\n- Run the tests on two cores, for the machine has no more\n")
    memory.sleep()
    assert sorted(record.number for record in _records(memory, "decision")) == ["D-001", "D-003"]


def test_in_nearly_the_same_words_while_it_is_hot():
    """An open point is told once in its first wording, what says more stays beside it."""
    memory = _lived(OPEN, OPEN.replace("Fund", "Please fund"), OPEN.replace("500", "900"))
    said = [(task.text, len(task.addresses)) for task in _records(memory, "task")]
    assert said == [
        ("Fund the test account of the relay with 500 coins", 2),
        ("Fund the test account of the relay with 900 coins", 1),
    ]


@pytest.mark.parametrize("apart", [False, True], ids=["one journal", "one stands"])
def test_two_that_repeat_it_and_differ(apart):
    """Of two that say it again, each with its own word in one field, one joins it and the other stays: none is lost."""
    first, *others = (f"## Decision: Use flock\n\n- why: it is fast\n{more}\n" for more in ("", *_WHEN))
    memory = _lived(first, "".join(others)) if apart else _lived(first + "".join(others))
    assert [record.field("revisit when") for record in _records(memory, "decision")] == ["it blocks", "May comes"]


def test_within_a_journal():
    """What a journal says twice is one record with both addresses."""
    memory = _lived(f"{DECIDED}\n## 16:00\n\n{DECIDED.replace('## ', '### ')}")
    (decided,) = _records(memory, "decision")
    assert len(decided.addresses) == 2


def test_what_was_closed_is_opened_by_nobody():
    """A record that was settled is not said again: the later one stands for itself."""
    memory = _lived(OPEN)
    (task,) = _records(memory, "task")
    memory.journal(
        f"# Day\n\n## Task event: it is done\n\n- record: {task.identity}\n- to: done\n- outcome: paid\n\n{OPEN}"
    )
    memory.sleep()
    assert sorted(task.state for task in _records(memory, "task")) == ["done", "open"]


def test_a_step_that_is_taken_twice_changes_nothing():
    """The step of a journal whose record was folded already adds nothing."""
    memory = _lived(OPEN, OPEN)
    before = dict(memory.texts)
    memory.texts = {path: text for path, text in before.items() if not path.endswith("cycles.md")}
    memory.sleep()
    (task,) = _records(memory, "task")
    assert len(task.addresses) == 2


def test_what_a_step_makes_of_a_record_is_compared():
    """A record that loses a field in a step is said again by one without it, and not before."""
    memory = _lived(OPEN)
    ((path, task),) = memory.view.placed()
    mark = f"[{task.identity}]\n"
    memory.texts[path] = memory.texts[path].replace(mark, f"{mark}  - {AT_ODDS}: yes\n")
    ((_, at_odds),) = memory.view.placed()
    record = task._replace(addresses=(Address(2, "abc", 1),))
    assert repetitions.fold(memory.view, [record], {}) == ([record], {})
    changes = {(path, at_odds): task}
    assert repetitions.fold(memory.view, [record], changes) == ([], {record.identity: task.identity})
    assert [now.addresses for now in changes.values()] == [(*task.addresses, *record.addresses)]


def test_few_words_with_a_reason_are_found():
    """A record of few words is said again by the same words, whatever reason stands with it."""
    why = "it needs no server and no port at all"
    memory = _lived(f"## Decisions\n\n- Keep sqlite\n  - why: {why}\n")
    ((_, decided),) = memory.view.placed()
    assert decided.field("why")
    record = decided._replace(addresses=(Address(2, "abc", 1),), fields=())
    assert repetitions.fold(memory.view, [record], {})[1] == {record.identity: decided.identity}
