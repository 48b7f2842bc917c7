"""What a question is understood as."""

import pytest

from sleep.recall import question, when
from sleep.recall.when import Span


@pytest.mark.parametrize(
    ("text", "first", "last", "exact"),
    [
        ("What happened on 7 July, 2023?", "2023-07-07", "2023-07-07", True),
        ("What happened on July 7th, 2023?", "2023-07-07", "2023-07-07", True),
        ("What happened on 2023-07-07?", "2023-07-07", "2023-07-07", True),
        ("What was decided in March 2024?", "2024-03-01", "2024-03-31", False),
        ("What was decided in March?", "--03-01", "--03-31", False),
        ("What did we do in 2022?", "2022-01-01", "2022-12-31", False),
        ("What did I do yesterday?", "2024-02-29", "2024-02-29", True),
        ("What did I do 2 days ago?", "2024-02-28", "2024-02-28", True),
        ("What did we do last week?", "2024-02-16", "2024-03-01", False),
    ],
)
def test_days_are_read(text, first, last, exact):
    """Days, months, years and what is told from today become spans of days."""
    assert when.spans(text, "2024-03-01") == (Span(first, last, exact),)


def test_a_verb_is_no_month():
    """May and march are months only where they are written so."""
    assert when.spans("May I march on?") == ()


def test_the_very_day_fits_best():
    """A day fits better than the days around it, and those better than a day far off."""
    asked = when.spans("on 7 July 2023")
    fits = [when.near(day, asked) for day in ("2023-07-07", "2023-07-10", "2023-09-01")]
    assert fits == sorted(fits, reverse=True)
    assert len(set(fits)) == 3


def test_names_handles_and_breadth_are_told():
    """A question says whom it names, which records it calls, and whether a stretch is asked for."""
    read = question.read("Summarize what Caroline said on D-14 and [i7qxk.12]")
    assert "caroline" in dict(read.names)
    assert read.handles == ("i7qxk.12", "D-014")
    assert read.is_broad
    assert not question.read("When did Caroline move?").is_broad
    assert question.read("When did Caroline move?").asks_when
