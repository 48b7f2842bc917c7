"""Pages whose title says what they list."""

from __future__ import annotations

import pytest
from imported_page import records

from sleep.documents.hand.page_titles import listed


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        *(("Decisions", "decision"), ("Town — Engineering decisions", "decision"), ("Decision log", "decision")),
        *(("Decisions log — Town v1", "decision"), ("Decisiones de diseño de Villa", "decision")),
        *(("Entscheidungen", "decision"), ("Decisões", "decision"), ("决策", "decision")),
        *(("TODO", "task"), ("Town TODO", "task"), ("Backlog", "task"), ("Next steps for Town", "task")),
        *(("Rules", "constraint"), ("Project rules", "constraint"), ("Constraints", "constraint")),
        *(("Blockers", "blocker"), ("Open questions", "question"), ("Dead ends", "dead end")),
        *(("Status and decisions", ""), ("Decisions & open questions", ""), ("Project status", "")),
        *(("Session 3 — Next steps", ""), ("Roadmap", ""), ("How decisions are made", ""), ("Town", "")),
    ],
)
def test_a_title_that_is_a_kind_says_what_is_listed(title, kind):
    """A page's title names a kind by itself, or with the name of its project, and not where it names other things."""
    assert listed(title)[0] == kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "# Decisions\n\nOf the town.\n\n- Use one gate.\n- 2025-03-01: Build it of stone.\n- **D-7**: paint it\n",
            [
                "decision: Use one gate.",
                "decision: 2025-03-01: Build it of stone.",
                "decision: **D-7**: paint it",
            ],
        ),
        (
            "# Decisions\n\n## The wall\n\n- **Stone, one course.** It is cheap.\n- **No tower.** None is seen.\n",
            ["decision: **Stone, one course.** It is cheap.", "decision: **No tower.** None is seen."],
        ),
        ("# Decisions\n\n## Format\n\n- **One line each.** With its day.\n", []),
        ("# Decisions\n\n## The wall\n\nIt has stood for long.\n", []),
        (
            "# Decisions\n\n## D1: Use stone\n\nIt lasts.\n\n## D2: Build one gate\n\nIt is cheap.\n",
            ["decision: D1: Use stone", "decision: D2: Build one gate"],
        ),
        (
            "# Decisions\n\n## 2025-03-01\n\n- Use stone\n- Build one gate\n",
            ["decision: Use stone", "decision: Build one gate"],
        ),
        (
            "# Project rules\n\n- Keep the gates small.\n- Paint nothing.\n",
            ["constraint: Keep the gates small.", "constraint: Paint nothing."],
        ),
        (
            "# Rules\n\n**Never:**\n- Commit the keystore\n- Log passwords\n",
            ["constraint: Commit the keystore", "constraint: Log passwords"],
        ),
        ("# Blockers\n\n- No stones for the wall.\n", ["blocker: No stones for the wall."]),
        (
            "# TODO\n\n- Paint the wall\n- A second tower\n\n## Gates\n\n- [ ] Small gate\n",
            ["task: Paint the wall", "task: Small gate"],
        ),
        ("# Status and decisions\n\n- Use one gate of stone.\n", []),
        ("# Town\n\n## Storage\n\n- **Stone, one course.** It is cheap.\n", []),
        ("# Decisions\n\n## Decision\n\nUse stone.\n\n## Notes\n\n- **Gate.** It is wide.\n", ["decision: "]),
    ],
)
def test_a_page_lists_what_its_title_says(text, found):
    """Items below a title of a kind are of it, as below a heading; prose and headings of the page itself are none."""
    assert [each for each in records(text) if not each.startswith("(")] == found


@pytest.mark.parametrize(
    ("heading", "is_stated"),
    [
        *(("# TODO", True), ("## Next steps", True), ("## What has not been started", True)),
        *(("## Implementation plan", False), ("## Features", False), ("## Acceptance criteria", False)),
    ],
)
def test_an_empty_box_is_a_task_by_its_name_in_a_list_of_tasks(heading, is_stated):
    """A box without a verb is a task in a list of what is to do, and not in a plan or of what a thing is."""
    found = [each for each in records(f"{heading}\n\n- [ ] Dark mode\n") if each.startswith("task")]
    assert found == ["task: Dark mode"] * is_stated


def test_a_day_of_a_page_stands_below_its_title():
    """Of a file of many days, each of which is a journal, the title holds for all."""
    text = "## 2025-03-02\n\n- Use stone\n"
    assert records(text, title="Decisions") == ["decision: Use stone"]
    assert records(text, title="Log of the town") == []
    assert records(text) == []
