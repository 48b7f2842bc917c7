"""What waits for a word in a memory of several projects."""

from __future__ import annotations

import pytest
from scene import repository

from sleep.documents import paths
from sleep.review import agenda


def _decides(scene, monkeypatch, name, words):
    """Journal a decision in the repository of a name, which is made where it is not there yet."""
    if not (scene.home / name / ".git").exists():
        repository(scene.home / name)
    monkeypatch.chdir(scene.home / name)
    return scene.add("decision", words, why="it fits")


def _at_odds(scene):
    return [agenda.phrase(item) for item in agenda.items(scene.view, 9, "") if item.sort == agenda.CONTRADICTION]


@pytest.mark.parametrize("sleeps", [True, False])
def test_two_projects_that_chose_differently_do_not_contradict(scene, monkeypatch, sleeps):
    """What sessions in two repositories decided is at odds in no entry, `review` or check, nor on the main page."""
    for name, words in (("feedbox", "Use sqlite as the store"), ("blog", "Use postgres as the store")):
        assert _decides(scene, monkeypatch, name, words).near == ""
        if sleeps:
            scene.sleep()
    scene.sleep()
    assert _at_odds(scene) == []
    assert "at odds" not in scene.text(paths.DECISIONS)
    assert "may contradict" not in scene.text(paths.MAIN)
    assert [each.what for each in scene.check() if "contradict" in each.what] == []


def test_within_a_project_a_choice_still_contradicts(scene, monkeypatch):
    """Two choices of one repository are at odds, also where another one chose something else."""
    words = ("Use sqlite as the store", "Use redis as the store", "Use postgres as the store")
    for name, text in zip(("feedbox", "blog", "feedbox"), words, strict=True):
        _decides(scene, monkeypatch, name, text)
        scene.sleep()
    assert _at_odds(scene) == ["D-003 may contradict D-001 (another choice)"]


@pytest.mark.parametrize("sleeps", [True, False])
def test_no_project_takes_back_what_another_decided(scene, monkeypatch, sleeps):
    """A decision that says what it replaces closes none of another repository, slept on or not."""
    _decides(scene, monkeypatch, "feedbox", "Use sqlite as the store")
    if sleeps:
        scene.sleep()
    assert _decides(scene, monkeypatch, "blog", "Use postgres as the store instead of sqlite").closes == ""
    assert _decides(scene, monkeypatch, "feedbox", "Use redis as the store instead of sqlite").closes == "D-001"
