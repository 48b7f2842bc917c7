"""When the last sleep was: what the ledger of this machine says, and what the memory's own table of cycles says.

A clone has no ledger, and a sleep on another machine arrives by git alone: so the newer of both counts. Reads two
files, writes nothing; standard library only, for hooks.
"""

from __future__ import annotations

import os
import re

from sleep.debt import timestamps
from sleep.errors import StorageError
from sleep.store import files
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.debt.ledger import Ledger, PastSleep
    from sleep.store.context import Context

_ROW = r"(?m)^\|\s*([0-9]{1,15})\s*\|\s*(i[0-9]{1,7}[a-z]{3})\s*\|\s*([^|\n]*?)\s*\|"


class LastSleep(NamedTuple):
    """A sleep: `at` in seconds since 1970, `when` as it was written, what it said, and its cycle (0 and "" by hand)."""

    at: float
    when: str
    summary: str = ""
    cycle: int = 0
    instance: str = ""


def read(context: Context, ledger: Ledger) -> LastSleep | None:
    """Return the last sleep of the memory as it is checked out: its last cycle, or a sleep by hand after that.

    A cycle that the ledger alone knows was undone, or stands on another branch. None where no sleep is known.
    """
    by_hand = next((past for past in ledger.history if not (past.cycle or past.returned)), None)
    hand = _sleep(by_hand.at, by_hand.at, by_hand.summary) if by_hand else None
    return _newest(_cycle(context, ledger), hand if ledger.history else _of_ledger(ledger))


def elsewhere(context: Context, ledger: Ledger) -> PastSleep | None:
    """Return the newest sleep of the ledger where its cycle stands on another branch, None where it does not."""
    newest = next(iter(ledger.history), None)
    if newest is None or not newest.cycle or newest.returned:
        return None
    here = {(number, instance) for number, instance, _ in cycles(context)}
    return None if (newest.cycle, newest.instance) in here else newest


def cycles(context: Context) -> list[tuple[int, str, str]]:
    """Return the cycles of the memory's table: number, instance, and when its journal ended; errors are the disk's."""
    table = files.read(os.path.join(context.folder, "cycles.md"), within=context.base) or ""
    return [(int(number), instance, when) for number, instance, when in re.findall(_ROW, table)]


def _newest(*sleeps: LastSleep | None) -> LastSleep | None:
    known = [sleep for sleep in sleeps if sleep]
    return max(known, key=lambda sleep: (int(sleep.at), sleep.cycle), default=None)


def _of_ledger(ledger: Ledger) -> LastSleep | None:
    return _sleep(ledger.last_sleep_at or ledger.last_sleep, ledger.last_sleep or "", ledger.last_sleep_summary or "")


def _sleep(at: str | None, when: str, summary: str) -> LastSleep | None:
    moment = timestamps.seconds(at)
    return None if moment is None else LastSleep(moment, when[:10], summary)


def _cycle(context: Context, ledger: Ledger) -> LastSleep | None:
    """Return the last cycle that the table has: when this ledger settled it, else when its journal ended."""
    try:
        rows = [(number, instance, timestamps.seconds(when)) for number, instance, when in cycles(context)]
    except (OSError, StorageError):
        return None
    # Two branches may have given two cycles one number: the last row is that of the last sleep.
    number, instance, at = next(((cycle, of, at) for cycle, of, at in reversed(rows) if at), (0, "", 0.0))
    settled = (past.at for past in ledger.history if (past.cycle, past.instance) == (number, instance))
    at = max(at or 0.0, *(timestamps.seconds(when) or 0.0 for when in settled), 0.0)
    return LastSleep(at, timestamps.date(at), f"cycle {number}", number, instance) if number else None
