"""From samples to figures."""

from __future__ import annotations

import pytest

from sleep.evaluation.baselines import FULL, NONE, OURS
from sleep.evaluation.reports import figures
from sleep.evaluation.reports.figures import Sample

PARTS = [(1.0, 4.0), (3.0, 4.0), (0.0, 2.0), (2.0, 2.0), (1.0, 3.0)]


def sample(system, case, found, asked, point="1k"):
    """Return a sample of one measure."""
    return Sample(system, point, "pairs", case, found, asked)


def test_the_interval_is_the_same_every_time():
    """A seed gives one interval, another seed another; both hold the share."""
    assert figures.interval(PARTS) == figures.interval(list(PARTS))
    assert figures.interval(PARTS, seed=2, draws=9) != figures.interval(PARTS, seed=3, draws=9)
    low, high = figures.interval(PARTS)
    assert low < figures.share(PARTS) < high


def test_cases_that_agree_leave_no_doubt():
    """Where every case has the same share, the interval is that share."""
    assert figures.interval([(1.0, 2.0)] * 5) == (0.5, 0.5)


def test_a_figure_is_a_share_over_all_cases():
    """What a case asks twice counts twice; a case that asks nothing is none."""
    made = figures.figures(
        [sample("x", "a", 1, 4), sample("x", "a", 1, 0), sample("x", "b", 0, 4), sample("x", "c", 0, 0)]
    )
    assert [(one.value, one.cases) for one in made] == [(0.25, 2)]


def test_we_are_compared_with_the_best_that_keeps_a_budget():
    """Neither the whole journal nor none at all nor a part of ourselves is a baseline to beat."""
    given = {OURS: 3, f"{OURS}: hot": 6, FULL: 8, NONE: 0, "lead": 4, "tail": 2}
    made = figures.figures(sample(name, "a", found, 8) for name, found in given.items())
    ours = next(one for one in made if one.system == OURS)
    assert (ours.best, ours.ratio) == ("lead", 0.75)
    assert [one.ratio for one in made if one.system != OURS] == [None] * 5


def test_a_difference_is_drawn_in_pairs():
    """A run that is better by the same in every case is better beyond doubt, however far the cases lie apart."""
    there = [sample(OURS, str(number), found, 10) for number, found in enumerate((0, 4, 8, 2))]
    here = [one._replace(hits=one.hits + 1) for one in there]
    (found,) = figures.differences(here, there, "with")
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
