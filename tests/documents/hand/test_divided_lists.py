"""Lists that headings of subjects divide, and headings that are a point of a list themselves."""

from __future__ import annotations

import pytest
from imported_page import records


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "## Key decisions\n\n### Gates\n\nBuild one for carts and one for us.\n\n### The wall\n\nIt stays grey.\n",
            ["decision: Build one for carts and one for us.", "decision: It stays grey."],
        ),
        (
            "## Key decisions\n\n### Price\n\n- One coin a cart\n- That is what carts can pay\n",
            ["decision: One coin a cart"],
        ),
        (
            "## Key decisions\n\n### Two gates\n\nOne for each kind:\n\n- Carts by the north\n- People by the south\n",
            ["decision: Carts by the north", "decision: People by the south"],
        ),
        ("## Key decisions\n\n### Gates\n\n- The north gate works as designed\n", []),
        (
            "## Key decisions\n\n### Gates\n\n- One gate for carts\n- No gate in the east\n- Carts are wide\n",
            ["decision: One gate for carts", "decision: No gate in the east"],
        ),
        ("## Key decisions\n\n### Context\n\nThe wall has stood for a long time.\n", []),
        (
            "## Next steps\n\n### Gates\n\n- Paint the north gate\n- It is grey\n\n### Wall\n\n- Mend the wall\n",
            ["task: Paint the north gate", "task: Mend the wall"],
        ),
        (
            "## Open questions\n\n### Price\n\n- Does a cart pay twice?\n- Carts are many\n",
            ["question: Does a cart pay twice?"],
        ),
        (
            "## Rules\n\n### Gates\n\n- Never open two at once\n- There are two of them\n",
            ["constraint: Never open two at once"],
        ),
        ("## Next steps\n\n- Mend the wall\n\n### Gates\n\n- Paint the north gate\n", ["task: Mend the wall"]),
        ("## What we saw\n\n### Gates\n\n- Paint was on the north gate\n", []),
        (
            "## Next steps\n\n### Wall\n\n1. **The foot** - Paint the lowest stones\n2. **The top** - Better stones\n",
            ["task: **The foot** - Paint the lowest stones"],
        ),
        ("## Next steps\n\n### Old plans\n\nSee the shelf for these:\n- `WALL.md` - A plan of the wall\n", []),
    ],
)
def test_a_list_is_divided_by_subjects(text, found):
    """What is a record by its own words goes on with the list above; of choices the first piece is one as it stands."""
    assert records(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "## Open threads / known issues\n\n### The gate is never shut at noon\n\nNobody knows why.\n",
            ["thread: The gate is never shut at noon"],
        ),
        ("## Open threads\n\n### The gate is never shut at noon ✅\n\nMended.\n", []),
        (
            "## Known bugs\n\n### The gate falls out of its frame\n\nIt is heavy.\n",
            ["task: The gate falls out of its frame"],
        ),
        (
            "## Plan for the next session\n\n### Priority 1 (carried): paint the gate\n\nGrey.\n\n- Red is cheap\n",
            ["task: Priority 1 (carried): paint the gate"],
        ),
        ("## Next steps\n\n### Option 1: paint the whole gate\n\nIt is grey.\n", []),
        ("## Next task\n\nMore paint for the gate.\n", ["task: Next task"]),
        ("## Wall\n\n## Wall decision: grey it stays\n\nIt is cheap.\n", ["decision: Wall decision: grey it stays"]),
        ("## Wall\n\n### Gate falls (BLOCKING)\n\n- Nobody can pass\n", ["blocker: Gate falls (BLOCKING)"]),
    ],
)
def test_a_heading_is_a_point(text, found):
    """Below a list of what is open a heading that says something is a point; what stands below explains it."""
    assert records(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- **Action:** Killed the old guard\n", ["change: **Action:** Killed the old guard"]),
        (
            "## Still pending\n\n- Bell: WORKING since noon\n- Paint the gate\n",
            ["change: Bell: WORKING since noon", "task: Paint the gate"],
        ),
        (
            "- Known blocker still present: the gate is stuck\n",
            ["blocker: Known blocker still present: the gate is stuck"],
        ),
        ("- **Action:** Kill the lights at noon\n", ["task: **Action:** Kill the lights at noon"]),
        (
            "## Decisions\n\n- **Papers:** Created a plan of the wall\n- **Wall:** Grey\n",
            ["change: **Papers:** Created a plan of the wall", "decision: **Wall:** Grey"],
        ),
        ("## Decisions\n\n- None during this walk\n", []),
        ("## Open questions\n\nNone remain for the whole of the wall and its many gates.\n", []),
        (
            "**New rule added to the BOOK:**\n\n- Report what you mended, not what you saw\n",
            ["constraint: Report what you mended, not what you saw"],
        ),
        (
            "## Next steps\n\n**Resolved this session:**\n\n- The gate of the north, mended\n",
            ["change: The gate of the north, mended"],
        ),
        (
            "- [P1][2026-02-13] Decision: paint the gate red\n- [P1][2026-02-13] The gate was grey\n",
            ["decision: [P1][2026-02-13] Decision: paint the gate red"],
        ),
    ],
)
def test_what_a_label_says(text, found):
    """Behind `Action` stands also what was done, behind a choice also what was made; tags may stand before a label."""
    assert records(text) == found
