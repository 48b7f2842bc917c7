"""Options that are read without Invoke mean what they mean to Invoke, and what is no plain reading is left to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sleep.tasks import root
from sleep.tasks.cycle import sleep as sleep_tasks
from sleep.tasks.cycle import sleep_command, wake_command
from sleep.tasks.cycle import wake as wake_tasks
from sleep.tasks.cycle.wake_command import Wake
from sleep.tasks.upkeep import status_command

COMMANDS = [
    (sleep_command, sleep_tasks.sleep),
    (wake_command, wake_tasks.wake),
    (status_command, root.status),
]


@pytest.mark.parametrize(("command", "task"), COMMANDS, ids=["sleep", "wake", "status"])
def test_both_tables_have_the_same_options(command, task):
    """An option that the task has, the plain reading has too, under the same letter, with a value or without."""
    ours = {(option.name, option.letter, option.is_valued) for option in command.OPTIONS}
    theirs = {
        (argument.name.replace("_", "-"), next(name for name in argument.names if len(name) == 1), argument.takes_value)
        for argument in task.get_arguments()
    }
    assert ours == theirs


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], Wake()),
        (["--task", "make the lock faster", "-b", "8000"], Wake("make the lock faster", "8000")),
        (["--peek", "--at=cycle 2", "-j"], Wake(at="cycle 2", peek=True, json=True)),
        (["--help"], None),
        (["status"], None),
        (["--task"], None),
        (["--budget", "-1"], None),
        (["-n", "--new"], None),
    ],
)
def test_a_wake_is_read_plainly(words, asked):
    """Flags, values and letters mean what the task's mean; help, slips and further tasks are left to Invoke."""
    assert wake_command.parse(words) == asked


@pytest.mark.parametrize("name", ["cycle.wake_command", "upkeep.status_command"])
def test_a_start_loads_no_invoke(name):
    """A command of which each session's start waits loads neither Invoke nor GitPython."""
    code = f"""
import sys
sys.path += {sys.path!r}
import sleep.tasks.{name}
print({{"invoke", "git"}} & {{*sys.modules}})
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("words", [("wake", "--peek"), ("status",)])
def test_both_ways_say_the_same(scene, words):
    """What is said without Invoke is what is said through it, which an option said twice brings about."""
    scene.open()
    scene.add("decision", "Use flock", why="it ends with its holder")
    short, long = (scene.run(*words, *("--json",) * times) for times in (1, 2))
    assert short == long
    assert short[0] == 0
