"""What a journal begins with: the tone of the instance before."""

from __future__ import annotations

from scene import Memory

from sleep.documents import paths
from sleep.journal import tone_check


def test_behind_imports_there_is_no_instance_that_spoke():
    """Where all that came before was imported, it is said so; with nothing before there is no earlier instance."""
    memory = Memory()
    assert tone_check.draft(memory.view).body == "There is no earlier instance."
    memory.journal("Some note.\n")
    imported = "\nimported: {from: notes, path: a.md, hash: '0'}\n---\n"
    memory.texts[paths.journal(1)] = memory.texts[paths.journal(1)].replace("\n---\n", imported, 1)
    assert "what came before was imported" in tone_check.draft(memory.view).body
