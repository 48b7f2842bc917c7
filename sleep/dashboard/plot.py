"""What memory holds after each cycle, in SVG: the tiers as areas on top of each other.

Pure: the same cycles give the same picture. Colours are mid tones that stand out from a white page and from a black
one; a style sheet that knows which it is sets others by the classes.
"""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from sleep.dashboard.markup import Markup, element
from sleep.documents.paths import TIER_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Rows = Sequence[tuple[int, Sequence[int] | None]]

_WIDTH, _HEIGHT = 440, 260
_INK, _COLOURS = "#767676", ("#d9622b", "#a8832a", "#4682c8")
_TICKS, _LABELS = 4, 8


class Scale(NamedTuple):
    """The frame of a diagram, in pixels, for so many cycles, and the highest value that its axis names."""

    left: float
    right: float
    top: float
    bottom: float
    cycles: int
    highest: float

    def x(self, index: int) -> float:
        """Return where a cycle stands, by its index; one alone stands in the middle."""
        share = index / (self.cycles - 1) if self.cycles > 1 else 0.5
        return round(self.left + (self.right - self.left) * share, 1)

    def y(self, value: float) -> float:
        """Return how far down a value stands."""
        return round(self.bottom - (self.bottom - self.top) * value / self.highest, 1)


_SCALE = Scale(56, _WIDTH - 12, 34, 216, 0, 1)


def ticks(highest: float) -> list[float]:
    """Return the values that the axis names, from 0 to above the highest: steps of 1, 2 or 5 times a power of ten."""
    rough = max(highest, 1) / _TICKS
    power = 1.0
    while power * 10 <= rough:
        power *= 10
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    return [step * index for index in range(-int(-max(highest, 1) // step) + 1)]


def labelled(count: int, most: int) -> list[int]:
    """Return the indexes of the cycles that the axis names: evenly, with the first and the last."""
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)]


def runs(values: Sequence[object]) -> list[list[int]]:
    """Return the runs of indexes that have a value."""
    groups = groupby(range(len(values)), key=lambda index: values[index] is not None)
    return [list(run) for is_known, run in groups if is_known]


def words(x: float, y: float, text: object, anchor: str = "start", **attributes: object) -> Markup:
    """Return words in a picture."""
    return element("text", text, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, **attributes)


def draw(rows: Rows, **more: object) -> Markup:
    """Return the picture of cycles with the tokens of each tier after them, None for a gap.

    `more` are further attributes of the picture.
    """
    heights = [None if sizes is None else [0, *accumulate(sizes)] for _, sizes in rows]
    axis = ticks(max((height[-1] for height in heights if height), default=0))
    scale = _SCALE._replace(cycles=len(rows), highest=axis[-1])
    below = labelled(len(rows), _LABELS)
    return element(
        "svg",
        element("title", "Tokens in each tier after each cycle", id="plot-title"),
        element("desc", _described(rows), id="plot-desc"),
        *_grid(scale, axis),
        *(words(scale.x(index), scale.bottom + 18, rows[index][0], "middle") for index in below),
        words((scale.left + scale.right) / 2, scale.bottom + 38, "cycle", "middle"),
        *(shape for number, name in enumerate(TIER_NAMES) for shape in _areas(number, name, heights, scale)),
        *_legend(scale),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_labelledby="plot-title plot-desc",
        class_="plot",
        fill=_INK,
        **more,
    )


def _described(rows: Rows) -> str:
    totals = [(cycle, sizes) for cycle, sizes in rows if sizes is not None]
    if not totals:
        return "No cycle's sizes are known."
    first, last = (
        "cycle {}: {} hot, {} warm, {} cold".format(cycle[0], *cycle[1]) for cycle in (totals[0], totals[-1])
    )
    return f"From {first}, to {last}."


def _grid(scale: Scale, axis: Sequence[float]) -> Iterator[Markup]:
    for tick in axis:
        y = scale.y(tick)
        yield element("path", d=f"M{scale.left} {y}H{scale.right}", class_="grid", stroke=_INK)
        yield words(scale.left - 8, y + 4, f"{tick:,.0f}", "end")


def _areas(number: int, name: str, heights: Sequence[Sequence[int] | None], scale: Scale) -> Iterator[Markup]:
    for run in runs(heights):
        points = [(scale.x(index), heights[index] or ()) for index in run]
        if len(points) == 1:
            ((x, stack),) = points
            points = [(x - 5, stack), (x + 5, stack)]
        above = [f"{x:g} {scale.y(stack[number + 1])}" for x, stack in points]
        below = [f"{x:g} {scale.y(stack[number])}" for x, stack in reversed(points)]
        yield element("path", d=f"M{'L'.join([*above, *below])}Z", class_=f"area {name}", fill=_COLOURS[number])


def _legend(scale: Scale) -> Iterator[Markup]:
    for number, name in enumerate(TIER_NAMES):
        x = scale.left + number * 80
        yield element("rect", x=x, y=8, width=12, height=12, class_=f"area {name}", fill=_COLOURS[number])
        yield words(x + 18, 18, name)
    yield words(scale.right, 18, "tokens", "end")
