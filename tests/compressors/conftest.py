"""A request that needs compressing, and replies to it."""

from __future__ import annotations

import pytest

from sleep.compression.contract import Request
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment, render

_AT = InstanceId(7, "qxk")
_TEXTS = (
    ("tone", "This felt wrong, and I was surprised by it"),
    ("insight", "The parser of `src/part1.py` reads every row of the 312 twice, which costs 40 ms on Redis"),
    ("insight", "Reading a row twice is what makes the parser of `src/part1.py` slow, we found after a while"),
    ("note", "Looked at many files for a long time and then went on to look at further files in other folders"),
)


@pytest.fixture
def request_():
    """Return a request whose candidates do not fit."""
    given = tuple(Fragment(kind, text, (_AT.entry(at),)) for at, (kind, text) in enumerate(_TEXTS, 1))
    return Request("hot to warm", 3.0, 60, given)


@pytest.fixture
def good(request_):
    """Return a reply that is taken."""
    told = "The parser of `src/part1.py` is slow, for it reads every row of the 312 twice: 40 ms on Redis"
    return f"## Tone\n\n{render(request_.candidates[0])}\n## Insights\n\n- {told} [i7qxk.2 i7qxk.3]\n"
