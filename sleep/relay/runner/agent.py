"""A headless agent on a relay: what it hears becomes turns of its command, and what that prints is said.

Owns the loop that carries out what `guards` decides. What the command says on standard error is left to the terminal,
and a turn that failed says nothing to others.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from sleep.errors import RelayError
from sleep.plurals import several
from sleep.relay.client import Client
from sleep.relay.notices import Ended, Failed, Lost, Welcome
from sleep.relay.runner import guards, message_backlog
from sleep.relay.runner.guards import Backlog
from sleep.relay.runner.solo import interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.relay.endpoint import Endpoint
    from sleep.relay.identity import Identity
    from sleep.relay.runner.guards import Guards, Turn
    from sleep.relay.runner.process_group import Command

_BETWEEN = 1.1  # seconds between two messages: a relay takes one a second
_TRIES = 5  # for a message that is said too soon, or into a broken line


class Runner:
    """An agent's command between a relay and its guards.

    Args:
        client: connected, as the agent.
        guards: what it may do.
        command: what it is.
        secrets: values that are never sent.
        note: is told what goes on, a line each.
        pending: the file of what was heard and not answered, "" for none.
    """

    def __init__(
        self,
        client: Client,
        guards: Guards,
        command: Command,
        secrets: Sequence[str] = (),
        note: Callable[[str], None] = lambda _: None,
        pending: str = "",
    ) -> None:
        self._client = client
        self._guards = guards
        self._command = command
        self._secrets = secrets
        self._note = note
        self._news = asyncio.Event()
        self._spoke = float("-inf")
        self._pending = pending
        self._kept = Backlog()
        if pending:
            self._kept = message_backlog.read(pending)
            guards.resume(self._kept, time.monotonic())

    async def run(self) -> None:
        """Run until the session ends, and the turn under way with it.

        Raises:
            RelayError: the session was ended by the relay, or the command cannot be run.
        """
        tasks = [asyncio.ensure_future(self._listen()), asyncio.ensure_future(self._work())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> None:
        async for notice in self._client:
            if isinstance(notice, Ended):
                raise RelayError(f"the relay ended the session: {notice.why}")
            if isinstance(notice, (Lost, Failed)):
                self._note(f"the line broke: {notice.why}" if isinstance(notice, Lost) else f"refused: {notice.why}")
            if isinstance(notice, Welcome):
                self._note(f"on {notice.server} as {notice.name} ({notice.agent})")
            self._guards.hear(notice, time.monotonic())
            self._keep()
            self._news.set()

    def _keep(self) -> None:
        """Keep what waits for an answer, if that changed."""
        items = self._guards.backlog()
        if self._pending and items != self._kept:
            message_backlog.write(self._pending, items)
            self._kept = items

    async def _work(self) -> None:
        while True:
            self._news.clear()
            turn = self._guards.take(now := time.monotonic())
            if turn is None:
                due = self._guards.due(now)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(None if due is None else max(0.0, due - now)):
                        await self._news.wait()
                continue
            await self._turn(turn)

    async def _turn(self, turn: Turn) -> None:
        self._note(f"a turn: {turn.messages} message{'s' * (turn.messages != 1)}, for {turn.to}")
        ended = await self._command.turn(turn.prompt)
        if ended.code is None:
            self._note(f"ended at its limit of {self._command.limit:g} s: nothing is said")
        elif ended.code:
            self._note(f"failed with {ended.code}: nothing is said")
        else:
            await self._say(turn.to, guards.answer(ended.output, self._guards.limits, self._secrets))
        self._guards.done()
        self._keep()

    async def _say(self, to: str, answer: guards.Answer) -> None:
        """Send an answer; try again where it cannot have been heard."""
        if not answer.sent:
            self._note("it said nothing")
            return
        for attempt in range(_TRIES):
            await asyncio.sleep(max(0.0, self._spoke + _BETWEEN - time.monotonic()))
            self._guards.says(answer, time.monotonic())  # before: the wake may be quicker than the relay's answer
            try:
                await self._client.send(to, answer.sent)
            except RelayError as problem:
                self._guards.rouse()
                self._note(f"not said: {problem.what}")
                if "Rate limit" not in problem.what and "no connection" not in problem.what:
                    return
                await asyncio.sleep(2**attempt)
            else:
                speech = f"said {several(len(answer.text), 'character')} to {to}" if answer.text else ""
                sleep = f"asleep for {answer.sleep:g} s" if answer.sleep else ""
                self._note(", ".join(filter(None, (speech, sleep))) or "said nothing")
                return
            finally:
                self._spoke = time.monotonic()


async def join(
    relay: Endpoint,
    name: str,
    identity: Identity | None,
    rules: Guards,
    command: Command,
    *,
    channels: Sequence[str],
    secrets: Sequence[str] = (),
    first: str = "",
    note: Callable[[str], None] = lambda _: None,
    pending: str = "",
) -> None:
    """Run an agent on a relay until it is interrupted or thrown out; `first` is what it is prompted with at once.

    With a file (`pending`) what it has heard and not answered outlives this process.
    """

    async def run() -> None:
        async with Client(relay.url, name, identity=identity, token=relay.token) as client:
            for channel in channels:
                await client.join(channel)
            if first:
                rules.ask(first, time.monotonic())
            await Runner(client, rules, command, secrets, note, pending).run()

    await interruptible(run())
