"""The commit that is checked out, read off git's own files."""

from __future__ import annotations

import pytest

from sleep.store import history
from sleep.store.git import head_file
from tests.store.git.test_checkout import _detached, _linked, _on_a_branch, _packed, _unborn


@pytest.mark.parametrize("state", [lambda _: None, _on_a_branch, _packed, _detached])
def test_as_git_says(world, state):
    """On a branch, with packed refs and detached, the files name the commit that git names."""
    state(world)
    assert head_file.commit(world.root.git_dir, world.root.common_dir) == history.head(world.root)


@pytest.mark.parametrize("state", [_unborn, _linked])
def test_what_is_not_said_plainly_is_nothing(world, state):
    """Without a commit, and behind a link, the files say nothing."""
    state(world)
    assert head_file.commit(world.root.git_dir, world.root.common_dir) == ""
