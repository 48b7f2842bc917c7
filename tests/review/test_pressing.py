"""What contradicts and what is due is named wherever work begins: status, wake, and a session's start."""

from __future__ import annotations

import json

import pytest

from sleep.records import revisit
from sleep.store import context
from sleep.upkeep import status
from sleep.wake import assembly
from sleep.wake.snapshot import build

NOW, TODAY = "2026-11-22T00:00:00Z", "2026-11-22"


@pytest.fixture
def due(scene):
    """Return a memory with a decision that is due and two that contradict each other, slept on."""
    scene.add("decision", "Use one worker for the queue", why="simple", revisit_when="after 2026-11-20")
    scene.add("decision", "Keep the cache on local disk for all parts", why="fast")
    scene.add("decision", "Never keep the cache on local disk for all parts", why="it filled")
    scene.sleep()
    return scene


def _start(scene, today=TODAY):
    return build.snapshot(context.of(scene.place.root), scene.place.settings, today=today).text.partition("## Review")[
        2
    ]


def test_status_names_them(due):
    """`status` says what is due by name, and names each below the counts."""
    read = status.read(due.place, NOW)
    assert read.due.endswith(": sleepwake review")
    assert [phrase.split(":")[0] for phrase in read.pressing] == [
        "D-003 may contradict D-002 (one says no)",
        "D-001 is due",
    ]
    code, out, _ = due.run("status")
    assert code == 0
    assert "            D-001 is due: revisit when after 2026-11-20" in out
    assert "due         D-003 may contradict D-002" in out
    assert "D-001 is due" in " ".join(json.loads(due.run("status", "--json")[1])["pressing"])


def test_how_many_is_said_in_plain_words(scene):
    """Two contradictions are `2 contradictions` on the screen, and one instance `has slept`."""
    scene.add("decision", "Use Postgres for the queue", revisit_when="after 1 instance")
    scene.add("decision", "Use Redis for the queue")
    scene.add("decision", "Do not use Redis for the queue")
    for _ in range(2):
        scene.sleep()
        scene.open()
        scene.add("note", "more")
    out = scene.run("status")[1]
    assert "review      2 contradictions, 1 due: sleepwake review" in out
    assert "D-001 is due: revisit when after 1 instance (1 instance has slept since)" in out


def test_a_wake_names_them(due):
    """`wake` and a peek name them in the line on what waits, and the page's own lines are not told beside it."""
    woken = due.wake().text
    for text in (woken, assembly.peek(due.place, NOW).text):
        assert "2 wait for review: 1 contradiction, 1 due (`sleepwake review`): D-003 may contradict D-002" in text
        assert text.count("is due") == 1
    assert "- waits for a word: 2 (`sleepwake review`)\n  - D-003 may contradict D-002" in due.text("main.md")


def test_a_session_start_names_them(due):
    """A session that starts is told what contradicts and what is due, until somebody settles it."""
    told = _start(due)
    assert "- D-003 may contradict D-002 (one says no)" in told
    assert told.count("D-001 is due: revisit when after 2026-11-20") == 1
    assert due.run("review.confirm", "D-001")[0] == 0
    assert due.run("decision.supersede", "D-002", "--by", "D-003")[0] == 0
    assert _start(due) == ""
    due.sleep()
    assert _start(due) == ""
    assert revisit.WAITS not in due.text("main.md")


def test_a_day_that_comes_between_sleeps_is_seen(scene):
    """A decision whose day comes after the last sleep is due at the next session's start, and not a day before."""
    scene.add("decision", "Use one worker", why="simple", revisit_when="on 2027-01-15")
    scene.sleep()
    assert _start(scene, "2027-01-14") == _start(scene, "") == ""
    assert "D-001 is due: revisit when on 2027-01-15" in _start(scene, "2027-01-15")


def test_a_page_that_people_wrote_is_not_read_as_ours():
    """Only the lines below our own are taken for what waits, up to the first that has another form."""
    page = f"x\n{revisit.WAITS}1\n  - D-001 is due: x [i1abc.1]\n- next\n  - D-002 is due: y [i1abc.2]\n"
    assert [waiting.handles for waiting in revisit.read(page)] == [("D-001",)]
    assert list(revisit.read("  - D-001 is due: x [i1abc.1]\n")) == []
