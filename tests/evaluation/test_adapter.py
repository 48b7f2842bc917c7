"""The protocol of an outside harness, spoken with a real folder and real git."""

from __future__ import annotations

import pytest
from made import journal

from sleep.errors import NoMemoryError, UsageError
from sleep.evaluation import adapter, life
from sleep.memory import place
from sleep.memory.view import View
from sleep.store.tree import WorkTree

NOW = life.NOW


def files(folder):
    """Return the Markdown that a harness sees, which does not look into hidden folders."""
    names = (one for one in folder.rglob("*.md") if not any(part.startswith(".") for part in one.parts))
    return {one.relative_to(folder).as_posix(): one.read_text() for one in names}


def test_journals_come_one_a_call(tmp_path):
    """Each call is the next instance; the folder shows the tiers of the project as they are, and nothing else."""
    memory = tmp_path / "memory"
    for number in range(1, 5):
        done = adapter.session(str(memory), f"{number}.md", journal(number), NOW)
        assert done.instance.startswith(f"i{number}")
        assert set(files(memory)) == set(done.files)
    view = View(WorkTree(place.find(str(memory / ".project")).root))
    assert [cycle.number for cycle in view.cycles] == [1, 2, 3, 4]
    hidden = memory / ".project" / "memory"
    assert files(memory) == {path: (hidden / path).read_text() for path in files(memory)}
    assert any(path.startswith("warm/") for path in files(memory))
    settings = adapter._project(str(memory)).settings  # its commits are nobody's
    assert (settings.git_hooks, settings.git_sign) == (False, False)


def test_the_folder_shows_what_a_life_in_memory_has(tmp_path):
    """What the adapter leaves on disk is what the same journals leave in this process, but for the random tags."""
    memory = tmp_path / "memory"
    texts = [journal(number) for number in range(1, 5)]
    tags = [adapter.session(str(memory), life.SOURCE, text, NOW).instance[-3:] for text in texts]
    there = files(memory)
    for number, tag in enumerate(tags, 1):
        there = {path: text.replace(f"i{number}{tag}", f"i{number}{life.TAG}") for path, text in there.items()}
    assert there == life.lived(texts).tiers()


def test_a_topic_that_is_gone_is_not_shown(tmp_path):
    """A file that the project no longer has is removed from the folder; a person's other files are not touched."""
    (tmp_path / "warm").mkdir()
    (tmp_path / "warm" / "old.md").write_text("old")
    (tmp_path / "warm" / "mine.txt").write_text("mine")
    (tmp_path / "mine.md").write_text("mine")
    shown = adapter.mirror(str(tmp_path), {"warm/new.md": "new", "cold/new.md": "new"})
    assert shown == ("cold/new.md", "warm/new.md")
    assert files(tmp_path) == {"mine.md": "mine", "cold/new.md": "new", "warm/new.md": "new"}
    assert (tmp_path / "warm" / "mine.txt").exists()


def test_a_memory_of_someone_else_is_refused(tmp_path):
    """A folder that has tiers and no project of this task's is left as it is."""
    (tmp_path / "hot").mkdir()
    (tmp_path / "hot" / "context.md").write_text("mine")
    with pytest.raises(UsageError):
        adapter.session(str(tmp_path), "x.md", journal(1), NOW)
    assert files(tmp_path) == {"hot/context.md": "mine"}
    assert not (tmp_path / ".project").exists()


def test_what_is_no_folder_of_this_task_is_refused(tmp_path):
    """A memory that is set up, and a link to nothing, are left as they are."""
    (tmp_path / "sleep.yaml").write_text("format: 1\n")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    for folder in (tmp_path, tmp_path / "link"):
        with pytest.raises(UsageError):
            adapter.session(str(folder), "x.md", journal(1), NOW)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "sleep.yaml"]


def test_a_wake_only_looks(tmp_path):
    """A wake keeps its budget and changes nothing; without a project there is nothing to wake."""
    with pytest.raises(NoMemoryError):
        adapter.woken(str(tmp_path), 1_000)
    adapter.session(str(tmp_path / "memory"), "x.md", journal(1), NOW)
    hidden = tmp_path / "memory" / ".project"
    before = {one: one.read_bytes() for one in hidden.rglob("*") if one.is_file()}
    found = adapter.woken(str(tmp_path / "memory"), 500)
    assert "parser" in found.text or "cache" in found.text
    assert found.cost <= 500
    assert {one: one.read_bytes() for one in hidden.rglob("*") if one.is_file()} == before
