"""The repository that a folder is in."""

from __future__ import annotations

import pytest
from scene import git, repository, write

from sleep.store import layout


@pytest.fixture
def home(tmp_path):
    """Return a folder with a repository for a memory, and a repository below it."""
    repository(tmp_path / "home")
    repository(tmp_path / "home/Feedbox")
    (tmp_path / "home/Feedbox/src").mkdir()
    return tmp_path / "home"


def _name(folder, home):
    return layout.repository_name(str(folder) if folder else "", str(home))


def test_a_folder_is_of_the_nearest_repository(home):
    """A folder is of the repository around it, and one of the memory's own repository, or of none, has no name."""
    write(home / "notes/a.md", "text")
    folders = (home / "Feedbox/src", home / "Feedbox", home / "notes", home, home.parent, "")
    assert [_name(folder, home) for folder in folders] == ["Feedbox", "Feedbox", "", "", "", ""]


@pytest.mark.parametrize(
    ("url", "name"),
    [("git@example.com:acme/web.git", "web"), ("https://example.com/acme/web/", "web"), ("", "Feedbox")],
)
def test_it_is_called_as_at_its_origin(home, url, name):
    """A repository has the name that it has at its origin, else that of its folder."""
    if url:
        git(home / "Feedbox", "remote", "add", "upstream", "https://example.com/other/name.git")
        git(home / "Feedbox", "remote", "add", "origin", url)
    assert _name(home / "Feedbox", home) == name


def test_work_trees_and_clones_have_its_name(home):
    """A work tree of another repository has that one's name; one of the memory's own, and a clone of that, has none."""
    for top in (home, home / "Feedbox"):
        git(top, "commit", "-q", "--allow-empty", "-m", "first")
        git(top, "worktree", "add", "-q", "-b", "side", str(home.parent / f"{top.name}-side"))
    assert _name(home.parent / "Feedbox-side", home) == "Feedbox"
    assert _name(home.parent / "home-side", home) == ""
    git(home, "remote", "add", "origin", "https://example.com/ada/home.git")
    git(home.parent, "clone", "-q", str(home), "copy")
    git(home.parent / "copy", "remote", "set-url", "origin", "git@example.com:ada/home.git")
    assert _name(home.parent / "copy", home) == ""


def test_a_home_is_no_project(home, monkeypatch):
    """A repository whose top is the person's home directory has no name."""
    monkeypatch.setenv("HOME", str(home / "Feedbox"))
    assert _name(home / "Feedbox/src", home) == ""
