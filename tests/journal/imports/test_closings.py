"""What a log settles of another repository: nothing."""

from __future__ import annotations

import pytest
from scene import Memory
from several import take_log

from sleep.documents import journal
from sleep.journal.imports.closings import Closings

OPEN = "# 1 March 2026\n\n## Open tasks\n\n- #57 Chat does not answer\n"
DONE = "# 2 March 2026\n\n## Done\n\n- #57 Chat answers: fixed\n"


@pytest.mark.parametrize(("left", "newer", "count"), [("", "", 1), ("a", "a", 1), ("", "a", 1), ("a", "b", 0)])
def test_a_number_of_another_tracker_settles_nothing(left, newer, count):
    """A later log that reports a number as done closes that record, unless it is of another repository."""
    memory = Memory()
    take_log(memory, OPEN, "2026-03-01", path="log/1.md", repository=left)
    later = Memory()
    later.last = memory.last
    take_log(later, DONE, "2026-03-02", path="log/2.md", repository=newer)
    entries = journal.read(later.texts["journal/instance-2.md"]).entries
    assert len(Closings(memory.view).of(entries, "2026-03-02", newer)) == count


def test_a_box_that_is_ticked_later_closes_its_task():
    """A list that is taken in again with a box ticked closes the task that the empty box was."""
    memory = Memory()
    take_log(memory, "# Tasks\n\n- [ ] Call the port of Kiel\n", "2026-03-01", path="log/1.md")
    later = Memory()
    later.last = memory.last
    take_log(later, "# Tasks\n\n- [x] Call the port of Kiel\n", "2026-03-02", path="log/2.md")
    entries = journal.read(later.texts["journal/instance-2.md"]).entries
    assert len(Closings(memory.view).of(entries, "2026-03-02")) == 1


def test_a_table_settles_nothing_by_its_words():
    """A table tells of many things at once: that one row is done closes no task that another row has."""
    memory = Memory()
    take_log(memory, "# Tasks\n\n- [ ] Load test the database with 400 jobs\n", "2026-03-01", path="log/1.md")
    later = Memory()
    later.last = memory.last
    table = "| Task | Status |\n|---|---|\n| Write the page | done |\n| Load test the database with 400 jobs | open |\n"
    take_log(later, f"# Done\n\n{table}", "2026-03-02", path="log/2.md")
    entries = journal.read(later.texts["journal/instance-2.md"]).entries
    assert Closings(memory.view).of(entries, "2026-03-02") == []
