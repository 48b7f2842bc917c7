"""Each worktree has a ledger of its own, and a session that goes from one to another is booked once."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from sleep.debt import book, sessions, worktrees
from sleep.settings import Settings
from sleep.store import context as contexts


def git(folder, *words):
    """Run git."""
    subprocess.run(("git", *words), cwd=folder, check=True, capture_output=True)


@pytest.fixture
def trees(tmp_path):
    """Return the contexts of a repository's main worktree, of one beside it, and of one inside it."""
    top = tmp_path / "main"
    (top / "memory" / "state").mkdir(parents=True)
    (top / "memory" / "sleep.yaml").write_text("format: 1\n")
    (top / "memory" / "state" / "task.md").write_text("x\n")
    git(top, "init", "--quiet")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message=memory")
    git(top, "worktree", "add", "--quiet", "../beside")
    git(top, "worktree", "add", "--quiet", ".trees/inside")
    return [contexts.require(str(one)) for one in (top, tmp_path / "beside", top / ".trees" / "inside")]


def stop(context, path):
    """Stop a session in a worktree, and return how many changes its record has."""
    return book.record_stop(
        context, Settings(), sessions.Sighting("s", "claude", path), "did", time.time()
    ).change_count


def write(path, edit, first, count):
    """Let the session make so many edits more."""
    with open(path, "a") as file:
        file.write("".join(edit(call=f"c{at}") for at in range(first, first + count)))


def test_each_finds_the_others(trees):
    """A worktree finds the memories of all others of its repository, and not its own."""
    for one in trees:
        assert {other.folder for other in worktrees.others(one)} == {other.folder for other in trees} - {one.folder}


def test_a_memory_below_the_top(tmp_path):
    """A memory in a folder of its repository is found in the same folder of the others, where they have one."""
    top = tmp_path / "main"
    (top / "docs" / "memory" / "state").mkdir(parents=True)
    (top / "docs" / "memory" / "state" / "task.md").write_text("x\n")
    git(top, "init", "--quiet")
    git(top, "commit", "--quiet", "--allow-empty", "--message=nothing yet")
    git(top, "worktree", "add", "--quiet", "../old")
    here = contexts.require(str(top / "docs"))
    assert worktrees.others(here) == []
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message=memory")
    git(top, "worktree", "add", "--quiet", "../new")
    assert [one.base for one in worktrees.others(here)] == [str(tmp_path / "new" / "docs")]


def test_without_others(tmp_path):
    """A folder without git, and a repository with one worktree, have no others."""
    (tmp_path / "memory" / "state").mkdir(parents=True)
    here = contexts.require(str(tmp_path))
    assert worktrees.others(here) == []
    git(tmp_path, "init", "--quiet")
    assert worktrees.others(here) == []


def test_a_worktree_that_is_gone(trees):
    """One that was removed by hand is none, and the pointer that git still has to it stops nobody."""
    for path in sorted(Path(trees[1].base).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    os.rmdir(trees[1].base)
    assert [one.base for one in worktrees.others(trees[0])] == [trees[2].base]


def test_ledgers_are_apart(trees, tmp_path, edit):
    """A session that stays in one worktree is booked there alone, and settled there alone."""
    path = str(tmp_path / "s.jsonl")
    write(path, edit, 0, 5)
    assert stop(trees[1], path) == 5
    assert [book.read(one).debt for one in trees] == [0, 2, 0]
    book.done(trees[0], "slept", time.time())
    assert [book.read(one).debt for one in trees] == [0, 2, 0]


def test_a_session_that_goes_on_elsewhere_is_booked_once(trees, tmp_path, edit):
    """What a session did is booked where it stopped first, there and back, whatever was settled meanwhile."""
    path = str(tmp_path / "s.jsonl")
    write(path, edit, 0, 5)
    assert stop(trees[0], path) == 5
    write(path, edit, 5, 2)
    assert stop(trees[1], path) == 2
    assert stop(trees[0], path) == 5
    write(path, edit, 7, 1)
    assert stop(trees[0], path) == 6
    assert [stop(one, path) for one in trees] == [6, 2, 0]
    book.done(trees[0], "slept", time.time())
    write(path, edit, 8, 4)
    assert stop(trees[2], path) == 4
    assert [stop(one, path) for one in trees] == [0, 2, 4]
    for one in trees:
        book.catch_up(one, Settings(), time.time())
    assert [book.read(one).debt for one in trees] == [0, 1, 2]
