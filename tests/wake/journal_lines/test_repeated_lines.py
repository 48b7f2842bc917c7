"""Repeated lines: a run that differs by figures alone is its last line."""

from __future__ import annotations

from scene import Memory

from sleep.settings import Settings
from sleep.wake import assembly
from sleep.wake.journal_lines import excerpt

BEATS = "".join(f"09:0{minute} worker heartbeat ok queue={minute * 3}\n" for minute in range(1, 6))


def test_a_machines_run_is_told_by_its_last_line_with_a_count():
    """Five heartbeats are one line: the newest value, and that it stands for five."""
    texts = [line.text for line in excerpt.read(f"# Log\n\nThe worker was moved.\n\n{BEATS}\nIt runs.\n")]
    assert [text for text in texts if "heartbeat" in text] == ["09:05 worker heartbeat ok queue=15 (last of 5)"]
    assert "The worker was moved." in texts


def test_two_lines_and_lines_apart_are_no_run():
    """What is said twice, or again behind something else, is told as it was said."""
    said = "Build 7 took 12 minutes.\n\nBuild 8 took 14 minutes.\n\nLunch.\n\nBuild 9 took 11 minutes.\n"
    assert not any("last of" in line.text for line in excerpt.read(f"# Log\n\n{said}"))


def test_a_wake_tells_the_last_value():
    """A wake shows what the machine said last, and none of what it said before."""
    memory = Memory()
    memory.journal(f"## Note: The worker was moved.\n\n{BEATS}")
    text = assembly.assemble(memory.view, Settings(), budget=2_000).text
    assert "queue=15 (last of 5)" in text
    assert "queue=3" not in text
