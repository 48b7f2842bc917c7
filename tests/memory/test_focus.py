"""What names are worth goes by the lines of all journals."""

from __future__ import annotations

from sleep.documents import paths
from sleep.language import salience
from sleep.memory import focus
from sleep.memory.view import View
from sleep.store.tree import InMemory

_LINES = ("The Harbour waits for the Ledger.", "The Kestrel flew to Lisbon.")


def test_two_journals_of_one_number_count_both():
    """Of two clones' journals of one number each counts, and not only the one whose tag comes last."""
    assert _worths({"aaa": _LINES[0], "zzz": _LINES[1]}) == _worths({"aaa": _LINES[1], "zzz": _LINES[0]})


def _worths(said):
    heads = {tag: f"---\ninstance: 3\ntag: {tag}\n---\n# Journal: instance 3\n\n" for tag in said}
    view = View(InMemory({paths.journal(3, tag): f"{heads[tag]}{line}\n" for tag, line in said.items()}))
    known = focus.wake_weights(view, [])
    return [salience.worth(line, known) for line in _LINES]
