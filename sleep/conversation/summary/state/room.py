"""How the state of the work fits into its room: long lines are shortened, and only then the least of them left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.summary.fact import clipped
from sleep.conversation.summary.state import file_changes, progress, workplace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LEAST = 24  # tokens of a line, below which others are left out for it
_FORM = 2  # tokens of a line's sign and end
_SIGNS = 4  # characters of a token, about
# What goes first where not all lines can be told.
_ORDER = (
    progress.READ,
    progress.IMAGES,
    workplace.ENVIRONMENT,
    progress.MADE,
    progress.NEXT,
    workplace.RULES,
    progress.CHANGED,
    progress.TASKS,
    progress.FAILED,
)


def fit(lines: Sequence[str], room: int, count: Callable[[str], int]) -> tuple[str, ...]:
    """Return the lines of the state within a room of tokens, in their order; of files those that were read are last."""
    rows = sorted(lines, key=lambda line: line.startswith(progress.READ))
    costs = {row: count(row) + _FORM for row in rows}
    if sum(costs.values()) <= room:
        return tuple(rows)
    for name in _ORDER:
        if sum(min(cost, _LEAST) for cost in costs.values()) <= room:
            break
        costs = {row: cost for row, cost in costs.items() if not row.startswith(name)}
    shares: dict[str, str] = {}
    for left, row in zip(range(len(costs), 0, -1), sorted(costs, key=costs.__getitem__), strict=True):
        text = row if costs[row] <= room // left else _short(row, room // left - _FORM, count)
        shares[row] = text
        room -= count(text) + _FORM if text else 0
    return tuple(shares[row] for row in rows if shares.get(row))


def _short(line: str, room: int, count: Callable[[str], int]) -> str:
    """Return a line in at most so many tokens, "" where nothing of it has room."""
    name, _, rest = line.partition(": ")
    most = room * _SIGNS - len(name) - _SIGNS
    while most > 0:
        text = file_changes.short(rest, most) if name in (progress.CHANGED, progress.READ) else clipped(rest, most)
        if text and count(whole := f"{name}: {text}") <= room:
            return whole
        most = min(most - _SIGNS, most * 3 // 4)
    return ""
