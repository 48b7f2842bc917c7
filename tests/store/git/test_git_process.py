"""One git child: what it says, and that nobody waits for what it left running."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from sleep.store.git import git_process

_SAYS_MUCH = "import sys; sys.stdout.write('o' * 300000); sys.stderr.write('e' * 300000)"


@pytest.fixture
def lasting(tmp_path):
    """Shell words that start a process with our output open; it is ended with the test."""
    place = tmp_path / "pid"
    yield f"sleep 600 & echo $! >{place}"
    os.kill(int(place.read_text()), signal.SIGKILL)


def _run(*words):
    return git_process.run(words, str(Path.cwd()), dict(os.environ), None, ())


def test_what_a_child_left_running_is_not_waited_for(lasting):
    """The answer of a child that has ended is there although what it started keeps its output open."""
    assert _run("sh", "-c", f"{lasting}; echo out; echo error >&2; exit 3") == (3, b"out\n", b"error\n")


def test_all_that_a_child_says_is_read(lasting):
    """What is more than a pipe takes in is read to its end, also where the output stays open behind it."""
    script = f"{lasting}; '{sys.executable}' -c \"{_SAYS_MUCH}\""
    assert _run("sh", "-c", script) == (0, b"o" * 300000, b"e" * 300000)
