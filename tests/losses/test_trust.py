"""A cloned repository is input: what it links to outside, and what is no file, is neither shown nor waited for."""

from __future__ import annotations

import os

import pytest

SECRET = "the private page of somebody else"
READERS = (
    ("wake", "--peek"),
    ("wake",),
    ("recall", "private page"),
    ("memory.blame", "--file=main.md"),
    ("memory.blame", "--file=journal/instance-9.md"),
    ("status",),
    ("snapshot",),
    ("journal.show", "--instance=9"),
    ("sleep", "--dry-run"),
    ("doctor",),
)


@pytest.fixture
def stranger(person, tmp_path):
    """Return someone with a fresh memory and a private file outside it."""
    (tmp_path / "private.md").write_text(f"# Private\n\n{SECRET}\n", encoding="utf-8")
    return person.grow(decide_and_sleep)


def decide_and_sleep(person):
    """Journal a decision and sleep."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock")
    person.sleepwake("sleep")


@pytest.mark.parametrize(
    "path", ["main.md", "memory/architecture.md", "memory/hot/context.md", "journal/instance-9.md"]
)
def test_a_link_does_not_show_what_lies_outside(stranger, tmp_path, path):
    """No command prints a file outside the memory that a tracked link leads to, and the doctor names the link."""
    (stranger.folder / path).unlink(missing_ok=True)
    os.symlink(tmp_path / "private.md", stranger.folder / path)
    for words in READERS:
        assert SECRET not in stranger.sleepwake(*words, code=None), words
    assert path in stranger.sleepwake("doctor", code=None)


def test_a_setting_does_not_lead_outside(stranger, tmp_path):
    """The architecture page that tracked settings name lies inside the memory, or is refused."""
    stranger.write("memory/sleep.yaml", "architecture: ../private.md\n")
    said = stranger.sleepwake("wake", "--peek", code=None)
    assert SECRET not in said
    assert "../private.md" in said


@pytest.mark.parametrize("make", [lambda at: os.symlink("/dev/zero", at), os.mkfifo])
def test_what_is_no_file_is_not_waited_for(stranger, make):
    """A device or a pipe in the place of a journal is named; no command hangs on it or eats the memory."""
    make(stranger.folder / "journal/instance-9.md")
    for words in READERS:
        stranger.sleepwake(*words, code=None, seconds=30)
    assert "journal/instance-9.md" in stranger.sleepwake("doctor", code=None)
    assert "journal/instance-9.md" in stranger.sleepwake("sleep", code=None)


def test_a_journal_is_not_written_elsewhere(stranger, tmp_path):
    """Where `journal/` is a link that leads out, nothing is written there, and the link is named."""
    elsewhere = tmp_path / "elsewhere"
    os.rename(stranger.folder / "journal", elsewhere)
    os.symlink(elsewhere, stranger.folder / "journal")
    before = {path.name: path.read_bytes() for path in elsewhere.iterdir()}
    said = stranger.sleepwake("journal.add", "--kind", "note", "--text", "written by me", code=None)
    assert "journal" in said
    assert "leads" in said
    assert {path.name: path.read_bytes() for path in elsewhere.iterdir()} == before
