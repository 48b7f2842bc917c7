"""A memory, and servers over it that are gone at the end of the test."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.mcp.wire import Wire, memory


@pytest.fixture
def project(tmp_path):
    """Return the folder of a new memory."""
    return memory(tmp_path / "project")


@pytest.fixture
def serve(project):
    """Return a function that starts a server over the memory."""
    with ExitStack() as stack:
        yield lambda *words, folder=project, **options: stack.enter_context(Wire(folder, *words, **options))
