"""Pictures show the figures that they are given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.dashboard import plot
from sleep.tasks.upkeep import chart


@pytest.mark.parametrize(
    ("values", "shown"),
    [([], ""), ([0], "▁"), ([7], "█"), ([0, 7, 14], "▁▅█"), ([None, 1], " █"), ([None], " ")],
)
def test_spark(values, shown):
    """A sparkline goes from nothing to the highest value, and leaves a blank where there is no value."""
    assert chart.spark(values) == shown


def test_a_long_sparkline_ends_with_the_last_value():
    """However long the series, the line is short, and its last block is the last value."""
    assert len(chart.spark(range(1000))) == 60
    assert chart.spark([0] * 999 + [1]).endswith("▁█")


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3), st.integers(0, 10**6))
def test_bar(parts, more):
    """A bar is as long as its parts are of the whole, each part within one block of its share."""
    whole = sum(parts) + more
    shown = chart.bar(parts, whole)
    assert len(shown) == round(sum(parts) / max(1, whole) * 40)
    for part, shade in zip(parts, "█▓░", strict=True):
        assert abs(shown.count(shade) - part / max(1, whole) * 40) <= 1


@pytest.mark.parametrize("highest", [0, 0.4, 1, 7, 10, 99, 100, 2001, 123456])
def test_ticks_reach_the_highest(highest):
    """The axis starts at 0, reaches the highest value, and names few values."""
    ticks = plot.ticks(highest)
    assert ticks[0] == 0
    assert ticks[-1] >= highest
    assert 2 <= len(ticks) <= 6
