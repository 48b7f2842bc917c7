"""What a journal begins with: the tone of the instance before."""

from __future__ import annotations

from scene import Memory

from sleep.documents import paths
from sleep.journal import tone_check


def test_where_no_instance_spoke_before_a_journal_begins_without_a_tone():
    """The first instance of a memory is asked nothing, also where all that came before was imported."""
    memory = Memory()
    assert tone_check.first(memory.view) == []
    memory.journal("Some note.\n")
    imported = "\nimported: {from: notes, path: a.md, hash: '0'}\n---\n"
    memory.texts[paths.journal(1)] = memory.texts[paths.journal(1)].replace("\n---\n", imported, 1)
    assert tone_check.first(memory.view) == []
    memory.journal("Some note.\n")
    assert [check.body for check in tone_check.first(memory.view)] == ["It left no tone."]
