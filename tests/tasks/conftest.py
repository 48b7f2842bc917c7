"""The scene that tests of the tasks play in, and the command itself, in this process."""

from __future__ import annotations

import io
import json

import pytest
from scene import Scene

from sleep import __main__ as command


@pytest.fixture
def scene(tmp_path):
    """Return a memory at the top of a repository, committed."""
    return Scene(tmp_path / "project")


@pytest.fixture
def run(scene, monkeypatch, capfd):
    """Return a function that runs the command in the memory's folder and returns (exit code, output, errors)."""
    monkeypatch.chdir(scene.home)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        code = 0
        try:
            command.main(["sleepwake", *words])
        except SystemExit as end:
            code = end.code or 0
        said = capfd.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def facts(run):
    """Return a function that runs the command with `--json` and returns what it printed, parsed."""

    def facts(*words, code=0, **options):
        ended, out, err = run(*words, "--json", **options)
        assert (ended, err) == (code, ""), out + err
        return json.loads(out)

    return facts
