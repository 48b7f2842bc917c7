"""Files that tools write are told by names that are sure in any project."""

from __future__ import annotations

import pytest

from sleep.code.generated_files import is_generated


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/__pycache__/a.cpython-311.pyc", True),
        ("web/node_modules/x/index.js", True),
        ("uv.lock", True),
        ("web/package-lock.json", True),
        ("static/app.min.js", True),
        ("src/auth.py", False),
        ("build/release.sh", False),
        ("docs/lock.md", False),
        ("src/package.json", False),
    ],
)
def test_it_is_told_by_its_name(path, expected):
    """A folder, a name or an ending that only tools write is one; what a person may have written is none."""
    assert is_generated(path) is expected
