"""A person's Ctrl-C, whenever it comes: one line, and the exit code 130; of a hook, nothing and 0."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scene import environment

# Ctrl-C comes when the module that is named is about to be loaded.
_PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
moment, *sys.argv[1:] = sys.argv[1:]
def look(event, given):
    if event == "import" and given[0] == moment:
        signal.raise_signal(signal.SIGINT)
sys.addaudithook(look)
from sleep.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("moment", "words", "code"),
    [
        ("sleep.pattern_cache", ("status",), 130),
        ("sleep.upkeep", ("status",), 130),
        ("sleep.wake.snapshot", ("snapshot",), 130),
        ("sleep.clients.hooks", ("hook", "stop"), 0),
        ("sleep.clients.hooks.payload", ("hook", "session-start"), 0),
        ("sleep.clients.hooks.session_context", ("hook", "session-start"), 0),
    ],
)
def test_while_the_program_loads(scene, moment, words, code):
    """Ctrl-C while the program loads its modules ends a command with one line, and a hook as if nothing had been."""
    ended = subprocess.run(
        (sys.executable, "-c", _PROGRAM, moment, *words),
        cwd=scene.home,
        env=environment(),
        input="{}",
        capture_output=True,
        text=True,
        check=False,
    )
    line = "" if code == 0 else "interrupted; nothing is half done (sleepwake status)\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", line)
