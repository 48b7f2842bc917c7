"""The scene itself: a decision that was written down is there after a sleep."""

from __future__ import annotations


def test_a_decision_is_there_after_a_sleep(person):
    """What was decided is in hot memory, and the sleep leaves nothing uncommitted."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "it ends with its holder")
    person.sleepwake("sleep")
    assert "Use flock" in person.read("memory/hot/decisions.md")
    assert person.git("status", "--porcelain") == ""
