"""`sleepwake mcp` as a command: its words, and what it says without its extra."""

from __future__ import annotations

import os
import subprocess
import sys

import forkserver
import pytest

from sleep import extra_install
from tests.mcp.wire import PATIENCE, SLEEPWAKE

_WITHOUT = "import sys; sys.modules['mcp'] = None; from sleep.__main__ import main; main(['sleepwake', 'mcp'])"


def run(*words):
    """Run a command and return (exit code, standard output, standard error)."""
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.returncode, done.stdout, done.stderr


def _ran(*words):
    return forkserver.run(words, cwd=os.curdir, env=dict(os.environ))


def test_without_the_extra_it_says_what_to_install():
    """Where the SDK is missing the command ends with one sentence and the command that installs it."""
    code, out, complaint = run(sys.executable, "-c", _WITHOUT)
    assert code == 1
    assert out == ""
    assert complaint.splitlines()[1:] == [f"Hint: {extra_install.command('mcp')}"]
    assert "is not installed" in complaint


@pytest.mark.parametrize("words", [("--budget", "3"), ("--root",), ("here",)])
def test_words_that_it_cannot_take_are_refused(words):
    """A word that is none of its own ends with 2, a sentence and a hint, and nothing on standard output."""
    done = _ran("mcp", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Hint: sleepwake mcp --help" in done.stderr


def test_help_is_printed():
    """`--help` prints how it is used, and the list of tasks has it."""
    code, out, _ = run(SLEEPWAKE, "mcp", "--help")
    assert code == 0
    assert "--root" in out
    assert "  mcp " in _ran("--list").stdout
