"""Finding the context folder."""

import os

import pytest

from sleep.errors import NoMemoryError
from sleep.store import context


def _make(*parts):
    path = os.path.join(*map(str, parts))
    os.makedirs(path, exist_ok=True)
    return os.path.realpath(path)


def test_nothing_is_found_where_there_is_nothing(tmp_path):
    """A tree without a context folder has no context, and to require one names the command that makes one."""
    assert context.find(str(tmp_path)) is None
    with pytest.raises(NoMemoryError) as error:
        context.require(str(tmp_path))
    assert "sleepwake init" in str(error.value)


@pytest.mark.parametrize("name", context.FOLDERS)
def test_each_folder_is_found_from_far_below(tmp_path, name):
    """A context folder is found from any depth below, git or no git."""
    folder = _make(tmp_path, name)
    _make(folder, "core")
    deep = _make(tmp_path, *"abcdefghijkl")
    assert context.find(deep) == context.Context(os.path.realpath(tmp_path), folder)


def test_a_projects_own_memory_folder_is_none_of_ours(tmp_path):
    """A folder called `memory` without a sign of ours is passed over, and one of an older tool beside it is found."""
    _make(tmp_path, "memory", "leaks")
    assert context.find(str(tmp_path)) is None
    older = _make(tmp_path, "_dream_context")
    assert context.require(str(tmp_path)).folder == older


def test_the_nearest_is_found_first(tmp_path):
    """Of two contexts above each other the nearer one counts, whatever its name."""
    _make(tmp_path, "memory", "core")
    inner = _make(tmp_path, "sub", "_agent_context")
    assert context.require(os.path.join(tmp_path, "sub")).folder == inner


def test_a_named_folder_is_the_only_one_tried(tmp_path):
    """Where a person names the folder, nothing above it is tried."""
    _make(tmp_path, "memory", "core")
    assert context.find(str(tmp_path), "sub") is None
    assert context.find(str(tmp_path), ".") is not None


def test_a_separate_memory_is_found_by_its_pointer(tmp_path):
    """From the code's repository the memory in a repository of its own is found, and known to be separate."""
    code, own = _make(tmp_path, "code"), _make(tmp_path, "own")
    git = _make(code, ".git", "sleepwake")
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("sleepwake/root", "../../own\n")):
        with open(os.path.join(code, ".git", name), "w", encoding="utf-8") as file:
            file.write(text)
    folder = _make(own, "memory", "core") and os.path.join(own, "memory")
    assert git
    assert context.find(os.path.join(code, "src")) == context.Context(own, folder, separate=True)
    assert context.find(own) == context.Context(own, folder)
