"""Scores, levels, and what a session start says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.debt import scores
from sleep.debt.ledger import Measure
from sleep.settings import Settings

SETTINGS = Settings()
COUNTS = st.integers(0, 60)
MEASURES = st.builds(Measure, COUNTS, COUNTS, COUNTS, st.integers(0, 40_000))


def test_levels():
    """0 to 3 is Alert, 4 to 6 Drowsy, 7 to 9 Sleepy, 10 and more Must Sleep."""
    called = [scores.level(debt, SETTINGS) for debt in range(12)]
    assert called == ["Alert"] * 4 + ["Drowsy"] * 3 + ["Sleepy"] * 3 + ["Must Sleep"] * 2


def test_bounds_are_settings():
    """Other bounds of scores and levels are kept to."""
    other = SETTINGS._replace(debt_light=2, debt_moderate=3, debt_heavy=4, debt_drowsy=1, debt_sleepy=2, debt_must=3)
    assert [scores.score(count, other) for count in range(6)] == [0, 0, 1, 2, 3, 3]
    assert [scores.level(debt, other) for debt in range(4)] == list(scores.LEVELS)
    assert "2/3" in scores.directive(2, other)


@given(MEASURES, MEASURES)
def test_substance_never_falls_when_more_happened(one, more):
    """More of anything never scores less, the score has the same bands, and is never below that by changes."""
    both = one.plus(more)
    assert 0 <= scores.substance(one, SETTINGS) <= scores.substance(both, SETTINGS) <= 3
    assert scores.substance(one, SETTINGS) >= scores.score(one.changes, SETTINGS)
    assert scores.score_measure(one, SETTINGS) == scores.score(one.changes, SETTINGS)


@pytest.mark.parametrize(
    ("measure", "score"),
    [
        (Measure(0, 2, 0, 101), 0),
        (Measure(0, 2, 1, 1_716), 1),
        (Measure(2, 26, 1, 10_722), 3),
        (Measure(2, 5, 2, 6_190), 3),
        (Measure(4, 3, 0, 1_522), 2),
        (Measure(0, 1, 0, 13), 0),
        *((Measure(0, 4, 0, 999), 0), (Measure(0, 5, 0, 0), 1), (Measure(0, 0, 0, 1_000), 1), (Measure(0, 0, 1, 0), 1)),
    ],
)
def test_substance_of_real_sessions(measure, score):
    """A long talk counts, a short one does not, and edits count as ever."""
    assert scores.score_measure(measure, SETTINGS._replace(debt_score_by="substance")) == score


def test_the_directive():
    """From 10 a session start directs to sleep, from 7 it notes, below it says nothing."""
    assert scores.directive(10, SETTINGS).startswith(">>> CRITICAL: CONSOLIDATION REQUIRED <<<\n")
    assert "debt is 12" in scores.directive(12, SETTINGS)
    assert "sleepwake sleep" in scores.directive(12, SETTINGS)
    assert "8/10" in scores.directive(8, SETTINGS)
    assert "elevated" in scores.directive(8, SETTINGS)
    assert "CRITICAL" not in scores.directive(8, SETTINGS)
    assert scores.directive(5, SETTINGS) == ""


def test_the_bar():
    """The bar fills up to Must Sleep, and shows where the levels begin."""
    assert scores.bar(0, SETTINGS) == "[........|.....|.....]"
    assert scores.bar(5, SETTINGS) == "[##########....|.....]"
    assert scores.bar(1, SETTINGS).count("#") == 2
    assert scores.bar(10, SETTINGS) == scores.bar(99, SETTINGS) == f"[{'#' * 20}]"


def test_a_directive_names_a_command_that_works_there():
    """In an older tool's folder, which no sleep of ours can consolidate, the directive names the sleep by hand."""
    assert "sleepwake sleep` consolidates it, a commit a step." in scores.directive(10, Settings())
    for debt in (8, 10):
        told = scores.directive(debt, Settings(), by_hand=True)
        assert "sleep.done" in told
        assert "sleepwake sleep`" not in told
        assert "a commit a step" not in told
