"""Whether an instance did something, told by its journal."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.journal import activity


@pytest.mark.parametrize(
    ("fields", "is_deed"),
    [
        ({}, True),
        ({"source": "person"}, True),
        ({"source": "agent"}, True),
        ({"source": "agent", "time": "2026-11-21T10:00:00Z"}, False),
        ({"source": "person", "transcript": "s1:4"}, False),
    ],
)
def test_what_an_instance_wrote_itself_is_a_deed(tmp_path, fields, is_deed):
    """Even a short note is its instance's own, whoever said it, unless a transcript tells where or when."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("note", "ok next.", **fields)
    (path,) = scene.view.journals
    assert activity.did_something(scene.view.journal(path)) == is_deed
