"""What was stated and what was only noticed: the kinds of both, and how a journal tells them apart."""

from __future__ import annotations

import pytest

from sleep.documents import journal, register
from sleep.records import address, kinds
from sleep.records.address import InstanceId

HEAD = "---\ninstance: 1\ntag: abc\n---\n# Journal: instance 1\n\n"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Open tasks", "task"),
        ("**Task:**", "task"),
        ("Dead ends", "dead end"),
        ("blocker", "blocker"),
        ("Next steps", ""),
        ("Tasks of the week", ""),
        ("", ""),
    ],
)
def test_a_heading_is_a_kinds_name_or_it_is_not(words, kind):
    """Only the name of a kind, one or many, with or without `open`, is that name."""
    assert kinds.named(words) == kind


def test_a_kind_may_be_written_otherwise():
    """`dead_end`, `deadend` and `dead-end` are the dead end; what is no kind stays what it is."""
    assert {kinds.spelt(name) for name in ("dead_end", "deadend", "dead-end", "Dead End")} == {"dead end"}
    assert kinds.spelt("nothing-of-it") == "nothing-of-it"


def test_what_was_noticed_is_prose():
    """What was only noticed has a kind of its own in a tier, without states; nobody can journal it as such."""
    for kind in (kind.name for kind in kinds.RECORDS):
        noticed = kinds.KINDS[kinds.noticed(kind)]
        assert kinds.KINDS[kind].is_record
        assert not noticed.is_record
        assert not kinds.is_kind(noticed.name)
        assert kinds.BY_PLURAL[noticed.plural.casefold()] == noticed
        assert (kinds.standing(noticed.name), kinds.standing(kind)) == (kinds.NOTICED, kinds.STATED)
    assert kinds.noticed("insight") == "insight"


@pytest.mark.parametrize(
    ("text", "source", "noticed"),
    [
        ("## Task: paint the door [i1abc.1]\n", "", False),
        ("## Task: paint the door [i1abc.1 task]\n", "", False),
        ("## Open tasks\n\n- paint the door [i1abc.1 task]\n", "", False),
        ("**Task:** paint the door [i1abc.1 task]\n", "", False),
        ("We still have to paint the door. [i1abc.1 task]\n", "", True),
        ("## Plans\n\n- paint the door [i1abc.1 task]\n", "", True),
        ("## Task: paint the door [i1abc.1]\n\n- source: agent\n- transcript: s1:7\n", "agent", True),
        ("## Task: paint the door [i1abc.1]\n\n- source: person\n", "person", False),
        ("## Task: paint the door [i1abc.1]\n\n- source: person\n- time: 2026-11-21T10:00:00Z\n", "person", True),
        ("## Task: paint the door [i1abc.1]\n\n- source: tool (untrusted)\n", "tool (untrusted)", True),
    ],
)
def test_a_task_binds_where_it_was_stated(text, source, noticed):
    """A task is a record under its own name in the instance's own journal, whoever said it, and prose elsewhere."""
    (entry,) = journal.read(HEAD + text).entries
    assert (entry.kind, entry.source, entry.noticed) == ("task", source, noticed)
    assert register.is_opening(entry) is not noticed


def test_what_a_document_says_is_the_documents():
    """Every entry of an imported journal has the document as its source, and its tasks are only noticed."""
    head = HEAD.replace("tag: abc\n", "tag: abc\nsource: log.md\n")
    text = f"{head}## Tasks\n\n- paint the door [i1abc.1 task]\n\n## Decisions\n\n- use blue [i1abc.2 decision D-001]\n"
    task, decision = journal.read(text).entries
    assert task.noticed
    assert register.from_entry(decision).field("source") == "imported: log.md"
    assert decision.address.instance == InstanceId(1, "abc")


def test_a_mark_says_that_a_piece_was_noticed():
    """In an imported document a mark tells what was only noticed: it has no number, and waits for a word."""
    head = HEAD.replace("tag: abc\n", "tag: abc\nsource: log.md\n")
    text = f"{head}We could go by rail then. [i1abc.1 noticed decision]\n\nWe go by rail. [i1abc.2 decision D-001]\n"
    seen, chosen = journal.read(text).entries
    assert (seen.kind, seen.noticed, seen.is_asked, chosen.noticed) == ("decision", True, True, False)
    fragment = register.from_entry(seen)
    assert (fragment.kind, fragment.number, fragment.field("source")) == ("noticed decision", "", "imported: log.md")
    assert fragment.is_asked
    (mark,) = (address.mark_of(match) for match in address.MARK.finditer("x [i1abc.1 noticed decision]"))
    assert str(mark) == "[i1abc.1 noticed decision]"
