"""Objects that are stored and read without git are git's."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zlib

import pytest
from world import fill

from sleep.errors import StorageError
from sleep.store import history
from sleep.store.git import loose_objects

CONTENTS = (b"", b"a line\n", b"a\r\nb\0c", bytes(range(256)) * 500)


@pytest.fixture
def objects(world):
    """Return the folder of a repository's objects."""
    return os.path.join(world.root.common_dir, "objects")


def _file(tmp_path, content):
    place = tmp_path / "content"
    place.write_bytes(content)
    return str(place)


@pytest.mark.parametrize("content", CONTENTS, ids=["empty", "line", "bytes", "long"])
def test_git_reads_what_was_stored(world, objects, tmp_path, content):
    """An object has the id that git would give, its content, and nobody may write it."""
    place = _file(tmp_path, content)
    name = loose_objects.store(objects, place)
    assert world.git("hash-object", "--no-filters", place).strip() == name == loose_objects.blob_name(content)
    answer = subprocess.run(("git", "cat-file", "blob", name), cwd=world.top, capture_output=True, check=True)
    assert answer.stdout == content
    assert stat.S_IMODE(os.stat(loose_objects.place(objects, name)).st_mode) == 0o444
    world.git("fsck", "--strict")


def test_an_old_object_is_made_young(objects, tmp_path):
    """What is there already is not written again, and has the time of now, so that nobody prunes it."""
    place = _file(tmp_path, b"a line\n")
    path = loose_objects.place(objects, loose_objects.store(objects, place))
    os.utime(path, (0, 0))
    before = os.stat(path).st_ino
    loose_objects.store(objects, place)
    assert os.stat(path).st_ino == before
    assert os.stat(path).st_mtime > 0


def test_what_a_killed_writer_left_is_in_nobodys_way(world, objects, tmp_path):
    """A part of an object has a name that git prunes, and the next writer of that number writes over it."""
    place = _file(tmp_path, b"a line\n")
    name = loose_objects.blob_name(b"a line\n")
    left = os.path.join(os.path.dirname(loose_objects.place(objects, name)), f"tmp_obj_{os.getpid()}")
    os.makedirs(os.path.dirname(left))
    for stored in (False, True):
        with open(left, "wb") as file:
            file.write(b"half")
        if stored:
            assert loose_objects.store(objects, place) == name
        else:
            os.utime(left, (0, 0))
            world.git("prune", "--expire=1.hour.ago")
            os.makedirs(os.path.dirname(left), exist_ok=True)
        assert not os.path.exists(left)


