"""Figures as people read them: a grid a measure, and bars.

Owns what each measure means in one line, and the form of figures. Refuses to know a terminal: grids are rows of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.evaluation import run
from sleep.evaluation.baselines import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.evaluation.figures import Difference, Figure

MEANING = {
    run.PAIRS: "of the pairs of identifiers that the next journal refers back to, those on one line of the wake",
    run.REFERENCES: "of the identifiers that the next journal refers back to, weighted by rarity, those in the wake",
    run.SUPPORT: "of the turns that questions rest on, those whose anchor and half of whose words are kept (ev_sup)",
    run.ANSWER: "of the answer's words, those within one window of three lines (ans_win)",
    run.BY_AGE: "support in the tiers by the third of the history that a question is about",
    run.FACTS: "of the pairs of identifiers that journals say, those kept in the tiers, by the third they were said in",
}
READS = (run.RATIO, run.STOP_WORDS, run.KNOWN_PAIRS, run.WHOLE)
PLOTTED = {run.PAIRS: "5k", run.SUPPORT: "6:1", run.ANSWER: "6:1", run.FACTS: run.ALL}
_WIDTH = 40  # characters of the longest bar


class Grid(NamedTuple):
    """A table: what it shows, the heads of its columns, and rows of text."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(found: Sequence[Figure]) -> list[Grid]:
    """Return a grid for each measure that was taken, and one for sizes and readability."""
    made = [_of(name, [one for one in found if one.measure == name]) for name in MEANING]
    return [grid for grid in [*made, _reading(found)] if grid.rows]


def _of(name: str, found: Sequence[Figure]) -> Grid:
    points = tuple(dict.fromkeys(one.point for one in found if one.system == OURS))
    known = {(one.system, one.point): one for one in found}
    rows = []
    for system in dict.fromkeys(one.system for one in found):
        cells = [known.get((system, point)) for point in points]
        rows.append((system, *(_share(one) if one else "-" for one in cells)))
        if system == OURS:
            rows.append(("  to the best", *(_ratio(one) if one else "-" for one in cells)))
    cases = max((one.cases for one in found), default=0)
    return Grid(f"{name}: {MEANING[name]}; {cases} cases", ("", *points), tuple(rows))


def _reading(found: Sequence[Figure]) -> Grid:
    own = {(one.point, one.measure): one for one in found if one.system == OURS and one.measure in (*READS, run.SPEED)}
    rows = []
    for point in dict.fromkeys(point for point, _ in own):
        cells = [own.get((point, name)) for name in (*READS, run.SPEED)]
        rows.append((point, *(_plain(one) if one else "-" for one in cells)))
    return Grid("size and readability of what sleep keeps", ("", *READS, run.SPEED), tuple(rows))


def _share(one: Figure) -> str:
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def _ratio(one: Figure) -> str:
    if not one.best:
        return "-"
    return f"{one.ratio:.2f}x {one.best}" if one.ratio is not None else f"{one.best} has none"


def _plain(one: Figure) -> str:
    if one.measure == run.RATIO:
        return f"{one.value:.2f}:1"
    if one.measure == run.SPEED:
        return f"{one.value:.2f} MB/s"
    return f"{one.value:.3f}"


def ablated(found: Sequence[Difference]) -> Grid:
    """Return a grid of what is lost without each idea, at each point of each measure."""
    columns = tuple(dict.fromkeys((one.measure, one.point) for one in found))
    known = {(one.system, one.measure, one.point): one for one in found}
    rows = []
    for system in dict.fromkeys(one.system for one in found):
        cells = [known.get((system, *column)) for column in columns]
        rows.append((system, *(f"{one.value:+.3f} [{one.low:+.3f}, {one.high:+.3f}]" if one else "-" for one in cells)))
    heads = ("", *(f"{name} {point}" for name, point in columns))
    return Grid("what changes without an idea of the engine", heads, tuple(rows))


def bars(found: Sequence[Figure]) -> str:
    """Return a bar for each system at one point of each measure, the best first."""
    parts = []
    for name, point in PLOTTED.items():
        shown = sorted(
            (one for one in found if (one.measure, one.point) == (name, point)),
            key=lambda one: (-one.value, one.system),
        )
        longest = max((one.value for one in shown), default=0.0)
        if not longest:
            continue
        side = max(len(one.system) for one in shown)
        lines = [
            f"  {one.system:{side}}  {'█' * round(one.value / longest * _WIDTH):{_WIDTH}} {one.value:.3f}"
            for one in shown
        ]
        parts.append("\n".join([f"{name} at {point}", *lines]))
    return "\n\n".join(parts)
