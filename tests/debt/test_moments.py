"""Moments: seconds and their form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.debt import timestamps

MILLIS = st.integers(0, 4_102_444_800_000)


@given(MILLIS)
def test_there_and_back(millis):
    """A moment is written as the calendar of Python would, and read as it was written."""
    told = datetime.fromtimestamp(millis // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S") + f".{millis % 1000:03d}Z"
    assert timestamps.iso(millis / 1000) == told
    assert round(timestamps.seconds(told) * 1000) == millis
    assert timestamps.date(millis / 1000) == told[:10]


@given(MILLIS, st.integers(-14 * 60, 14 * 60))
def test_zones(millis, minutes):
    """A time with another zone is the same moment."""
    at = datetime.fromtimestamp(millis // 1000, timezone(timedelta(minutes=minutes)))
    assert timestamps.seconds(at.isoformat()) == millis // 1000


@pytest.mark.parametrize("text", [None, 7, "", "x", "2026", "2026-13-01", "2026-02-24T99:00:00Z", "24.02.2026"])
def test_what_is_no_moment(text):
    """What is no time is none."""
    assert timestamps.seconds(text) is None


def test_other_forms():
    """A day, and a time without seconds or zone, are read too."""
    assert timestamps.seconds("1970-01-02") == timestamps.DAY
    assert timestamps.seconds("1970-01-01T00:01") == 60
    assert timestamps.seconds("1970-01-01 00:00:07.5") == 7.5
    assert timestamps.seconds("1970-01-01T01:00:00+0100") == 0
