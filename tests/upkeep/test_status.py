"""The head of `status`, and of the dashboard, in a memory of several projects."""

from __future__ import annotations

import pytest
from scene import repository

from sleep.dashboard import overview
from sleep.upkeep import status


@pytest.fixture
def repositories(scene, monkeypatch):
    """Return the folders of two repositories below the memory, in each of which a session left a plan."""
    folders = [scene.home / "feedbox", scene.home / "blog"]
    for folder in folders:
        repository(folder)
        monkeypatch.chdir(folder)
        scene.add("change", f"The {folder.name} has a cache")
        scene.add("handoff", f"{folder.name} works", **{"next priority": f"Test {folder.name}"})
        scene.sleep()
    return folders


def test_the_repository_one_is_in_comes_first(scene, repositories):
    """In a repository the state and what is next are its own, and of another what is next is told in a line."""
    head = status.read(scene.place, start=str(repositories[0])).head
    assert head["next"] == (f"Test feedbox [{scene.view.instance_of('journal/instance-1.md')}.2]",)
    assert not any("blog" in line for line in head["state"])
    (other,) = head["others"]
    assert other.startswith("blog: Test blog [")


def test_in_none_each_has_a_line(scene, repositories):
    """In the memory's own folder state and what is next have a line for each project, which begins with its name."""
    head = status.read(scene.place, start=str(scene.home)).head
    assert [line.partition(": ")[0] for line in head["next"]] == ["blog", "feedbox"]
    assert [line.partition(": ")[0] for line in head["state"]] == ["blog", "feedbox"]
    assert "others" not in head


@pytest.mark.parametrize("at", [0, 1, None])
def test_the_dashboard_has_the_same(scene, repositories, at):
    """The dashboard's page of the memory begins as `status` does, in each of the repositories and in none."""
    start = str(scene.home if at is None else repositories[at])
    assert overview.Reader(start).read().head == status.read(scene.place, start=start).head
