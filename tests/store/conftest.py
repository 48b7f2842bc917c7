"""The world that tests of the store work in."""

from __future__ import annotations

import pytest
from world import World


@pytest.fixture
def world(tmp_path):
    """Return a memory at the top of a repository."""
    return World(tmp_path / "project")
