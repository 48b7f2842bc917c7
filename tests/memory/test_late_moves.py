"""What one person says of a record in the other's open journal, and sleeps on first."""

from __future__ import annotations

import pytest
from clones import commit, pull

from sleep.documents import main_page, paths
from sleep.store import context
from sleep.upkeep import doctor, status
from sleep.wake import assembly
from sleep.wake.snapshot import build, held_records


@pytest.fixture
def reversal(bob):
    """Return a report: Bob reversed the decision of Ann's open journal, and slept."""
    bob.move("decision", "D-001", "reversed", "the auditor wants work days")
    return bob.sleep()


def _states(scene):
    return {record.fragment.text: record.fragment.state for record in scene.view.records.values()}


def _in_a_session_start(scene):
    return [record.text for record in held_records.Standing(context.of(scene.place.root)).records("decision")]


def test_it_holds_for_both_before_the_other_has_slept(ann, bob, reversal):
    """A decision of an open journal that was reversed elsewhere stands for nobody: not in lists, wakes or starts."""
    pull(ann, bob)
    for scene in (ann, bob):
        assert _states(scene) == {"Count holidays as Sundays": "reversed"}
        assert _in_a_session_start(scene) == []
        assert "## Decisions\n" not in assembly.peek(scene.place).text


def test_nobody_is_told_that_it_could_not_be_made(ann, bob, reversal):
    """The sleep passes nothing over, its commits say so, and no doctor asks for another move."""
    assert [line for line in reversal.notes if "passed over" in line] == []
    assert "passed over" not in bob.git("log", "--format=%B")
    pull(ann, bob)
    ann.sleep()
    assert _states(ann) == {"Count holidays as Sundays": "reversed"}
    for scene in (ann, bob):
        assert [each for each in doctor.examine(scene.place, scene.now()) if each.level != "note"] == []


@pytest.mark.parametrize("is_lower", [False, True])
def test_numbers_of_two_clones_do_not_matter(ann, bob, is_lower):
    """What is said in a journal of the same number, or of a lower one that was open longer, holds as well."""
    bob.add("insight", "Carts are slow")
    ann.sleep()
    if is_lower:
        ann.add("insight", "Orders are slow")
        ann.sleep()
    record = ann.add("decision", "Lock with flock", why="the manager said so").address
    commit(ann)
    pull(bob, ann)
    bob._time = ann._time  # one time for both
    bob.move("decision", str(record), "reversed", "the disk is remote")
    numbers = [paths.journal_number(path) for path in bob.view.unslept]
    assert (len(numbers), numbers[0] < record.number) == (2, is_lower)
    assert _states(bob)["Lock with flock"] == "reversed"
    bob.sleep()
    pull(ann, bob)
    for scene in (ann, bob):
        assert _states(scene)["Lock with flock"] == "reversed"
        assert "Lock with flock" not in _in_a_session_start(scene)
    ann.sleep()
    assert _states(ann)["Lock with flock"] == "reversed"
    assert [each for each in doctor.examine(ann.place, ann.now()) if each.level != "note"] == []


def test_no_handoff_sums_up_what_was_reversed(ann, bob, reversal):
    """When the other sleeps at last, her handoff does not say the decision that no longer holds."""
    pull(ann, bob)
    ann.sleep()
    assert "Count holidays" not in main_page.section(ann.text("main.md"), main_page.HANDOFF)


def test_a_move_of_what_is_nowhere_is_told_still(bob):
    """An address that no open journal has was passed over, and the sleep says so."""
    path = bob.add("insight", "Orders are slow").path
    instance = str(bob.view.instance_of("journal/instance-1.md"))
    move = f"\n## Decision event: not there [i2{path and bob.view.instance_of(path).tag}.2]\n\n"
    move += f"- record: {instance}.9\n- to: reversed\n- reason: said\n"
    bob.write(path, bob.text(path) + move)
    assert any("passed over" in line for line in bob.sleep().notes)


def test_what_a_sleep_derived_from_a_record_is_over_with_it(ann):
    """A task that was done since the last sleep is what is next for nobody: not in a wake, a status, or a start."""
    task = ann.add("task", "Round half-even in the importer")
    ann.sleep()
    told = (_next(ann), _start(ann), assembly.peek(ann.place, budget=2000).text)
    assert all("Round half-even" in text for text in told)
    ann.move("task", str(task.address), "done", "rounds since Wednesday")
    assert "Round half-even" not in _next(ann)
    assert "next_priority" not in _start(ann)
    assert "next_priority" not in assembly.peek(ann.place, budget=2000).text


def test_what_was_done_and_begun_again_is_next_still(ann):
    """The last move counts: what a sleep derived from a record is told where that is open again."""
    task = str(ann.add("task", "Round half-even in the importer").address)
    ann.sleep()
    ann.move("task", task, "done", "rounds since Wednesday")
    ann.move("task", task, "open", "not in March")
    assert "Round half-even" in _next(ann)
    assert "next_priority" in _start(ann)


def _next(scene):
    return " ".join(status.read(scene.place, scene.now()).head.get("next", ()))


def _start(scene):
    return build.snapshot(context.of(scene.place.root), scene.place.settings).text
