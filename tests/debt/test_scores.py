"""Scores, levels, and what a session start says."""

from __future__ import annotations

from sleep.debt import scores
from sleep.settings import Settings

SETTINGS = Settings()


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
