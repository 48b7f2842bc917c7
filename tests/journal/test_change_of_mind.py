"""A change of mind as it is journaled: said in so many words it closes what it replaces, else both say so."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.journal import writer
from sleep.records.kinds import AT_ODDS
from sleep.review import agenda
from sleep.store import context
from sleep.wake.snapshot import build

OLD, SAID, SILENT = (
    "Use sqlite for the job queue",
    "We switch the job queue from sqlite to Postgres",
    "Use Postgres for the job queue",
)


@pytest.fixture
def scene(tmp_path):
    """A memory with an open instance."""
    made = Scene(tmp_path / "project")
    made.open()
    return made


def standing(scene, kind="decision"):
    """Return the records of a kind that hold."""
    found = (record.fragment for record in scene.view.records.values())
    return [record for record in found if record.kind == kind and record.is_open]


def waiting(scene):
    """Return what waits, as (sort, text)."""
    return [(item.sort, item.fragment.text) for item in agenda.items(scene.view, 24, "2026-11-22T00:00:00Z")]


def told(scene):
    """Return what a session's start tells."""
    return build.snapshot(context.of(scene.place.root), scene.place.settings).text


@pytest.mark.parametrize("slept", [False, True])
def test_what_is_said_in_so_many_words_supersedes(scene, slept):
    """The older decision is superseded at once and after a sleep, and an undo brings it back."""
    scene.add("decision", OLD, why="simple")
    if slept:
        scene.sleep()
        scene.open()
    scene.add("decision", SAID, why="two workers write")
    assert [one.text for one in standing(scene)] == [SAID]
    assert waiting(scene) == []
    scene.sleep()
    assert "superseded (by D-002" in "".join(scene.text(f"memory/hot/{name}.md") for name in ("decisions",))
    assert [one.text for one in standing(scene)] == [SAID]
    assert not scene.check()
    assert OLD not in told(scene)
    if slept:
        scene.undo()
        assert SAID not in scene.text("memory/hot/decisions.md")


def test_a_rule_is_lifted(scene):
    """A constraint that a newer one says no longer binds is lifted, with what holds."""
    scene.add("constraint", "Pull requests need two reviewers")
    scene.add("constraint", "Pull requests no longer need two reviewers, one is enough")
    assert [one.text for one in standing(scene, "constraint")] == [
        "Pull requests no longer need two reviewers, one is enough"
    ]
    scene.sleep()
    assert not scene.check()
    assert "lifted (i" in scene.text("memory/hot/context.md")


def test_what_only_says_otherwise_is_offered_and_says_so(scene):
    """Both hold; the newer names the older in journal, hot memory, wake and a session's start, until one is closed."""
    scene.add("decision", OLD, why="simple")
    scene.sleep()
    scene.open()
    scene.add("decision", SILENT, why="two workers write")
    assert [one.text for one in standing(scene)] == [OLD, SILENT]
    assert waiting(scene) == [("contradiction", SILENT)]
    mark = f"{AT_ODDS} D-001"
    assert mark in told(scene)
    scene.sleep()
    assert f"- {AT_ODDS}: D-001" in scene.text("memory/hot/decisions.md")
    assert f"{AT_ODDS}: D-001" in scene.wake().text
    assert mark in told(scene)
    assert not [one for one in scene.check() if one.level == "fail"]
    scene.move("decision", "D-001", "superseded", "", by="D-002")
    assert AT_ODDS not in scene.wake().text
    assert AT_ODDS not in told(scene)
    assert waiting(scene) == []


def test_an_agent_does_not_close_what_a_person_said(scene):
    """A person's rule is closed by a person's word alone; what an agent says against it waits in review."""
    rule = {"kind": "constraint", "title": "Never cache the price list", "fields": (("source", "person"),)}
    writer.add(scene.place, scene.now(), writer.Draft(**rule))
    says = "The price list is cached for an hour instead of never"
    against = "We no longer ask before the price list is cached"
    scene.add("decision", says)
    assert [one.text for one in standing(scene, "constraint")] == [rule["title"]]
    ask = {"kind": "constraint", "title": "Ask before the price list is cached", "fields": (("source", "person"),)}
    writer.add(scene.place, scene.now(), writer.Draft(**ask))
    scene.add("constraint", against)
    assert ask["title"] in [one.text for one in standing(scene, "constraint")]
    assert ("change of mind", against) in waiting(scene)
    writer.add(scene.place, scene.now(), writer.Draft(**{**ask, "title": f"From now on {against.lower()}"}))
    assert ask["title"] not in [one.text for one in standing(scene, "constraint")]


def test_where_several_could_be_meant_none_is_closed(scene):
    """Two decisions that both name what is dropped are left to a person."""
    for part in ("importer", "exporter"):
        scene.add("decision", f"Use requests for calls of the {part}")
    scene.add("decision", "Use httpx instead of requests for calls")
    assert len(standing(scene)) == 3


def test_nothing_is_closed_by_another_subject(scene):
    """`instead of` something that nobody decided closes nothing, and is at odds with nothing."""
    scene.add("decision", "Use tabs in the Makefile")
    scene.add("decision", "Use httpx instead of requests")
    assert len(standing(scene)) == 2
    assert waiting(scene) == []
    assert AT_ODDS not in scene.text("journal/instance-1.md")
