"""What a checkout leaves out is not gone: memory that is not on disk must not be slept away."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.memory.view import View
from sleep.store.tree import WorkTree

WARM = "memory/warm/general.md"


def _aged(person):
    """Sleep until a decision stands in warm memory, and leave that out of the checkout afterwards."""
    scene = Scene.copied(person.folder)
    for number in (1, 2, 3, 4):
        scene.add("decision", f"Use engine {number}", why="it is fast")
        scene.sleep()
    assert "Use engine 1" in person.read(WARM)


def _sparse(person):
    person.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/warm/")


def _by_hand(person):
    person.git("update-index", "--skip-worktree", WARM)
    (person.folder / WARM).unlink()


@pytest.mark.parametrize("leave_out", [_sparse, _by_hand])
def test_warm_memory_that_is_not_checked_out(person, leave_out):
    """A sleep, an undo and an import refuse to write while memory is not checked out; nothing of it is lost."""
    person.grow(_aged)
    leave_out(person)
    assert person.read(WARM) is None
    committed, head = person.git("show", f"HEAD:{WARM}"), person.git("rev-parse", "HEAD")
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use engine 5", "--why", "it is fast")
    assert "D-005" in person.read("journal/instance-5.md")
    for words in (("sleep",), ("sleep", "--dry-run"), ("sleep.undo",), ("sleep.undo", "--dry-run")):
        said = person.sleepwake(*words, code=6)
        assert WARM in said
        assert "git sparse-checkout disable" in said
    assert person.git("rev-parse", "HEAD") == head
    person.git("sparse-checkout", "disable")
    person.git("update-index", "--no-skip-worktree", WARM)
    person.git("checkout", "--", WARM)
    person.sleepwake("sleep")
    for line in committed.split("\n"):
        assert line in person.read(WARM)


def test_what_is_told_of_memory_that_is_not_checked_out(person):
    """What is not checked out is told all the same: by registers, by `wake`, and by `recall`."""
    person.grow(_aged)
    told = person.sleepwake("decision.list")
    _sparse(person)
    assert person.sleepwake("decision.list") == told
    assert "Use engine 1" in person.sleepwake("wake")
    assert "Use engine 1" in person.sleepwake("recall", "which engine do we use, engine 1?")


def test_journals_that_are_not_checked_out(person):
    """Nobody writes a second journal over one that is not checked out."""
    person.grow(_aged)
    person.git("sparse-checkout", "set", "--no-cone", "/*", "!/journal/")
    said = person.sleepwake("journal.add", "--kind", "note", "--text", "Here I am", code=6)
    assert "journal/instance-1.md" in said
    assert person.git("status", "--porcelain") == ""


def test_a_memory_that_is_not_checked_out_at_all(person):
    """Nobody sets up a second memory over one that is not checked out, and the doctor knows how it comes back."""
    person.grow(_aged)
    person.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/", "!/journal/", "!/main.md")
    for words in (("init",), ("sleep",), ("wake",), ("doctor",)):
        said = person.sleepwake(*words, code=None)
        assert "git sparse-checkout disable" in said, said
    assert person.git("status", "--porcelain") == ""
    assert person.read("main.md") is None


def test_documents_are_read_from_git(person):
    """A view of a sparse checkout has every document that a full one has."""
    person.grow(_aged)
    root = Scene.copied(person.folder).place.root
    whole = {path: WorkTree(root).read(path) for path in WorkTree(root).list("memory")}
    _sparse(person)
    assert {path: WorkTree(root).read(path) for path in WorkTree(root).list("memory")} == whole
    assert View(WorkTree(root)).tier(WARM).fragments


def test_history_that_a_partial_clone_cannot_fetch(person, tmp_path):
    """In a partial clone without its remote an undo says what is missing, and nothing is taken for empty."""
    person.grow(_aged)
    person.git("config", "uploadpack.allowFilter", "true")
    clone = person.clone(tmp_path / "partial", "--filter=blob:none")
    away = person.folder.rename(tmp_path / "away")
    before, head = clone.everything(), clone.git("rev-parse", "HEAD")
    for words in (("sleep.undo",), ("wake", "--at", "cycle 1"), ("recall", "--ever", "engine 1")):
        assert "this clone is partial" in clone.sleepwake(*words, code=6)
    assert "slept" in clone.sleepwake("sleep.history")
    assert (clone.everything(), clone.git("rev-parse", "HEAD")) == (before, head)
    away.rename(person.folder)
    clone.sleepwake("sleep.undo")
    assert "| 4 |" not in clone.read("memory/cycles.md")
