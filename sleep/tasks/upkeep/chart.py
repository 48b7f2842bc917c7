"""Figures over the cycles as pictures: bars and sparklines for a terminal or a pipe, and an SVG.

Owns the drawing; the same figures give the same bytes. Refuses to compute a figure.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from sleep.dashboard import plot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.upkeep.statistics import After

_SPARKS = "▁▂▃▄▅▆▇█"
_SHADES = "█▓░"  # hot, warm, cold
_WIDE = 60
# Mid tones that stand out from a white page and from a black one: no background is drawn, and none is asked for.
_INK = "#767676"
_HOT, _WARM, _COLD, _JOURNAL = "#d9622b", "#a8832a", "#4682c8", "#8a63c0"
_LEFT, _RIGHT, _TOP, _HIGH, _GAP, _WIDTH = 70, 170, 56, 150, 80, 880
_LABELS = 12


class Line(NamedTuple):
    """A series of a panel: what it is called, its colour, and its values, None where there is none."""

    name: str
    colour: str
    values: Sequence[float | None]


class Panel(NamedTuple):
    """One diagram: its title, the unit of its axis, its lines, and whether they are areas on top of each other."""

    title: str
    unit: str
    lines: tuple[Line, ...]
    stacked: bool = False


def spark(values: Sequence[float | None]) -> str:
    """Return a line of blocks, from 0 to the highest value, at most 60 long; a blank stands for no value.

    Of a longer series each block shows the last of its share.
    """
    many = len(values)
    shown = values if many <= _WIDE else [values[(index + 1) * many // _WIDE - 1] for index in range(_WIDE)]
    top = max((value for value in shown if value is not None), default=0) or 1
    steps = len(_SPARKS) - 1
    return "".join(" " if value is None else _SPARKS[round(value / top * steps)] for value in shown)


def bar(parts: Sequence[int], whole: int, width: int = 40) -> str:
    """Return hot, warm and cold as one bar in three shades; `whole` fills the width."""
    ends = [round(sum(parts[: index + 1]) / max(1, whole) * width) for index in range(len(parts))]
    return "".join(shade * (end - start) for shade, (start, end) in zip(_SHADES, pairwise([0, *ends]), strict=True))


def svg(rows: Sequence[After]) -> str:
    """Return the figures of the cycles as an SVG image: what memory holds, what each journal became, the ratios."""
    panels = (
        Panel(
            "Memory after each cycle",
            "tokens",
            (
                Line("hot", _HOT, [row.hot for row in rows]),
                Line("warm", _WARM, [row.warm for row in rows]),
                Line("cold", _COLD, [row.cold for row in rows]),
            ),
            stacked=True,
        ),
        Panel(
            "Each journal, and what it became in hot memory",
            "tokens",
            (
                Line("journal", _JOURNAL, [row.journal for row in rows]),
                Line("kept in hot", _HOT, [row.hot_share for row in rows]),
            ),
        ),
        Panel(
            "Tokens in for one token kept",
            "ratio",
            (
                Line("journal : hot", _JOURNAL, [row.ratio for row in rows]),
                Line("all journals : memory", _COLD, [row.overall for row in rows]),
            ),
        ),
    )
    height = _TOP + len(panels) * (_HIGH + _GAP)
    ends = f"from cycle {rows[0].cycle} to {rows[-1].cycle}" if rows else "before the first cycle"
    title = f"Tokens of this memory {ends}"
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    form = f'{size} fill="{_INK}" font-size="12" font-family="sans-serif"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" {form}>',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(_described(rows))}</desc>',
        plot.words(_LEFT, 26, title, font_size="17"),
    ]
    for index, panel in enumerate(panels):
        parts += _panel(panel, [row.cycle for row in rows], _TOP + index * (_HIGH + _GAP) + 20)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _described(rows: Sequence[After]) -> str:
    """Return what the image shows, in words."""
    if not rows:
        return "No cycle was slept yet."
    last = rows[-1]
    held = "unknown" if last.memory is None else f"{last.hot} hot, {last.warm} warm, {last.cold} cold"
    return (
        f"After cycle {last.cycle}: {last.journals} tokens in all journals; in memory {held}. "
        f"Its journal of {last.journal} tokens became {last.hot_share} in hot memory."
    )


def _panel(panel: Panel, cycles: Sequence[int], top: int) -> Iterator[str]:
    values = _stacked(panel.lines) if panel.stacked else [line.values for line in panel.lines]
    axis = plot.ticks(max((value for heights in values for value in heights if value is not None), default=0))
    right, bottom = _WIDTH - _RIGHT, top + _HIGH
    scale = plot.Scale(_LEFT, right, top, bottom, len(cycles), axis[-1])
    yield f'<g aria-label="{escape(panel.title)}">'
    yield plot.words(_LEFT, top - 10, panel.title, font_size="14")
    for tick in axis:
        y = scale.y(tick)
        yield f'<path d="M{_LEFT} {y}H{right}" stroke="{_INK}" stroke-opacity="0.3"/>'
        yield plot.words(_LEFT - 8, y + 4, f"{tick:,g}", "end")
    middle = top + _HIGH / 2
    yield plot.words(16, middle, panel.unit, "middle", transform=f"rotate(-90 16 {middle:g})")
    for index in plot.labelled(len(cycles), _LABELS):
        yield plot.words(scale.x(index), bottom + 18, str(cycles[index]), "middle")
    yield plot.words((_LEFT + right) / 2, bottom + 36, "cycle", "middle")
    below: Sequence[float | None] = [0.0] * len(cycles)
    for number, (line, heights) in enumerate(zip(panel.lines, values, strict=True)):
        for run in plot.runs(heights):
            yield _shape(line.colour, run, heights, below if panel.stacked else None, scale)
        y = top + 12 + 20 * (len(values) - 1 - number if panel.stacked else number)
        yield f'<rect x="{right + 14}" y="{y - 10}" width="11" height="11" fill="{line.colour}"/>'
        yield plot.words(right + 30, y, line.name)
        below = heights
    yield "</g>"


def _stacked(lines: Sequence[Line]) -> list[list[float | None]]:
    """Return the values with those of the lines before added; None where one of them has none."""
    columns = [
        list(accumulate(value or 0 for value in column)) if None not in column else [None] * len(lines)
        for column in zip(*(line.values for line in lines), strict=True)
    ]
    return [[column[index] for column in columns] for index in range(len(lines))]


def _shape(
    colour: str,
    run: Sequence[int],
    heights: Sequence[float | None],
    below: Sequence[float | None] | None,
    scale: plot.Scale,
) -> str:
    """Return one run as a line, or as the area above `below`; a single cycle as a dot, or as a thin bar."""
    points = scale.points((index, heights[index] or 0) for index in run)
    x, high = scale.x(run[0]), scale.y(heights[run[0]] or 0)
    if below is None and len(run) == 1:
        return f'<circle cx="{x:g}" cy="{high:g}" r="3" fill="{colour}"/>'
    path = f"M{'L'.join(points)}"
    if below is None:
        return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>'
    if len(run) == 1:
        low = scale.y(below[run[0]] or 0)
        return f'<rect x="{x - 4:g}" y="{high:g}" width="8" height="{low - high:g}" fill="{colour}"/>'
    back = scale.points((index, below[index] or 0) for index in reversed(run))
    return f'<path d="{"L".join([path, *back])}Z" fill="{colour}"/>'
