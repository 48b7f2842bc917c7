"""Handoffs, work logs and pages of decisions as people write them: which lines are records, and of what kind."""

from __future__ import annotations

import pytest
from imported_page import IMPORTED, OWN, records

from sleep.documents import journal, register
from sleep.documents.hand.annotation import mark
from sleep.records import headline


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Next steps\n\n### High priority\n\n- Wire the gate\n", ["task: Wire the gate"]),
        ("## Next steps\n\n### Phase 2 (later)\n\n- Wire the gate\n", ["task: Wire the gate"]),
        ("## Next steps\n\n### How the gate works\n\n- It opens at noon and shuts at night\n", []),
        (
            "## Open work, ranked\n\n1. **Finish the gate** (cheap): it leaks\n",
            ["task: **Finish the gate** (cheap): it leaks"],
        ),
        ("## Known limits / backlog\n\n- **No copy of all** - ten gates mean ten clicks\n", None),
        ("## 下一轮 agent 最应该继续的任务（按价值）\n\n1. 接上真实的门\n", None),
        ("## 工程约定（勿破）\n\n- 改动后必须升版本号\n", None),
        ("## Working guardrails (learned the hard way)\n\n1. Paired runs, the same gates in both\n", None),
        (
            "## Next work\n\nGates live in the folder of gates and have a sign each.\n\n- Paint the sign\n",
            ["task: Paint the sign"],
        ),
        ("## Next work\n\nFix the sign of each gate before it opens.\n", None),
        (
            "## Next work\n\n- Paint the sign\n\nDocs to use:\n\n- the page of all gates of the town\n",
            ["task: Paint the sign"],
        ),
        ("## Next steps\n\nSome ways are being considered:\n\n1. **Gates**:\n   - Move them to the edge\n", []),
        ("## Focus areas for next session\n\n### High priority\n\n- Wire the gate\n", ["task: Wire the gate"]),
        ("## Challenges & decisions needed\n\n### Technical decisions\n\n1. Which gate opens first?\n", None),
        ("## Next steps\n\n### 1. Paint the gate\n\nIt is grey.\n\n- Red is cheap\n", ["task: 1. Paint the gate"]),
        ("## Next steps\n\n### The gate\n\nIt is grey.\n", []),
        ("## Active decisions\n\n1. **Gate of origin**:\n   - Considering a second one\n   - Potential for many\n", []),
    ],
)
def test_a_list_goes_as_far_as_its_heading(text, found):
    """What only ranks goes on with the list above; what refers, explains or weighs is no record of it."""
    assert len(records(text)) == 1 if found is None else records(text) == found


@pytest.mark.parametrize(
    ("heading", "is_choice"),
    [
        ("### 3. Keys of gates are refused, with an error that names the limit", True),
        ("## 2026-03-01 — The old gate is not used", True),
        ("## ADR-7: Gates live at the edge", True),
        ("### Where the data are from", False),
        ("## 2026-03-01 — Data sources", False),
    ],
)
def test_a_heading_of_a_page_of_decisions_tells_the_choice(heading, is_choice):
    """Below the title `Decisions` a heading that says something is one, with what stands below it."""
    text = f"# Decisions\n\nWhat shaped the town.\n\n{heading}\n\nA gate has one key. It fits one lock.\n"
    assert bool(records(text)) is is_choice
    assert not records(text.replace("# Decisions", "# Notes on gates"))
    listed = text.replace("A gate has", "**Decision:** one lock.\n\nA gate has")
    assert records(listed) == ["decision: **Decision:** one lock."]


def test_parts_of_a_record_are_no_speakers():
    """A page in which each paragraph has the name of its part is no talk."""
    part = "### {}\n\n**Decision:** {} at the gate.\n**Rationale:** Nothing else fits.\n\n"
    assert len(records(part.format("Locks", "Two locks") + part.format("Keys", "One key"))) == 2
    talk = "**Ana:** Always use one key.\n\n**Ben:** Never use two.\n\n"
    assert not records(talk + talk)


def test_a_choice_in_a_heading_stands_apart_from_what_explains_it():
    """The heading is the statement, whatever the first sentence below it says."""
    body = "We decided on it late, for the lock that was chosen first did not fit the gate that we had. " * 2
    done = mark(f"{journal.start(OWN, IMPORTED)}\n# Decisions\n\n## Two keys are not used\n\n{body}\n", OWN, {})
    (entry,) = (entry for entry in journal.read(done, OWN).entries if entry.kind == "decision")
    assert headline.parted("decision", register.from_entry(entry).text)[0] == "Two keys are not used"


@pytest.mark.parametrize(
    "text",
    [
        "**Router** (cheap): ask a small judge (is a fact missing?) → then open the gate.",
        "**Gate at noon.** Add a bell to the gate and ring it when it opens.",
        "Add a bell to the gate and ring it at noon, each day of the week, so that nobody is late.",
    ],
)
def test_a_task_is_told_with_its_name_and_what_goes_on_with_it(text):
    """An arrow goes on with the sentence before, and a name in bold is no task without the next one."""
    rest = "The old one was lost in the flood of the year before. " * 3
    assert headline.parted("task", f"{text} {rest}")[0] == text


def test_what_only_names_is_told_with_the_next_sentence():
    """A short name in bold says too little of a rule."""
    text = f"**One gate.** All that comes in is counted there and nowhere else. {'It was built long ago. ' * 9}"
    assert (
        headline.parted("constraint", text)[0] == "**One gate.** All that comes in is counted there and nowhere else."
    )


@pytest.mark.parametrize("gap", ["\n\n", "\n", " "])
def test_a_rule_below_a_label_in_bold_is_one(gap):
    """A label that names no kind takes no rule away, whether it stands above the rule or in its line."""
    text = f"# Log\n\n**Morning:**{gap}Never deploy on Friday.\n"
    assert records(text) == ["constraint: **Morning:** Never deploy on Friday."]
