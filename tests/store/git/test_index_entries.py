"""What is read off the index is what git says of it."""

from __future__ import annotations

import os
import random

import pytest
from world import fill

from sleep.store.git import index_entries
from sleep.store.repository import Repository


def _listed(world):
    """Return what git lists, as `entries` writes it."""
    rows = world.git("ls-files", "--stage", "-z").split("\0")[:-1]
    pairs = (row.split("\t", 1) for row in rows)
    return {os.fsencode(path): entry.removesuffix(" 0") for entry, path in pairs}


def _index(world):
    return os.path.join(world.root.git_dir, "index")


def _blob(world):
    return world.git("rev-parse", "HEAD:main.md").strip()


def test_all_kinds_of_entries(world):
    """Names of any length, links, programs, what is only announced, and conflicts read as git lists them."""
    blob, letters = _blob(world), random.Random(7)
    names = {"".join(letters.choices("ab/é -", k=size)).replace("/", "/x") for size in range(1, 80)}
    lines = [f"100644 {blob}\tn{name}x" for name in names if not set(name) <= {" "}]
    lines += [f"100755 {blob}\tprogram", f"120000 {blob}\tlink", f"100644 {blob}\t{'long/' * 850}end"]
    lines += [f"100644 {blob} {stage}\tconflict" for stage in (1, 2, 3)]
    world.git("update-index", "--index-info", input="\n".join(lines) + "\n")
    fill(world.top, {"announced.md": "new\n"})
    world.git("add", "--intent-to-add", "announced.md")
    listed = _listed(world)
    assert len(listed) > 60
    assert listed[b"conflict"].endswith(" 3")
    assert index_entries.read(_index(world), listed.keys()) == listed
    assert index_entries.read(_index(world), {b"program", b"nowhere"}) == {b"program": f"100755 {blob}"}


def test_no_index_has_no_entries(tmp_path):
    """Before the first `git add` there is no file."""
    assert index_entries.read(str(tmp_path / "index"), {b"main.md"}) == {}


@pytest.mark.parametrize(
    "words",
    [("--index-version=4",), ("--split-index",), ("--index-version=4", "--untracked-cache")],
    ids=["version 4", "split", "both"],
)
def test_other_forms_are_left_to_git(world, words):
    """An index of another form says nothing, and the repository answers all the same."""
    world.git("update-index", *words)
    assert index_entries.read(_index(world), {b"main.md"}) is None
    assert Repository(world.root).entries(["main.md", "nowhere.md"]) == {"main.md": f"100644 {_blob(world)}"}


def test_untracked_cache_and_trees_are_passed_over(world):
    """Extensions that need not be understood stand behind the entries."""
    world.git("update-index", "--untracked-cache")
    world.git("status")
    assert index_entries.read(_index(world), {b"main.md"}) == {b"main.md": f"100644 {_blob(world)}"}


def test_a_broken_index_says_nothing(world, tmp_path):
    """Wherever the file is cut off, or whatever stands in it, it is not believed, also where it has no digest."""
    with open(_index(world), "rb") as file:
        whole = file.read()
    cut, chance = tmp_path / "index", random.Random(7)
    for end in range(len(whole)):
        cut.write_bytes(whole[:end])
        assert index_entries.read(str(cut), {b"main.md"}) is None
    for _ in range(500):
        broken = bytearray(whole)
        broken[chance.randrange(len(whole))] ^= chance.randrange(1, 256)
        cut.write_bytes(broken)
        assert index_entries.read(str(cut), {b"main.md"}) is None
        cut.write_bytes(bytes(broken[:-20]) + bytes(20))
        index_entries.read(str(cut), {b"main.md"})


def test_an_index_without_a_digest_is_read(world):
    """Git leaves it empty where a person has no time for it (`index.skipHash`)."""
    with open(_index(world), "rb+") as file:
        file.seek(-20, os.SEEK_END)
        file.write(bytes(20))
    assert index_entries.read(_index(world), {b"main.md"}) == {b"main.md": f"100644 {_blob(world)}"}


def test_a_large_index_is_left_to_git(world, monkeypatch):
    """Of so many files git tells a few sooner."""
    monkeypatch.setattr(index_entries, "_LARGEST", 100)
    assert index_entries.read(_index(world), {b"main.md"}) is None
