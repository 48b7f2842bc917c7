"""What a session scores, what a debt is called, and what a session start says of it.

Pure. Owns the bands of the requirement (0, 1 to 3, 4 to 8, 9 and more changes score 0, 1, 2, 3; their bounds are
settings), and the levels.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.settings import Settings

LEVELS = ("Alert", "Drowsy", "Sleepy", "Must Sleep")
_WIDTH = 20  # signs of a bar
DIRECTIVE = ">>> CRITICAL: CONSOLIDATION REQUIRED <<<"


def score(changes: int, settings: Settings) -> int:
    """Return the score of so many changes: 0 to 3."""
    return sum(changes >= bound for bound in (settings.debt_light, settings.debt_moderate, settings.debt_heavy))


def level(debt: int, settings: Settings) -> str:
    """Return what a debt is called."""
    return LEVELS[sum(debt >= bound for bound in (settings.debt_drowsy, settings.debt_sleepy, settings.debt_must))]


_HOW = "`sleepwake sleep` consolidates it"


def directive(debt: int, settings: Settings, *, by_hand: bool = False) -> str:
    """Return what a session start says of a debt: the requirement's directive at Must Sleep, a note at Sleepy, else "".

    Behind the directive stand facts, no orders: a client may take an order in what it is given for somebody's trick.
    `by_hand` is for a folder that `sleepwake sleep` cannot consolidate: an older tool's.
    """
    called = level(debt, settings)
    how = "`sleepwake sleep.start` and `sleepwake sleep.done` frame a consolidation by hand" if by_hand else _HOW
    if debt >= settings.debt_must:
        return (
            f"{DIRECTIVE}\nSleep debt is {debt} ({called}, from {settings.debt_must}). "
            f"{how}{'' if by_hand else ', a commit a step'}."
        )
    if debt >= settings.debt_sleepy:
        return (
            f"Sleep debt is elevated: {debt}/{settings.debt_must} ({called}). {how}; "
            "there is no hurry before the end of this task."
        )
    return ""


def bar(debt: int, settings: Settings) -> str:
    """Return a debt as a bar that is full at Must Sleep, with a mark where each level begins."""
    most = max(1, settings.debt_must)
    bounds = {min(_WIDTH - 1, bound * _WIDTH // most) for bound in (settings.debt_drowsy, settings.debt_sleepy)}
    filled = min(_WIDTH, -(-debt * _WIDTH // most))
    cells = ("#" if at < filled else "|" if at in bounds else "." for at in range(_WIDTH))
    return f"[{''.join(cells)}]"
