"""Nothing that a person's git puts into the index while we commit is taken out of it again."""

from __future__ import annotations

import os
import subprocess
import threading
import time

import pytest
from world import World, plan

from sleep.errors import GitStateError
from sleep.store.git import desk, git_process


def _index(world):
    return world.top / ".git" / "index"


def _persons_add(world):
    (world.top / "staged.txt").write_text("by a person\n")
    return subprocess.run(("git", "add", "staged.txt"), cwd=world.top, capture_output=True, check=False)


def test_a_persons_add_waits(world):
    """Who sits at the desk has locked the index, before a git of ours has read it."""
    with desk.sit(world.root, "main") as variables:
        assert variables["GIT_INDEX_FILE"] != str(_index(world))
        refused = _persons_add(world)
        assert b"index.lock': File exists" in refused.stderr
    assert _persons_add(world).returncode == 0
    assert world.git("status", "--porcelain") == "M  staged.txt\n"


@pytest.mark.parametrize("tool", ["git-crypt", "annex", "lfs"])
def test_a_filter_has_what_it_keeps_in_the_git_directory(world, tool):
    """What looks for its key by the git directory, as git-crypt does, has it while we commit, and none elsewhere."""
    with desk.sit(world.root, "main") as variables:
        assert not os.path.lexists(os.path.join(variables["GIT_DIR"], tool))
    key = world.top / ".git" / tool / "keys" / "default"
    key.parent.mkdir(parents=True)
    key.write_text("key")
    with desk.sit(world.root, "main") as variables:
        folder = world.git("rev-parse", "--git-dir", env={**os.environ, **variables}).strip()
        assert (world.top / folder / tool / "keys" / "default").read_text() == "key"


def test_one_that_came_before_stays(world):
    """What was staged while our commit waited for the index is staged afterwards, and no part of the commit."""
    lock = world.top / ".git" / "index.lock"
    lock.touch()

    def person():
        time.sleep(0.3)
        lock.unlink()
        while _persons_add(world).returncode:
            time.sleep(0.01)

    at_work = threading.Thread(target=person)
    at_work.start()
    made = world.apply(patience=20)
    at_work.join()
    assert "staged.txt" not in world.git("show", "--name-only", made)
    assert world.git("status", "--porcelain") == "M  staged.txt\n"
    assert world.leftovers() == []


def test_a_lock_that_stays_is_told_with_its_path(world):
    """After our patience the error names the file, and the step is undone."""
    before = world.texts()
    (world.top / ".git" / "index.lock").touch()
    with pytest.raises(GitStateError, match=r"index\.lock"):
        world.apply(patience=0.1)
    (world.top / ".git" / "index.lock").unlink()
    world.recover()
    assert world.texts() == before


def test_a_commit_that_fails_leaves_the_index_itself(world, monkeypatch):
    """The very file stands there, with its time, and nothing of ours beside it."""
    with desk.sit(world.root, "main"):
        before = os.stat(_index(world))
    after = os.stat(_index(world))
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert not (world.top / ".git" / "index.lock").exists()

    def killed(words, *others):
        return git_process.Answer(-9, b"", b"killed") if "commit" in words else run(words, *others)

    run = git_process.run
    monkeypatch.setattr(git_process, "run", killed)
    with pytest.raises(GitStateError, match="killed"):
        world.apply()
    assert world.leftovers() == []


def test_what_a_killed_git_left_at_the_desk(world):
    """A lock at our own desk is of a git that is dead, for a living one would hold the lock that we have."""
    world.apply()
    (world.top / ".git" / "sleepwake" / "desk" / "index.lock").touch()
    assert world.apply(plan({"memory/hot/threads.md": "other\n"})) == world.head()
    assert world.git("status", "--porcelain") == ""


@pytest.mark.parametrize("fails", ["symlink", "link"])
def test_where_links_cannot_be_made(world, monkeypatch, fails):
    """A file system without links has its commits from git's own directory."""

    def refuse(*_words, **_options):
        raise OSError

    monkeypatch.setattr(os, fails, refuse)
    with desk.sit(world.root, "main") as variables:
        assert variables == {}
    assert world.apply() == world.head()
    assert world.git("status", "--porcelain") == ""


def test_a_split_index(world):
    """An index in two files (core.splitIndex) is read whole, and the person's git may split it again."""
    world.git("config", "core.splitIndex", "true")
    world.git("update-index", "--split-index")
    assert list((world.top / ".git").glob("sharedindex.*"))
    assert _persons_add(world).returncode == 0
    made = world.apply()
    assert made == world.head()
    assert world.git("status", "--porcelain") == "M  staged.txt\n"
    assert world.git("ls-files", "--stage").count("\n") == world.git("ls-tree", "-r", "HEAD").count("\n")


def test_the_first_commit(tmp_path):
    """Where there is no index yet, git's first one takes its place."""
    world = World(tmp_path / "world", commit=False)
    assert not _index(world).exists()
    assert world.apply() == world.head()
    assert _index(world).exists()
    assert world.leftovers() == []
