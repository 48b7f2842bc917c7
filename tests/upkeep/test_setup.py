"""Setting a memory up leaves a person's files alone, wherever it goes."""

from __future__ import annotations

import pytest
from scene import Scene, git, repository, write

from sleep import settings
from sleep.documents import main_page, yaml_reader
from sleep.errors import NoMemoryError, UsageError
from sleep.memory import place
from sleep.store import context as contexts
from sleep.store import layout
from sleep.upkeep import setup
from sleep.wake.snapshot import build

LAID = {
    "main.md",
    "memory/sleep.yaml",
    "memory/hot/threads.md",
    "memory/hot/decisions.md",
    "memory/hot/context.md",
    "memory/architecture.md",
    *setup.CORE,
    "journal/.gitkeep",
    "tasks.py",
    ".gitignore",
}


def _files(folder):
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and ".git" not in one.relative_to(folder).parts
    }


def test_fresh(tmp_path):
    """A first `init` lays every document, each named as created, and the memory is found."""
    top = repository(tmp_path / "project")
    before = _files(top)
    root, laid = setup.init(str(top))
    assert {one.path for one in laid} == {*(LAID - setup.CORE.keys()), "memory/core/"}
    assert {one.what for one in laid} == {"created"}
    assert set(_files(top)) - set(before) == LAID
    assert place.find(str(top)).root.path == root == str(top)


def test_no_file_is_empty(tmp_path):
    """An empty file below a filter such as git-crypt's always looks changed to git, which then refuses every merge."""
    top = repository(tmp_path / "project")
    setup.init(str(top))
    assert all((top / name).stat().st_size for name in LAID)


def test_twice_changes_nothing(tmp_path):
    """A second `init` changes no byte and reports nothing."""
    top = repository(tmp_path / "project")
    setup.init(str(top))
    before = _files(top)
    assert setup.init(str(top)) == (str(top), [])
    assert _files(top) == before


def test_settings_file_shows_every_default(tmp_path):
    """The settings file, all comments taken away, says exactly the defaults."""
    text = setup.sleep_yaml()
    assert settings.resolve(yaml_reader.load(text)) == settings.Settings(format=2)
    bare = "\n".join(line.removeprefix("# ") for line in text.split("\n")[1:])
    assert settings.resolve(yaml_reader.load(bare)) == settings.Settings(format=2)
    assert all(meaning in text for meaning in settings.MEANING.values() if meaning != settings.MEANING["format"])


def test_a_scaffold_is_silent(tmp_path):
    """What `init` lays tells a session nothing but the commands: no comment of ours, no empty section."""
    top = repository(tmp_path / "project")
    setup.init(str(top))
    built = build.snapshot(contexts.require(str(top)), settings.Settings())
    assert [one.name for one in built.sections] == ["Commands"]
    assert "<!--" not in built.text
    assert build.briefing(contexts.require(str(top)), settings.Settings(), 9_500).text == ""


def test_core_pages_stay(tmp_path):
    """A core page that a person has stays as it is; the others are laid beside it."""
    top = repository(tmp_path / "project")
    write(top / "memory/core/0.soul.md", "Mine.\n")
    laid = {one.path: one for one in setup.init(str(top))[1]}
    assert laid["memory/core/"].what == "extended"
    assert (top / "memory/core/0.soul.md").read_text() == "Mine.\n"
    assert setup.CORE["memory/core/1.user.md"] in (top / "memory/core/1.user.md").read_text()


