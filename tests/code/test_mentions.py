"""Records that speak of files which have changed since, or are gone."""

from __future__ import annotations

import os
import re

import pytest
from scene import git

from sleep.code import mentions
from tests.code.conftest import NOON


@pytest.fixture
def decided(team):
    """Return a function that decides something and returns what is told of it; commits come later."""
    team.scene.open()

    def decided(text, **fields):
        record = team.scene.add("decision", text, **fields)

        def told():
            view = team.scene.view
            found = mentions.find(team.scene.place.root, view, [each.fragment for each in view.records.values()])
            return [mentions.sentence(mention, record.address) for mention in found.get(record.address, [])]

        return told

    return decided


def test_a_file_that_changed_since(team, decided):
    """The name as the record says it, its path, in how many commits, and the day of the last."""
    told = decided("Put the lock into auth.py", why="`src/db.py` has none")
    team.commit("src/db.py", at=NOON - 10**9)  # long before the record
    for number in range(3):
        team.commit("src/auth.py", f"{number}")
    assert told() == ["`auth.py` (src/auth.py) has changed in 3 commits since instance 1 began (last on 2040-11-22)"]
    team.commit("src/db.py")
    assert told()[1:] == ["`src/db.py` has changed in 1 commit since instance 1 began (last on 2040-11-22)"]


def test_a_file_that_is_gone(team, decided):
    """A file that a commit took away is gone; one that came back is not; one that is not checked out neither."""
    told = decided("Keep auth.py and deep/db.py")
    team.commit("auth.py")
    team.commit("deep/db.py")
    team.commit("auth.py", text="")
    git(team.top, "sparse-checkout", "set", "--no-cone", "/*", "!/deep/")
    assert told() == [
        "`auth.py` is gone since instance 1 began (2040-11-22)",
        "`deep/db.py` has changed in 1 commit since instance 1 began (last on 2040-11-22)",
    ]
    git(team.top, "sparse-checkout", "disable")
    team.commit("auth.py", text="back\n")
    assert told()[0].startswith("`auth.py` has changed in 3 commits")


def test_a_file_that_was_moved(team, decided):
    """Of a file that is gone and there under another path, the path where it is now is told."""
    told = decided("Keep auth.py")
    team.commit("auth.py")
    team.date()
    (team.top / "src").mkdir()
    git(team.top, "mv", "auth.py", "src/auth.py")
    git(team.top, "commit", "--quiet", "--message=move")
    assert told() == ["`auth.py` (src/auth.py) has changed in 1 commit since instance 1 began (last on 2040-11-22)"]


def test_a_name_that_several_files_have_is_none(team, decided):
    """`__init__.py` may be any; with its folder it is one."""
    told = decided("Leave __init__.py alone, and b/__init__.py")
    team.commit("a/__init__.py")
    team.commit("b/__init__.py")
    assert told() == ["`b/__init__.py` has changed in 1 commit since instance 1 began (last on 2040-11-22)"]


@pytest.mark.parametrize(
    "text", ["Use 3.5 s", "See e.g. that", "https://x.org/a.py", "me@x.org/a.py", "xa.py", "a.pyc"]
)
def test_what_is_no_name_of_the_file(team, decided, text):
    """Numbers, abbreviations, pages of the web and other words name no file."""
    told = decided(text)
    team.commit("a.py")
    assert told() == []


def test_memory_is_no_code(team, decided):
    """What every sleep writes is not told as changed code."""
    told = decided("Write it into main.md and memory/hot/context.md")
    team.commit("code.py")
    team.date()
    team.scene.sleep()
    assert told() == []


def test_a_record_that_tells_its_moment(team, decided):
    """What an entry says of its own moment counts, and not when its instance began."""
    told = decided("Keep a.py", time="2040-11-22T12:02:00.500Z")
    team.commit("a.py", "Before it")
    team.commit("a.py", "In the same second")
    assert told() == ["`a.py` has changed in 1 commit since (last on 2040-11-22)"]


def test_what_its_own_instance_did_behind_a_record_is_no_change_of_it(team, decided):
    """Once the instance has ended, only what was committed after that is told."""
    told = decided("Keep a.py", why="x")
    team.scene.later(365 * 20)
    team.commit("a.py", "What was decided")
    assert len(told()) == 1
    team.date()
    team.scene.sleep()
    assert told() == []
    team.commit("a.py", "Somebody else", at=NOON + 365 * 86_400 * 20)
    assert told() == ["`a.py` has changed in 1 commit since instance 1 ended (last on 2060-11-17)"]


def test_a_record_that_was_slept_on(team, decided):
    """The same is told when the record stands in a tier."""
    told = decided("Keep a.py", why="x")
    team.commit("a.py")
    team.date()
    team.scene.sleep()
    assert len(told()) == 1


def test_decision_show_and_review_tell_it(team, decided):
    """`decision.show` and `review` say it where the record is shown, as a line and as values."""
    decided("Keep a.py", revisit_when="2026-11-01")
    team.commit("a.py")
    said = "in the code: `a.py` has changed in 1 commit since instance 1 began (last on 2040-11-22)"
    assert said in team.scene.run("decision.show", "D-001")[1]
    assert '"path": "a.py"' in team.scene.run("decision.show", "D-001", "--json")[1]
    assert said in team.scene.run("review", "--dry-run")[1]
    assert '"path": "a.py"' in team.scene.run("review", "--json")[1]


def test_recall_tells_it(team, decided):
    """Behind an answer stands which of its records speak of changed files, within the budget; of now alone."""
    decided(f"Keep the lock of the harbour crane in a.py{' where it always was' * 12}", why="no server")
    scene = team.scene
    team.commit("a.py")
    ask = ("recall", "the lock of the harbour crane")
    _, said, _ = scene.run(*ask)
    assert re.search(r"(?m)^In the code that i1[a-z]{3}\.\d+ speaks of: `a.py` has changed", said)
    assert "`a.py` has changed in 1 commit since instance 1 began (last on 2040-11-22)." in said
    assert '"path": "a.py"' in scene.run(*ask, "--json")[1]
    assert "In the code" not in scene.run(*ask, "--budget", "70")[1]
    assert "In the code" not in scene.run(*ask, "--ever")[1]


def test_a_memory_whose_git_is_gone_out_of_reach(team, decided, monkeypatch):
    """Without git nothing is told, and nothing fails."""
    told = decided("Keep a.py")
    team.commit("a.py")
    monkeypatch.setenv("PATH", os.devnull)
    assert told() == []
