"""The lines of an answer: whole records, what holds before what it replaced, nothing that only stood beside."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.recall import query
from sleep.recall.query import Query

TODAY = "2031-01-01"


@pytest.fixture(scope="module")
def feeds(tmp_path_factory, own):
    """Return the root of a memory that was slept on: records that say nothing of each other, one of which is over."""
    scene = Scene(tmp_path_factory.mktemp("feeds") / "project")
    scene.open()
    scene.add("tone", "wide awake")
    scene.add("decision", "Number an item once", why="a place in the list would move")
    scene.add("decision", "No import of OPML yet", why="later", revisit_when="there are more than ten feeds")
    scene.add("question", "Which Python has the router?")
    scene.add("decision", "Read and write feeds as files", why="past the ten", alternatives="standard output; " * 60)
    scene.move("decision", "D-002", "superseded", "ten feeds", by="D-003")
    scene.add("constraint", "One bad item never loses the feed", why="a library choked on `Tue, 31 Feb 2024`")
    scene.sleep()
    return scene.place.root


def test_a_record_beside_the_answer_that_has_none_of_its_words_is_left_out(feeds):
    """What an instance journaled before and after it explains no record; a line of a log is explained by the next."""
    shown = query.answer(feeds, Query("OPML"), today=TODAY).text
    assert "No import of OPML yet" in shown
    for beside in ("Number an item", "Which Python", "wide awake", "choked"):
        assert beside not in shown


def test_what_took_the_place_of_a_record_comes_before_it(feeds):
    """Also where it has none of the words; who asks for the older one by its number reads that one first."""
    shown = query.answer(feeds, Query("OPML"), today=TODAY).text
    head = "took the place of what has the words\n  D-003 Read and write feeds as files"
    assert -1 < shown.find(head) < shown.find("No import of OPML yet (superseded by D-003")
    named = query.answer(feeds, Query("D-002"), today=TODAY).text.splitlines()
    assert "No import of OPML yet" in named[1]


def test_of_several_that_took_the_place_of_each_other_the_last_comes_first(tmp_path, own):
    """Who asks with the words of the oldest reads what holds now, not what took its place for a time."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("decision", "Keep the queue in redis", why="fast")
    scene.add("decision", "Store jobs in postgres", why="no loss")
    scene.add("decision", "Write work to flat files", why="one process")
    scene.sleep()
    scene.open()
    scene.move("decision", "D-001", "superseded", "loss", by="D-002")
    scene.move("decision", "D-002", "superseded", "one process", by="D-003")
    scene.sleep()
    shown = query.answer(scene.place.root, Query("redis queue"), today=TODAY).text
    assert -1 < shown.find("Write work to flat files") < shown.find("Keep the queue in redis (superseded by D-002")


def test_a_long_record_is_shown_from_what_it_says_on(feeds):
    """Where a later part of it has the words, its statement stands above that part."""
    lines = query.answer(feeds, Query("standard output"), today=TODAY).text.splitlines()
    assert lines[1].startswith("  Decision: Read and write feeds as files")


def test_a_long_record_begins_whole_where_its_beginning_has_words_too(tmp_path, own):
    """Its statement is cut only where it has none of the words that the later part lacks."""
    scene = Scene(tmp_path / "project")
    scene.open()
    rest = "Each has a row of its own, so that nothing is lost. " * 8
    scene.add("decision", f"Keep sessions in a table. {rest}Roles are text.", why="The old driver was slow. " * 40)
    shown = query.answer(scene.place.root, Query("slow driver roles"), today=TODAY).text
    assert "Roles are text." in shown
    assert "The old driver was slow." in shown


def test_a_line_below_a_heading_that_the_head_names_has_no_address_of_its_own(tmp_path, own):
    """Of one entry that is read the head has the address; the end of it stands before lines of several alone."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.write(
        "journal/instance-1.md",
        scene.text("journal/instance-1.md") + "\n## Charts\n\n- The axis is drawn by gnuplot.\n",
    )
    scene.sleep()
    shown = query.answer(scene.place.root, Query("charts axis gnuplot"), today=TODAY).text.splitlines()
    assert "Charts" in shown[0]
    assert shown[1] == "  The axis is drawn by gnuplot."


def test_only_a_kind_that_is_asked_for_is_shown(feeds):
    """`--kind` holds for every line, not for the best one alone."""
    found = query.answer(feeds, Query("feeds OPML router", kind=("question",)), today=TODAY)
    assert {line.kind for passage in found.result.passages for line in passage.lines} == {"question"}


def test_a_day_that_does_not_exist_is_looked_for_as_words(feeds):
    """`31 Feb` names no day and no month."""
    shown = query.answer(feeds, Query("31 Feb"), today=TODAY).text
    assert "matches 31, feb" in shown
    assert "Nothing surely fits" not in shown


def test_a_record_that_holds_has_no_successor(tmp_path, own):
    """A paused thread that waits for another one is no thread that the other took the place of."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("thread", "Move the queue to its own host")
    scene.add("thread", "Buy the harbour crane")
    scene.move("thread", "T-002", "paused", "T-001 comes first")
    shown = query.answer(scene.place.root, Query("harbour crane"), today=TODAY).text
    assert "Buy the harbour crane" in shown
    assert "Move the queue" not in shown
