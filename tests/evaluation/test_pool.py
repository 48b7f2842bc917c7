"""Work over several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from sleep.errors import StorageError
from sleep.evaluation import pool

_WORKS = """
import os, time
from sleep.evaluation import pool

if __name__ == "__main__":
    list(pool.each(time.sleep, [60, 60], lambda *_: None, 2))
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order(workers):
    """Whatever the number of processes, results come in the order of the pieces, each with a notice."""
    seen = []
    found = list(pool.each(abs, [-3, 2, -1], lambda *progress: seen.append(progress), workers))
    assert found == [3, 2, 1]
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_no_pieces_are_no_work():
    """Without pieces nothing is started."""
    assert list(pool.each(abs, [], lambda *_: None)) == []


def test_what_goes_wrong_is_said():
    """An error in a process is raised where the result would have come."""
    with pytest.raises(TypeError):
        list(pool.each(abs, ["x", "y"], lambda *_: None, 2))


def _end(_piece):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_said():
    """A process that is ended from outside is an error at once; nobody waits for what it would have said."""
    with pytest.raises(StorageError, match="ended from outside"):
        list(pool.each(_end, [1, 2, 3], lambda *_: None, 2))


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="the children of a process are read from /proc")
def test_no_process_outlives_a_killed_one(tmp_path):
    """When the process is killed, those that it had started end too, in the middle of their work."""
    script = tmp_path / "works.py"
    script.write_text(_WORKS)
    working = subprocess.Popen([sys.executable, str(script)])
    children = _until(lambda: _asleep(working.pid))
    working.send_signal(signal.SIGKILL)
    working.wait()
    assert _until(lambda: not any(map(_runs, children)) or None)


def _asleep(parent):
    """Return the two workers of a process, once they are there."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as listed:
        children = listed.read().split()
    workers = [one for one in children if b"spawn_main" in _words(one)]
    return workers if len(workers) == 2 and all(_threads(one) > 1 for one in workers) else None


def _words(process):
    with open(f"/proc/{process}/cmdline", "rb") as said:
        return said.read()


def _runs(process):
    """Return whether a process is there and has not ended; one that nobody asked after has, and stays listed."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as said:
            return said.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _threads(process):
    return len(os.listdir(f"/proc/{process}/task"))


def _until(found, patience=30):
    """Return what a function finds, once it finds something."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if (value := found()) is not None:
            return value
        time.sleep(0.05)
    pytest.fail("nothing was found")
