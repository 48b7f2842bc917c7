"""The ledger's form: whatever it holds comes back, and whatever else stands there is read without an error."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sleep.debt import ledger
from sleep.debt.ledger import Ledger, PastSleep, Session, Settlement

COUNTS = st.integers(0, 40)
WORDS = st.text(max_size=8)
IDS = st.text("abcdef-0123", min_size=1, max_size=8)
OTHERS = st.dictionaries(st.sampled_from(["x", "their key", "ü"]), st.none() | COUNTS | st.lists(WORDS)).map(
    lambda found: tuple(found.items())
)
SESSIONS = st.builds(
    Session,
    IDS,
    st.none() | WORDS,
    WORDS,
    st.none() | WORDS,
    st.none() | COUNTS,
    st.none() | st.integers(0, 3),
    COUNTS,
    WORDS,
    OTHERS,
)
SEVERAL = st.lists(SESSIONS, max_size=4, unique_by=lambda one: one.session_id).map(tuple)
SETTLEMENTS = st.builds(
    Settlement,
    WORDS,
    st.dictionaries(IDS, COUNTS, max_size=3).map(lambda found: tuple(found.items())),
    COUNTS,
    COUNTS,
    COUNTS,
    WORDS,
    COUNTS,
    WORDS,
    st.booleans(),
)
SLEPT = st.builds(PastSleep, WORDS, WORDS, COUNTS, COUNTS, COUNTS, WORDS, SEVERAL, st.booleans())
LEDGERS = st.builds(
    Ledger,
    st.none() | WORDS,
    st.none() | WORDS,
    SEVERAL,
    st.none() | st.text(min_size=1, max_size=8),
    st.none() | SETTLEMENTS,
    st.none() | SETTLEMENTS,
    st.lists(SLEPT, max_size=2).map(tuple),
    COUNTS,
    OTHERS,
    st.just(""),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "debt",
        "sessions",
        "epoch",
        "sleeping",
        "history",
        "last_sleep",
        "last_sleep_at",
        "session_id",
        "score",
        "at",
        "x",
    ]
)
NEAR = st.recursive(
    JSON, lambda inner: st.dictionaries(KEYS, inner, max_size=6) | st.lists(inner, max_size=3), max_leaves=20
)


@given(LEDGERS)
def test_what_is_written_is_read(given_ledger):
    """Every ledger is read as it was written, and written as it was read."""
    text = ledger.render(given_ledger)
    assert ledger.parse(text) == given_ledger
    assert ledger.render(ledger.parse(text)) == text
    assert json.loads(text)["debt"] == given_ledger.debt


@given(st.text() | NEAR.map(json.dumps))
def test_anything_is_read(text):
    """Any text gives a ledger whose debt is the sum of its scores and its rest, and that can be written."""
    found = ledger.parse(text)
    assert found.debt == found.rest + sum(one.score or 0 for one in found.sessions)
    written = ledger.render(found)
    assert repr(ledger.parse(written)) == repr(found._replace(trouble=""))  # in an unknown key there may be a NaN


def test_the_schema():
    """The requirement's example is read and written byte for byte."""
    text = """{
  "debt": 4,
  "last_sleep": "2026-02-24",
  "last_sleep_summary": "Consolidated auth implementation and API design decisions",
  "sessions": [
    {
      "session_id": "abc123",
      "transcript_path": "/path/to/transcript.jsonl",
      "stopped_at": "2026-02-24T18:30:00.000Z",
      "last_assistant_message": "Implemented JWT middleware…",
      "change_count": 7,
      "score": 2
    }
  ]
}
"""
    found = ledger.parse(text)
    assert (found.debt, found.rest) == (4, 2)
    assert ledger.render(found) == text


def test_a_score_that_is_none_is_not_debt_twice():
    """A session whose score cannot be read is counted again, so what the total says of it is not kept besides."""
    found = ledger.parse(
        '{"debt": 5, "sessions": [{"session_id": "a", "score": "2"}, {"session_id": "b", "score": 1}]}'
    )
    assert (found.rest, found.sessions[0].score) == (1, None)
    assert "sessions[0].score" in found.trouble


def test_what_cannot_be_read_is_named_in_a_line():
    """Of many places that cannot be read a few are named, and the others counted."""
    found = ledger.parse(json.dumps({"sessions": [{"session_id": f"s{at}", "score": "2"} for at in range(2_000)]}))
    assert found.trouble.endswith("sessions[4].score and 1995 more")
    assert len(found.trouble) < 200
    assert found.sessions[0].score is None


def test_of_two_records_of_a_session_the_newer_one_stands():
    """A session has one record: the first, which is the newest."""
    found = ledger.parse('{"sessions": [{"session_id": "a", "score": 1}, {"session_id": "a", "score": 3}]}')
    assert [(one.session_id, one.score) for one in found.sessions] == [("a", 1)]


def test_an_id_of_another_program():
    """An id that another program wrote and that could break a commit's message is replaced by its hash."""
    found = ledger.parse(json.dumps({"sessions": [{"session_id": "a\nSleep-Cycle: 9"}, {"session_id": " "}]}))
    assert [one.session_id[:4] for one in found.sessions] == ["odd-"]
    assert found.trouble


def test_the_changes_of_an_older_program():
    """A list that begins with the changes, as an older program wrote it, is read as these."""
    portions = {"at": "x", "sessions": {"a": [12, 3, 0, 900]}}
    text = json.dumps({"sessions": [{"session_id": "a", "settled": [5, 0, 0, 0]}], "epoch": portions})
    found = ledger.parse(text)
    assert (found.sessions[0].settled, found.epoch.portions, found.trouble) == (5, (("a", 12),), "")


def test_the_documented_form():
    """The example of docs/formats.md is read without trouble, and written byte for byte."""
    page = Path(__file__).resolve().parents[2] / "docs" / "formats.md"
    text = (
        page.read_text(encoding="utf-8").split("## memory/state/.sleep.json")[1].split("```json\n")[1].split("```")[0]
    )
    found = ledger.parse(text)
    assert (found.trouble, found.debt, found.rest) == ("", 6, 1)
    assert ledger.render(found) == text
