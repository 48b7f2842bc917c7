"""Two people on one memory: what one left open is in the other's clone."""

from __future__ import annotations

import pytest
from clones import clone, commit
from scene import Scene


@pytest.fixture
def ann(tmp_path):
    """Return a memory whose open journal was committed with everything else."""
    scene = Scene(tmp_path / "ann")
    scene.open()
    scene.add("decision", "Count holidays as Sundays", why="the manager said so")
    commit(scene)
    return scene


@pytest.fixture
def bob(ann, tmp_path):
    """Return another person's clone of it."""
    return clone(ann, tmp_path / "bob", "bob@x.example")
