"""Says at the end of a run what was left out of it, also under `-q`."""

from __future__ import annotations

import os

_left_out: dict[str, int] = {}


def _marks(config):
    ours = (line.partition(":")[0] for line in config.getini("markers"))
    return [mark for mark in ours if f"not {mark}" in config.getoption("markexpr")]


def pytest_deselected(items):
    """Count what each mark kept away."""
    for item in items:
        for mark in _marks(item.config):
            if item.get_closest_marker(mark):
                _left_out[mark] = _left_out.get(mark, 0) + 1


def pytest_terminal_summary(terminalreporter, config):
    """Name the tests that did not run, and the command that runs them."""
    for mark in filter(_left_out.get, _marks(config)):
        command = "inv dev.torture" if mark == "torture" else f"inv dev.test --also {mark}"
        where = "" if mark != "real" or os.environ.get("SLEEP_SHARED") else ", which needs SLEEP_SHARED"
        terminalreporter.write_line(f"NOT RUN: {_left_out[mark]} marked `{mark}`; {command}{where}", yellow=True)
