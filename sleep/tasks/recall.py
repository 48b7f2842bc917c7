"""`recall`: what the memory has on a question, now or at a moment of the past."""

from __future__ import annotations

from typing import Any

from sleep.recall.query import Query
from sleep.tasks import moments, recall_answer
from sleep.tasks.form import task


@task(
    positional=["question"],
    iterable=["tier", "kind"],
    help={
        "question": "what to look for: words, a question, an address, a number as D-014; - reads standard input",
        "budget": "tokens to print at the most; default: 2000",
        "tier": "only journal, hot, warm, cold, or a page: main, core, knowledge...; may be repeated",
        "kind": "only one kind of entry: decision, question, dead-end...; may be repeated",
        "since": "only what is dated, of this day or later: 2026-03-01, `last week`",
        "at": f"what was known at {moments.AT_HELP}",
        "ever": "also what is gone from the memory: all that a commit of this branch ever held",
        "least": "print what comes closest, up to the budget and unmarked, where nothing surely fits",
    },
)
def recall(
    _c: Any,
    question: str,
    budget: str = "",
    tier: list[str] | None = None,
    kind: list[str] | None = None,
    since: str = "",
    at: str = "",
    ever: bool = False,
    least: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Find what the memory has on a question: passages with address, day, tier and why, marked where none is sure.

    Example: sleepwake recall "why is the lock a file"
    """
    lists = (tuple(tier or ()), tuple(kind or ()))
    recall_answer.answer(Query(question, budget, *lists, since, at, ever, least, json, root))
