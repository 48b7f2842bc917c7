"""Headings that are nothing but a kind's name, and those that say more."""

from __future__ import annotations

import pytest

from sleep.language.acts.kind_names import is_name
from sleep.records.classification import heading_kind

NAMES = (
    *("Decisions", "Key decisions", "Decisions made", "Open questions", "Constraints", "Rules", "Next steps"),
    *("Constraints & Decisions", "Decisions / Corrections", "Open Action Items", "Open TODOs (carried forward)"),
    *("Offene Fragen", "Regeln", "Nächste Schritte", "Preguntas abiertas", "Règles", "решения", "关键决策", "待办事项"),
    *("注意事项", "次のステップ", "Dead ends", "Blockers", "Security rules"),
)
SUBJECTS = (
    *("What not to do when the rules change", "Rules of the card game", "Decision tree", "Do not panic guide"),
    *(
        "Pending decisions raised with Ana",
        "Guardrail skill, phase one built",
        "Next OpenAPI generator",
        "路由规则优先级",
    ),
    *("Questions from the audience about billing", "Must-have features", "Policy of the insurer"),
)


@pytest.mark.parametrize("title", NAMES)
def test_a_name_gives_its_kind(title):
    """A heading that is a kind's name alone, in any language there are cues in, says the kind."""
    assert heading_kind(title)


@pytest.mark.parametrize("title", SUBJECTS)
def test_a_subject_gives_none(title):
    """A heading that has a name among other words says no kind of a record."""
    assert heading_kind(title) == ""


def test_nothing_is_no_name():
    """A heading without words names nothing."""
    assert not is_name("--- !")
