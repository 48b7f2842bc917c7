"""What came of records that are closed is told, by the journal that says it."""

from __future__ import annotations

import pytest

from sleep.wake import assembly


@pytest.mark.parametrize("budget", [1_000, 10_000])
@pytest.mark.parametrize("is_slept_on", [False, True])
def test_answers_and_outcomes_are_told(scene, budget, is_slept_on):
    """A question with its answer, a thread and a task with what came of them, once each."""
    scene.open()
    question = scene.add("question", "Which port does the relay take?")
    thread = scene.add("thread", "Ship the relay")
    task = scene.add("task", "Write the README of the relay")
    scene.move("question", question.number, "answered", "4711, said Ada")
    scene.move("thread", thread.number, "resolved", "two harbours use it")
    scene.move("task", str(task.address), "done", "it has two pages")
    if is_slept_on:
        scene.sleep()
    text = assembly.peek(scene.place, budget=budget).text
    assert text.count("- Which port does the relay take? (answered: 4711, said Ada)\n") == 1
    assert text.count("- Ship the relay (resolved: two harbours use it)\n") == 1
    assert text.count("- Write the README of the relay (done: it has two pages)\n") == 1


def test_what_another_record_took_the_place_of_is_not_told(scene):
    """The one that holds is."""
    scene.open()
    old = scene.add("decision", "Moor at the north quay")
    new = scene.add("decision", "Moor at the south quay")
    scene.move("decision", old.number, "superseded", "", by=new.number)
    text = assembly.peek(scene.place, budget=2_000).text
    assert "south quay" in text
    assert "north quay" not in text
