"""A sentence that stays keeps the label that it stands under, and no other."""

from __future__ import annotations

import pytest

from sleep.compression import coverage, extractive

TASK = "**Task:** Push the settings **Outcome:** Made a repository. Pushed to the private one. All is well."


@pytest.mark.parametrize(
    ("text", "parts", "expected"),
    [
        (
            TASK,
            (0, 1),
            "Task: Push the settings **Outcome:** Made a repository. Pushed to the private one.",
        ),
        (TASK, (1,), "Outcome: Pushed to the private one."),
        (TASK, (1, 2), "Outcome: Pushed to the private one. All is well."),
        ("**Task:** Fix it. **Outcome:** Done. It holds.", (0, 2), "Task: Fix it. **Outcome:** It holds."),
        ("**Task:** Fix it. **Outcome:** Done. It holds.", (1,), "**Outcome:** Done."),
        ("**Fix:** The lock leaked. It is closed now.", (1,), "Fix: It is closed now."),
        ("Ana: Hello. We take **flock** now. Bye.", (1, 2), "Ana: We take **flock** now. Bye."),
        ("Plain words. And more of them.", (1,), "And more of them."),
    ],
)
def test_a_sentence_stands_under_its_own_label(text, parts, expected):
    """Of a text with several labels a sentence is told with the last one before it, not with the first of all."""
    assert extractive.shortened(text, extractive.cut(text), parts).strip() == expected


def test_an_outcome_stands_behind_its_task():
    """What stands under a label within a text is kept only with how the text begins."""
    cut = extractive.cut(TASK)
    assert dict.fromkeys(range(1, len(cut.runs)), 0) == dict(cut.leans)
    assert coverage.Line((), 0.0, leans=cut.leans).with_grounds(2) == (0, 2)
    assert not extractive.cut("**Fix:** The lock leaked. Nobody saw the lock.").leans


def test_what_leans_on_the_beginning_needs_nothing_between():
    """A sentence is kept with the one that it leans on, and not with those that stand between the two."""
    parts = tuple(coverage.Part({term: 1.0}, cost) for term, cost in (("task", 1.0), ("made", 9.0), ("well", 1.0)))
    assert coverage.choose([coverage.Line(parts, 0.0, leans={1: 0, 2: 0})], 2) == [(0, 2)]
    more = (*parts, coverage.Part({"end": 1.0}, 1.0), coverage.Part({"last": 1.0}, 1.0))
    leans = {1: 0, 2: 0, 3: 2, 4: 0}
    assert coverage.choose([coverage.Line(more, 9.0, leans=leans)], 12) == [(0, 2, 3)]
