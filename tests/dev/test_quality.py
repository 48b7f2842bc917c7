"""`dev.quality`: bars against what the harness prints, and loud where something is missing."""

from __future__ import annotations

import pytest

from dev import quality
from dev.quality import Bar

BRIEF = """\
under test       2000 points 0.530  stale 0.11 purpose 0.40
newest first     2000 points 0.192  stale 0.04
questions: 48 answered within 200 tokens 0.360, within 1,000 0.590; unanswerable refused or marked 0.900 of 16, \
answerable so 0.200
records found: decision 0.61 of 40 task 0.20 of 44; traps taken 0.02 of 60
"""
SUMREF = """\
{
 "system": {
  "250": {
   "f_x": 1,
   "win": 0.5
  }
 },
 "lead": {
  "250": {
   "win": 0.4
  }
 }
}
"""
LOCOMO = """\
  raw journals, always answers                        0.860 0.852-0.868  0.901 0.889-0.911  0.932 0.9-1.0  0.960 0.9-1.0
  read3, 2k                                           0.531 (0.520-0.540) of 709
  abstains wrongly                                    1.1% (0.5%-1.8%) of 709  bar at most 5%
"""


@pytest.fixture
def shared(tmp_path):
    """Return a folder of the harness with all that the quick measures need."""
    for measure in quality.measures("sleepwake"):
        for name in measure.needs:
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
    return tmp_path


def _by_name(bars, output):
    return {row.measure: row for row in (quality._row(bar, output) for bar in bars)}


def test_figures_are_read_and_judged():
    """A figure is read off the line of what is tested, not of a baseline; most and least are told apart."""
    rows = _by_name(quality._brief(), BRIEF)
    assert rows["brief: points told in 2,000 tokens"][1:] == ("0.530", "at least 0.52", "met")
    assert rows["brief: outdated shown in 2,000 tokens"][1:] == ("0.11", "at most 0.1", "MISSED")
    assert rows["brief: points told in 4,000 tokens"].verdict == "NO FIGURE"
    assert rows["questions answered within 200 tokens"].verdict == "met"
    assert rows["questions answered within 1,000 tokens"].verdict == "MISSED"
    assert rows["questions with an answer so marked"].verdict == "met"
    assert (rows["records found: decision"].verdict, rows["records found: task"].verdict) == ("met", "MISSED")
    rows = _by_name(quality._locomo(), LOCOMO)
    assert [row.value for row in rows.values()] == ["0.860", "0.901", "0.932", "0.960", "0.531", "1.1"]
    assert [row.verdict for row in rows.values()] == ["met", "MISSED", *["met"] * 4]


def test_a_bar_of_rivals_is_the_best_of_them():
    """Where the baselines of the same run set the bar, it is so many times the best of them."""
    (row, *_) = [quality._row(bar, SUMREF) for bar in quality._sumref()]
    assert row[1:] == ("0.5", "at least 0.44", "met")
    bar = Bar("x", "^own ([0-9.]+)", 1.0, rivals="^other ([0-9.]+)")
    assert quality._row(bar, "own 1.0\n").verdict == "NO FIGURE"


def test_missing_data_is_loud(shared, capsys):
    """What has no data is said first, stands in the table, and fails the whole; what is slow is left out by name."""
    (shared / "data" / "briefs").rmdir()
    started = []
    code = quality.run(shared, quick=True, start=lambda words, *_: started.append(words) or "")
    out = capsys.readouterr().out
    assert code == 1
    assert f"NO DATA for brief, questions and records: {shared / 'data' / 'briefs'}" in out
    assert out.count("left out (--quick)") == len([*quality._locomo(), *quality._wakecov()])
    assert [next(word for word in words if word.endswith(".py")) for words in started] == [
        str(shared / "eval" / name) for name in ("acts.py", "sumref.py")
    ]


def test_all_met_is_success(shared, monkeypatch, capsys):
    """The task ends with 0 only where every bar is met."""
    one = quality.Measure("one", ("x",), (), (Bar("one", "is ([0-9.]+)", 0.5),))
    monkeypatch.setattr(quality, "measures", lambda _: (one,))
    assert quality.run(shared, quick=False, start=lambda *_: "is 0.5") == 0
    assert quality.run(shared, quick=False, start=lambda *_: "is 0.4") == 1
    assert "0 of 1 bars met" in capsys.readouterr().out
