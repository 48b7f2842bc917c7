"""`sleep` starts without Invoke, and says what it did."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

_TIME = re.compile(r"T\d\d:\d\d:\d\dZ")  # the second command may begin in another second


_REHEARSED = {"difflib", "random", "sleep.journal.writer", "sleep.compression.model.repeat"}
_ASKED = {"sqlite3", "sleep.recall.search", "sleep.recall.past.moment", "sleep.compression.extractive", "dataclasses"}


@pytest.mark.parametrize(("command", "late"), [("sleep", _REHEARSED), ("wake", _ASKED)])
def test_a_start_loads_what_it_uses(command, late):
    """What only a rehearsal, a compressor, a task or a moment of the past asks for waits; tuples are our own."""
    code = """
import sys, typing
sys.path[:0] = {path!r}
from sleep.tasks import collection
collection.find({command!r})
print(sorted({late!r} & {{*sys.modules}}))
ours = [module for name, module in sys.modules.items() if name.startswith("sleep.")]
print([module.__name__ for module in ours if vars(module).get("NamedTuple") is typing.NamedTuple])
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code.format(path=sys.path, command=command, late=late | {"invoke", "git"})],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]


def test_both_ways_say_the_same(scene):
    """A rehearsal tells the same facts through the short way and through Invoke, which a word more brings about."""
    scene.open()
    scene.add("decision", "Use flock", why="it ends")
    said = (scene.run("sleep", *more)[1] for more in (("--dry-run", "--json"), ("-dj",)))
    short, long = (json.loads(_TIME.sub("", text)) for text in said)
    assert short["steps"]
    assert short == long


def test_many_steps_that_miss_their_ratio_are_one_line(scene):
    """After many cycles one line says how many steps kept more than asked; of a few each says why."""
    for number in range(7):
        scene.open()
        scene.add("decision", f"Use lock number {number}", why="it ends with its holder")
        scene.run("journal.close")
    said = scene.run("sleep", "--instance", "1")[1]
    assert "journal to hot: " in said
    said = scene.run("sleep")[1]
    assert "because" not in said
    assert re.search(r"\d+ of \d+ steps kept more than their ratio asks; each commit says why", said)
