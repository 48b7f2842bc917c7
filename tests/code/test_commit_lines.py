"""What was committed, in lines."""

from __future__ import annotations

import pytest

from sleep.code import commit_lines
from sleep.code.commits import Activity


@pytest.mark.parametrize(
    ("paths", "files", "line"),
    [
        ((("a.py", 3, False), ("b.py", 1, True)), 9, ["changed most: `a.py` (3 times), `b.py` (gone), and 7 more"]),
        ((("a.py", 1, False), ("b.py", 1, False)), 2, ["changed: `a.py`, `b.py`"]),
        ((("a.py", 1, False), ("b.py", 1, False)), 9, []),
        ((("a.py", 1, False), ("b.py", 1, False), ("c.py", 1, False)), 3, []),
    ],
)
def test_what_changed_most_is_told_where_something_did(paths, files, line):
    """Where each of many files changed once none changed most: they are left out; where they are few, all are told."""
    assert commit_lines.changed(Activity(commits=4, files=files, paths=paths), most=2) == line


@pytest.mark.parametrize(
    ("slept", "is_whole", "line"),
    [
        ("2026-11-21", True, "none since the last sleep (2026-11-21)"),
        ("", True, "none yet"),
        ("2026-11-21", False, "not known: git did not tell all"),
        ("", False, "not known: git did not tell all"),
    ],
)
def test_none_is_told_only_where_it_is_known(slept, is_whole, line):
    """A log that was cut off before its first commit counts none, and nobody is told that there is none."""
    assert commit_lines.summary(Activity(slept=slept, is_whole=is_whole)) == line
