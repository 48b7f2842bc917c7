"""What an event is worth beyond edits."""

from __future__ import annotations

import pytest

from sleep.language import tokens
from sleep.transcripts import substance
from sleep.transcripts.events import Event


@pytest.mark.parametrize(
    ("role", "text", "chosen"),
    [
        ("agent", "I decided to hold the lock longer.", 1),
        ("agent", "We chose YAML. It is slower.\nWe also opted for one file", 2),
        ("agent", "Decision: keep both.", 1),
        ("agent", "I use names instead of numbers.", 1),
        ("person", "let's go with #4 please", 1),
        ("person", "Let's make it a flag.", 1),
        ("agent", "Let's make it a flag.", 0),
        ("person", "Let's discuss it.", 0),
        ("agent", "Should we go with option 1?", 0),
        ("agent", "The lock is held while it writes.", 0),
    ],
)
def test_sentences_that_choose(role, text, chosen):
    """A sentence that plainly chooses is counted, a question and a next step are not."""
    found = substance.of(Event(role, "text", text))
    assert found is not None
    assert found[2] == chosen


def test_only_what_was_written_counts():
    """Prompts, answers and what the agent said have tokens; results, lists, summaries and calls have none."""
    for kind in ("prompt", "answer", "text", "plan", "ask"):
        found = substance.of(Event("agent", kind, "Hold it longer."))
        assert found is not None
        assert found[3] == tokens.count("Hold it longer.")
    for kind in ("result", "tasks", "summary", "run", "call", "edit", "root", "unread"):
        assert substance.of(Event("agent", kind, "Hold it longer.")) is None


def test_a_turn_is_a_persons_prompt():
    """A prompt is a turn, a sub-agent's and an answer are not."""
    events = [Event("person", "prompt", "a"), Event("person", "prompt", "a", side=True), Event("person", "answer", "a")]
    assert [found[1] for one in events if (found := substance.of(one))] == [1, 0, 0]


def test_a_key_says_when_and_how_long_and_nothing_else():
    """The same text has the same key wherever it was stored, with no word of it; without a time there is none."""
    one = Event("agent", "text", "secret words", at="2026-01-02T03:04:05.678Z", line=3)
    first, again, other = map(substance.of, (one, one._replace(line=9), one._replace(text="secret word")))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first == again != other
    assert "secret" not in first[0]
    assert substance.of(one._replace(at="")) == ("", 0, 0, 3)
