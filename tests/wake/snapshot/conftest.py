"""Context folders laid for a test, and what a session would be told of them."""

from __future__ import annotations

import os

import pytest

from sleep import __main__, settings
from sleep.store import context
from sleep.wake.snapshot import build


class World:
    """A project at `base`, and what is told of it."""

    def __init__(self, base, capture):
        self.base = str(base)
        self.folder = "memory"
        self._capture = capture

    def lay(self, files, folder="memory"):
        """Write files below the context folder, or below the base where a path begins with a slash."""
        self.folder = folder
        os.makedirs(os.path.join(self.base, folder, "core"), exist_ok=True)
        for path, content in files.items():
            place = os.path.join(self.base, path[1:] if path[0] == "/" else os.path.join(folder, path))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return self

    @property
    def context(self):
        """The context as a hook finds it."""
        return context.require(self.base)

    def built(self, budget=None):
        """Return the snapshot with its ledger."""
        return build.snapshot(self.context, settings.Settings(), budget)

    def text(self, budget=None):
        """Return the snapshot's text."""
        return self.built(budget).text

    def briefing(self, budget=9_500):
        """Return what a sub-agent is told."""
        return build.briefing(self.context, settings.Settings(), budget).text

    def run(self, *words):
        """Run the command here and return its exit code and what it printed on both streams."""
        with pytest.raises(SystemExit) as end:
            __main__.main(["sleepwake", "snapshot", *words, f"--root={self.base}"])
        said = self._capture.readouterr()
        return end.value.code, said.out.decode(), said.err.decode()


@pytest.fixture
def world(tmp_path, capsysbinary):
    """Return a world that has no context folder yet."""
    return World(os.path.realpath(tmp_path), capsysbinary)
