"""The reason that stands beside a record, and the other parts of it."""

from __future__ import annotations

import pytest
from imported_page import IMPORTED, OWN, records

from sleep.documents import journal, register
from sleep.documents.hand.annotation import mark
from sleep.records.classification import without_label

LONG = " ".join(["It lasts"] * 33)


def told(text):
    """Return what an imported page tells of its records: the kind, the words, the reason."""
    entries = journal.read(mark(f"{journal.start(OWN, IMPORTED)}\n{text}", OWN, {}), OWN).entries
    fragments = [register.from_entry(entry) for entry in entries if entry.kind in ("decision", "constraint", "task")]
    return [(fragment.kind, fragment.text, fragment.field("why")) for fragment in fragments]


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("## Decision\n\nUse stone.\n\n## Rationale\n\nIt lasts.\n", "Use stone.", "It lasts."),
        ("## Decision\n\nUse stone.\n\n### Why\n\n- It lasts\n- **Cheap**\n", "Use stone.", "It lasts; Cheap"),
        ("## Decision\n\nUse stone.\n\n## Wall\n\n- Why: it lasts\n", "Use stone.", ""),
        (
            "## 重要决策\n\n### 备份\n- **决定**: 不响应备份请求\n- **原因**: 避免重复执行\n",
            "备份: 不响应备份请求",
            "避免重复执行",
        ),
        (
            "**Decision:** Use stone\n**Rationale:** It lasts\n**Impact:** A grey wall\n",
            "Use stone; Impact: A grey wall",
            "It lasts",
        ),
        ("## Decisions\n\nUse stone for the wall.\n**Why:** it lasts.\n", "Use stone for the wall.", "it lasts."),
        (
            "## Decisions\n\nUse stone for the wall.\n**Why:** it lasts\nand is near.\n",
            "Use stone for the wall.",
            "it lasts and is near.",
        ),
        (
            "## Decisions\n\nUse stone for the wall.\n**Why:**\n\n- It lasts\n- Near\n",
            "Use stone for the wall.",
            "It lasts; Near",
        ),
        (f"## Decision\n\nUse stone.\n\n### Why\n\n- {LONG}\n- It is near\n", "Use stone.", LONG),
        ("**Decision:** Use stone\n\n**Rationale:**\n- It lasts\n- It is near\n", None, "It lasts; It is near"),
        ("**Decision:** Use stone.\n\n**Rationale:** It lasts.\n", None, "It lasts."),
        ("- **Decision:** Use stone\n- **Why:** It lasts\n", None, "It lasts"),
        ("- **Decision:** Use stone\n- **Impact:** A grey wall\n- **Why:** It lasts\n", None, "It lasts"),
        ("- **Decision:** Use stone\n- The wall is grey\n- **Why:** It is old\n", None, ""),
        (
            "## Entscheidung\n\n- **Entscheidung:** Stein\n- **Begründung:** Er hält\n",
            "Stein",
            "Er hält",
        ),
    ],
)
def test_the_reason_beside_a_decision_is_its_why(text, words, why):
    """A part named for the reason, right behind a decision, is its why; other parts are told without their signs."""
    assert told(text)[:1] == [("decision", words or "Use stone" + "." * ("stone." in text), why)]


@pytest.mark.parametrize(
    "text",
    [
        *("## Decision\n\n*   \n\n## Rationale\n\n*   \n", "## Decisions\n\n-\n", "## Decisions\n\n*\n- \n"),
        *("## Decision\n\n## Rationale\n", "- **Today**: rest\n- **Blockers**: \n", "## Tasks\n\n- [ ] \n1. \n"),
    ],
)
def test_an_empty_block_of_a_template_is_nothing(text):
    """Bullets, labels and headings that nobody filled in are no record, and bullets no idea at all."""
    assert records(text) == []


