"""Memory that git keeps in another form than it stands in the files, as git-crypt and LFS have it."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.errors import GitStateError
from sleep.store import history, layout
from sleep.store.git import content_filters
from sleep.upkeep import doctor


@pytest.fixture
def scene(tmp_path):
    """Return a memory below which a filter packs what git stores, with two cycles."""
    made = Scene(tmp_path / "project").grow(_lock)
    assert made.git("show", "HEAD:memory/hot/decisions.md").startswith("\x1f")
    return made


def _lock(made):
    for verb, program in (("clean", "gzip -nc"), ("smudge", "gzip -dcf")):
        made.git("config", f"filter.lock.{verb}", program)
    made.git("config", "filter.lock.required", "true")
    (made.top / ".gitattributes").write_text("memory/** filter=lock\njournal/** filter=lock\n")
    made.git("add", "--renormalize", ".")
    made.git("add", ".gitattributes")
    made.git("commit", "--quiet", "--message=lock it")
    for name in ("alpha", "beta"):
        made.add("decision", f"Use {name} for the cache", why=f"{name} is quick")
        made.add("insight", f"The {name} client reads its file twice")
        made.sleep()


def _losses(scene):
    return [finding for finding in doctor.examine(scene.place, scene.now()) if finding.fix.endswith("--fix")]


def test_a_cycle_is_undone(scene):
    """An undo finds its own steps behind the filter, and the memory is as it was before the cycle."""
    assert _losses(scene) == []
    scene.undo()
    assert "Use alpha" in scene.text("memory/hot/decisions.md")
    assert "Use beta" not in scene.text("memory/hot/decisions.md")
    assert scene.git("status", "--porcelain") == ""


def test_what_a_person_deleted_stays_deleted(scene):
    """The doctor sees behind the filter that somebody took a line out by hand."""
    page = scene.top / "memory/hot/decisions.md"
    lines = page.read_text().splitlines(keepends=True)
    page.write_text("".join(line for line in lines if "alpha" not in line))
    scene.git("commit", "--quiet", "--all", "--message=not that")
    assert _losses(scene) == []


def test_a_blob_is_read_as_a_checkout_writes_it(scene):
    """Blobs that were listed come through the filter, others as they are stored, and none that is not there."""
    root = scene.place.root
    listed = history.listing(root, "HEAD")
    other = scene.git("rev-parse", "HEAD:staged.txt").strip()
    missing = "0" * 39 + "1"
    contents = history.blobs(root, [*listed.values(), other, missing])
    assert contents[other] == b"staged.txt as committed\n"
    assert contents[missing] is None
    for path, name in listed.items():
        assert contents[name] == (scene.top / path).read_bytes()


def test_a_blob_is_read_by_its_path_in_its_own_memory(scene, tmp_path):
    """What another memory lists under a path without a filter is read through the filter of its path here."""
    other = Scene(tmp_path / "other")
    (other.top / ".gitattributes").write_text("memory/** filter=lock\n")
    names = history.listing(scene.place.root, "HEAD", "journal")
    content_filters.note(other.place.root, [("notes.md", name) for name in names.values()])
    assert history.texts(scene.place.root, names) == {path: scene.text(path) for path in names}


def test_a_filter_that_is_not_there(scene):
    """What the filter is called stands in the error, with where it is set up."""
    for verb in ("clean", "smudge"):
        scene.git("config", f"filter.lock.{verb}", "/nonexistent")
    with pytest.raises(GitStateError) as caught:
        scene.undo()
    assert "filter.lock" in caught.value.hint


def test_no_attribute_names_a_filter(tmp_path):
    """Without a word of a filter in git's attributes nothing is asked of one."""
    scene = Scene(tmp_path / "project")
    assert not content_filters.may_be(layout.find_root(str(scene.home)))
