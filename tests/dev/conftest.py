"""Says at the end of a run what was left out of it, also under `-q`."""

from __future__ import annotations

import os

_left_out: dict[str, int] = {}


def pytest_deselected(items):
    """Count what each mark kept away."""
    for item in items:
        for mark in ("real", "torture", "llm", "adapters", "relay"):
            if item.get_closest_marker(mark):
                _left_out[mark] = _left_out.get(mark, 0) + 1


def pytest_terminal_summary(terminalreporter, config):
    """Name the tests that did not run, and the command that runs them."""
    chosen = config.getoption("markexpr")
    commands = {mark: f"inv dev.test --{mark}" for mark in ("real", "llm", "adapters", "relay")}
    commands["torture"] = "inv dev.torture"
    for mark, command in commands.items():
        if f"not {mark}" in chosen and _left_out.get(mark):
            where = "" if mark != "real" or os.environ.get("SLEEP_SHARED") else ", which needs SLEEP_SHARED"
            terminalreporter.write_line(f"NOT RUN: {_left_out[mark]} marked `{mark}`; {command}{where}", yellow=True)
