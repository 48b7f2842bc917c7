"""What a cycle lost and kept: step by step, each fragment that went, and what it became.

Owns what a reviewer of a sleep has to see, as the steps wrote it down. Refuses to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.compression import extractive
from sleep.compression.contract import DROPPED, KEPT, MERGED, SHORTENED
from sleep.errors import UsageError
from sleep.history import past_steps
from sleep.history.step_fates import Past
from sleep.records.fragment import STATUS

if TYPE_CHECKING:
    from sleep.changes.comparison import Passage
    from sleep.documents.cycles import Cycle
    from sleep.history.past_steps import Step
    from sleep.history.step_fates import StepFates
    from sleep.memory.place import Place

MOVED, CHANGED = "moved", "changed"
FATES = (DROPPED, MERGED, SHORTENED, CHANGED, MOVED, KEPT, comparison.ARRIVED)


class Went(NamedTuple):
    """A fragment that a step took in hand: its fate (one of `FATES`) and passage, and its tokens before and after."""

    fate: str
    passage: Passage
    before: int
    after: int


class StepLost(NamedTuple):
    """What one step did. `observed` is "" where reasons are the step's own, else why only what its commit shows is."""

    step: str
    instance: str
    commit: str
    subject: str
    went: tuple[Went, ...]
    observed: str

    def counts(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Return (fragments, tokens before, tokens after) by fate and kind, what is lost first."""
        found: dict[tuple[str, str], tuple[int, int, int]] = {}
        for one in self.went:
            fragment = one.passage.before or one.passage.after
            key = (one.fate, fragment.kind if fragment else "")
            number, before, after = found.get(key, (0, 0, 0))
            found[key] = (number + 1, before + one.before, after + one.after)
        return dict(sorted(found.items(), key=lambda item: (FATES.index(item[0][0]), item[0][1])))


class Lost(NamedTuple):
    """What a cycle did. `state` is `slept` or `undone`; `note` says that its commits are gone, or is ""."""

    cycle: int
    state: str
    slept: str
    steps: tuple[StepLost, ...]
    note: str


def between(where: Place, number: int | None = None) -> Lost:
    """Return what a cycle (the last one without a number) lost and kept.

    Raises UsageError when neither the table of cycles nor history knows it.
    """
    past = Past(where.root)
    rows = past.now.cycles
    steps = [one for one in past.steps if one.cycle and one.step not in (past_steps.UNDO, past_steps.OLDER)]
    known = {*(row.number for row in rows), *(one.cycle for one in steps)}
    if number is None:
        if not known:
            raise UsageError("there is no cycle yet", hint="sleepwake sleep")
        number = rows[-1].number if rows else max(known)
    if number not in known:
        raise UsageError(f"there is no cycle {number}", hint="sleepwake sleep.history")
    row = next((one for one in rows if one.number == number), None)
    own = [one for one in steps if one.cycle == number]
    taken = [found for one in own for found in past.fates(one)]
    taken += past.without_commits(row) if row else ()
    return Lost(
        number,
        "slept" if row else "undone",
        row.slept if row else own[-1].commit.when,
        tuple(map(_lost, taken)),
        _missing(own, row),
    )


def _missing(own: list[Step], row: Cycle | None) -> str:
    """Return what has to be said of steps that the table names and history does not hold, or ""."""
    if row is None:
        return ""
    if not own:
        return past_steps.gone(row)
    there = {one.step for one in own}
    missing = [one for one in row.steps if one not in there]
    return f"history does not hold its {', '.join(missing)} (squashed away, or a shallow clone)" if missing else ""


def _lost(one: StepFates) -> StepLost:
    went = sorted(map(_went, one.passages()), key=lambda went: FATES.index(went.fate))
    commit = one.step.commit
    return StepLost(one.step.step, one.step.instance, commit.sha, commit.subject, tuple(went), one.section.observed)


def _went(one: Passage) -> Went:
    before = extractive.cost(one.before) if one.before else 0
    after = extractive.cost(one.after) if one.after and one.fate != MERGED else 0
    return Went(_fate(one), one, before, after)


def _fate(one: Passage) -> str:
    """Return a passage's fate as a reviewer reads it: of what was kept also whether it moved or is in another state."""
    if one.fate == KEPT and one.before and one.after:
        if one.before.field(STATUS) != one.after.field(STATUS):
            return CHANGED
        if one.moved and one.source.startswith("memory/"):
            return MOVED
    return one.fate
