"""Commands that the server runs and waits for: what writes memory loads git, which the server does not.

Owns their end: at the limit, when the call is cancelled, when the client goes away, and when the server is told to end,
the whole process group goes. Writes wait for one another, in the order they came, so none finds the lock held by a
sibling; some reads run at once. Nothing outlives the server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

import anyio

from sleep import settings
from sleep.clients.hooks import hook_child
from sleep.store import signals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import ByteReceiveStream, ByteSendStream, Process

_AT_ONCE = 3  # reads that run at once
_GRACE = 1.0  # seconds between asking a group to end and ending it: git takes its lock files away meanwhile
_MOST = 64_000_000  # bytes of what a command says that are kept: the records of the largest memory are some


class Outcome(NamedTuple):
    """What became of a command: its exit code, None at the limit, and what it said."""

    code: int | None
    out: str
    complaint: str


class Children:
    """The commands under way."""

    def __init__(self) -> None:
        self._live: set[Process] = set()
        self._writing = anyio.Lock()
        self._room = anyio.Semaphore(_AT_ONCE)

    async def run(self, words: Sequence[str], text: str, limit: float, *, reads: bool, session: str = "") -> Outcome:
        """Run `sleepwake WORDS` with a text on its standard input, for a session, when its turn has come.

        Raises OSError when no process can be made.
        """
        environ = {**settings.environment(), "SLEEP_OFF": "1", **({"SLEEP_SESSION": session} if session else {})}
        async with self._room if reads else self._writing:
            with anyio.CancelScope(shield=True):  # a start that is cut in two would leave a process that nobody knows
                process = await anyio.open_process(
                    hook_child.command(words),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environ,
                    start_new_session=True,
                )
                self._live.add(process)
            try:
                return await _attended(process, text, limit)
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(process)
                self._live.discard(process)

    def end(self) -> None:
        """End all of them, at once and without the event loop: the server was told to end."""
        for process in self._live:
            signals.send_to_group(process, signal.SIGTERM)
        until = time.monotonic() + _GRACE
        while time.monotonic() < until and any(map(_is_there, self._live)):
            time.sleep(0.02)
        for process in self._live:
            signals.send_to_group(process, signals.KILL)


async def _attended(process: Process, text: str, limit: float) -> Outcome:
    out, complaint = bytearray(), bytearray()
    with anyio.move_on_after(limit) as scope:
        async with anyio.create_task_group() as group:
            if process.stdin and process.stdout and process.stderr:
                group.start_soon(_give, process.stdin, text)
                group.start_soon(_take, process.stdout, out)
                group.start_soon(_take, process.stderr, complaint)
        await process.wait()
    code = None if scope.cancelled_caught else process.returncode
    return Outcome(code, _text(out), _text(complaint))


async def _give(stream: ByteSendStream, text: str) -> None:
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # it ended without reading it
        if text:
            await stream.send(text.encode("utf-8"))
    await stream.aclose()


async def _take(stream: ByteReceiveStream, into: bytearray) -> None:
    async for part in stream:
        into += part[: max(0, _MOST - len(into))]


async def _end(process: Process) -> None:
    """End what is left of a group, asking first, and reap its leader."""
    if process.returncode is None:
        signals.send_to_group(process, signal.SIGTERM)
        with anyio.move_on_after(_GRACE):
            await process.wait()
    signals.send_to_group(process, signals.KILL)
    await process.aclose()


def _is_there(process: Process) -> bool:
    """Return whether anything of a group is left that the event loop has not reaped."""
    if not hasattr(os, "killpg"):
        return process.returncode is None
    try:
        os.killpg(process.pid, 0)
    except OSError:
        return False
    return True


def _text(output: bytearray) -> str:
    return output.decode("utf-8", "replace")
