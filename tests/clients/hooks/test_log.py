"""The log of hooks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from sleep.clients.hooks import log

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]


def test_it_is_below_the_git_directory(memory):
    """With git the log is where git never looks, without it beside the ledger, as what belongs to the machine."""
    assert log.path(memory) == os.path.join(memory.state, ".hooks.log")
    subprocess.run(["git", "init", "--quiet"], check=True)
    assert log.path(memory) == os.path.join(memory.base, ".git", "sleepwake", "hooks.log")


def test_a_line_says_when_where_and_what(memory):
    """A line has time, event, level and words, newlines taken out."""
    log.info(memory, "stop", "one\ntwo")
    log.error(memory, "stop", ValueError("bad\nline"))
    first, second = Path(log.path(memory)).read_text(encoding="utf-8").splitlines()
    assert first[20:] == " stop INFO one two"[1:] or first.endswith(" stop INFO one two")
    assert " stop ERROR ValueError: bad line" in second
    assert log.last_error(memory) == second


def test_nothing_private_is_written(memory, hermetic):
    """Secrets and home directories are taken out of errors."""
    log.error(memory, "stop", OSError(f"{hermetic}/x: token {TOKEN}"))
    text = Path(log.path(memory)).read_text(encoding="utf-8")
    assert TOKEN not in text
    assert str(hermetic) not in text
    assert "~/x" in text


def test_it_does_not_grow_without_end(memory, monkeypatch):
    """Above its size the log starts anew, and one old one is kept."""
    monkeypatch.setattr(log, "LIMIT", 2000)
    for number in range(200):
        log.info(memory, "stop", f"line {number}")
    path = Path(log.path(memory))
    assert path.stat().st_size <= 2100 if path.exists() else True
    assert Path(f"{path}.1").stat().st_size <= 2100
    log.error(memory, "stop", "late")
    monkeypatch.setattr(log, "LIMIT", 0)
    log.info(memory, "stop", "over")
    assert log.last_error(memory).endswith("ERROR late")


def test_a_disk_that_refuses_is_no_error(memory):
    """Where no log can be written a hook goes on."""
    Path(memory.state, ".hooks.log").mkdir()
    log.error(memory, "stop", "x")
    assert log.last_error(memory) == ""
