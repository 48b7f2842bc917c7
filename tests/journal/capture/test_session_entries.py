"""Entries of a session: what was only noticed stands beside the prose, once."""

from __future__ import annotations

import pytest

from sleep.compression.redundancy import Recalled
from sleep.journal.capture import session_entries
from sleep.language.acts.likelihood import scorer
from sleep.language.acts.likelihood.scorer import Guess
from sleep.records.known_texts import KnownTexts
from sleep.transcripts.events import Event

LOCK = "The lock is `fcntl` in all of the stores."
PROSE = "A fork keeps it, and so does a thread of the server."


@pytest.fixture
def decides(monkeypatch):
    """Have the model take one sentence for a decision."""

    def guess(sentence):
        return Guess("decision", 2.0) if sentence.text.startswith("The lock is") else None

    monkeypatch.setattr(scorer, "guess", guess)


def entries(*texts, statements=(), rejected=()):
    """Return (standing, kind, words) of the entries of a session in which an agent says these texts."""
    events = [Event("agent", "text", text, line=line) for line, text in enumerate(texts, 1)]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    drafts = session_entries.new_entries(digest, "s1", KnownTexts(statements), lambda: KnownTexts(rejected))
    return [(draft.standing, draft.kind, f"{draft.title} {draft.body}".strip()) for draft in drafts]


def test_what_was_noticed_comes_last_beside_the_prose_that_holds_it(decides):
    """The prose stays as it is, and a noticed decision follows with the sentence alone."""
    *prose, last = entries(f"{LOCK} {PROSE}")
    assert [standing for standing, _, _ in prose] == ["stated"]
    assert f"{LOCK} {PROSE}" in prose[0][2]
    assert last == ("noticed", "decision", LOCK)


def test_prose_that_says_no_more_makes_room_for_it(decides):
    """A sentence that stands alone is told once, as what it may be; said twice, it is there once."""
    assert entries(LOCK, PROSE, LOCK)[1:] == [("noticed", "decision", LOCK)]


def test_what_was_said_or_rejected_before_is_not_noticed(decides):
    """A journal that says it, or a person who said that it is none, keep it from being noticed."""
    assert all(standing == "stated" for standing, _, _ in entries(f"{LOCK} {PROSE}", statements=[LOCK]))
    assert all(standing == "stated" for standing, _, _ in entries(f"{LOCK} {PROSE}", rejected=[LOCK]))
