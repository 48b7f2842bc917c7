"""A command that tests run in their own process."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import own_streams
import pytest
from scene import environment

from sleep import __main__ as command
from sleep.clients.hooks import hook_child


def _ran(monkeypatch, tmp_path, act, **options):
    monkeypatch.setattr(command, "main", act)
    return own_streams.run(("x", "y"), cwd=tmp_path, env=environment(), **options)


def test_words_input_and_both_outputs_are_its_own(monkeypatch, tmp_path):
    """It is given words and input; what it and the programs that it starts print is told apart by stream."""

    def act(words):
        print(words, sys.stdin.read())
        sys.stdout.flush()
        subprocess.run(("sh", "-c", "echo of a program; echo its error >&2"), check=True)
        sys.stderr.write("error\n")

    done = _ran(monkeypatch, tmp_path, act, stdin="line\n")
    assert done.stdout == "['sleepwake', 'x', 'y'] line\n\nof a program\n"
    assert (done.stderr, done.returncode) == ("its error\nerror\n", 0)


@pytest.mark.parametrize(("end", "code", "said"), [(None, 0, ""), (3, 3, ""), (-1, 255, ""), ("why", 1, "why\n")])
def test_its_end_is_an_exit_code(monkeypatch, tmp_path, end, code, said):
    """An exit has the code that the interpreter gives, and words of an exit stand among the errors."""
    done = _ran(monkeypatch, tmp_path, lambda _: sys.exit(end))
    assert (done.returncode, done.stderr) == (code, said)


def test_folder_variables_and_streams_are_as_before(monkeypatch, tmp_path):
    """A command that moves, sets variables, closes its streams and fails leaves the test where it was."""
    before = os.getcwd(), dict(os.environ), sys.stdout, sys.stderr, sys.stdin, gc.isenabled()

    def act(_):
        assert os.getcwd() == str(tmp_path)
        os.chdir("/")
        gc.disable()
        os.environ["STRANGE"] = os.environ.pop("HOME")
        sys.stdout.close()
        os.close(2)
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        _ran(monkeypatch, tmp_path, act)
    assert before == (os.getcwd(), dict(os.environ), sys.stdout, sys.stderr, sys.stdin, gc.isenabled())
    os.write(2, b"")


def test_what_a_hook_waits_for_is_run_here_too(monkeypatch, tmp_path):
    """The command of a hook has an exit code and output of its own, fires no hooks, and leaves the hook's alone."""

    def act(words):
        if words[1:] == ["x", "y"]:
            for says in ("well", "badly"):
                print(hook_child.run((says,), str(tmp_path), 1.0), os.environ.get("SLEEP_OFF"))
            return
        print(words, os.environ["SLEEP_OFF"])
        sys.exit(f"{words[1]} ended" if words[1] == "badly" else 0)

    run = hook_child.run
    done = _ran(monkeypatch, tmp_path, act)
    assert done.stdout == """(0, "['sleepwake', 'well'] 1\\n") None\n(1, 'badly ended\\n') None\n"""
    assert (done.stderr, hook_child.run) == ("", run)
