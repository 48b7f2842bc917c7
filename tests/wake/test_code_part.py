"""What a wake tells of the code."""

from __future__ import annotations

import pytest

from sleep.wake import assembly
from tests.code.conftest import Team


@pytest.fixture
def team(scene, monkeypatch):
    """Return people who commit after a sleep, to a file that a decision names."""
    team = Team(scene, monkeypatch)
    scene.open()
    scene.add("decision", "Use flock in auth.py", why="no server")
    team.date()
    scene.sleep()
    for number in range(3):
        team.commit("src/auth.py", f"Fix the login {number}")
    return team


def test_a_wake_says_what_changed_since(team):
    """Who, how much, where, and which records speak of it; within the budget, which holds for all."""
    woken = team.scene.wake()
    assert "3 commits since the last sleep (" in woken.text
    assert "1 file, by Ada\n" in woken.text
    assert (
        "- D-001 (decision) speaks of files that changed: `auth.py` (src/auth.py) has changed in 3 commits since "
        "instance 1 ended (last on 2040-11-22)\n" in woken.text
    )
    assert "2040-11-22" in woken.text
    assert 'Ada: "Fix the login 2"' in woken.text
    assert woken.cost <= woken.budget


@pytest.mark.parametrize("budget", [200, 700, 2_000, 5_000])
def test_a_small_wake_says_less(team, budget):
    """A small budget holds, and what says most comes first."""
    woken = assembly.peek(team.scene.place, team.scene.now(), budget=budget)
    assert woken.cost <= budget
    assert ("3 commits since the last sleep" in woken.text) == (budget > 700)


def test_nothing_where_nothing_was_committed(scene):
    """A memory without commits since, and one that reads none, say nothing of it."""
    scene.lived()
    assert "In the code since" not in scene.wake().text


def test_the_past_has_no_news(team):
    """A wake at a moment of the past does not tell what was committed after it."""
    code, said, _ = team.scene.run("wake", "--at", "HEAD~1")
    assert (code, "In the code since" in said) == (0, False)
    code, said, _ = team.scene.run("wake", "--peek", SLEEP_DEBT_COMMITS="off")
    assert (code, "In the code since" in said) == (0, False)
