"""The checklist of a memory, asked of that memory: its wakes, and recall as it answers here.

Owns running the two and their sentences. Refuses to measure: that is `brief`. Nothing of the memory is changed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.evaluation import brief
from sleep.plurals import several
from sleep.recall import search
from sleep.recall.index import access
from sleep.review import checklist
from sleep.store import files
from sleep.wake import assembly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.evaluation.brief import Answers, Checklist, WakeScore
    from sleep.memory.place import Place

_HINT = 'sleepwake review.keep "what the next reader must know"'


def read(where: Place, path: str = "") -> Checklist:
    """Return the memory's checklist, or that of a file; UsageError without one, and for one that is none."""
    text = files.read(path or where.root.absolute(checklist.PATH))
    if text is None:
        raise UsageError(f"{path or checklist.PATH}: there is no checklist", hint=_HINT)
    try:
        known = brief.of_harness(json.loads(text)) if path.endswith(".json") else brief.of_memory(checklist.read(text))
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"this is no checklist of the harness ({error!r})", where=path) from None
    if not any(known):
        raise UsageError("the checklist has no item", where=path or checklist.PATH, hint=_HINT)
    return known


def wakes(where: Place, known: Checklist, budgets: Sequence[int]) -> list[WakeScore]:
    """Return what wakes of these sizes tell; UsageError for a size that no wake has."""
    return [brief.score(known, assembly.peek(where, budget=budget).text, budget) for budget in budgets]


def answers(where: Place, known: Checklist) -> Answers:
    """Return which of the questions recall answers, by words alone."""
    index = access.open_index(where.root)

    def ask(question: str, budget: int) -> tuple[str, bool]:
        result = search.recall(index, question, budget)
        return result.text if result.passages else "", not result.nothing

    try:
        return brief.answers(known, ask)
    finally:
        index.close()


def sentence(result: Answers) -> str:
    """Return what recall answers, in one sentence."""
    within = ", ".join(f"{count} within {budget:,} tokens" for budget, count in result.within)
    marked = (
        f"{result.unsure} of these are marked as not sure" if result.unsure else "none of these is marked as not sure"
    )
    none = f"; of {result.empty} without an answer {result.refused} are refused or marked" if result.empty else ""
    return f"Recall answers of {several(result.asked, 'question')} {within}; {marked}{none}."


def complaints(scores: Sequence[WakeScore], result: Answers) -> Iterator[str]:
    """Yield what no wake tells, what is outdated in any, and the questions that are not answered."""
    largest = max(scores, key=lambda each: each.budget)
    yield from (f"not told within {largest.budget:,} tokens: {text}" for text in largest.missing)
    outdated = dict.fromkeys(text for each in scores for text in each.outdated)
    yield from (f"told though it no longer holds: {text}" for text in outdated)
    yield from (f"not answered: {question}" for question in result.missed)
