"""Figures over the cycles as text, for a terminal or a pipe: bars and sparklines. Pure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPARKS = "▁▂▃▄▅▆▇█"
_SHADES = "█▓░"  # hot, warm, cold
_WIDE = 60
_BAR = 40  # signs


def spark(values: Sequence[float | None]) -> str:
    """Return a line of blocks, from 0 to the highest value, at most 60 long; a blank stands for no value.

    Of a longer series each block shows the last of its share.
    """
    many = len(values)
    shown = values if many <= _WIDE else [values[(index + 1) * many // _WIDE - 1] for index in range(_WIDE)]
    top = max((value for value in shown if value is not None), default=0) or 1
    steps = len(_SPARKS) - 1
    return "".join(" " if value is None else _SPARKS[round(value / top * steps)] for value in shown)


def bar(parts: Sequence[int], whole: int) -> str:
    """Return hot, warm and cold as one bar in three shades; `whole` fills the width."""
    ends = [round(sum(parts[: index + 1]) / max(1, whole) * _BAR) for index in range(len(parts))]
    return "".join(shade * (end - start) for shade, (start, end) in zip(_SHADES, pairwise([0, *ends]), strict=True))
