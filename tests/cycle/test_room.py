"""Room: what is kept where there is room, what the step says of it, and whose word a record is."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.compression import extractive
from sleep.compression.contract import Request
from sleep.cycle import competition, outcome
from sleep.documents import paths
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from sleep.settings import Settings


def _note(number, words):
    return Fragment("note", words, (Address(number, "abc", 1),))


def test_prose_takes_room_and_records_take_none():
    """A tenth of a tier's cap is free for prose; what stands there leaves less of it, records leave it all."""
    notes = [_note(number, "word " * 80) for number in range(3)]
    assert outcome.free([], 1000) == 100
    assert 0 < outcome.free(notes[:1], 2000) < 200
    assert outcome.free(notes, 1000) == 0
    assert outcome.free([one._replace(kind="decision") for one in notes], 1000) == 100


def test_a_share_is_free_whatever_stands_there():
    """Prose may always take its share; where more than that is never free, nothing that stands there is read."""
    notes = [_note(number, "word " * 80) for number in range(3)]
    assert outcome.free(notes, 1000, 30) == 30
    assert outcome.free([], 1000, 30) == 100
    assert outcome.free((pytest.fail("was read") for _ in notes), 1000, 100) == 100


def test_nothing_goes_while_there_is_room():
    """A sentence of each of twenty short days is still in a tier; so is one that says nothing new."""
    memory = Memory(Settings(keep_warm=3))
    for number in range(20):
        memory.journal(f"Painted door {number} of the barn.\n\nOK then, door {number}.\n")
        memory.sleep()
    kept = [one.text for _, one in memory.placed()]
    assert {f"Painted door {number} of the barn." for number in range(20)} <= set(kept)
    assert {f"OK then, door {number}." for number in range(20)} <= set(kept)


def test_a_long_history_keeps_the_ratios():
    """Days that say much leave no more of their prose in warm memory than its ratio gives, and the step says why."""
    memory = Memory(Settings())
    before = 0
    for number in range(14):
        day = [f"Painted door {number}.{at} of the barn with colour {at * 7}." for at in range(120)]
        memory.journal("\n\n".join(day) + "\n")
        *_, last = memory.sleep()
        before += sum(len(line) // 4 for line in day)
        assert last
    warm = sum(len(one.text) // 4 for at, one in memory.placed() if at == "warm")
    assert warm < before / 5


def test_a_persons_word_stands_before_others():
    """The same rule from a document and from a person is one record, with both addresses, and it is the person's."""
    memory = Memory()
    memory.journal("## Constraint: never paint the barn door\n\n- source: agent\n")
    memory.sleep()
    memory.journal("## Constraint: never paint the barn door\n\n- source: person\n")
    memory.sleep()
    (rule,) = [one for one in memory.view.tier(paths.CONTEXT).fragments if one.kind == "constraint"]
    assert rule.field("source") == "person"
    assert len(rule.addresses) == 2


def test_what_an_instance_said_outlives_what_was_taken_in():
    """Of two notes that say as much, the one of a session stays where there is room for one, not that of a document."""
    words = "Bo wants {} reports on the harbour before the boats leave"
    mine = Fragment("note", words.format("short"), (Address(1, "abc", 1),))
    theirs = Fragment("note", words.format("brief"), (Address(2, "abc", 1),))
    for lived, stays in ((mine, "short"), (theirs, "brief")):
        request = Request("hot to warm", 3, 30, (mine,), standing=(theirs,), room=25, lived=frozenset(lived.instances))
        answer = extractive.compress(request)
        kept = [*answer.fragments, *(fate.after for fate in answer.standing or () if fate.after)]
        assert [stays in fragment.text for fragment in kept] == [True]
        assert len(extractive.fitting([mine, theirs], request)) == 1
        assert ([mine, theirs].index(lived),) == tuple(extractive.fitting([mine, theirs], request))


def test_a_document_is_no_instance_that_lived():
    """Of all that competes, what stands there and what comes, those that lived are named, and no document."""
    memory = Memory(Settings())
    memory.journal("The boats leave.\n")
    memory.texts[paths.journal(2)] = "---\ninstance: 2\ntag: imp\nimported:\n  path: log.md\n---\n\nThe mast is red.\n"
    own = next(iter(memory.view.journal(paths.journal(1)).entries)).address
    notes = [Fragment("note", "Words.", (address,)) for address in (own, Address(2, "imp", 1))]
    request = Request("hot to warm", 3, 30, (notes[0],), standing=(notes[1],))
    assert competition.with_lived(memory.view, request).lived == {own.instance}
