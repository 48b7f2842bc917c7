"""The memory root is found wherever it can be, and nowhere else."""

from __future__ import annotations

import subprocess
import sys

import pytest
from world import World, fill, git

from sleep.errors import NoMemoryError
from sleep.store import layout


def test_from_any_depth(world):
    """The root is found from a folder forty levels down, one that does not exist included."""
    deep = world.top.joinpath(*(f"d{depth}" for depth in range(40)))
    root = layout.find_root(str(deep))
    assert root == (str(world.top), str(world.top), str(world.top / ".git"), str(world.top / ".git"), "")


def test_below_the_top_of_the_work_tree(tmp_path):
    """A memory in a sub-directory knows its prefix and converts paths both ways."""
    root = World(tmp_path / "vault", "notes/agent").root
    assert root.prefix == "notes/agent"
    assert root.in_tree("main.md") == "notes/agent/main.md"
    assert root.from_tree("notes/agent/main.md") == "main.md"
    assert root.in_tree("") == "notes/agent"


def test_explicit_wins_and_must_be_right(world, tmp_path):
    """A root that a person names is taken, relative to the start; a wrong one is refused, not searched for."""
    fill(tmp_path / "elsewhere", {"x": ""})
    assert layout.find_root(str(tmp_path / "elsewhere"), "../project").path == str(world.top)
    with pytest.raises(NoMemoryError, match="elsewhere"):
        layout.find_root(str(world.top), str(tmp_path / "elsewhere"))


def test_nowhere(tmp_path):
    """Without a memory the error says so and names the next step."""
    with pytest.raises(NoMemoryError) as caught:
        layout.find_root(str(tmp_path))
    assert caught.value.hint == "sleepwake init"


def test_memory_without_git(tmp_path):
    """A memory outside any git work tree is refused, as it could not be committed."""
    fill(tmp_path, {"memory/sleep.yaml": "format: 1\n"})
    with pytest.raises(NoMemoryError, match="git"):
        layout.find_root(str(tmp_path))


def test_linked_worktree(world, tmp_path):
    """A linked worktree has a git directory of its own and shares the common one, whose lock serialises both."""
    world.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    root = layout.find_root(str(tmp_path / "linked" / "memory"))
    assert root.path == str(tmp_path / "linked")
    assert root.git_dir == str(world.top / ".git/worktrees/linked")
    assert root.shared_dir == world.root.shared_dir


def test_submodule(world, tmp_path):
    """A memory in a submodule belongs to the submodule's repository."""
    outer = World(tmp_path / "outer", start={"readme": ""})
    outer.git("submodule", "--quiet", "add", str(world.top), "inner")
    root = layout.find_root(str(outer.top / "inner"))
    assert root.work_tree == str(outer.top / "inner")
    assert root.git_dir == root.common_dir == str(outer.top / ".git/modules/inner")


@pytest.mark.parametrize("absolute", [True, False])
def test_separate_memory_from_every_worktree(tmp_path, absolute):
    """A separate memory repository is found from the code's repository and from each of its worktrees."""
    code = World(tmp_path / "code", start={"readme": ""})
    memory = World(tmp_path / "code" / ".sleepwake")
    pointer = str(memory.top) if absolute else "../.sleepwake"
    fill(code.top / ".git", {"sleepwake/root": f"{pointer}\n"})
    code.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    for start in (code.top, tmp_path / "linked"):
        assert layout.find_root(str(start)) == memory.root


def test_separate_memory_is_nearer_than_what_is_above(tmp_path):
    """The memory that a repository points to is taken before one of a folder around the repository."""
    World(tmp_path)
    code = World(tmp_path / "code", start={"readme": ""})
    memory = World(tmp_path / "memories")
    fill(code.top / ".git", {"sleepwake/root": str(memory.top)})
    assert layout.find_root(str(code.top)) == memory.root


def test_pointer_to_nothing(tmp_path):
    """A pointer to a memory that is gone is named."""
    code = World(tmp_path / "code", start={"readme": ""})
    fill(code.top / ".git", {"sleepwake/root": "../gone\n"})
    with pytest.raises(NoMemoryError, match=r"sleepwake/root"):
        layout.find_root(str(code.top))


def test_pointer_without_a_path(tmp_path):
    """A pointer that is empty points nowhere: there is no memory, which `init` lays."""
    code = World(tmp_path / "code", start={"readme": ""})
    fill(code.top / ".git", {"sleepwake/root": "\n"})
    assert layout.pointed(str(code.top)) is None
    with pytest.raises(NoMemoryError, match="no memory here"):
        layout.find_root(str(code.top))


def test_reached_through_a_link(world, tmp_path):
    """A root reached through a symbolic link is the same root."""
    (tmp_path / "link").symlink_to(world.top)
    assert layout.find_root(str(tmp_path / "link" / "memory")) == world.root


def test_git_is_found_as_git_finds_it(world, tmp_path):
    """Reading files gives the directories that git itself reports."""
    world.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    for folder in (world.top / "memory", tmp_path / "linked"):
        said = git(folder, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
        assert layout.find_git(str(folder)) == tuple(said.split())
    assert layout.find_git("/") is None


@pytest.mark.parametrize(
    ("path", "owned"),
    [
        ("main.md", True),
        ("memory/sleep.yaml", True),
        ("journal/instance-1.md", True),
        ("memory/state/.sleep.json", False),
        ("memory/state/.scans/x.json", False),
        ("memory/state/task.md", True),
        ("memory/statement.md", True),
        ("memory/hot/.a.md.sleepwake-tmp-7", False),
        ("memory/../secret", False),
        ("main.md/x", False),
        ("journal", False),
        ("src/main.md", False),
    ],
)
def test_ownership(path, owned):
    """Memory is owned; machine-local state, half-written files and everything else are not."""
    assert layout.is_owned(path) is owned


def test_light_enough_for_a_hook():
    """Layout, files and lock load neither git, subprocess, pathlib nor dataclasses."""
    script = "import sys; before = set(sys.modules); import sleep.store.lock, sleep.store.files, sleep.store.layout; "
    script += "print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run((sys.executable, "-c", script), capture_output=True, text=True, check=True).stdout.split()
    assert not {"git", "subprocess", "pathlib", "dataclasses", "asyncio", "inspect", "logging"} & set(loaded)
