"""Extraction against the labels of readers who had not seen the extractor, on real data (SLEEP_SHARED names it)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.extraction import score

SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
# Floors below what was measured (see README.md here), so that a loss is seen and noise is not.
FLOORS = {
    "blind": {
        "decision": (0.45, 0.65),
        "question": (0.45, 0.60),
        "constraint": (0.57, 0.57),
        "thread": (0.25, 0.50),
        "task": (0.65, 0.63),
    },
    "development": {
        "decision": (0.60, 0.68),
        "question": (0.70, 0.85),
        "constraint": (0.77, 0.77),
        "thread": (0.70, 0.68),
        "task": (0.87, 0.84),
    },
}


@pytest.mark.real
@pytest.mark.parametrize("part", ["blind", "development"])
def test_extraction_finds_what_readers_labelled(part: str) -> None:
    """Recall and precision on each half of the labelled journals stay above their floors."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    totals = score.score(Path(SHARED) / "data" / "journals", part)
    for kind, (recall, precision) in FLOORS[part].items():
        assert totals[kind].recall >= recall, score.table(totals)
        assert totals[kind].precision >= precision, score.table(totals)


def test_every_label_is_of_a_known_kind_and_place() -> None:
    """The labels cover at least forty journals, in two halves that share none."""
    blind, development = score.labels("blind"), score.labels("development")
    assert len(blind) + len(development) >= 40
    assert not set(blind) & set(development)
    found = [one for group in (blind, development) for items in group.values() for one in items]
    assert {one.kind for one in found} <= set(score.KINDS)
    assert all(0 < one.start <= one.end for one in found)
