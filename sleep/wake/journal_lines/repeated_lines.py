"""Repeated lines: a machine says the same again and again, and only its figures change.

Owns telling such a run of a journal by its form, and what is told of it: the last line, with their number. Refuses
records, and lines that stand apart: a person may say the same thing of two days. Pure.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sleep.wake import quality

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.wake.journal_lines.excerpt import Excerpt

_LEAST = 3  # lines beside each other that are a run


def collapse(lines: Iterable[Excerpt]) -> list[Excerpt]:
    """Return lines, each run of those that differ by figures alone as its last one, with how many it stands for."""
    left: list[Excerpt] = []
    for _, group in groupby(lines, _form):
        run = list(group)
        if len(run) < _LEAST or run[0].is_record:
            left += run
        else:
            last, count = run[-1], f" (last of {len(run)})"
            left.append(last._replace(text=last.text + count, whole=last.whole + count))
    return left


def _form(line: Excerpt) -> tuple[str, bool]:
    """Return what lines of one run have in common; its own words for one without a figure."""
    return quality.shape(line.line.text), line.is_record
