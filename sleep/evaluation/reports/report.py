"""Figures as people read them: a grid a measure, and bars.

Owns what each measure means in one line, and the form of figures. Refuses to know a terminal: grids are rows of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.evaluation import run
from sleep.evaluation.baselines import OURS
from sleep.plurals import several

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.evaluation.reports.figures import Difference, Figure

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


def grids(figures: Sequence[Figure]) -> list[Grid]:
    """Return a grid for each measure that was taken, and one for sizes and readability."""
    made = [_of(name, [figure for figure in figures if figure.measure == name]) for name in MEANING]
    return [grid for grid in [*made, _reading(figures)] if grid.rows]


def _of(name: str, figures: Sequence[Figure]) -> Grid:
    points = tuple(dict.fromkeys(figure.point for figure in figures if figure.system == OURS))
    known = {(figure.system, figure.point): figure for figure in figures}
    rows = []
    for system in dict.fromkeys(figure.system for figure in figures):
        cells = [known.get((system, point)) for point in points]
        rows.append((system, *(_share(cell) if cell else "-" for cell in cells)))
        if system == OURS:
            rows.append(("  to the best", *(_ratio(cell) if cell else "-" for cell in cells)))
    cases = max((figure.cases for figure in figures), default=0)
    return Grid(f"{name}: {MEANING[name]}; {several(cases, 'case')}", ("", *points), tuple(rows))


def _reading(figures: Sequence[Figure]) -> Grid:
    own = {
        (figure.point, figure.measure): figure
        for figure in figures
        if figure.system == OURS and figure.measure in (*READS, run.SPEED)
    }
    rows = []
    for point in dict.fromkeys(point for point, _ in own):
        cells = [own.get((point, name)) for name in (*READS, run.SPEED)]
        rows.append((point, *(_plain(cell) if cell else "-" for cell in cells)))
    return Grid("size and readability of what sleep keeps", ("", *READS, run.SPEED), tuple(rows))


def _share(figure: Figure) -> str:
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def _ratio(figure: Figure) -> str:
    if not figure.best:
        return "-"
    return f"{figure.ratio:.2f}x {figure.best}" if figure.ratio is not None else f"{figure.best} has none"


def _plain(figure: Figure) -> str:
    if figure.measure == run.RATIO:
        return f"{figure.value:.2f}:1"
    if figure.measure == run.SPEED:
        return f"{figure.value:.2f} MB/s"
    return f"{figure.value:.3f}"


def ablated(differences: Sequence[Difference]) -> Grid:
    """Return a grid of what is lost without each idea, at each point of each measure."""
    columns = tuple(dict.fromkeys((difference.measure, difference.point) for difference in differences))
    known = {(difference.system, difference.measure, difference.point): difference for difference in differences}
    rows = []
    for system in dict.fromkeys(difference.system for difference in differences):
        cells = [known.get((system, *column)) for column in columns]
        rows.append(
            (system, *(f"{cell.value:+.3f} [{cell.low:+.3f}, {cell.high:+.3f}]" if cell else "-" for cell in cells))
        )
    heads = ("", *(f"{name} {point}" for name, point in columns))
    return Grid("what changes without an idea of the engine", heads, tuple(rows))


def bars(figures: Sequence[Figure]) -> str:
    """Return a bar for each system at one point of each measure, the best first."""
    parts = []
    for name, point in PLOTTED.items():
        shown = sorted(
            (figure for figure in figures if (figure.measure, figure.point) == (name, point)),
            key=lambda figure: (-figure.value, figure.system),
        )
        longest = max((figure.value for figure in shown), default=0.0)
        if not longest:
            continue
        side = max(len(figure.system) for figure in shown)
        lines = [
            f"  {figure.system:{side}}  {'█' * round(figure.value / longest * _WIDTH):{_WIDTH}} {figure.value:.3f}"
            for figure in shown
        ]
        parts.append("\n".join([f"{name} at {point}", *lines]))
    return "\n\n".join(parts)
