"""What a memory has lost is said with the command that looks for it."""

from __future__ import annotations

from pathlib import Path

from sleep.documents import cycles
from sleep.upkeep import doctor


def test_a_journal_that_is_gone_is_looked_for_by_both_of_its_names(scene):
    """Nobody knows whether the name of a journal that is nowhere had its tag, so git is asked for both."""
    scene.lived()
    scene.write(cycles.PATH, scene.text(cycles.PATH) + "| 2 | i2qxk | 2026-11-21T12:00:00Z | - | 5 | 5 | seal |\n")
    commands = [each.fix for each in doctor.examine(scene.place, scene.now()) if "i2qxk" in each.what and each.fix]
    assert any("git log --all" in command for command in commands)
    assert any("git log --diff-filter=D" in command for command in commands)
    names = "journal/instance-2.md journal/instance-2-qxk.md"
    assert all(names in command for command in commands if "git log" in command)


def test_a_note_that_names_no_commit_is_none(scene):
    """Whatever stands in the file of this machine that says where all was well, a sleep goes by commits alone."""
    scene.add("note", "one")
    scene.sleep()
    place = Path(scene.place.root.state_dir, "checked")
    assert place.exists()
    place.write_bytes(bytes(range(256)))
    scene.add("note", "two")
    assert scene.sleep().steps
    assert place.read_text().strip() == scene.head()
