"""A headless agent without any relay: it is prompted, sleeps as long as its marker says, and is prompted again.

Needs none of the extra's libraries. Owns also how a runner is interrupted.
"""

from __future__ import annotations

import asyncio
import signal
import time
from typing import TYPE_CHECKING

from sleep.errors import RelayError
from sleep.plurals import several
from sleep.relay.runner import guards

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from sleep.relay.runner.guards import Limits
    from sleep.relay.runner.process_group import Command

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


async def run(
    command: Command,
    limits: Limits,
    first: str,
    say: Callable[[str], None],
    *,
    secrets: Sequence[str] = (),
    note: Callable[[str], None] = lambda _: None,
) -> None:
    """Prompt an agent, let it sleep, prompt it again, until its answer has no marker; `say` takes what it says.

    Raises:
        RelayError: a turn failed.
    """
    await interruptible(_turns(command, limits, first, say, secrets, note))


async def _turns(
    command: Command,
    limits: Limits,
    first: str,
    say: Callable[[str], None],
    secrets: Sequence[str],
    note: Callable[[str], None],
) -> None:
    pace, prompt = guards.Pace(limits.turns), first[: limits.prompt]
    while True:
        now = time.monotonic()
        if (wait := pace.ready(now) - now) > 0:
            note(f"{several(limits.turns, 'turn')} an hour: the next one in {wait:.0f} s")
            await asyncio.sleep(wait)
        pace.begin(time.monotonic())
        ended = await command.turn(prompt)
        if ended.code is None:
            raise RelayError(f"ended at its limit of {command.limit:g} s", where=command.words[0])
        if ended.code:
            raise RelayError(f"failed with {ended.code}", where=command.words[0])
        answer = guards.answer(ended.output, limits, secrets)
        if answer.text:
            say(answer.text)
        if not answer.sleep:
            return
        note(f"asleep for {answer.sleep:g} s")
        await asyncio.sleep(answer.sleep)
        woke = guards.aside(f"You slept {answer.sleep:g} s, and are awake again.")
        prompt = f"{woke}\n\n{first}"[: limits.prompt]


async def interruptible(work: Coroutine[object, object, None]) -> None:
    """Do something until it is done, or a signal ends it in good order; one that is ignored (`nohup`) stays so."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    heeded = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    for number in heeded:
        loop.add_signal_handler(number, task.cancel)
    try:
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)
