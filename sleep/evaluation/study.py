"""A study: all cases and projects over the processors, and what came of them.

Owns putting the parts together: which baselines, which pieces, the runs without an idea of the engine, the figures.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import UsageError
from sleep.evaluation import ablation, pool, run, summarisers
from sleep.evaluation.baselines import BASELINES
from sleep.evaluation.projects import Project
from sleep.evaluation.reports import figures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.evaluation.baselines import Baseline
    from sleep.evaluation.cases import Case
    from sleep.evaluation.reports.figures import Difference, Figure, Sample

_QUICK_CASES = 6


class Study(NamedTuple):
    """Figures, what changed without each idea, what was left out and why, and what failed."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def chosen(names: str, *, quick: bool) -> tuple[tuple[Baseline, ...], tuple[str, ...]]:
    """Return the baselines of these names, separated by commas (of all, for none), and notes on what is missing.

    Raises UsageError for a name that no baseline has.
    """
    known = {baseline.name.replace(", ", " "): baseline for baseline in (*BASELINES, *summarisers.baselines())}
    wanted = [name.strip().replace("-", " ") for name in names.split(",") if name.strip()]
    missing = [name for name in wanted if name not in known]
    is_absent = not summarisers.available()
    if missing and not (is_absent and set(missing) <= set(summarisers.NAMES)):
        raise UsageError(f"there is no baseline {missing[0]!r} (would be right: {', '.join(known)})")
    if wanted:
        return tuple(known[name] for name in wanted if name in known), (summarisers.missing(),) if missing else ()
    if quick:
        return BASELINES, ("quick: a few cases and journals, and no summarisers of sumy",)
    return tuple(known.values()), (summarisers.missing(),) if is_absent else ()


def study(
    pieces: Sequence[Case | Project], plan: run.Plan, notice: Callable[[int, int], None], *, ablate: bool = False
) -> Study:
    """Measure cases and projects, one a process; with `ablate` again without each idea of the engine.

    Raises UsageError when there is nothing long enough to measure.
    """
    short = [piece for piece in pieces if isinstance(piece, Project) and run.is_short(piece)]
    notes = [f"{project.name}: {len(project.days)} journals are too few to leave one out" for project in short]
    pieces = [piece for piece in pieces if piece not in short]
    if not pieces:
        raise UsageError("; ".join(notes) or "there is nothing to measure", hint="sleepwake help evaluation")
    if plan.quick:
        pieces = _few(pieces)
    samples, faults = _samples(pieces, plan, notice)
    notes += _not_referred_to(pieces, samples)
    differences: list[Difference] = []
    if ablate:
        notes += () if ablation.can_do_at_once() else (ablation.ONLY_TIERS,)
        differences, failed = _ablated(pieces, samples, plan, notice)
        faults += failed
    return Study(tuple(figures.figures(samples)), tuple(differences), tuple(notes), tuple(faults))


def _not_referred_to(pieces: Sequence[Case | Project], samples: Sequence[Sample]) -> list[str]:
    """Return of which projects nothing says what a wake shows of what is needed next, and why."""
    asked = {sample.case.rpartition("/")[0] for sample in samples if sample.measure == run.PAIRS}
    measured = {sample.case for sample in samples}  # one that failed is told with its fault
    why = "no two names of a journal stand together in a later one: what a wake shows of what is needed next is unknown"
    silent = [piece for piece in pieces if isinstance(piece, Project) and piece.name not in asked]
    return [f"{piece.name}: {why}" for piece in silent if piece.name in measured]


def _ablated(
    pieces: Sequence[Case | Project], samples: Sequence[Sample], plan: run.Plan, notice: Callable[[int, int], None]
) -> tuple[list[Difference], list[str]]:
    """Return how the samples differ from those without each idea of the engine, and what failed."""
    differences, faults = [], []
    for idea in ablation.ideas():
        without, failed = _samples(pieces, plan._replace(baselines=(), without=idea), notice)
        faults += [f"without {idea}: {fault}" for fault in failed]
        rows = figures.differences(without, samples, f"without {idea}")
        differences += [row for row in rows if row.measure in _ABLATED]
    return differences, faults


_ABLATED = (run.PAIRS, run.SUPPORT, run.ANSWER)


def _few(pieces: Sequence[Case | Project]) -> list[Case | Project]:
    """Return all projects (of which few journals are asked about) and a few cases, from all over."""
    projects: list[Case | Project] = [piece for piece in pieces if isinstance(piece, Project)]
    cases = [piece for piece in pieces if not isinstance(piece, Project)]
    return [*projects, *cases[:: max(1, -(-len(cases) // _QUICK_CASES))]]


def _samples(
    pieces: Sequence[Case | Project], plan: run.Plan, notice: Callable[[int, int], None]
) -> tuple[list[Sample], list[str]]:
    """Return the samples of all pieces, and what failed."""
    measured = list(pool.each(functools.partial(run.measure, plan=plan), pieces, notice))
    return [sample for result in measured for sample in result.samples], [
        result.fault for result in measured if result.fault
    ]
