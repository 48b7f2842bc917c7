"""Changes and releases, in whatever wraps them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.wake.snapshot import page_files, releases


def load(value):
    """Return the records of a value written as JSON."""
    return releases.load(page_files.Text(value if isinstance(value, str) else json.dumps(value)))


@pytest.mark.parametrize(
    "value",
    [
        [{"version": "1"}],
        {"releases": [{"version": "1"}]},
        {"data": {"entries": [{"version": "1"}]}},
        {"about": "x", "list": [{"version": "1"}]},
        {"1": {}},
        {"version": "1", "summary": "x"},
    ],
)
def test_wrappers(value):
    """Records are found in a list, in a wrapper, under their versions, or as the only one."""
    found, problem = load(value)
    assert (len(found), found[0]["version"], problem) == (1, "1", "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1,\n2,]", "is no JSON (line 2: "),
        ("1", "holds no list of records"),
        ('{"a": 1}', "holds no list of records"),
        ("[" * 100_000, "is no JSON that can be read (nested too deep)"),
    ],
)
def test_problems(text, problem):
    """What holds no records says why, with the line where there is one."""
    assert load(text)[0] == []
    assert load(text)[1].startswith(problem)


def test_nothing_is_no_problem():
    """An empty file, list or object, and records without a word hold nothing, and that is fine."""
    assert load("") == load("[]") == load("{}") == load(" \n") == ([], "")
    assert load('[{}, {"date": null, "description": ""}, null]') == ([], "")


def test_texts_are_records():
    """A list of texts is one of descriptions."""
    assert load(["one", "two"])[0] == [{"description": "one"}, {"description": "two"}]


ORDERED = (
    "0.1 0.2 0.9.0 0.10.0-alpha 0.10.0-alpha.1 0.10.0-alpha.beta 0.10.0-beta.2 0.10.0-beta.11 0.10.0-rc1 0.10.0 1.0.0"
    " 2026.1"
)


def test_versions():
    """Versions are compared as semver.org does; a letter in front and a build behind say nothing."""
    ranks = [releases.version(one) for one in ORDERED.split()]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)
    assert releases.version("v1.0.0+build.5") == releases.version("1") == releases.version("1.0.0")
    assert releases.version("next") is releases.version("") is releases.version("1" * 200) is None


def test_the_newest_by_day():
    """Changes are the newest by day; of one day the first, and without days the first of all."""
    days = [{"date": day, "n": at} for at, day in enumerate(["2026-01-01", "2026-03-01", "2026-02-01", "2026-03-01"])]
    assert [one["n"] for one in releases.recent(days)] == [1, 3, 2]
    assert releases.recent([{"n": 1}, *days])[0] == {"n": 1}


def test_releases_without_versions():
    """Where no version can be compared, the newest day counts."""
    found = [{"version": "tea", "date": "2026-01-01"}, {"version": "milk", "date": "2026-02-01"}]
    assert releases.latest(found)[0]["version"] == "milk"
    assert releases.latest([]) == []


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner), st.dictionaries(st.sampled_from(["version", "date", "entries", "tasks", "status", "x"]), inner)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_is_taken(value):
    """No JSON makes the reader fail, and its lines are lines."""
    found, _ = load(value)
    for one in (*releases.recent(found), *releases.latest(found)):
        assert "\n" not in releases._change(one, 0)
        assert releases._release(one, 120).startswith("- ")
