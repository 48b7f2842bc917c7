"""What `sleepwake` alone says: the tasks of a day, each of which is there."""

from __future__ import annotations

import pytest

from sleep.tasks import collection
from sleep.tasks.command_line import front_page


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_the_program_alone_teaches(run, words):
    """A newcomer reads on one screen how to begin, what to do each day, and where the rest stands."""
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 100
    assert out.index("init") < out.index("wake  ") < out.index("sleep  ") < out.index("doctor")
    assert "TASK --help" in out
    assert "--list" in out


def test_every_task_of_the_page_is_there():
    """The page names no task that has another name, or none."""
    known = collection.every()
    for tasks in front_page.GROUPS.values():
        for names, _ in tasks:
            assert set(names.split(", ")) <= set(known), names
