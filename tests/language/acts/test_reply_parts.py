"""Replies: what a short answer says besides its yes or no."""

from __future__ import annotations

import pytest

from sleep.language.acts import reply_parts


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("no, too slow", ("no", "too slow")),
        ("hmm, nope", ("hmm, nope", "")),
        ("don't use it", ("don't", "")),
        ("don't. keep it", ("don't", "keep it")),
        ("yes", ("", "")),
        ("不要，太贵了", ("不要", "太贵了")),
    ],
)
def test_a_no_stands_apart_from_what_follows(answer, parts):
    """What follows a no that stands alone is another clause; what follows `don't` is its verb."""
    assert reply_parts.refusal(answer) == parts


@pytest.mark.parametrize(
    ("answer", "bare", "why"),
    [
        ("SQLite, it is embedded", "SQLite", "it is embedded"),
        ("the second one because it is simple", "the second one", "it is simple"),
        ("2 - our ops team already knows it", "2", "our ops team already knows it"),
        ("SQLite, and push it", "SQLite, and push it", ""),
        ("yes, but don't push it", "yes, but don't push it", ""),
        ("B, as long as it stays", "B, as long as it stays", ""),
    ],
)
def test_a_reason_stands_behind_what_a_reply_takes(answer, bare, why):
    """It argues; an instruction and a condition are none."""
    assert (reply_parts.bare(answer), reply_parts.reason(answer)) == (bare, why)


@pytest.mark.parametrize(
    ("answer", "is_said_to_it"),
    [
        ("no", True),
        ("don't", True),
        ("don't use Redis", True),
        ("don't push on Fridays", False),
        ("don't use Redis on Fridays though", False),
    ],
)
def test_a_ban_refuses_what_it_names(answer, is_said_to_it):
    """A ban on what a message does not name, or that only limits it, refuses nothing."""
    assert reply_parts.refuses(answer, "I'll use Redis for the queue.") is is_said_to_it
