"""Half a thought is not kept: what leans on a sentence stays with it, and short prose stays whole."""

from __future__ import annotations

import pytest

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, WHOLE, Request
from sleep.cycle import step_message
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from tests.support import present

LONG = (
    "The importer reads the roster from the archive of the northern office every night before the mirrors start. "
    "It fails when the archive is locked by the nightly compaction of the warehouse in the harbour of Bergen. "
    "Both are slow on the old disks that the office bought in the spring for the accounting of the ferries."
)


def fragment(number, text, kind="note", **fields):
    """Return a fragment of instance 1."""
    return Fragment(kind, text, (InstanceId(1, "abc").entry(number),), fields=tuple(fields.items()))


@pytest.mark.parametrize("budget", range(10, 110, 4))
def test_a_leaning_sentence_never_stands_alone(budget):
    """Whatever the budget, what is kept of a text begins at its beginning, for each further sentence leans."""
    answer = extractive.compress(Request("hot to warm", 3, budget, (fragment(1, LONG),)))
    for one in answer.fragments:
        assert LONG.startswith(one.text)


@pytest.mark.parametrize("budget", range(4, 60, 4))
def test_short_prose_stays_whole_or_goes(budget):
    """Prose of less than sixty tokens is kept with all its words or not at all."""
    text = "Whoever asks Invoke for help twice in one process gets none. Our tasks keep it."
    answer = extractive.compress(Request("journal to hot", 2, budget, (fragment(1, text),)))
    assert [one.text for one in answer.fragments] in ([], [text])


def test_two_lists_under_one_heading_are_two():
    """What differs in its fields is no repetition, whatever it is headed."""
    one, two = fragment(1, "Files", "change", files="q0.py"), fragment(2, "Files", "change", files="p0.py")
    answer = extractive.compress(Request("journal to hot", 2, 100, (two,), present.of(one)))
    assert [fate.fate for fate in answer.fates] == [WHOLE]


def test_a_reason_is_true():
    """An entry is said by others only where its words stand in the one or two that are named."""
    said = [
        fragment(1, "Alpha gamma mirrors moved northward"),
        fragment(2, "Delta epsilon harbours closed early"),
        fragment(3, "Zeta omega ferries sailed late"),
        fragment(4, "Kappa lambda archives opened again"),
    ]
    spread = fragment(5, "Gamma epsilon omega lambda mirrors harbours ferries archives")
    room = sum(map(extractive.cost, said)) + 4
    answer = extractive.compress(Request("hot to warm", 3, room, (*said, spread)), frozenset({"merging"}))
    dropped = [fate for fate in answer.fates if fate.fate == DROPPED]
    assert all(fate.detail == extractive.LESS for fate in dropped if fate.before == spread)


def test_a_missed_ratio_gives_its_true_reason():
    """Where half of what was said was dropped, nothing says that so little was said that it is kept."""
    kept, gone = fragment(1, "The importer waits."), fragment(2, "The mirror of Bergen moved to another room in May.")
    answer = extractive.compress(Request("hot to warm", 3, 14, (kept, gone)))
    assert {fate.fate for fate in answer.fates} == {WHOLE, DROPPED}
    said = step_message.short(1766, 912, 3, [], answer)
    assert said.startswith("1.9:1 instead of 3:1, because ")
    assert "so little was said" not in said
    assert step_message.short(300, 100, 3, [], answer) == ""
