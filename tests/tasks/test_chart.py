"""Pictures show the figures that they are given."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.dashboard import plot
from sleep.tasks.upkeep import chart
from sleep.upkeep.statistics import After

SVG = "{http://www.w3.org/2000/svg}"


def after(cycle, hot=10, **more):
    """Return the figures of a cycle."""
    values = {"warm": 5, "cold": 1, "journal": 100, "hot_share": 50, **more}
    return After(
        cycle, "i1abc", "", values["journal"], values["hot_share"], 100 * cycle, hot, values["warm"], values["cold"]
    )


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


def shapes(rows):
    """Return the tags of what is drawn in a colour, of an SVG of these figures."""
    root = ET.fromstring(chart.svg(rows))  # noqa: S314  # our own
    return [one.tag.removeprefix(SVG) for one in root.iter() if one.get("stroke-width") or one.get("r")]


def test_a_gap_is_a_gap():
    """Where a cycle has no figures, the line is broken, and a cycle alone is a dot."""
    assert shapes([after(1), after(2), after(3)]) == ["path"] * 4
    assert shapes([after(1)]) == ["circle"] * 4
    broken = [after(1), after(2), after(3, hot=None), after(4), after(5)]
    assert shapes(broken) == ["path"] * 5  # that of all journals to memory is in two


def test_stacked_values_have_a_gap_where_one_is_unknown():
    """Each line stands on those before it, and none of them where one has no value."""
    lines = (chart.Line("a", "red", [1, None, 2]), chart.Line("b", "blue", [3, 4, 5]))
    assert chart._stacked(lines) == [[1, None, 2], [4, None, 7]]


def test_an_area_goes_forth_along_its_values_and_back_along_those_below():
    """The path of an area crosses itself nowhere: its points go forth in order, and back in the other one."""
    drawn = chart._shape("red", [0, 1, 2], [6, 8, 7], [1, 2, 3], plot.Scale(0, 20, 0, 10, 3, 10))
    places = [float(point.split()[0]) for point in drawn.partition('d="M')[2].partition("Z")[0].split("L")]
    assert places[:3] == sorted(places[:3])
    assert places[3:] == places[2::-1]


@given(
    st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**7), st.none() | st.integers(0, 10**7)), max_size=30)
)
def test_every_point_is_inside(figures):
    """Whatever the figures, the image is well-formed and no point lies outside of it."""
    rows = [
        after(number, hot, journal=journal, hot_share=hot or 0, warm=journal)
        for number, (hot, journal, _) in enumerate(figures)
    ]
    rows = [one._replace(cold=cold) for one, (_, _, cold) in zip(rows, figures, strict=True)]
    root = ET.fromstring(chart.svg(rows))  # noqa: S314  # our own
    wide, high = (float(root.get(name)) for name in ("width", "height"))
    for one in root.iter(f"{SVG}path"):
        if one.get("stroke-opacity"):
            continue
        for point in one.get("d").strip("MZ").split("L"):
            x, y = map(float, point.split())
            assert 0 <= x <= wide
            assert 0 <= y <= high


@pytest.mark.parametrize("highest", [0, 0.4, 1, 7, 10, 99, 100, 2001, 123456])
def test_ticks_reach_the_highest(highest):
    """The axis starts at 0, reaches the highest value, and names few values."""
    ticks = plot.ticks(highest)
    assert ticks[0] == 0
    assert ticks[-1] >= highest
    assert 2 <= len(ticks) <= 6
