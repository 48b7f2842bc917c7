"""What a cycle lost and kept: step by step, each fragment that went, and what it became.

Owns what a reviewer of a sleep has to see, as the steps wrote it down. Refuses to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.errors import UsageError
from sleep.history import past_steps
from sleep.history.step_fates import Past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.changes.comparison import Passage
    from sleep.documents.cycles import Cycle
    from sleep.history.past_steps import Step
    from sleep.history.step_fates import StepFates
    from sleep.memory.place import Place

MOVED, CHANGED = "moved", "changed"
FATES = (DROPPED, MERGED, SHORTENED, CHANGED, MOVED, WHOLE, comparison.ARRIVED)


class Went(NamedTuple):
    """A fragment that a step took in hand: its fate (one of `FATES`) and passage, and its tokens before and after."""

    fate: str
    passage: Passage
    before: int
    after: int


class StepDiff(NamedTuple):
    """What one step did. `observed` is "" where reasons are the step's own, else why only what its commit shows is."""

    step: str
    instance: str
    commit: str
    subject: str
    went: tuple[Went, ...]
    observed: str

    def counts(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Return (fragments, tokens before, tokens after) by fate and kind, what is lost first."""
        counts: dict[tuple[str, str], tuple[int, int, int]] = {}
        for went in self.went:
            fragment = went.passage.before or went.passage.after
            key = (went.fate, fragment.kind if fragment else "")
            number, before, after = counts.get(key, (0, 0, 0))
            counts[key] = (number + 1, before + went.before, after + went.after)
        return dict(sorted(counts.items(), key=lambda item: (FATES.index(item[0][0]), item[0][1])))


class CycleDiff(NamedTuple):
    """What a cycle did. `state` is `slept` or `undone`; `note` says that its commits are gone, or is ""."""

    cycle: int
    state: str
    slept: str
    steps: tuple[StepDiff, ...]
    note: str


def between(where: Place, number: int | None = None) -> CycleDiff:
    """Return what a cycle (the last one without a number) lost and kept.

    Raises UsageError when neither the table of cycles nor history knows it.
    """
    past = Past(where.root)
    rows = past.now.cycles
    steps = [step for step in past.steps if step.cycle and step.step not in (past_steps.UNDO, past_steps.OLDER)]
    number = _number(number, [row.number for row in rows], [step.cycle for step in steps])
    row = next((row for row in rows if row.number == number), None)
    own = [step for step in steps if step.cycle == number]
    recorded = [fates for step in own for fates in past.fates(step)]
    recorded += past.without_commits(row) if row else ()
    slept = row.slept if row else own[-1].commit.when
    return CycleDiff(number, "slept" if row else "undone", slept, tuple(map(_step, recorded)), _missing(own, row))


def _number(number: int | None, standing: Sequence[int], past: Sequence[int]) -> int:
    """Return the number of the cycle that is meant: without one the last that stands, else the last there was."""
    if not standing and not past:
        raise UsageError("there is no cycle yet", hint="sleepwake sleep")
    if number is None:
        return standing[-1] if standing else max(past)
    if number not in {*standing, *past}:
        raise UsageError(f"there is no cycle {number}", hint="sleepwake sleep.history")
    return number


def _missing(own: list[Step], row: Cycle | None) -> str:
    """Return what has to be said of steps that the table names and history does not hold, or ""."""
    if row is None:
        return ""
    if not own:
        return past_steps.gone(row)
    there = {step.step for step in own}
    missing = [name for name in row.steps if name not in there]
    return f"history does not hold its {', '.join(missing)} (squashed away, or a shallow clone)" if missing else ""


def _step(fates: StepFates) -> StepDiff:
    went = sorted(map(_went, fates.passages()), key=lambda went: FATES.index(went.fate))
    step = fates.step
    return StepDiff(step.step, step.instance, step.commit.sha, step.commit.subject, tuple(went), fates.section.observed)


def _went(passage: Passage) -> Went:
    """Return a passage with its fate as a reviewer reads it: of what was kept also whether it moved or changed."""
    before, after, fate = passage.before, passage.after, passage.fate
    if fate == WHOLE and passage.has_moved_state:
        fate = CHANGED
    elif fate == WHOLE and passage.moved and passage.source.startswith("memory/"):
        fate = MOVED
    spent = extractive.cost(after) if after and fate != MERGED else 0
    return Went(fate, passage, extractive.cost(before) if before else 0, spent)
