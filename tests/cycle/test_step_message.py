"""What a step says of itself: a subject that says whose it is, and counts that agree with their words."""

from __future__ import annotations

import pytest

from sleep.compression.contract import DROPPED, SHORTENED, Answer, Fate
from sleep.cycle import step_message
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from sleep.store.plan import SUBJECT_LIMIT, Plan, message

ME = InstanceId(26, "osj")


def fragments(**counts):
    """Return so many fragments of each kind."""
    kinds = [kind.replace("_", " ") for kind, number in counts.items() for _ in range(number)]
    return [Fragment(kind, f"says {entry}", (ME.entry(entry),)) for entry, kind in enumerate(kinds, 1)]


MANY = fragments(task=1, constraint=1, question=1, thread=1, dead_end=2, decision=13, note=36)


@pytest.mark.parametrize(
    "tails", [("of instance 1260",), ("into compression, cycle, debt and 4 more", "into 5 topics")]
)
def test_a_subject_ends_with_what_it_is_about(tails):
    """However many kinds a step moves, its subject fits a commit's first line and says whose or where it is."""
    subject = step_message.subject("journal to hot", MANY, *tails)
    assert subject.endswith(tails[-1])
    first = message(Plan("journal to hot", subject, "", (), {})).rstrip()
    assert first == f"sleep: {subject}"
    assert len(first) <= SUBJECT_LIMIT


def test_a_subject_counts_each_kind_where_there_is_room():
    """Few kinds are counted each; nothing is left out of the sum."""
    few = fragments(decision=2, note=3)
    assert step_message.subject("journal to hot", few, "of instance 7") == (
        "journal to hot, 2 decisions, 3 more of instance 7"
    )
    assert step_message.counted(MANY, 1) == "1 task, 54 more"


def test_one_record_is_one():
    """Numbers agree with their words, in the reason and in the report."""
    (record,) = fragments(decision=1)
    answer = Answer((), "extractive/5")
    assert "because 1 record (" in step_message.short(10, 10, 2, [record], answer)
    assert "is kept whole" in step_message.short(10, 10, 2, [record], answer)
    assert step_message.report(answer, [record])[0] == "kept: 1 record whole, 0 of 0 other fragments"


def test_what_moved_says_where_to():
    """A record says its new state, the field that is said anew, or that it is again what it was."""
    old, other = Fragment("thread", "Zones", (ME.entry(1),)), Fragment("thread", "Docs", (ME.entry(2),))
    anew = other.with_field("next", "measure")._replace(addresses=(*other.addresses, ME.entry(3)))
    back = old._replace(addresses=(*old.addresses, ME.entry(4), ME.entry(5)))
    assert step_message.moved([(old, back), (other, anew)]) == ("moved: i26osj.2 (next), i26osj.1 active again",)


def test_what_changes_its_topic_is_named():
    """The message says what stood there and goes to another topic; nothing where nothing does."""
    ways = [("general", "hub"), ("general", "hub"), ("auth", "general")]
    assert step_message.relocated(ways) == (
        "to another topic: 3 that stood there, auth to general, general to hub (2)",
    )
    assert step_message.relocated([]) == ()


def test_what_made_room_is_told_by_kind_and_apart_from_what_is_shorter():
    """What went is counted by its kind in words that agree; what only lost a sentence did not go."""
    one, other, note = fragments(insight=2, note=1)
    lines = step_message.report(
        Answer((), "extractive/5"), [], {one: None, note: None, other: other._replace(text="says")}
    )
    assert lines == (
        "kept: 0 of 0 fragments",
        "made room: 1 insight, 1 note, which stood there and say less for their length (the journal keeps them)",
        "shortened where it stood, to make room: 1 fragment",
    )


def test_what_is_dropped_agrees_in_number():
    """Two insights are `insights`."""
    gone = fragments(insight=2)
    answer = Answer(tuple(Fate(fragment, DROPPED) for fragment in gone), "extractive/5")
    assert step_message.report(answer, [])[1] == "dropped (over the budget; the journal keeps them): 2 insights"


@pytest.mark.parametrize(
    ("compressor", "how"), [("extractive/5", "to the sentences that say most"), ("command/x", "by command/x")]
)
def test_what_another_compressor_shortened_is_said_to_be_by_it(compressor, how):
    """Only the extractive compressor chooses sentences: the words of another are said to be that one's."""
    (insight,) = fragments(insight=1)
    answer = Answer((Fate(insight, SHORTENED, insight),), compressor)
    assert step_message.report(answer, [])[1] == f"shortened: 1 {how}"
