"""The scene that tests of the tasks play in, and the command itself, in this process."""

from __future__ import annotations

import io
import json

import pytest


@pytest.fixture
def run(scene, monkeypatch, sleepwake):
    """Return a function that runs the command in the memory's folder and returns (exit code, output, errors)."""
    monkeypatch.chdir(scene.home)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        return sleepwake(*words)

    return run


@pytest.fixture
def facts(run):
    """Return a function that runs the command with `--json` and returns what it printed, parsed."""

    def facts(*words, code=0, **options):
        ended, out, err = run(*words, "--json", **options)
        assert (ended, err) == (code, ""), out + err
        return json.loads(out)

    return facts
