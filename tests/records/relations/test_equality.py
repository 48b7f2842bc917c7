"""When two records are one: the kind, the words, the figures, the turns and the fields."""

from __future__ import annotations

import pytest

from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from sleep.records.relations.equality import is_repeated, may_repeat

OLD = "Keep the port of the relay at 8001 while the proxy is there"


def _record(text, kind="decision", number="", fields=(), entry=1):
    return Fragment(kind, text, (InstanceId(entry, "abc").entry(2),), number, tuple(fields))


def _is_one(new, old=None):
    return is_repeated(old or _record(OLD), new._replace(addresses=(InstanceId(2, "abc").entry(2),)))


@pytest.mark.parametrize(
    "text",
    [
        OLD,
        f"**{OLD}**",
        OLD.lower(),
        "Keep the port of the relay at 8001",
    ],
)
def test_one(text):
    """The same words, nearly the same, or a part of them."""
    assert _is_one(_record(text))


@pytest.mark.parametrize(
    "text",
    [
        OLD.replace("8001", "8002"),
        OLD.replace("Keep", "Do not keep"),
        f"{OLD}, and let the dashboard ask the second node once a minute",
        "Keep the dashboard of the node at its place while the sun is there",
    ],
)
def test_two(text):
    """Another figure, a turn, something more, something else."""
    assert not _is_one(_record(text))


def test_of_one_kind():
    """A rule is no decision, and what holds no more is not said again."""
    assert not _is_one(_record(OLD, kind="constraint"))
    assert not _is_one(_record(OLD), _record(OLD, fields=[("status", "superseded (by D-002)")]))


def test_fields():
    """A field that the older lacks is none against it, another value is; so is a state, or what it is at odds with."""
    old = _record(OLD, fields=[("why", "it is free")])
    assert _is_one(_record(OLD, fields=[("why", "it is free"), ("alternatives", "9001"), ("source", "person")]), old)
    assert not _is_one(_record(OLD, fields=[("why", "nobody asked")]), old)
    assert not _is_one(_record(OLD, fields=[("at odds with", "D-003 (i1abc.9)")]), old)


def test_threads_stay_apart():
    """Entries hang on a thread: two of one name may be two."""
    assert not may_repeat(_record("Speed", kind="thread", number="T-001"))
    assert may_repeat(_record("Speed it up", kind="task"))
