"""An agent is told commands that work where it is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(sys.executable).with_name("sleepwake")


@pytest.fixture
def elsewhere(tmp_path):
    """Return the program in a place that no PATH has."""
    assert SCRIPT.exists(), "the program is not installed beside this Python"
    place = tmp_path / "a venv" / "sleepwake"
    place.parent.mkdir()
    shutil.copy(SCRIPT, place)
    return place


def _start(person, script, path):
    start = {"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(person.folder)}
    done = subprocess.run(
        (str(script), "hook", "session-start"),
        cwd=person.folder,
        input=json.dumps(start),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_a_command_off_path_is_told_as_it_can_be_run(person, elsewhere):
    """Where no PATH has the program, each command that the session is told names it by its path, and runs."""
    person.sleepwake("journal.add", "--kind", "constraint", "--text", "Never touch billing.py")
    usual = os.pathsep.join(
        part for part in os.environ["PATH"].split(os.pathsep) if not Path(part, SCRIPT.name).exists()
    )
    told = _start(person, elsewhere, usual)
    assert "`sleepwake " not in told
    (command, *_) = re.findall(r"`('[^`']*sleepwake' decision\.list)`", told)
    assert subprocess.run(["sh", "-c", command], cwd=person.folder, check=False, capture_output=True).returncode == 0


def test_a_command_on_path_is_told_by_its_name(person, elsewhere):
    """Where PATH has the program in a folder that is no virtual environment's, a session is told the short name."""
    path = f"{elsewhere.parent}{os.pathsep}{os.environ['PATH']}"
    assert "`sleepwake decision.list`" in _start(person, elsewhere, path)


def test_a_command_of_an_active_environment_is_told_by_its_path(person, elsewhere):
    """A virtual environment that is active now may not be so in the shell of a client: the path works in any."""
    folder = elsewhere.parent.parent / "venv" / "bin"
    folder.mkdir(parents=True)
    shutil.copy(elsewhere, folder / "sleepwake")
    (folder.parent / "pyvenv.cfg").write_text("home = /usr/bin\n")
    told = _start(person, folder / "sleepwake", f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert "`sleepwake " not in told
    assert f"`{folder}/sleepwake decision.list`" in told
