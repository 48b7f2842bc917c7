"""The handoff: the agent's own words first, else what its entries show, marked as derived."""

from __future__ import annotations

import pytest
from scene import Memory
from several import live, monorepo

from sleep.cycle import handoff
from sleep.documents import main_page, paths
from sleep.documents.project import brief_parts
from sleep.journal.imports import importer
from sleep.memory.by_project import project_names
from sleep.memory.by_project.project_names import Projects
from sleep.memory.view import View
from sleep.records import revisit
from sleep.store.tree import InMemory


def _said(scene):
    return main_page.handoff(scene.text("main.md"))


def test_the_agents_fields_win(scene):
    """Each field that the agent gave stands in the handoff in its words, with its address and no mark."""
    scene.add("task", "Something else entirely")
    scene.add(
        "handoff",
        "For the next one",
        session_summary="Measured the lock",
        next_priority="Write the docs",
        open_risk="NFS",
        emotional_register="content",
        for_my_successor="Trust the tests",
    )
    scene.sleep()
    said = _said(scene)
    for name, words in (
        ("session_summary", "Measured the lock"),
        ("next_priority", "Write the docs"),
        ("open_risk", "NFS"),
        ("emotional_register", "content"),
        ("for_my_successor", "Trust the tests"),
    ):
        assert said[name].startswith(f"{words} [i1")
        assert "(derived)" not in said[name]
    assert "by instance i1" in said["updated"]


def test_a_session_is_summed_up_by_what_was_asked_and_what_was_done_last(scene):
    """Of a session that a transcript tells of the main page says what was asked and what came of it."""
    scene.add("note", "Look at the log of the harbour", source="person", transcript="s1:1")
    scene.add("note", "Mend the harbour light", source="person", transcript="s1:2")
    scene.add("change", "Soldered the relay of the harbour light", transcript="s1:9", files="lamp.py; relay.py")
    scene.sleep()
    summary = _said(scene)["session_summary"]
    asked = 'asked "Look at the log of the harbour", then "Mend the harbour light"'
    assert summary.startswith(f"{asked}: Soldered the relay of the harbour light [i1")


def test_a_session_that_was_journaled_twice_is_summed_up_as_one(scene):
    """The later part hands over, however little it says, with what was asked in the earlier one."""
    scene.open(session="s1")
    scene.add("note", "Mend the harbour light", instance=1, source="person", transcript="s1:2")
    scene.add("change", "Files", instance=1, transcript="s1:9", files="lamp.py; relay.py")
    scene.sleep()
    scene.open(session="s1")
    scene.add("insight", "The harbour light burns on gas now", instance=2, source="agent", transcript="s1:12")
    scene.sleep()
    said = _said(scene)
    assert "by instance i2" in said["updated"]
    assert said["session_summary"].startswith('asked "Mend the harbour light": The harbour light burns on gas now [i2')


def test_a_table_is_no_summary(scene):
    """Neither the rows of a table stand in the main page, nor the words that only lead to them."""
    scene.add("note", "Of hosts we know:", "| Host | Is up |\n|---|---|\n| harbour.example | yes |")
    scene.add("note", "Moved the harbour to the new host")
    scene.sleep()
    assert "|" not in _said(scene)["session_summary"]
    assert _said(scene)["session_summary"].startswith("Moved the harbour to the new host")


def test_what_nobody_said_is_derived_and_marked(scene):
    """Fields that the agent left out come from its entries: outcome, first task, first risk, closing tone."""
    scene.add("change", "Moved the lock to flock")
    scene.add("task", "Measure it again")
    scene.add("task", "Then the rest")
    scene.add("doubt", "NFS may not honour it")
    scene.add("tone", "hopeful")
    scene.add("tone", "tired and content")
    scene.sleep()
    said = _said(scene)
    for name, words in (
        ("session_summary", "Moved the lock to flock"),
        ("next_priority", "Measure it again"),
        ("open_risk", "NFS may not honour it"),
        ("emotional_register", "tired and content"),
    ):
        assert said[name].startswith(words)
        assert said[name].endswith("(derived)")
    assert "for_my_successor" not in said


