"""The sizes of the tiers after each cycle, as areas on top of each other in an SVG.

Pure: the same cycles give the same picture. Colours are classes, for the style sheet knows whether it is dark.
"""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from sleep.dashboard.markup import Markup, element
from sleep.dashboard.overview import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.dashboard.overview import CycleSummary

_WIDTH, _HEIGHT = 440, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 34, 216
_TICKS, _LABELS = 4, 8


def draw(rows: Sequence[CycleSummary]) -> Markup:
    """Return the picture; a cycle that history no longer holds is a gap."""
    heights = [None if row.sizes is None else [0, *accumulate(row.sizes)] for row in rows]
    ticks = _ticks(max((height[-1] for height in heights if height), default=0))
    return element(
        "svg",
        element("title", "Tokens in each tier after each cycle", id="plot-title"),
        element("desc", _described(rows), id="plot-desc"),
        *_grid(ticks),
        *(_words(_x(at, len(rows)), _BOTTOM + 18, rows[at].cycle, "middle") for at in _labelled(len(rows))),
        _words((_LEFT + _WIDTH - _RIGHT) / 2, _BOTTOM + 38, "cycle", "middle"),
        *(shape for number, name in enumerate(TIERS) for shape in _areas(number, name, heights, ticks[-1])),
        *_legend(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_labelledby="plot-title plot-desc",
        class_="plot",
    )


def _described(rows: Sequence[CycleSummary]) -> str:
    totals = [(row.cycle, row.sizes) for row in rows if row.sizes is not None]
    if not totals:
        return "No cycle's sizes are known."
    first, last = (
        "cycle {}: {} hot, {} warm, {} cold".format(cycle[0], *cycle[1]) for cycle in (totals[0], totals[-1])
    )
    return f"From {first}, to {last}."


def _grid(ticks: Sequence[int]) -> Iterator[Markup]:
    for tick in ticks:
        y = _y(tick, ticks[-1])
        yield element("path", d=f"M{_LEFT} {y}H{_WIDTH - _RIGHT}", class_="grid")
        yield _words(_LEFT - 8, y + 4, f"{tick:,}", "end")


def _areas(number: int, name: str, heights: Sequence[Sequence[int] | None], top: int) -> Iterator[Markup]:
    count = len(heights)
    for is_known, group in groupby(range(count), key=lambda at: heights[at] is not None):
        run = [(_x(at, count), heights[at] or ()) for at in group] if is_known else []
        if len(run) == 1:
            run = [(run[0][0] - 5, run[0][1]), (run[0][0] + 5, run[0][1])]
        if run:
            above = [f"{x:g} {_y(stack[number + 1], top)}" for x, stack in run]
            below = [f"{x:g} {_y(stack[number], top)}" for x, stack in reversed(run)]
            yield element("path", d=f"M{'L'.join([*above, *below])}Z", class_=f"area {name}")


def _legend() -> Iterator[Markup]:
    for number, name in enumerate(TIERS):
        x = _LEFT + number * 80
        yield element("rect", x=x, y=8, width=12, height=12, class_=f"area {name}")
        yield _words(x + 18, 18, name, "start")
    yield _words(_WIDTH - _RIGHT, 18, "tokens", "end")


def _ticks(highest: int) -> list[int]:
    """Return what the axis names, from 0 to the highest or above: steps of 1, 2 or 5 times a power of ten."""
    rough, power = max(1, -(-highest // _TICKS)), 1
    while power * 10 <= rough:
        power *= 10
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    return [step * at for at in range(max(1, -(-highest // step)) + 1)]


def _labelled(count: int) -> list[int]:
    if count <= _LABELS:
        return list(range(count))
    return [round(at * (count - 1) / (_LABELS - 1)) for at in range(_LABELS)]


def _x(at: int, count: int) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (at / (count - 1) if count > 1 else 0.5), 1)


def _y(value: float, top: int) -> float:
    return round(_BOTTOM - (_BOTTOM - _TOP) * value / top, 1)


def _words(x: float, y: float, words: object, anchor: str) -> Markup:
    return element("text", words, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor)
