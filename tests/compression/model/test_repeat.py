"""Saying again what was committed, instead of asking a model again."""

from __future__ import annotations

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, WHOLE, Request
from sleep.compression.model.repeat import Recorded
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment

_NAME = "command/x"


def _one(text, instance, *ordinals):
    return Fragment("note", text, tuple(InstanceId(instance, "abc").entry(ordinal) for ordinal in ordinals))


FIRST, SECOND = _one("the parser reads rows", 1, 1), _one("rows are read by the parser", 1, 2)
OTHER, GONE = _one("the lock is slow", 2, 1), _one("we looked around", 1, 3)
BOTH = _one("parsing rows", 1, 1, 2)
MIXED = _one("parsing under a slow lock", 1, 1)._replace(addresses=(*FIRST.addresses, *OTHER.addresses))


def _request(*candidates, budget=100):
    return Request("hot to warm", 3.0, budget, candidates)


def test_the_outcome_is_said_again():
    """What stands there is the answer, word for word; what left no trace was left out; nothing else is made up."""
    answer = Recorded(_NAME, (BOTH,), None)(_request(FIRST, SECOND, GONE))
    assert [fate.fate for fate in answer.fates] == [MERGED, MERGED, DROPPED]
    assert answer.fragments == (BOTH,)
    assert answer.compressor == _NAME


def test_words_of_what_is_gone_are_not_kept():
    """An outcome made of a fragment that is no longer there is not used; what it held is compressed extractively."""
    answer = Recorded(_NAME, (MIXED,), frozenset({OTHER}))(_request(FIRST, SECOND))
    assert answer == extractive.compress(_request(FIRST, SECOND))


def test_what_the_step_never_saw_is_compressed():
    """A fragment that was not in hand then is no loss of then: it has what room is left, and the name says so."""
    answer = Recorded(_NAME, (BOTH,), frozenset({FIRST, SECOND, GONE}))(_request(FIRST, SECOND, OTHER, GONE))
    assert [fate.fate for fate in answer.fates] == [MERGED, MERGED, WHOLE, DROPPED]
    assert answer.compressor == f"{_NAME} + {extractive.NAME}"
    full = Recorded(_NAME, (BOTH,), frozenset({FIRST, SECOND}))(_request(FIRST, SECOND, OTHER, budget=5))
    assert full.fates[2].fate == DROPPED


def test_what_made_room_makes_room_again():
    """What stood in the tier and left it with the step leaves it again, and nothing else does."""
    standing = (OTHER, GONE)
    request = _request(FIRST, SECOND)._replace(standing=standing, room=40)
    stood = Recorded(_NAME, (BOTH,), None, frozenset({GONE}))(request).standing
    assert [fate.fate for fate in stood or ()] == [WHOLE, DROPPED]
    assert [fate.after for fate in Recorded(_NAME, (BOTH,))(request).standing or ()] == [OTHER, GONE]


def test_the_first_address_is_one_that_was_asked_for():
    """The identity of what comes back is that of a candidate, whichever the outcome begins with."""
    one = _one("rows are read by the parser", 1, 2, 9)
    outcome = _one("reading rows", 1, 9, 2)
    answer = Recorded(_NAME, (outcome,), None)(_request(one))
    assert answer.fragments[0].identity == one.identity