def test_an_active_thread_is_the_priority_where_no_task_is(scene):
    """Without a task the next priority is an active thread."""
    scene.add("thread", "Move the lock")
    scene.sleep()
    assert _said(scene)["next_priority"].startswith("T-001: Move the lock")


def test_plain_words_go_to_the_successor(scene):
    """A handoff without fields is what the successor is told."""
    scene.add("handoff", "The tests are slow because of git")
    scene.sleep()
    assert _said(scene)["for_my_successor"].startswith("The tests are slow because of git [i1")


def test_a_field_and_the_words_of_one_handoff_stand_apart(scene):
    """What it says to the successor and what it says besides are two statements of one entry."""
    said = scene.add("handoff", "The tests are slow because of git", for_my_successor="Run them at night.")
    scene.sleep()
    told = f"Run them at night. [{said.address}]; The tests are slow because of git [{said.address}]"
    assert _said(scene)["for_my_successor"] == told


def test_the_last_handoff_stands_alone(scene):
    """A later instance's handoff takes the place of the one before, fields it has nothing for included."""
    scene.add("handoff", "x", open_risk="NFS")
    scene.sleep()
    scene.add("note", "a plain day")
    scene.sleep()
    said = _said(scene)
    assert "open_risk" not in said
    assert "by instance i2" in said["updated"]


def test_what_an_instance_says_to_the_next_outlasts_one_that_says_nothing(scene):
    """Own words stand, with their address, until a later one has own words or they leave hot memory."""
    scene.add("handoff", "Wait for Ana.", next_priority="Race four processes")
    scene.sleep()
    said = _said(scene)
    for number in (2, 3):
        scene.add("note", "a plain day")
        scene.sleep()
        assert f"by instance i{number}" in _said(scene)["updated"]
        is_told = number == 2
        assert (_said(scene).get("for_my_successor") == said["for_my_successor"]) is is_told
        assert (_said(scene).get("next_priority") == said["next_priority"]) is is_told


def test_a_task_of_its_own_comes_before_what_an_earlier_one_said_is_next(scene):
    """What the instance itself left to do is next; what the one before said to it stands beside that."""
    scene.add("handoff", "Wait for Ana.", next_priority="Race four processes")
    scene.sleep()
    scene.add("task", "Mend the lock")
    scene.sleep()
    assert _said(scene)["next_priority"].startswith("Mend the lock [i2")
    assert _said(scene)["for_my_successor"].startswith("Wait for Ana. [i1")


def test_plain_words_say_what_is_next(scene):
    """What a handoff announces as next is the priority, in its words; a field of that name comes before it."""
    scene.add("task", "Write the docs")
    scene.add("handoff", "The lock holds. Next: race four processes, then ten. Do not merge before Ana looked.")
    scene.sleep()
    assert _said(scene)["next_priority"].startswith("race four processes, then ten [i1")
    scene.add("handoff", "Next: nothing.", next_priority="Ask Ana")
    scene.sleep()
    assert _said(scene)["next_priority"].startswith("Ask Ana [i2")


def test_the_first_of_the_newest_open_tasks_is_next(scene):
    """Of tasks that an earlier instance left in their order the first is next, not the last."""
    scene.add("task", "Open the pull request")
    scene.add("task", "Expect the checks to run")
    scene.sleep()
    scene.add("note", "a plain day")
    scene.sleep()
    assert _said(scene)["next_priority"].startswith("Open the pull request [i1")


