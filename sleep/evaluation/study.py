"""A study: all cases and projects over the processors, and what came of them.

Owns putting the parts together: which baselines, which pieces, the runs without an idea of the engine, the figures.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import UsageError
from sleep.evaluation import ablation, figures, pool, run, summarisers
from sleep.evaluation.baselines import BASELINES
from sleep.evaluation.projects import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.evaluation.baselines import Baseline
    from sleep.evaluation.cases import Case
    from sleep.evaluation.figures import Difference, Figure, Sample

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
    known = {one.name.replace(", ", " "): one for one in (*BASELINES, *summarisers.baselines())}
    wanted = [name.strip().replace("-", " ") for name in names.split(",") if name.strip()]
    missing = [name for name in wanted if name not in known]
    optional = not summarisers.available()
    if missing and not (optional and all(name in summarisers.NAMES for name in missing)):
        raise UsageError(f"there is no baseline {missing[0]!r} (would be right: {', '.join(known)})")
    if wanted:
        return tuple(known[name] for name in wanted if name in known), (summarisers.MISSING,) if missing else ()
    if quick:
        return BASELINES, ("quick: a few cases and journals, and no summarisers of sumy",)
    return tuple(known.values()), (summarisers.MISSING,) if optional else ()


def study(
    pieces: Sequence[Case | Project], plan: run.Plan, notice: Callable[[int, int], None], *, ablate: bool = False
) -> Study:
    """Measure cases and projects, one a process; with `ablate` again without each idea of the engine.

    Raises UsageError when there is nothing long enough to measure.
    """
    notes = [
        f"{one.name}: {len(one.days)} journals are too few to leave one out"
        for one in pieces
        if isinstance(one, Project) and run.is_short(one)
    ]
    pieces = [one for one in pieces if not isinstance(one, Project) or not run.is_short(one)]
    if not pieces:
        raise UsageError("; ".join(notes) or "there is nothing to measure", hint="docs/evaluation.md")
    if plan.quick:
        pieces = _few(pieces)
    samples, faults = _samples(pieces, plan, notice)
    differences: list[Difference] = []
    if ablate:
        notes += [] if ablation.can_do_at_once() else [ablation.ONLY_TIERS]
        for idea in ablation.ideas():
            without, failed = _samples(pieces, plan._replace(baselines=(), without=idea), notice)
            faults += [f"without {idea}: {fault}" for fault in failed]
            differences += figures.differences(without, samples, f"without {idea}")
        differences = [one for one in differences if one.measure in _ABLATED]
    return Study(tuple(figures.figures(samples)), tuple(differences), tuple(notes), tuple(faults))


_ABLATED = (run.PAIRS, run.SUPPORT, run.ANSWER)


def _few(pieces: Sequence[Case | Project]) -> list[Case | Project]:
    """Return all projects (of which few journals are asked about) and a few cases, from all over."""
    projects: list[Case | Project] = [one for one in pieces if isinstance(one, Project)]
    cases = [one for one in pieces if not isinstance(one, Project)]
    return [*projects, *cases[:: max(1, -(-len(cases) // _QUICK_CASES))]]


def _samples(
    pieces: Sequence[Case | Project], plan: run.Plan, notice: Callable[[int, int], None]
) -> tuple[list[Sample], list[str]]:
    """Return the samples of all pieces, and what failed."""
    measured = list(pool.each(functools.partial(run.measure, plan=plan), pieces, notice))
    return [sample for one in measured for sample in one.samples], [one.fault for one in measured if one.fault]
