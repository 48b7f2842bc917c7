"""What an agent says of its own moves is over when it is read; what it chose or left open is not."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import facts, marks
from sleep.conversation.summary.marks import CONSTRAINT, DECISION, ERROR, FACT, QUESTION, TODO


def _weighed(text):
    return facts._weighed(marks.plain(text), text, marks.plain(text).split(), is_user=False)[0]


@pytest.mark.parametrize(
    "text",
    [
        "I’m pulling the issue body and the comments rather than relying on titles.",
        "Now let me also check the empty case, since these tests likely need updating too.",
        "I’ve got enough context to make the remaining changes.",
        "Core has rebuilt and the rest of the build is still in progress.",
        "To handle the error properly I need to change the hook.",
        "Only the Test job is pending.",
        "Good question!",
        "Now run the test to verify it fails.",
        "If this stretches much longer, I’ll look whether the question is open.",
        "I’m sending the required naming constraint to the worker now.",
        "I’m keeping the wait bounded by the existing timeout.",
        "First I’m checking whether `a.py` is the only one that fails.",
        "Still running. The next one is the build.",
        "Now replace the `AddStats` method to just accumulate into the pending map, and add the `Flush()` method.",
        "Now remove the unused `error` import.",
    ],
)
def test_a_move_tells_nothing(text):
    """Whatever mark stands in it."""
    assert not _weighed(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Those three commits don’t map to a request, so they must have gone straight to `main`.", FACT),
        ("The branch has two commits more, so it is divergent rather than disposable.", FACT),
        ("I went with a lock file because flock does not hold on NFS.", DECISION),
        ("Decision: the cache stays in memory.", DECISION),
        ("Never write to the ledger after midnight.", CONSTRAINT),
        ("Still missing: the migration for 4,000 users.", TODO),
        ("The import failed on record 1458.", ERROR),
        ("160 | error: Fix the double commit of agents | OPEN", ERROR),
        ("Should we highlight the session that is currently running?", QUESTION),
        ("**Depth limit**: How far back do we look?", QUESTION),
        ("I’m seeing a crash in `pages.py` on row 7.", ERROR),
        ("The slow part is finding the fork, which tells whether the notes are current: see it.", FACT),
        ("The first pass shows two of them: a page for runs, and a Next.js one for what needs to be seen.", FACT),
        ("**#1574** `fix(pages): rename the bundle`", FACT),
        ("A run is binary: it gives pass/fail and nothing else.", FACT),
    ],
)
def test_what_holds_keeps_its_kind(text, kind):
    """A typographic sign makes no rule, and a comparison no choice."""
    assert _weighed(text) == kind


def test_a_name_that_is_come_back_to_is_told_without_the_move_it_stands_in():
    """The sentence beside the move is told, and so is the line of a person."""
    talk = [
        {"role": "user", "content": "I'll send conf_778.toml over, it is for the pages."},
        {"role": "assistant", "content": "I’ll open conf_4711.toml next, and then I’ll see what to do about it."},
        {"role": "assistant", "content": "I’m reading it now. The settings of that part live in conf_9042.toml here."},
        *[{"role": "assistant", "content": "Nothing."}] * 4,
        {"role": "user", "content": "What of conf_4711.toml, conf_9042.toml and conf_778.toml?"},
    ]
    text = MemoryConsolidator(keep=1).consolidate(talk)[1]
    assert "conf_4711" not in text
    assert "- The settings of that part live in conf_9042.toml here." in text
    assert "conf_778" in text


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("Provider workers:\n- Env var: `ACME_WORKERS`\n- Default: `1`", "Provider workers: Default: `1`"),
        ("## Limits\n\n- It is so.\n  - Default: `1`\n", "It is so: Default: `1`"),
        ("**Limits**\n\n| a | b |\n|---|---|\n| Ports | 80 only |", "Limits: Ports | 80 only"),
        ("Read. These are the limits:\n1. Default: `1`", "These are the limits: Default: `1`"),
        ("It is done so.\n\n- Default: `1`", "Default: `1`"),
        ("Default: `1`", "Default: `1`"),
    ],
)
def test_a_short_item_is_told_with_what_it_stands_under(report, told):
    """The line above the list, or the item above a deeper one; alone it says nothing."""
    talk = [{"role": "user", "content": "go"}, {"role": "assistant", "content": report}]
    text = MemoryConsolidator().consolidate([*talk, *[{"role": "assistant", "content": "Good."}] * 4])[1]
    assert f"- {told}" in text.split("\n")


def test_a_title_with_a_colon_tells_nothing_but_by_its_label():
    """`### Step 2: ...` is a heading; `## Decision: ...` is a choice."""
    report = "### Step 2: Copy the file\nDone.\n## Design: The failed export\nIt is.\n## Decision: we keep Redis"
    talk = [{"role": "user", "content": "go"}, {"role": "assistant", "content": report}]
    text = MemoryConsolidator().consolidate([*talk, *[{"role": "assistant", "content": "Good."}] * 4])[1]
    assert "Decision: we keep Redis" in text
    assert "Step 2" not in text
    assert "Design: The" not in text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The test fails as expected (TDD red phase).", ""),
        ("Task 3: Write a failing test for the flag (completed)", FACT),
        ("The person asked for TDD (failing test first, then the code)", FACT),
        ("Two failing tests are left in `a_test.go`.", ERROR),
    ],
)
def test_a_test_that_is_meant_to_fail_is_no_error(text, kind):
    """One that fails is."""
    assert _weighed(text) == kind


def test_a_question_in_brackets_is_no_rule():
    """What a label calls a limit is a question where it ends in one, also behind examples in brackets."""
    assert _weighed("**Depth limit**: How far back should we look? (e.g. 50 commits, all?)") == QUESTION