def test_a_persons_page_is_untouched(scene):
    """Purpose, own sections, a heading in a fence and a section that only looks like ours stay byte for byte."""
    own = "# Mine\n\nMy purpose,\nin two lines.\n\n## Notes\n\n```\n## HANDOFF\n```\n\n## Map\n\nmy own map\n"
    own = own.replace("\n", "\r\n")
    scene.write("main.md", own)
    for number in range(1, 4):
        scene.cycle(number)
    text = scene.text("main.md")
    assert text.startswith(own)
    assert main_page.purpose(text) == "My purpose,\r\nin two lines."
    assert text.count(main_page.OURS) == 3
    assert _said(scene)["updated"]


def test_the_state_counts_what_is_open(scene):
    """The current state lists what is open with counts, numbers and addresses, and the map names the topics."""
    scene.lived(4)
    text = scene.text("main.md")
    assert "instances slept: 4, the last is i4" in main_page.section(text, main_page.STATE)
    assert "open questions: 4 (`sleepwake question.list`)" in main_page.section(text, main_page.STATE)
    assert "Q-004 Who owns part 4? [i4" in main_page.section(text, main_page.STATE)
    assert "warm topics: " in main_page.section(text, main_page.MAP)


def test_the_map_names_a_topic_once():
    """A topic that goes on in further parts is one topic of the map."""
    pages = {f"memory/cold/{name}.md": f"# {name}\n" for name in ("general", "general-2", "relay")}
    assert "- cold topics: general, relay" in handoff.memory_map(View(InMemory(pages)))


def test_the_map_names_the_page_of_what_holds(scene):
    """Who reads files and has no program finds the decisions, which leave hot memory after two instances."""
    line = "- `memory/core/2.memory.md`: the decisions and rules that hold"
    for is_there in (True, False):
        if not is_there:
            (scene.home / "memory/core/2.memory.md").unlink()
        scene.open()
        scene.add("decision", f"Use flock for lock {is_there}", why="no server")
        scene.sleep()
        assert (line in main_page.section(scene.text("main.md"), main_page.MAP)) == is_there


def test_long_words_are_clipped(scene):
    """A field is clipped at whole words, so that the page stays short."""
    scene.add("handoff", "x", next_priority="word " * 1000)
    scene.sleep()
    assert len(_said(scene)["next_priority"]) < 500
    assert len(scene.text("main.md")) < 8000


def test_a_handoff_written_by_hand(scene):
    """A handoff section of a journal written by hand is understood."""
    text = "# Day\n\n## Handoff\n\n- next priority: Write the docs\n- open risk: NFS\n"
    importer.import_sources(scene.place, scene.now(), importer.plain([("x.md", text)]))
    scene.sleep()
    derived = handoff.derive(scene.view, scene.view.journal("journal/instance-1.md"), Projects())
    assert "Write the docs" in " ".join(derived.values())


def test_a_sleep_on_many_tells_after_each_what_a_sleep_on_it_alone_would(scene):
    """What journals that still wait say is not on the main page before they are slept on: then it is."""
    for number, store in ((1, "redis"), (2, "sqlite")):
        head = f"---\ninstance: {number}\ntag: abc\nstarted: 2026-11-01T10:00:00Z\n---\n# Journal\n\n"
        words = f"## Decision: Use {store} as the store of the queue [i{number}abc.1]\n"
        scene.write(f"journal/instance-{number}.md", head + words)
    first, second = [one.sha for one in scene.sleep().steps if one.decided.step == "handoff"]
    assert revisit.AT_ODDS not in scene.git("show", f"{first}:main.md")
    assert revisit.AT_ODDS in scene.git("show", f"{second}:main.md")


def _anew(scene):
    body = scene.git("log", "-1", "--format=%b", "--grep", "^sleep: handoff")
    return [line for line in body.splitlines() if "says anew" in line]


def test_the_commit_says_what_of_the_page_is_new(scene):
    """Of the handoff the fields that say something else are named, and the sections that do; of the date nothing."""
    scene.add("handoff", "Next", session_summary="Measured the lock", next_priority="Write the docs")
    scene.sleep()
    fields = "session_summary, next_priority, for_my_successor"
    assert _anew(scene) == [f"- main.md says anew: handoff ({fields}), current state, map"]
    scene.open()
    scene.add("tone", "calm")
    scene.sleep()
    assert _anew(scene) == ["- main.md says anew: handoff (emotional_register), current state"]


