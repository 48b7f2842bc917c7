"""The file with what functions of a text returned: as fast as it is, so little depends on it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from sleep import memo
from sleep.language import salience, similarity
from sleep.memory import memo_file
from sleep.records import noun_phrases
from sleep.records.relations import oppositions


@pytest.fixture
def folder(scene, monkeypatch):
    """The folder of the files of a memory that has slept twice; each command is a process of its own."""
    monkeypatch.setenv("FORKSERVER", "always")
    scene.lived(2)
    return Path(scene.place.root.state_dir, memo_file.FOLDER)


COMMANDS = (
    ("wake", "--peek"),
    ("wake", "--peek", "--task", "the parser of part 2"),
    ("status",),
    ("wake.check",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_says_the_same_with_and_without_it(scene, folder, words):
    """With the file, after it was removed, and where it was damaged a command prints the same, and makes it anew."""
    scene.open()
    scene.add("decision", "Never use engine 1 for part 1, use engine 9 instead", why="it is slow")
    first = scene.run(*words)
    kept = next(folder.iterdir())
    content = kept.read_bytes()
    again = scene.run(*words)
    kept.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    damaged = scene.run(*words)
    assert memo_file._read(str(kept), memo_file._program())
    shutil.rmtree(folder)
    assert first[1]
    assert [again, damaged, scene.run(*words)] == [first] * 3


def test_a_sleep_writes_the_same_commits_with_and_without_it(scene, folder, tmp_path):
    """Two copies of a memory, one of which has the file, are slept on alike."""
    scene.cycle(3)
    scene.open()
    scene.add("decision", "Use engine 12 instead of engine 2 for part 2", why="it is new")
    other = tmp_path / "other"
    assert scene.run("sleep", "--dry-run")[0] == 0
    shutil.copytree(scene.top, other, symlinks=True)
    shutil.rmtree(other / ".git" / "sleepwake" / memo_file.FOLDER)
    dates = {"GIT_AUTHOR_DATE": "2026-12-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-12-01T00:00:00Z"}
    trees = []
    for top in (scene.top, other):
        assert scene.run("sleep", folder=top, **dates)[0] == 0
        trees.append(scene.git("-C", str(top), "rev-parse", "HEAD:memory/hot", "HEAD:memory/warm"))
    assert trees[0] == trees[1]


def test_another_program_does_not_read_it(scene, monkeypatch):
    """What another program has kept, or another Python, counts as nothing."""
    salience.mentions.cache_clear()
    with memo_file.keep(scene.place.root, "wake"):
        salience.mentions("the Ledger of `src/a.py`")
    path = os.path.join(scene.place.root.state_dir, memo_file.FOLDER, "wake")
    assert memo_file._read(path, memo_file._program())
    monkeypatch.setattr(memo_file.sys, "version", "4.0")
    assert memo_file._read(path, memo_file._program()) == {}


def test_a_file_of_the_program_that_changed_is_another_program(tmp_path, monkeypatch):
    """Every file counts, word lists as code, by its size and its time; bytecode does not."""
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "en.txt").write_text("no\n")
    monkeypatch.setattr(memo_file, "_PACKAGE", str(tmp_path))
    before = memo_file._program()
    (tmp_path / "__pycache__").mkdir()
    assert memo_file._program() == before
    os.utime(tmp_path / "words" / "en.txt", ns=(1, 1))
    assert memo_file._program() != before
    monkeypatch.setattr(memo_file, "_PACKAGE", str(tmp_path / "an archive"))
    assert memo_file._program() == b""


def test_what_fails_keeps_nothing_and_a_disk_that_refuses_is_no_error(scene):
    """An error leaves the file as it was; where no file can be, the command goes on without."""
    with pytest.raises(AttributeError), memo_file.keep(scene.place.root, "wake"):
        salience.mentions(None)
    assert not os.path.exists(os.path.join(scene.place.root.state_dir, memo_file.FOLDER))
    os.makedirs(scene.place.root.state_dir, exist_ok=True)
    Path(scene.place.root.state_dir, memo_file.FOLDER).write_text("a file where the folder should be")
    salience.mentions.cache_clear()
    with memo_file.keep(scene.place.root, "wake"):
        assert salience.mentions("the Ledger").words
    assert memo.empty() is None


def test_a_memory_that_asks_for_too_much_has_no_file(scene, monkeypatch):
    """Beyond its bound the file goes, and is not written."""
    monkeypatch.setattr(memo_file, "_MOST", 64)
    salience.mentions.cache_clear()
    with memo_file.keep(scene.place.root, "wake"):
        salience.mentions("the Ledger of `src/a.py` and a word more")
    assert os.listdir(os.path.join(scene.place.root.state_dir, memo_file.FOLDER)) == []


@pytest.mark.parametrize(
    "function", [similarity._sense, oppositions.signs, noun_phrases.read], ids=["sense", "signs", "phrases"]
)
def test_sets_are_kept_as_rows(function):
    """What holds sets of words is the same from the file, where these are plain rows: to write sets takes long."""
    text = "Use SQLite instead of the JSON ledger for retries of the billing queue, no longer 30 s but 45 s"
    name = f"{function.__module__}.{function.__name__}"
    function.cache_clear()
    fresh = function(text)
    memo.fill({})
    try:
        function.cache_clear()
        function(text)
        answers = memo.empty()
        plain = answers[name][text]
        assert not any(isinstance(part, frozenset | set) for part in plain)
        memo.fill(answers)
        function.cache_clear()
        assert function(text) == fresh
        assert memo.empty() is None  # nothing was found out anew
    finally:
        memo.empty()
        function.cache_clear()
