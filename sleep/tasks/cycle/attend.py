"""`sleep.attend`: what a hook has a child do when a session starts. One line of JSON, whatever happens."""

from __future__ import annotations

import json as json_
import os
import time

from sleep.clients.hooks import log
from sleep.cycle import session_start as attending
from sleep.errors import SleepError, UsageError
from sleep.store import context as contexts
from sleep.tasks.arguments import decimal, here, number
from sleep.tasks.output import say
from sleep.tasks.task import task

_MODES = ("", "off", "suggest", "run")


@task(
    "sleep.attend",
    help={
        "session": "the session that starts: its instance is left alone",
        "limit": "seconds that it may take; default: sleep.limit",
        "but_debt": "debt that was booked only now, for sessions that were missed; it does not count",
        "mode": "off, suggest or run; default: sleep.auto",
        "json": "print facts as JSON (it always does)",
    },
)
def attend(
    session: str = "",
    limit: str = "",
    but_debt: str = "",
    mode: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Journal the sessions that were missed, and sleep where that is due and set to happen by itself; for hooks.

    What goes wrong is logged and said, and is no error of the session that starts.

    Example: sleepwake sleep.attend --session 0b9f2ac6 --limit 20
    """
    del json
    try:
        if mode not in _MODES:
            raise UsageError(f"--mode is {mode!r} (would be right: {', '.join(_MODES[1:])})")
        done = attending.attend(
            here(root),
            time.time(),
            session=session,
            limit=decimal(limit, "limit"),
            but_debt=number(but_debt, "but-debt") or 0,
            mode=mode,
        )
    except (SleepError, OSError) as error:
        _complain(root, error)
        return say(json_.dumps({"error": str(error)}, ensure_ascii=False))
    for failure in done.errors:
        _complain(root, failure)
    return say(json_.dumps(done._asdict(), ensure_ascii=False))


def _complain(root: str, error: Exception | str) -> None:
    if context := contexts.find(os.getcwd(), root or None):
        log.error(context, "sleep.attend", error)


TASKS = (attend,)
