"""The tasks of a memory beside a person's own, with the real `inv`."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import forkserver
import pytest
from scene import repository

from sleep.tasks import collection
from sleep.upkeep import setup
from sleep.wake.snapshot import cli

PLAIN = '''from invoke import task


@task
def hello(c):
    """Mine."""
    print("hello")


@task
def status(c):
    print("my status")
'''
SPACED = f"""{PLAIN}

from invoke import Collection

{{name}} = Collection(hello, status, Collection("docs", build=hello))
{{name}}.configure({{{{"run": {{{{"echo": True}}}}}}}})
"""


def _inv(folder, *words):
    return forkserver.run(words, cwd=folder, env={**os.environ, "COLUMNS": "200"}, program="inv")


def _names(folder):
    listed = _inv(folder, "--list")
    assert listed.returncode == 0, listed.stderr
    return set(re.findall(r"(?m)^  (\S+)", listed.stdout))


@pytest.mark.parametrize("path", ["tasks.py", "tasks/__init__.py"])
@pytest.mark.parametrize("text", [PLAIN, SPACED.format(name="ns"), SPACED.format(name="namespace")])
def test_a_persons_tasks_stay(tmp_path, path, text):
    """The line that `init` prints, put at the end of a person's file, keeps her tasks and adds those of the memory."""
    top = repository(tmp_path / "project")
    (top / path).parent.mkdir(exist_ok=True)
    (top / path).write_text(text)
    before = _names(top)
    (said,) = [laid for laid in setup.init(str(top))[1] if laid.path == path]
    assert said.what == "left"
    line = said.note.rpartition("last line: ")[2]
    (top / path).write_text(f"{text}{line}\n")
    after = _names(top)
    assert before <= after
    assert {"sleep.debt", "journal.add", "snapshot", "note"} <= after
    assert _inv(top, "hello").stdout == "hello\n"
    assert _inv(top, "status").stdout == "my status\n"
    assert _inv(top, "sleep.debt").stdout == "0\n"
    assert [laid for laid in setup.init(str(top))[1] if laid.path.startswith("tasks")] == []


def test_snapshot_is_a_task(tmp_path):
    """`inv snapshot` prints what `sleepwake snapshot` does, takes its options, and stands in the list."""
    top = repository(tmp_path / "project")
    setup.init(str(top))
    (top / "memory/core/0.soul.md").write_text("# Soul\n\nA careful gardener.\n")
    assert "snapshot" in _names(top)
    plain = _inv(top, "snapshot")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "A careful gardener." in plain.stdout
    script = [sys.executable, "-m", "sleep", "snapshot"]
    assert subprocess.run(script, cwd=top, capture_output=True, text=True, check=False).stdout == plain.stdout
    assert _inv(top, "snapshot", "--budget", "9500", "--tokens").stdout.startswith("section")
    assert _inv(top, "snapshot", "--budget", "none").returncode == 2


def test_the_task_has_the_options_of_the_command(run):
    """The help of `snapshot` names every option that the quick command takes."""
    out = run("snapshot", "--help")[1]
    assert [name for name in cli.Words._fields if f"--{name}" not in out] == []


def test_help_tells_an_option_that_takes_a_value_from_a_flag(run):
    """A page of help shows the value of every option that takes one, also of those that may be given again."""
    for task in map(collection.find, ("decide", "clients.install", "conversation.originals")):
        out = run(task.name, "--help")[1]
        assert "[no-]" not in out
        assert [each.option for each in task.parameters if (f"--{each.option}=STRING" in out) is each.is_flag] == []


def test_names_are_as_a_person_calls_them():
    """The default of a collection has the collection's name, and each task one name."""
    names = list(collection.every())
    assert len(names) == len(set(names))
    assert {"sleep", "sleep.status", "wake", "snapshot", "note", "decide", "journal.import"} <= set(names)
    assert "sleep.sleep" not in names


def test_letters_of_options_are_letters():
    """No option has a hyphen for its letter, and none takes `-h`, which asks for help."""
    letters = {name: [one.letter for one in task.parameters] for name, task in collection.every().items()}
    assert {name: own for name, own in letters.items() if {"-", "h"}.intersection(own)} == {}


def test_what_is_a_plain_word_takes_no_letter_of_another_option():
    """`--also` is `-a` wherever there is one, whether the plain words before it are needed or not."""
    letters = [one.letter for task in collection.every().values() for one in task.parameters if one.name == "also"]
    assert set(letters) == {"a"}


def test_plain_words_with_inv(tmp_path):
    """`inv` takes what a task needs as plain words, too, in a memory that `init` laid out."""
    top = repository(tmp_path / "project")
    setup.init(str(top))
    assert "[i1" in _inv(top, "note", "the lock is a file").stdout
    assert "the lock is a file" in _inv(top, "recall", "lock").stdout
    assert "D-009" in _inv(top, "decision.show", "D-009").stderr