def test_beside_an_older_tool(tmp_path):
    """A folder of an older tool is named, with how to go on with its pages, and no empty page is in their way."""
    top = repository(tmp_path / "project")
    write(top / "_agent_context/core/0.soul.md", "Mine.\n")
    laid = {one.path: one for one in setup.init(str(top))[1]}
    assert laid["_agent_context"].what == "left"
    assert laid["_agent_context"].note.endswith("sleepwake journal.import _agent_context")
    assert not (top / "memory/core").exists()
    assert setup.init(str(top))[1] == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_existing_files_stay(tmp_path, newline):
    """What a person has stays byte for byte: main page and ignore file are gone on with, in their own line ends."""
    top = repository(tmp_path / "project")
    own = {
        "tasks.py": "from invoke import task  # mine\n",
        "main.md": "# Mine\n\nMy purpose.\n\n## Notes\n\n- one\n",
        ".gitignore": "*.pyc\nbuild/\n",
        "memory/notes.md": "mine\n",
        "memory/hot/threads.md": "# My threads\n\n- keep\n",
        "docs/architecture.md": "# How it is built\n",
    }
    own = {path: text.replace("\n", newline).encode() for path, text in own.items()}
    for path, content in own.items():
        write(top / path, content)
    _, laid = setup.init(str(top))
    after = _files(top)
    for path, content in own.items():
        if path in ("main.md", ".gitignore"):
            assert after[path].startswith(content)
            assert after[path].count(b"\r\n") == (after[path].count(b"\n") if newline == "\r\n" else 0)
        else:
            assert after[path] == content, path
    said = {one.path: one for one in laid}
    assert (said["main.md"].what, said[".gitignore"].what) == ("extended", "extended")
    assert said["tasks.py"].what == "left"
    assert setup.JOIN in said["tasks.py"].note
    assert said["memory"].what == "left"
    assert "memory/architecture.md" not in after
    assert main_page.section(after["main.md"].decode(), "Wake protocol")
    again = setup.init(str(top))[1]
    assert {one.what for one in again} <= {"left"}
    assert _files(top) == after


def test_lines_that_are_ignored_already_are_not_added(tmp_path):
    """An ignore file that has our line, in whatever line ends, gets it no second time."""
    top = repository(tmp_path / "project")
    write(top / ".gitignore", b"memory/state/.*\r\nbuild/\r\n")
    setup.init(str(top))
    assert (top / ".gitignore").read_bytes() == b"memory/state/.*\r\nbuild/\r\n"


def test_a_main_page_without_its_last_newline(tmp_path):
    """A main page that does not end its last line is gone on with on a new one."""
    top = repository(tmp_path / "project")
    write(top / "main.md", "# Mine\n\nlast words")
    setup.init(str(top))
    assert (top / "main.md").read_text().startswith("# Mine\n\nlast words\n\n## Wake protocol\n")


def test_in_a_sub_directory(tmp_path):
    """A memory can stand in a folder of a repository, and is found from below it."""
    top = repository(tmp_path / "project")
    (top / "apps" / "one" / "src").mkdir(parents=True)
    root, _ = setup.init(str(top / "apps" / "one"))
    found = place.find(str(top / "apps" / "one" / "src")).root
    assert (found.path, found.prefix) == (root, "apps/one")
    assert not (top / "main.md").exists()


def test_outside_of_git(tmp_path):
    """Outside of git nothing is laid, and the error says to begin with `git init`."""
    with pytest.raises(NoMemoryError) as caught:
        setup.init(str(tmp_path))
    assert caught.value.hint.startswith("git init")
    assert list(tmp_path.iterdir()) == []


def test_separate(tmp_path):
    """A separate memory is a repository of its own: the code's stays clean, and all its worktrees find the memory."""
    top = repository(tmp_path / "project")
    git(top, "worktree", "add", "--quiet", str(tmp_path / "side"))
    root, _ = setup.init(str(top), "")
    assert root == str(top / ".sleepwake")
    assert git(top, "status", "--porcelain") == ""
    assert layout.find_git(root)[0] == root
    (tmp_path / "side" / "deep").mkdir()
    for start in (top, tmp_path / "side", tmp_path / "side" / "deep"):
        assert place.find(str(start)).root.path == root
    before = _files(top)
    assert setup.init(str(top), "") == (root, [])
    assert _files(top) == before


def test_separate_from_a_linked_worktree(tmp_path):
    """A separate memory made from a linked worktree goes to the main one: removing the worktree does not remove it."""
    top = repository(tmp_path / "project")
    git(top, "worktree", "add", "--quiet", str(tmp_path / "side"))
    root, _ = setup.init(str(tmp_path / "side"), "")
    git(top, "worktree", "remove", str(tmp_path / "side"))
    assert place.find(str(top)).root.path == root == str(top / ".sleepwake")


