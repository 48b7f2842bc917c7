"""The state of the work in little room: each line is shortened by itself, and none takes the others along."""

from __future__ import annotations

from sleep.conversation.messages import counters
from sleep.conversation.summary.state import room

FILES = "files changed: in /p/: " + ", ".join(f"module_{number}/implementation_{number}.py" for number in range(24))
FAILED = "last error: [bash] FAILED tests/test_a.py::test_rename - ImportError (nothing ran after it)"
TASKS = "tasks: 1 of 3 done | in progress: run the tests | to do: push"
READ = "files read: /p/README.md"
STATE = (READ, FILES, FAILED, TASKS)


def test_a_long_line_is_shortened_and_the_rest_stays():
    """Of many files the latest are named and the others counted; the short lines are whole."""
    rows = room.fit(STATE, 120, counters.plain)
    assert rows[1:] == (FAILED, TASKS, READ)
    assert rows[0].startswith("files changed: in /p/")
    assert " earlier, " in rows[0]
    assert rows[0].endswith("module_23/implementation_23.py")


def test_what_fits_is_whole():
    """With room enough each line stands as it was written."""
    assert set(room.fit(STATE, 1_000, counters.plain)) == set(STATE)


def test_the_state_is_never_larger_than_its_room():
    """In any room the lines fit, and the last failure is the last to go."""
    for size in range(300):
        rows = room.fit(STATE, size, counters.plain)
        assert sum(counters.plain(row) + 2 for row in rows) <= size
        assert not rows or any(row.startswith("last error: ") for row in rows), size