def test_a_disk_that_refuses_keeps_nothing(objects, tmp_path, monkeypatch):
    """Where an object cannot take its name the error says so, and no part of it stays."""
    place = _file(tmp_path, b"a line\n")
    path = loose_objects.place(objects, loose_objects.blob_name(b"a line\n"))

    def replace(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(StorageError, match="disk is full"):
        loose_objects.store(objects, place)
    assert os.listdir(os.path.dirname(path)) == []


def test_a_file_that_is_gone_is_told(objects, tmp_path):
    """There is no object of no file."""
    with pytest.raises(StorageError, match="No such file"):
        loose_objects.store(objects, str(tmp_path / "nowhere"))


def test_what_is_large_is_not_kept():
    """Once a large content has its name, nothing here holds it in memory any more."""
    content = os.urandom(1 << 20)
    before = sys.getrefcount(content)
    assert loose_objects.blob_name(content)
    assert sys.getrefcount(content) == before


@pytest.fixture
def tree(world):
    """Return the id of a commit with all kinds of files, and names that begin alike or are no text."""
    fill(world.top, {"a/b.md": "b\n", "a/c/d.md": "d\n", "a-b.md": "x\n", "a.md": "y\n", "a/run": "#!\n"})
    fill(world.top, {"a/c-d/e.md": "e\n", os.fsdecode(b"a/caf\xe9.md"): "f\n"})
    (world.top / "a" / "run").chmod(0o755)
    (world.top / "a" / "link.md").symlink_to("b.md")
    world.git("add", "--all")
    world.git("update-index", "--add", "--cacheinfo", f"160000,{world.head()},a/module")
    world.git("commit", "--quiet", "--message=tree")
    return world.head()


@pytest.fixture
def alone(monkeypatch):
    """Let no process start."""
    monkeypatch.setattr(subprocess, "Popen", None)


def test_a_late_commit_is_read_without_a_process(world, tree, alone):
    """The files of a commit that stands in files of its own are listed and read, and git is not asked."""
    texts = history.read_many(world.root, tree, ("a/b.md", "a/c/d.md", "a/link.md", "absent.md"))
    assert texts == {"a/b.md": "b\n", "a/c/d.md": "d\n"}
    assert history.list_tree(world.root, tree, "a/c") == ("a/c/d.md",)


@pytest.mark.parametrize(
    "paths", [("a",), ("a/c",), ("a/b.md",), ("a.md", "a/c-d", "a/caf\udce9.md"), ("a/link.md", "a/module"), ("b",)]
)
def test_files_are_listed_as_git_lists_them(world, tree, paths):
    """Below any paths stand the same files in the same order as git says."""
    listed = history._listed(world.root, tree, tree, paths)
    assert loose_objects.listing(world.root.common_dir, tree, set(paths)) == listed


@pytest.mark.parametrize("paths", [(), ("a/",), ("./a",), ("a//c",), ("a/../a.md",)])
def test_of_paths_that_are_spelt_otherwise_git_is_asked(world, tree, paths):
    """What no path of a tree is spelt like, and the whole tree, is git's."""
    assert loose_objects.listing(world.root.common_dir, tree, set(paths)) is None


def _pack(world, tree):
    world.git("repack", "-a", "-d", "--quiet")


def _damage(world, tree):
    for name in (world.git("rev-parse", f"{tree}:a/b.md").strip(), tree):
        place = loose_objects.place(os.path.join(world.root.common_dir, "objects"), name)
        os.chmod(place, 0o644)
        with open(place, "r+b") as file:
            file.write(zlib.compress(b"blob 1\0x"))


def _replace(world, tree):
    world.git("replace", tree, "HEAD~1")


def _replace_in_a_pack(world, tree):
    _replace(world, tree)
    world.git("pack-refs", "--all")
    os.rmdir(os.path.join(world.root.common_dir, "refs", "replace"))


def _be_elsewhere(world, tree):
    os.mkdir(os.path.join(world.root.common_dir, "reftable"))


@pytest.mark.parametrize("change", [_pack, _damage, _replace, _replace_in_a_pack, _be_elsewhere])
def test_git_is_asked_for_what_may_be_otherwise(world, tree, change):
    """An object in a pack, a damaged or replaced one, and one of a repository of another form are git's."""
    blob = world.git("rev-parse", f"{tree}:a/b.md").strip()
    assert loose_objects.contents(world.root.common_dir, [blob]) == {blob: b"b\n"}
    change(world, tree)
    assert loose_objects.contents(world.root.common_dir, [blob]) is None
    assert loose_objects.listing(world.root.common_dir, tree, {"a"}) is None


def test_what_stands_for_another_is_read(world, tree):
    """Where a commit is replaced, the files are those of the one that stands for it."""
    assert history.read(world.root, tree, "a/b.md") == "b\n"
    _replace_in_a_pack(world, tree)
    assert history.read(world.root, tree, "a/b.md") is None


def test_git_is_asked_for_many(world, tree):
    """Of more objects than a few git is asked, and for what is no whole id."""
    blob = world.git("rev-parse", f"{tree}:a/b.md").strip()
    assert loose_objects.contents(world.root.common_dir, [blob] * (loose_objects._FEW + 1)) is None
    for name in (blob[:-1], "HEAD", f"{tree}^{{tree}}", blob.upper(), "0" * 40):
        assert loose_objects.contents(world.root.common_dir, [name]) is None


def test_a_tag_is_no_commit(world, tree):
    """The id of a tag lists the files of its commit, by git."""
    world.git("tag", "--annotate", "--message=x", "v1", tree)
    tag = world.git("rev-parse", "v1").strip()
    assert loose_objects.listing(world.root.common_dir, tag, {"a"}) is None
    assert history.list_tree(world.root, tag, "a/c") == ("a/c/d.md",)