def test_separate_at_a_file(tmp_path):
    """A file where the separate memory would go is named, and nothing is made."""
    top = repository(tmp_path / "project")
    (top / "app.py").write_text("x = 1\n")
    before = _files(tmp_path)
    with pytest.raises(UsageError, match=r"app\.py: is no folder"):
        setup.init(str(top), "app.py")
    assert _files(tmp_path) == before


def test_separate_elsewhere(tmp_path):
    """A separate memory can be anywhere, by a path as seen from where the person stands."""
    top = repository(tmp_path / "project")
    (top / "deep").mkdir()
    root, _ = setup.init(str(top / "deep"), "../../mind")
    assert root == str(tmp_path / "mind")
    assert place.find(str(top / "deep")).root.path == root
    assert git(top, "status", "--porcelain") == ""
    assert git(root, "rev-parse", "--show-toplevel").strip() == root


@pytest.mark.parametrize("second", [None, "", "other"])
def test_one_memory_is_enough(tmp_path, second):
    """A repository that has a memory gets no second one beside it, which would split what is remembered."""
    top = repository(tmp_path / "project")
    setup.init(str(top), None if second is not None else "")
    before = _files(top)
    with pytest.raises(UsageError, match="has a"):
        setup.init(str(top), second)
    assert _files(top) == before


def test_sleeping_in_a_separate_memory_leaves_the_code_alone(tmp_path):
    """Cycles of a separate memory make commits there and none in the code's repository."""
    top = repository(tmp_path / "project")
    root, _ = setup.init(str(top), "")
    scene = Scene.copied(root)
    head = git(top, "rev-parse", "HEAD")
    scene.cycle()
    assert scene.subjects()[0] == "sleep: handoff of instance 1"
    assert (git(top, "rev-parse", "HEAD"), git(top, "status", "--porcelain")) == (head, "")


def test_below_a_memory(tmp_path):
    """In a folder below a memory nothing is laid, and the message names the memory; `nested` lays a second one."""
    home = repository(tmp_path / "code")
    setup.init(str(home))
    below = home / "src" / "deep"
    below.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"there is a memory above, at .*code"):
        setup.init(str(below))
    assert _files(below) == {}
    setup.init(str(below), nested=True)
    assert layout.find_root(str(below)).path == str(below)
    setup.init(str(below))  # run again it changes nothing


@pytest.mark.parametrize("folder", [".git", ".git/hooks"])
def test_inside_the_git_directory(tmp_path, folder):
    """A memory cannot be laid inside the git directory."""
    home = repository(tmp_path / "code")
    (home / folder).mkdir(exist_ok=True)
    before = _files(home)
    with pytest.raises(UsageError, match="inside the git directory"):
        setup.init(str(home / folder))
    assert _files(home) == before


def test_a_separate_memory_that_moved(tmp_path):
    """Where the memory that is pointed at is gone, every command and `init` name the file that says where it is."""
    home = repository(tmp_path / "code")
    setup.init(str(home), "")
    pointer = str(home / ".git/sleepwake/root")
    (home / ".sleepwake").rename(tmp_path / "moved")
    with pytest.raises(NoMemoryError) as error:
        place.find(str(home))
    assert pointer in error.value.hint
    for separate in (None, "elsewhere"):
        with pytest.raises(UsageError, match="not there any more") as error:
            setup.init(str(home), separate)
        assert pointer in error.value.hint
    write(home / ".git/sleepwake/root", "../../moved\n")
    assert place.find(str(home)).root.path == str(tmp_path / "moved")


@pytest.mark.parametrize("path", ["sleep.py", "sleep/__init__.py"])
def test_a_project_with_a_module_of_our_name(tmp_path, path):
    """Where the project's own `sleep` would be loaded for ours, no tasks.py is laid, and `init` says so."""
    home = repository(tmp_path / "code")
    write(home / path, "x = 1\n")
    _, laid = setup.init(str(home))
    (found,) = [one for one in laid if one.path == "tasks.py"]
    assert (found.what, "module `sleep`" in found.note) == ("left", True)
    assert not (home / "tasks.py").exists()
