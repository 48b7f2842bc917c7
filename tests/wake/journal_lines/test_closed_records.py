"""What came of records that are closed is told, by the journal that says it."""

from __future__ import annotations

import re

import pytest

from sleep.journal.imports import importer
from sleep.memory.view import View
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from sleep.settings import Settings
from sleep.store.tree import InMemory
from sleep.wake import assembly
from sleep.wake.journal_lines import closed_records, excerpt


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
    text = re.sub(r" \[i\S+\]$", "", assembly.peek(scene.place, budget=budget).text, flags=re.MULTILINE)
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


def test_what_was_closed_and_has_left_the_tiers_is_not_told_as_open(scene):
    """Cold memory drops what is over: the journal that opened it says then nothing that holds."""
    scene.open()
    blocker = scene.add("blocker", "The harbour is frozen", why="it is winter")
    scene.add("task", "Paint the hull of the relay")
    scene.sleep()
    scene.open()
    scene.move("blocker", str(blocker.address), "resolved", "it thawed")
    scene.sleep()
    texts = {path: scene.view.read(path) for path in scene.view.tree.list("")}
    rows = texts["memory/hot/threads.md"].partition("- The harbour is frozen")
    texts["memory/hot/threads.md"] = rows[0] + rows[2].partition("\n\n")[2]
    tree = InMemory(texts)
    text = assembly.assemble(View(tree), Settings()).text
    assert "Paint the hull" in text
    assert "frozen" not in text


def test_what_was_closed_and_opened_again_is_told(scene):
    """Of a log, a question that was opened again is open, and so is a task that the reason of another record names."""
    log = "## Open questions\n\n- Who pays for the zeppelin?\n- Which port is it?\n\n## Tasks\n\n- [ ] Paint the hull\n"
    importer.import_sources(scene.place, scene.now(), importer.plain([("2026-11-20.md", log)]))
    scene.sleep()
    scene.open()
    task = next(entry for entry in scene.view.journal("journal/instance-1.md").entries if entry.kind == "task")
    scene.move("question", "Q-001", "answered", "nobody")
    scene.move("question", "Q-001", "open", "disputed")
    scene.move("question", "Q-002", "answered", f"4711, as in [{task.address}]")
    text = assembly.assemble(scene.view, Settings(), budget=1_000).text
    assert "Who pays for the zeppelin?" in text
    assert "Paint the hull" in text
    assert "Question event" not in text


@pytest.mark.parametrize(
    ("source", "is_one"), [("", True), ("agent", True), ("imported", False), ("imported: a.md", False)]
)
def test_what_a_document_closed_its_own_lines_say(source, is_one):
    """What came of a record of a document stands in the journal that it was taken in as."""
    fields = (("status", "done (it has two pages)"), ("source", source))
    record = Fragment("task", "Write the README", (Address(3, "abc", 1),), "", fields)
    (line,) = excerpt.read("The relay has a README.\n")
    assert bool(closed_records.lines([record], [("journal/instance-3.md", line)])) == is_one


def test_of_two_journals_of_one_number_the_one_that_closed_it_is_named():
    """Where two clones have a number the line stands below the journal whose instance closed the record."""
    paths = [f"journal/instance-3-{tag}.md" for tag in ("abc", "xyz")]
    journals = [(path, excerpt.read(f"- Slow. [i{path[-8]}{path[-6:-3]}.2]\n")[0]) for path in paths]
    fields = (("status", "done (it has two pages)"),)
    record = Fragment("task", "Write the README", (Address(2, "abc", 1), Address(3, "abc", 4)), "", fields)
    ((path, _),) = closed_records.lines([record], journals)
    assert path == paths[0]
