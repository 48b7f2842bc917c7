"""Blobs that are stored without git are git's."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from sleep.errors import StorageError
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
