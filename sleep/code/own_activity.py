"""Which of the commits are activity of their own, and what they score where `debt.commits` is `score`.

Owns the rule that nothing is debt twice: what was committed while a session with a transcript was under way, or soon
after it, is the session's, whose edits are counted from the transcript. Standard library only; hooks load it.
"""

from __future__ import annotations

import time

from sleep.code import commits
from sleep.debt import scores, sessions, timestamps
from sleep.settings import SCORE
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.code.commits import Activity
    from sleep.debt.ledger import Ledger
    from sleep.debt.sessions import Known
    from sleep.settings import Settings
    from sleep.store.context import Context

_AFTER = 900.0  # seconds after a session in which a person commits what it left


class Own(NamedTuple):
    """Commits of nobody whose transcript is counted: how many, the files in them, and the score of these."""

    commits: int = 0
    files: int = 0
    score: int = 0


def read(context: Context, settings: Settings, activity: Activity | None, now: float | None = None) -> Own:
    """Return what of the commits is activity of its own; its score is 0 unless `debt.commits` is `score`."""
    if activity is None or not activity.moments:
        return Own()
    spans = [_span(known, time.time() if now is None else now) for known in sessions.all(context)]
    own = [files for at, files in activity.moments if not any(start <= at <= end for start, end in spans)]
    score = scores.score(sum(own), settings) if settings.debt_commits == SCORE else 0
    return Own(len(own), sum(own), score)


def scored(context: Context, settings: Settings, ledger: Ledger, start: str = "") -> Ledger:
    """Return the ledger as it is to be read: with the score of commits in `rest`, where that is wanted.

    It is never written: the commits are settled by the sleep after which they are counted.
    """
    if settings.debt_commits != SCORE:
        return ledger
    own = read(context, settings, commits.read(context, settings, ledger, start))
    return ledger._replace(rest=ledger.rest + own.score) if own.score else ledger


def _span(known: Known, now: float) -> tuple[float, float]:
    """Return from when to when commits are a session's; nothing for one without a transcript."""
    started = timestamps.seconds(known.started_at)
    if started is None or not known.transcript_path:
        return 0.0, 0.0
    ended = timestamps.seconds(known.ended_at)
    if ended is None:
        ended = now if sessions.is_living(known, now) else max(started, sessions.changed(known.transcript_path))
    return int(started), ended + _AFTER
