"""Children of hooks: awaited, bounded, and gone with the hook."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sleep.clients.hooks import hook_child
from sleep.store import files

INNER = """
import os, sys, time
sys.path.append(sys.argv[1])
from sleep.clients.hooks import hook_child
hook_child.bind(int(sys.argv[2]))
open({mark!r}, "w").write(str(os.getpid()))
time.sleep(60)
"""
SLEEPER = (
    "import subprocess, sys, time; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); time.sleep(60)"
)


def _gone(pid, seconds=5.0):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return not files.is_running(pid)
        time.sleep(0.02)
    return False


@pytest.fixture
def script(monkeypatch):
    """Return a function that makes children run this code instead of the program."""

    def script(code):
        monkeypatch.setattr(hook_child, "_CODE", code)

    return script


def test_it_runs_the_program(tmp_path):
    """A child is the program itself: its code and what it printed come back."""
    code, said = hook_child.run(["--version"], str(tmp_path), 60)
    assert code == 0
    assert said.startswith("sleepwake")


def test_it_is_of_the_same_version(tmp_path):
    """The child runs the program that the hook is of, whichever other is installed in this Python."""
    program, isolated, *rest = hook_child.command(("--version",))
    done = subprocess.run((program, isolated, "-v", *rest), cwd=tmp_path, capture_output=True, text=True, check=False)
    loaded = re.findall(r"(\S+)/sleep/(?:__pycache__/)?__main__\S*\.pyc?", done.stderr)
    assert {path.lstrip("'") for path in loaded} == {str(Path(hook_child.__file__).parents[3])}


def test_a_failure_is_told(tmp_path):
    """A command that fails gives its exit code and what it said on standard error."""
    code, said = hook_child.run(["status"], str(tmp_path), 60)
    assert code == 4
    assert "no memory" in said


def test_hooks_are_off_in_it_and_nobody_speaks_to_it(tmp_path, script):
    """A child fires no hooks again, has no input, and runs in the folder that was named."""
    script("import os, sys; print(os.environ['SLEEP_OFF'], repr(sys.stdin.read()), os.getcwd())")
    assert hook_child.run([], str(tmp_path), 60) == (0, f"1 '' {tmp_path}\n")


def test_at_the_limit_the_whole_group_goes(tmp_path, script):
    """A child that takes too long is ended with all that it started."""
    script(SLEEPER.replace("print(p.pid, flush=True)", f"open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid))"))
    began = time.monotonic()
    assert hook_child.run([], str(tmp_path), 1.0)[0] is None
    assert time.monotonic() - began < 4
    assert _gone(int((tmp_path / "pid").read_text()))


def test_what_it_leaves_behind_goes_too(tmp_path, script):
    """A child that ends and leaves a process that holds its output open is answered for, and the process ended."""
    script(SLEEPER.rpartition(";")[0])
    code, said = hook_child.run([], str(tmp_path), 1.5)
    assert code == 0
    assert _gone(int(said))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a child that its parent died")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_it_dies_with_the_hook(tmp_path, number):
    """However the client ends the hook, the child ends with it; asked to end, a hook exits with 0."""
    mark = tmp_path / "pid"
    inner = INNER.format(mark=str(mark))
    lead = f"from sleep.clients.hooks import hook_child; hook_child._CODE = {inner!r}"
    outer = f"{lead}; hook_child.run([], {str(tmp_path)!r}, 50)"
    hook = subprocess.Popen([sys.executable, "-c", outer], start_new_session=True)
    until = time.monotonic() + 20
    while not (mark.exists() and mark.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(hook.pid, number)
    assert hook.wait(60) == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    assert _gone(int(mark.read_text()))
