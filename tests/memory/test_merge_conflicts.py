"""Documents in which a merge left its marks, told by where they stand."""

from __future__ import annotations

from sleep.memory import merge_conflicts
from sleep.memory.view import View
from sleep.store.tree import InMemory

_JOURNAL = """\
---
sleep: journal
format: 1
tag: abc
<<<<<<< HEAD
closed: 2026-03-01T10:00:00Z
=======
closed: 2026-03-01T11:00:00Z
>>>>>>> side
---

# Journal 2
"""


def test_marks_in_the_front_matter_of_a_journal_are_a_conflict():
    """A journal whose front matter is no YAML for the marks in it is told with the line, and nothing breaks."""
    path = "journal/instance-2.md"
    (found,) = merge_conflicts.find(View(InMemory({path: _JOURNAL})), [path])
    assert found.where == f"{path}:5"
