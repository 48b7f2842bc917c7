"""Whether a client still runs, by its process and when that began."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sleep.debt import liveness

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes can be asked on Linux only")


def processes(tmp_path, monkeypatch, table):
    """Lay a /proc with these processes: pid to (name, parent, start)."""
    (tmp_path / "self" / "ns").mkdir(parents=True)
    os.symlink("pid:[42]", tmp_path / "self" / "ns" / "pid")
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("0123456789\n")
    for pid, (name, parent, start, state) in table.items():
        (tmp_path / str(pid)).mkdir()
        rest = ["0"] * 17
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) {state} {parent} {' '.join(rest)} {start} 0\n")
    monkeypatch.setattr(liveness, "_PROC", str(tmp_path))


def test_the_client_is_above_the_shells(tmp_path, monkeypatch):
    """The client is the first process above that is no shell, whatever its name looks like."""
    table = {
        9: ("sh", 8, 90, "S"),
        8: ("bash", 7, 80, "S"),
        7: ("a (b) sh", 1, 70, "S"),
        1: ("systemd", 0, 1, "S"),
        5: ("dash", 1, 5, "S"),
    }
    processes(tmp_path, monkeypatch, table)
    assert liveness.client_process(9) == (7, "01234567:42:70")
    assert liveness.client_process(5) == (0, "")
    assert liveness.client_process(99) == (0, "")


def test_shells_without_an_end(tmp_path, monkeypatch):
    """Parents that go in a circle come to an end."""
    processes(tmp_path, monkeypatch, {2: ("sh", 3, 1, "S"), 3: ("sh", 2, 1, "S")})
    assert liveness.client_process(2) == (0, "")


def test_who_runs(tmp_path, monkeypatch):
    """A process runs if its number and its start are there; a number that was given again is another process."""
    processes(tmp_path, monkeypatch, {7: ("claude", 1, 70, "S"), 8: ("claude", 1, 80, "Z")})
    assert liveness.is_running(7, "01234567:42:70") is True
    assert liveness.is_running(7, "01234567:42:71") is False
    assert liveness.is_running(8, "01234567:42:80") is False
    assert liveness.is_running(9, "01234567:42:70") is False


def test_what_cannot_be_told(tmp_path, monkeypatch):
    """Of another machine, another container, or no process at all nothing is said."""
    processes(tmp_path, monkeypatch, {7: ("claude", 1, 70, "S")})
    assert liveness.is_running(7, "76543210:42:70") is None
    assert liveness.is_running(7, "01234567:43:70") is None
    assert liveness.is_running(0, "") is None
    assert liveness.is_running(7, "") is None
    monkeypatch.setattr(liveness, "_PROC", str(tmp_path / "none"))
    assert liveness.client_process() == (0, "")
    assert liveness.own_process()[1] == ""


def test_a_real_process():
    """A child runs until it is ended, and this process is itself."""
    assert liveness.is_running(*liveness.own_process()) is True
    child = subprocess.Popen((sys.executable, "-c", "input()"), stdin=subprocess.PIPE)
    pid, started = liveness.client_process(child.pid)
    assert (pid, liveness.is_running(pid, started)) == (child.pid, True)
    child.communicate(b"\n")
    assert liveness.is_running(pid, started) is False


@pytest.mark.parametrize(
    ("words", "stdin", "once"),
    [
        (("node", "/x/qwen", "-p", "say -i"), "/dev/pts/3", True),
        (("node", "/x/qwen", "--prompt=hi"), "/dev/pts/3", True),
        (("node", "/x/qwen"), "pipe:[77]", True),
        (("node", "/x/qwen"), "/dev/null", True),
        (("node", "/x/qwen", "--yolo", "the -p of it"), "/dev/pts/3", False),
        (("node", "/x/qwen"), "", False),
        ((), "pipe:[77]", False),
    ],
)
def test_a_client_that_answers_once(tmp_path, monkeypatch, words, stdin, once):
    """A client was asked one thing where its command line says so, or where it has no terminal; else none can tell."""
    processes(tmp_path, monkeypatch, {7: ("node", 1, 70, "S")})
    if words:
        (tmp_path / "7/cmdline").write_text("".join(f"{word}\0" for word in words))
    if stdin:
        (tmp_path / "7/fd").mkdir()
        os.symlink(stdin, tmp_path / "7/fd/0")
    assert liveness.answers_once(7, ("-p", "--prompt")) is once
    assert liveness.answers_once(0, ("-p", "--prompt")) is False