def test_a_filled_block_below_an_empty_one_is_read():
    """A template's block that is empty takes nothing from the next one, and a label may have its words below."""
    assert records("## Decision\n\n*  \n\n## Decision\n\n* Use stone\n") == ["decision: "]
    assert records("## Blockers\n\n- **Stone**:\n\n  waits for the cart\n") == ["blocker: **Stone**:"]
    assert told("## Decision\n\nUse stone.\n\n### Scope\n\nThe wall.\n") == [
        ("decision", "Use stone; Scope: The wall.", "")
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "**Decision:** Two walls:\n- stone for the carts\n- wood for us\n\n**Rationale:**\n- It is cheap\n",
            [("decision", "Two walls: stone for the carts; wood for us", "It is cheap")],
        ),
        (
            f"**Decision:** Build a wall {'very ' * 20}high that can:\n1. Hold the carts\n2. Hold us\n",
            [("decision", f"Build a wall {'very ' * 20}high that can: Hold the carts; Hold us", "")],
        ),
        (
            "**Decisions:**\n\n- Use stone\n- Build one gate\n",
            [("decision", "Use stone", ""), ("decision", "Build one gate", "")],
        ),
        ("**Decision:**\n\n- Use stone\n", [("decision", "Use stone", "")]),
    ],
)
def test_a_choice_that_leads_to_a_list_is_one_with_it(text, found):
    """A label of a choice with words of its own is the choice, its list a part of it; a bare one names them."""
    assert told(text) == found


@pytest.mark.parametrize(
    ("above", "words"),
    [
        *(("**Never:**", "Never: Open the gate"), ("⚠️ **Never:**", "Never: Open the gate")),
        *(("**Do not:**", "Do not: Open the gate"), ("## Don't", "Don't: Open the gate")),
        ("### DON'T DO THIS (walls would fall)", "DON'T DO THIS: Open the gate"),
        ("### DON'T DO THIS (walls would fall):", "DON'T DO THIS (walls would fall): Open the gate"),
    ],
)
def test_what_a_list_forbids_is_said_with_each_item(above, words):
    """An item of a list of bans is told behind what forbids it, unless it denies first itself."""
    assert told(f"{above}\n\n- Open the gate\n- Never sleep here\n") == [
        ("constraint", words, ""),
        ("constraint", "Never sleep here", ""),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Next task\n\n- Paint the gate\n- Build a wall\n", ["task: Paint the gate", "task: Build a wall"]),
        ("**Questions for Ana:** All clear\n**Mood:** tired\n", []),
        (
            "**Questions for Ana:** Which stone do we take?\n",
            ["question: **Questions for Ana:** Which stone do we take?"],
        ),
    ],
)
def test_a_label_or_heading_of_a_kind_may_have_none(text, found):
    """A heading `Next task` above a list is its list's, and what asks nothing behind `Questions for` is no question."""
    assert [each for each in records(text) if not each.startswith(("tone", "change"))] == found


def test_a_record_is_told_without_its_frame():
    """Neither a stamp, nor `Next task`, nor a label's bold, nor the label of a list that is told as the reason."""
    assert told("## Decision\n\n* [2025-04-01 17:54:50] - Use stone\n")[0][1] == "Use stone"
    assert told("## Next task\n\nPaint the gate, then the wall.\n")[0][1] == "Paint the gate, then the wall."
    assert without_label("**Still open: gate.** It hangs, so paint it.") == "gate. It hangs, so paint it."
    text = "## Decision: stone\n\nOf the hill.\n\n**Why:**\n- It lasts\n- It is near\n\nGrey.\n"
    assert told(text)[0] == ("decision", "stone; Of the hill. Grey.", "It lasts; It is near")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "- Use stone.\n**Why:**\n- It lasts\n- Near\n\nUse wood.\n",
            [("Use stone.", "It lasts; Near"), ("Use wood.", "")],
        ),
        (
            "- Use stone.\n**Why:**\n- Near\n- Use oak.\n**Why:**\n- Hard\n",
            [("Use stone.", "Near"), ("Use oak.", "Hard")],
        ),
        ("- Use stone.\n  **Why:**\n  - It lasts\n- Use wood.\n", [("Use stone.", "It lasts"), ("Use wood.", "")]),
        ("Use stone here.\n**Reason:**\n- We chose it: it lasts\n", [("Use stone here.", "We chose it: it lasts")]),
        ("- Use stone.\n\n**Why**\n\n- It lasts\n- Near\n", [("Use stone.", "It lasts; Near")]),
        ("- Use stone.\n\n**Warum:**\n- Er hält\n", [("Use stone.", "Er hält")]),
        ("Use stone here.\n**Consequences:**\n- It is grey\n", [("Use stone here.", "")]),
    ],
)
def test_the_items_of_a_reason_are_no_records(text, found):
    """Below `**Why:**`, in its own line or not, with or without its colon, they are the reason and nothing else."""
    assert [(words, why) for _, words, why in told(f"## Decisions\n\n{text}")] == found
