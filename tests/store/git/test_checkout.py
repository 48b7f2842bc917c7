"""What is checked out is read from git's files as git itself says it."""

from __future__ import annotations

import os
import subprocess

import pytest

from sleep.errors import GitStateError
from sleep.store import history
from sleep.store.git import checkout


def _on_a_branch(world):
    world.git("checkout", "--quiet", "-b", "feature/deep")


def _packed(world):
    world.git("pack-refs", "--all")


def _detached(world):
    world.git("checkout", "--quiet", "--detach")


def _unborn(world):
    world.git("checkout", "--quiet", "--orphan", "new")


def _linked(world):
    head = world.top / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")


@pytest.mark.parametrize("state", [lambda _: None, _on_a_branch, _packed, _detached, _unborn, _linked])
def test_as_git_says(world, state):
    """On a branch, with packed refs, detached, without a commit and behind a link, both name the same."""
    state(world)
    assert checkout.branch(world.root) == history.branch(world.root)
    assert checkout.head(world.root) == history.head(world.root)


def test_in_a_worktree(world, tmp_path):
    """A linked worktree has a branch of its own, whose file stands in the directory that all share."""
    world.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    world.home = tmp_path / "side"
    assert checkout.branch(world.root) == "side"
    assert checkout.head(world.root) == history.head(world.root) == world.head()


def test_plain_states_need_no_process(world, monkeypatch):
    """On a branch with a commit of its own, git is not asked."""
    expected = world.head()
    monkeypatch.setattr(history, "ask", None)
    assert (checkout.branch(world.root), checkout.head(world.root)) == ("main", expected)


def test_a_tag_of_the_branchs_name(world):
    """A step is committed on the branch, also where a tag has the same name and git would say `heads/main`."""
    world.git("tag", "main")
    made = world.apply()
    assert world.git("rev-parse", "refs/heads/main").strip() == made
    assert world.git("for-each-ref", "--format=%(refname)", "refs/heads").split() == ["refs/heads/main"]


@pytest.mark.parametrize("folder", ["memory", "journal", "memory/hot"])
def test_a_folder_of_the_memory_that_is_a_link(world, folder):
    """Where a folder is a link into the project no step is taken, for git keeps the link; as a folder all goes on."""
    (world.top / folder).rename(world.top / "elsewhere")
    (world.top / folder).symlink_to(os.path.relpath(world.top / "elsewhere", (world.top / folder).parent))
    before = world.git("status", "--porcelain"), world.head()
    with pytest.raises(GitStateError, match="is a link to elsewhere") as caught:
        world.apply()
    assert (world.git("status", "--porcelain"), world.head()) == before
    subprocess.run(["sh", "-c", caught.value.hint.partition(": ")[2]], cwd=world.top, check=True)
    assert world.apply() == world.head()


@pytest.mark.parametrize("state", [lambda _: None, _on_a_branch, _packed, _detached, _unborn, _linked])
def test_what_git_can_read_is_not_damaged(world, state):
    """A repository that git can read is not called damaged, whatever is checked out."""
    state(world)
    checkout.refuse_damaged(world.root)


@pytest.mark.parametrize("content", [b"", b"zzzz\n", bytes(range(256)), b"ref: refs/heads/../../x\n"])
def test_a_damaged_head_is_named_with_what_mends_it(world, content):
    """Where HEAD names neither branch nor commit, its file is named, with the line that belongs there."""
    place = world.top / ".git" / "HEAD"
    place.write_bytes(content)
    with pytest.raises(GitStateError, match="is damaged") as refusal:
        checkout.refuse_damaged(world.root)
    assert refusal.value.where == str(place)
    assert "echo 'ref: refs/heads/main' >" in refusal.value.hint


@pytest.mark.parametrize("content", ["", "zzzz\n"])
def test_a_damaged_branch_is_named_with_where_its_commit_is_known(world, content):
    """Where the file of the branch names no commit, it is named, with the log that has the commit."""
    place = world.top / ".git" / "refs" / "heads" / "main"
    place.write_text(content)
    with pytest.raises(GitStateError, match="the id of a commit") as refusal:
        checkout.refuse_damaged(world.root)
    assert refusal.value.where == str(place)
    assert str(world.top / ".git" / "logs" / "refs" / "heads" / "main") in refusal.value.hint
