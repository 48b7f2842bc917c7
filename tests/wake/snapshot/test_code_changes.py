"""The section of what was committed since the last sleep."""

from __future__ import annotations

import json
import os

import pytest

from sleep.debt import book
from sleep.wake.snapshot import build, debt_section
from tests.clients.test_lean import HEAVY, loaded
from tests.code.conftest import NOON, Team


@pytest.fixture
def team(scene, monkeypatch):
    """Return people who commit after a sleep."""
    team = Team(scene, monkeypatch)
    team.slept()
    for number in range(3):
        team.commit("src/auth.py", f"Fix the login {number}", name="Ada" if number else "Bob")
    return team


def text(team, budget=None, **settings):
    """Return the snapshot."""
    return build.snapshot(team.context, team.scene.place.settings._replace(**settings), budget).text


def test_what_changed_is_a_section(team):
    """Who, how much, which paths and subjects; the last section of the unbounded form, and there in a hook's budget."""
    whole = text(team)
    section = whole[whole.index(f"## {debt_section.CODE}") :]
    day = section[section.index("sleep (") + 7 :][:10]
    assert section.split("\n") == [
        "## Code Changes",
        "",
        f"- 3 commits since the last sleep ({day}): 1 file, by Ada (2), Bob (1)",
        "- changed most: `src/auth.py` (3 times)",
        *(line for line in section.split("\n")[4:] if "Fix the login" in line),
    ]
    assert section.count("Fix the login") == 3
    assert section in text(team, 9_500) or "## Code Changes" in text(team, 9_500)


def test_the_same_commits_are_the_same_bytes(team):
    """From git and from what was kept of it the text is the same."""
    first = text(team)
    assert os.path.exists(team.top / ".git/sleepwake/commits.json")
    assert text(team) == first


def test_nothing_to_tell_is_no_section(team):
    """Without a commit since, and with the setting off, there is none."""
    assert debt_section.CODE not in text(team, debt_commits="off")
    book.done(team.context, "by hand", team.at + 30.0)
    assert debt_section.CODE not in text(team)


def test_commits_as_debt_stand_in_sleep_state_and_the_directive(team):
    """With `score` they are part of the debt that a session's start tells."""
    assert "Sleep State" not in text(team)
    assert "- Debt: 1 (Alert)" in text(team, debt_commits="score")


def test_a_clone_says_its_last_sleep(team, tmp_path):
    """A clone with debt of its own names the sleep that the table of cycles tells."""
    team.scene.git("clone", "--quiet", str(team.top), str(tmp_path / "clone"))
    context = team.context._replace(base=str(tmp_path / "clone"), folder=str(tmp_path / "clone/memory"))
    book.add(context, 2, "by hand", NOON + 86_400.0)
    said = build.snapshot(context, team.scene.place.settings).text
    assert "- Last sleep: 2026-11-21 (cycle 1)" in said


def test_a_hook_loads_nothing_heavy_for_it(team):
    """The start of a session tells it, loads nothing heavy, and with it kept neither runs git nor loads what does."""
    given = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    first, said = loaded(team.context, "session-start", given)
    assert "3 commits since the last sleep" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
    second, again = loaded(team.context, "session-start", given)
    assert again == said
    for names in (first, second):
        assert not {name for name in names if name in HEAVY or name.partition(".")[0] in HEAVY}
        assert not names & {"typing", "signal", "contextlib"}
    assert not second & {"sleep.store.git.bounded_log", "sleep.store.git.environment", "sleep.redaction.untrusted"}


def test_a_git_that_hangs_costs_a_start_its_limit_only(team, tmp_path, monkeypatch):
    """A session starts all the same when git does not answer."""
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    assert "## Commands" in text(team)
    assert not os.path.exists(team.top / ".git/sleepwake/commits.json")
