"""Names of documents, and the table of kinds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import paths
from sleep.records import kinds


@given(st.integers(0, 9_999_999), st.sampled_from(["", "qxk"]))
def test_journal(number, tag):
    """A journal's path tells its instance's number, with or without a tag."""
    assert paths.journal_number(paths.journal(number, tag)) == number


@pytest.mark.parametrize(
    "path",
    [
        "journal/instance-٣.md",
        "journal/instance-.md",
        "journal/instance-1-QXK.md",
        "x/journal/instance-1.md",
        "main.md",
    ],
)
def test_no_journal(path):
    """Other files are no journals."""
    assert paths.journal_number(path) is None


@pytest.mark.parametrize(
    ("path", "tier", "topic"),
    [
        ("memory/hot/threads.md", "hot", "threads"),
        ("memory/warm/auth-2.md", "warm", "auth-2"),
        ("memory/cold/数据库.md", "cold", "数据库"),
        ("memory/core/0.soul.md", "", "0.soul"),
        ("warm/auth.md", "", "auth"),
    ],
)
def test_tier(path, tier, topic):
    """A path tells its tier and its topic."""
    assert (paths.tier_of(path), paths.topic_of(path)) == (tier, topic)


def test_hot():
    """Every kind has one hot document."""
    assert {kind: paths.hot_of(kind) for kind in ("thread", "task", "blocker")} == dict.fromkeys(
        ("thread", "task", "blocker"), paths.THREADS
    )
    assert paths.hot_of("decision") == paths.DECISIONS
    assert {paths.hot_of(kind) for kind in kinds.KINDS} == set(paths.HOT)


def test_records():
    """The kinds that are records are those with moves, and each has exactly the states that its moves name."""
    for kind in kinds.ENTRIES.values():
        assert kind.is_record == bool(kind.moves)
        assert {state for move in kind.moves for state in (move.to, *move.origins)} == set(kind.states)
        assert {*kind.open_states} <= set(kind.states)


@pytest.mark.parametrize("name", kinds.names())
def test_names(name):
    """Every kind is one, heads an entry with a label that names it, and has a priority from 0 to 5."""
    assert kinds.is_kind(name)
    assert name.capitalize().casefold() == name
    assert 0 <= kinds.priority(name) <= 5
    record = kinds.event_record(name)
    assert record is None or kinds.event(record.name) == name
    assert name not in kinds.KINDS or kinds.KINDS[name].label.casefold() == name


def test_unknown():
    """What is no kind is none, and goes like a note."""
    assert not kinds.is_kind("above")
    assert not kinds.is_kind("note event")
    assert kinds.priority("above") == kinds.priority("note")


def test_fields():
    """Every field that a kind asks for can be read."""
    assert {name for kind in kinds.KINDS.values() for name in kind.fields} <= set(kinds.FIELD_NAMES.values())
    assert set(kinds.EVENT_FIELDS) <= set(kinds.FIELD_NAMES.values())


@pytest.mark.parametrize(
    ("path", "is_own"),
    [
        *(
            (f"memory/{name}.md", True)
            for name in ("cycles", "edits", "page", "topics", "hot/context", "fates/0001-i1abc")
        ),
        *((path, True) for path in ("main.md", "journal/instance-3.md")),
        *((path, False) for path in ("memory/2026-02-13.md", "memory/notes.md", "docs/page.md")),
    ],
)
def test_whose_a_page_is(path, is_own):
    """The pages that the program reads and writes are the memory's; any other file in its folder is somebody's."""
    assert paths.is_own(path) is is_own
