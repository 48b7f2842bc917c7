"""A memory among the code of people who commit, each at a moment of its own."""

from __future__ import annotations

import calendar
import os
import time

import pytest
from scene import git, write

from sleep.code import commits
from sleep.debt import book
from sleep.store import context as contexts

NOON = calendar.timegm(time.strptime("2040-11-22T12:00:00", "%Y-%m-%dT%H:%M:%S"))


class Team:
    """People who commit to a repository, a minute after one another, from a noon to come."""

    def __init__(self, scene, monkeypatch):
        self.scene = scene
        self.top = scene.top
        self.at = NOON
        self._patch = monkeypatch

    def date(self, at=None):
        """Give the next commits a moment, in seconds since 1970; by default a minute more."""
        at = self.at + 60 if at is None else at
        self.at = max(self.at, at)
        for role in ("AUTHOR", "COMMITTER"):
            self._patch.setenv(f"GIT_{role}_DATE", f"{int(at)} +0000")

    def commit(self, path, subject="Change it", *, name="Ada", top=None, text=None, at=None):
        """Commit a change of a file, or with `text` "" its removal; returns the commit's id."""
        top = top or self.top
        self.date(at)
        if text == "":
            os.unlink(os.path.join(top, path))
        else:
            write(top / path, text or f"{path} at {self.at} {subject}\n")
        git(top, "add", "--all")
        git(top, "-c", f"user.name={name}", "commit", "--quiet", "--allow-empty-message", f"--message={subject}")
        return git(top, "rev-parse", "HEAD").strip()

    def slept(self):
        """Live an instance and sleep on it; the commits of the sleep have moments of their own."""
        self.date()
        self.scene.cycle(len(self.scene.view.cycles) + 1)

    @property
    def context(self):
        """The memory's context."""
        return contexts.of(self.scene.place.root)

    def read(self, context=None, start="", **settings):
        """Return what was committed since the last sleep."""
        context = context or self.context
        own = self.scene.place.settings._replace(**settings)
        return commits.read(context, own, book.read(context), start)


@pytest.fixture
def team(scene, monkeypatch):
    """Return people around a memory."""
    return Team(scene, monkeypatch)
