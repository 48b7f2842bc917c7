"""The namespace of this repository's tasks."""

from __future__ import annotations

import pytest

from dev import ROOT, commands
from sleep.tasks.command_line import invoke_program, manual


def test_no_distribution_holds_what_serves_this_repository(monkeypatch):
    """A wheel holds the package alone: neither `dev` nor tests, and so no `dev.*`."""
    wheel = pytest.importorskip("hatchling.builders.wheel")
    monkeypatch.chdir(ROOT)
    files = {path.distribution_path for path in wheel.WheelBuilder(str(ROOT)).recurse_included_files()}
    assert "sleep/__main__.py" in files
    assert {f"sleep/manual/{page}.md" for page in manual.PAGES} <= files
    assert {path.partition("/")[0] for path in files} == {"sleep"}


def test_namespace():
    """`dev` is added to every task of the user's, and the user's namespace stays without it."""
    added = set(commands.namespace.task_names) - set(invoke_program.whole().task_names)
    names = ("bench", "check", "ci", "docs", "fix", "lock", "quality", "test", "torture")
    assert added == {f"dev.{name}" for name in names}
    assert set(invoke_program.whole().task_names) <= set(commands.namespace.task_names)


def test_every_step_runs(capsys):
    """A step that fails stops none after it, is named at the end, and fails the whole."""
    ran = []
    code = commands._steps([("one", lambda: ran.append(1) or 1), ("two", lambda: ran.append(2) or 0)])
    assert (code, ran) == (1, [1, 2])
    assert capsys.readouterr().out.splitlines()[-1] == "FAILED: one"