def test_what_is_handed_over_needs_no_summary_of_a_decision(scene):
    """Where an instance hands over in its own words, no choice or insight of it stands for what the session came to."""
    scene.add("decision", "Lines are stored as JSON", why="grep reads them", alternatives="sqlite")
    scene.add("handoff", "All four commands work", next_priority="Try https")
    scene.sleep()
    said = _said(scene)
    assert "session_summary" not in said
    assert said["for_my_successor"].startswith("All four commands work [i1")
    assert brief_parts.head(brief_parts.gather(scene.view.read, (), ()))["state"] == (said["for_my_successor"],)


def test_what_was_done_is_derived_beside_a_handoff(scene):
    """A deed sums a session up also where its instance hands over in words of its own."""
    scene.add("decision", "Lines are stored as JSON", why="grep reads them", alternatives="sqlite")
    scene.add("change", "Moved the lock to flock")
    scene.add("handoff", "All four commands work")
    scene.sleep()
    assert _said(scene)["session_summary"].startswith("Moved the lock to flock [i1")


def test_a_persons_record_says_so_in_the_state(scene):
    """The state of the main page marks what is a person's word."""
    scene.add("constraint", "Never push on a Friday", source="person")
    scene.add("constraint", "Never hold the lock")
    scene.sleep()
    page = scene.text("main.md")
    assert "  - Never push on a Friday (person) [i1" in page
    assert "  - Never hold the lock [i1" in page


def test_what_is_derived_is_of_the_same_project():
    """In a memory whose topics name projects no field is derived from a record of another one."""
    page = main_page.handoff(monorepo().texts["main.md"])
    assert "open_risk" not in page
    assert page["next_priority"].startswith("Draw page 4 ")


def _feedbox_and_blog():
    """Return a memory of two repositories, in which sessions worked in turn, and the second left no plan of its own."""
    memory = Memory()
    plan = (
        "handoff",
        "Feeds are read",
        {"next priority": "Write the OPML import", "for my successor": "Mind the lock"},
    )
    live(memory, ("task", "Test the import", {}), plan, project="feedbox")
    live(memory, ("task", "Choose a theme", {}), ("decision", "Use Hugo", {"why": "it is fast"}), project="blog")
    return memory


def test_no_project_is_handed_the_plan_of_another():
    """What the last session of one repository left to do is not handed on by a session in another, which says whose."""
    page = _feedbox_and_blog().texts[paths.MAIN]
    fields = main_page.handoff(page)
    assert fields["updated"] == "2026-11-21T10:00:00Z in blog by instance i2abc"
    assert fields["next_priority"] == "Choose a theme [i2abc.1] (derived)"
    assert "OPML" not in page
    assert "Mind the lock" not in page


def test_the_state_says_whose_each_record_is():
    """The state names the projects, gives each record that of its session, and lists those of each in turn."""
    memory = _feedbox_and_blog()
    for number in range(5):
        live(memory, ("task", f"Write post {number}", {}), project="blog")
    state = main_page.section(memory.texts[paths.MAIN], main_page.STATE)
    assert "\n- projects: blog, feedbox\n" in state
    assert "  - blog: Write post 4 [i7abc.1]\n  - feedbox: Test the import [i1abc.1]\n  - blog: Write post 3" in state


def test_sessions_of_one_repository_read_no_other_journal(monkeypatch):
    """A sleep on a session of the repository that the last ones were of does not read all journals for it."""
    memory = Memory()
    live(memory, ("note", "One", {}), project="feedbox")
    live(memory, ("note", "Two", {}))
    monkeypatch.setattr(project_names, "read", None)
    live(memory, ("note", "Three", {}), project="feedbox")
    with pytest.raises(TypeError):
        live(memory, ("note", "Four", {}), project="blog")
