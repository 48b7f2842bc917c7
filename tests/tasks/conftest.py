"""The scene that tests of the tasks play in."""

from __future__ import annotations

import pytest
from scene import Scene


@pytest.fixture
def scene(tmp_path):
    """Return a memory at the top of a repository, committed."""
    return Scene(tmp_path / "project")
