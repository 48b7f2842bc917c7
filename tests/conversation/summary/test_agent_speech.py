"""What an agent says of its own moves is over when it is read; what it chose or left open is not."""

from __future__ import annotations

import pytest

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
        'return fmt.Errorf("checkpoint not found: %s", prefix)',
        "If this stretches much longer, I’ll look whether the question is open.",
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
    ],
)
def test_what_holds_keeps_its_kind(text, kind):
    """A typographic sign makes no rule, and a comparison no choice."""
    assert _weighed(text) == kind
