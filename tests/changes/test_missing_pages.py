"""A page that no journal gives back is missed when it is gone, stops a sleep, and comes back from git's history."""

from __future__ import annotations

import pytest
from lived import merge

from sleep.changes import missing_pages
from sleep.documents import cycles, fates_page
from sleep.errors import DocumentError
from sleep.upkeep import doctor

NOW = "2026-11-22T00:00:00Z"


def examined(scene, **options):
    return doctor.examine(scene.place, NOW, **options)


def lost(scene):
    return [page.path for page in missing_pages.find(scene.place.root, scene.view)]


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("path", ["main.md", "memory/cycles.md"])
def test_a_page_that_is_gone(scene, path, committed):
    """Without its main page or its table a sleep does nothing, and `doctor --fix` gives it back word for word."""
    scene.lived(3)
    text = scene.text(path)
    (scene.home / path).unlink()
    if committed:
        scene.git("commit", "--all", "--quiet", "--message=gone")
    scene.open()
    scene.add("decision", "Use flock")
    before = scene.everything()
    for sleep in (scene.sleep, scene.rehearse):
        with pytest.raises(DocumentError, match="is gone, and a sleep needs it"):
            sleep()
    assert scene.everything() == before
    (found,) = [one for one in examined(scene) if one.where == path and one.check == "losses"]
    assert (found.level, found.fix) == ("fail", "sleepwake doctor --fix")
    examined(scene, fix=True)
    assert scene.text(path) == text
    assert lost(scene) == []
    scene.sleep()
    assert [cycle.number for cycle in scene.view.cycles] == [1, 2, 3, 4]


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("text", [None, "# Fates\n"])
def test_fates_that_are_gone(scene, text, committed):
    """A page of fates that was removed or truncated is named and comes back."""
    scene.lived(2)
    path = fates_page.path(1, scene.view.cycles[0].instance)
    whole = scene.text(path)
    (scene.home / path).unlink()
    if text is not None:
        scene.write(path, text)
    if committed:
        scene.git("add", "--all")
        scene.git("commit", "--quiet", "--message=gone")
    (found,) = examined(scene)
    assert (found.level, found.where, found.fix) == ("warn", path, "sleepwake doctor --fix")
    examined(scene, fix=True)
    assert scene.text(path) == whole
    assert examined(scene) == []


def test_fates_of_steps_that_nothing_names(scene):
    """Where commits lost their trailers, a page of fates is what the last step made of it, and comes back as that."""
    scene.lived(2)
    path = fates_page.path(1, scene.view.cycles[0].instance)
    whole = scene.text(path)
    scene.git("filter-branch", "--msg-filter", "sed /^Sleep-/d")
    assert lost(scene) == []
    scene.write(path, whole.partition("## journal to hot")[0])
    scene.git("commit", "--all", "--quiet", "--message=cut")
    assert lost(scene) == [path]
    examined(scene, fix=True)
    assert scene.text(path) == whole


def test_a_table_without_rows(scene):
    """A table that lost all its rows is gone; a memory whose cycles are all undone has one without rows."""
    scene.lived(2)
    scene.write(cycles.PATH, "# Cycles\n")
    assert lost(scene) == [cycles.PATH]
    scene.git("checkout", "--quiet", "--", cycles.PATH)
    scene.undo()
    scene.undo()
    assert lost(scene) == []


def test_a_memory_that_begins_again(scene):
    """Where the tiers are gone with the table, somebody begins again from the journals: a sleep makes them anew."""
    scene.lived(2)
    for path in [*(scene.home / "memory").glob("*/*.md"), scene.home / cycles.PATH]:
        path.unlink()
    assert cycles.PATH not in lost(scene)
    assert [step.cycle for step in scene.sleep().steps if step.cycle]


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("path", ["main.md", "memory/cycles.md"])
def test_a_page_after_a_merge(scene, path, committed):
    """What comes back is the page that the merge made, with the rows and the words of both sides."""
    scene.lived(2)
    scene.git("checkout", "--quiet", "-b", "other")
    scene.cycle(3)
    scene.git("checkout", "--quiet", "main")
    scene.cycle(4)
    merge(scene, "other")
    scene.write("main.md", scene.text("main.md").replace("# ", "# Both, ", 1))
    scene.git("commit", "--all", "--quiet", "--amend", "--no-edit")
    text = scene.text(path)
    (scene.home / path).unlink()
    if committed:
        scene.git("commit", "--all", "--quiet", "--message=gone")
    examined(scene, fix=True)
    assert "Both" in scene.text("main.md")
    assert len(scene.view.cycles) == 4
    if path == cycles.PATH:
        assert scene.text(path) == text


def test_pages_after_a_squash(scene):
    """Where no commit is a step any more, the table and the pages of fates come back as they stood, at once."""
    scene.lived(2)
    paths = [cycles.PATH, *(fates_page.path(cycle.number, cycle.instance) for cycle in scene.view.cycles)]
    texts = [scene.text(path) for path in paths]
    scene.git("checkout", "--quiet", "--orphan", "squashed")
    scene.git("commit", "--quiet", "--message=all")
    for path in paths:
        (scene.home / path).unlink()
    assert sorted(lost(scene)) == sorted(paths)
    examined(scene, fix=True)
    assert [scene.text(path) for path in paths] == texts


def test_fates_truncated_after_a_squash(scene):
    """Where no commit is a step any more, a page of fates comes back as it was first committed."""
    scene.lived(2)
    path = fates_page.path(1, scene.view.cycles[0].instance)
    whole = scene.text(path)
    scene.git("checkout", "--quiet", "--orphan", "squashed")
    scene.git("commit", "--quiet", "--message=all")
    scene.write(path, "# Fates\n")
    scene.git("commit", "--all", "--quiet", "--message=truncated")
    assert lost(scene) == [path]
    examined(scene, fix=True)
    assert scene.text(path) == whole
