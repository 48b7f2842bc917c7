"""Figures as a picture: a panel for each point of each measure, a bar with its interval for each system.

Owns the drawing, as plain SVG text; the same figures always give the same bytes.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sleep.evaluation.baselines import OURS
from sleep.evaluation.reports.report import MEANING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.evaluation.reports.figures import Figure

_SIDE, _BAR, _VALUE, _ROW, _HEAD, _GAP = 130, 200, 50, 16, 26, 20  # pixels
_PANEL = _SIDE + _BAR + _VALUE + _GAP
_OWN, _OTHER, _INTERVAL = "#1f6feb", "#b0b8c4", "#333333"


def draw(figures: Sequence[Figure]) -> str:
    """Return the picture: measures from the top down, their points from left to right."""
    rows = []
    for name in MEANING:
        measured = [figure for figure in figures if figure.measure == name]
        points = list(dict.fromkeys(figure.point for figure in measured if figure.system == OURS))
        if points:
            rows.append([_ordered(measured, point) for point in points])
    parts = []
    top = _GAP
    for row in rows:
        for column, panel in enumerate(row):
            parts += _panel(panel, _GAP + column * _PANEL, top)
        top += _HEAD + _ROW * max(map(len, row)) + _GAP
    width = _GAP + _PANEL * max(map(len, rows), default=1)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{width}" height="{top}" fill="white"/>', *parts, "</svg>"]) + "\n"


def _ordered(figures: Sequence[Figure], point: str) -> list[Figure]:
    return sorted(
        (figure for figure in figures if figure.point == point), key=lambda figure: (-figure.value, figure.system)
    )


def _panel(figures: Sequence[Figure], left: int, top: int) -> list[str]:
    longest = max(figure.high for figure in figures) or 1.0
    parts = [_text(left, top + 14, f"{figures[0].measure} at {figures[0].point}", 13)]
    start = left + _SIDE
    for number, figure in enumerate(figures):
        at = top + _HEAD + number * _ROW
        ends = [start + round(_BAR * share / longest) for share in (figure.value, figure.low, figure.high)]
        colour = _OWN if figure.system == OURS else _OTHER
        middle = at + _ROW // 2 - 1
        parts += [
            _text(start - 6, at + 11, figure.system, 11, "end"),
            f'<rect x="{start}" y="{at}" width="{ends[0] - start}" height="{_ROW - 4}" fill="{colour}"/>',
            f'<line x1="{ends[1]}" y1="{middle}" x2="{ends[2]}" y2="{middle}" stroke="{_INTERVAL}"/>',
            _text(start + _BAR + 6, at + 11, f"{figure.value:.3f}", 11),
        ]
    return parts


def _text(left: int, top: int, words: str, size: int, anchor: str = "start") -> str:
    return f'<text x="{left}" y="{top}" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'
