"""A headless agent's command: one turn of it, and the end of everything it started.

Owns the process group of a turn. A guardian of a few lines leads it: it ends the group when the command has ended, and
when the runner is gone, by whatever signal. What takes a session of its own (setsid) escapes, as from any shell.
The environment is passed on as it is: with `SLEEP_OFF` set, hooks stay off.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import sys
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import RelayError
from sleep.store import signals

if TYPE_CHECKING:
    from asyncio.subprocess import Process

PLACE = "{}"  # the word that the prompt takes the place of
_GRACE = 0.5  # seconds between asking a group to end and ending it
_MOST = 4 * 2**20  # bytes of an output that are kept
_CHUNK = 2**16
_GUARDIAN = """
import os, signal, socket, subprocess, sys, threading
line = socket.socket(fileno=int(sys.argv[1]))
signal.signal(signal.SIGTERM, lambda *_: None)
def watch():
    line.recv(1)
    os.killpg(0, signal.SIGKILL)
threading.Thread(target=watch, daemon=True).start()
try:
    code = subprocess.call(sys.argv[2:])
except OSError as error:
    sys.stderr.write(f"{sys.argv[2]}: {error.strerror}\\n")
    code = 127
line.send(str(code).encode())
os.killpg(0, signal.SIGKILL)
"""


class Ended(NamedTuple):
    """What a turn came to: the exit code (below 0 for a signal, None at the time limit), and the output."""

    code: int | None
    output: str


class Command(NamedTuple):
    """How an agent is run; `argument` gives the prompt as the last word, where no word is `{}`; else it is stdin."""

    words: tuple[str, ...]
    argument: bool = False
    limit: float = 600.0

    def insist(self) -> None:
        """Raise RelayError if there is no such command: else each turn would fail, and be used up."""
        if shutil.which(self.words[0]) is None:
            raise RelayError(
                "cannot be run (would be right: a program on PATH, or the path of one that may be run)",
                where=self.words[0],
            )

    async def turn(self, prompt: str) -> Ended:
        """Run the command with a prompt; when this ends, even by cancellation, so has all that it started.

        Raises:
            RelayError: no process can be made.
        """
        data = prompt.encode("utf-8", "replace").replace(b"\0", b"")
        plain = PLACE not in self.words and not self.argument
        words = self.words if plain or PLACE in self.words else (*self.words, PLACE)
        word = f" {data.decode()}" if data.startswith(b"-") else data.decode()  # no prompt is an option
        words = tuple(word if original == PLACE else original for original in words)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", "-S", "-c", _GUARDIAN, str(theirs.fileno()), *words),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
        except OSError as problem:
            ours.close()
            raise RelayError(f"cannot be run: {problem.strerror}", where=self.words[0]) from None
        with ours:
            try:
                async with asyncio.timeout(self.limit):
                    output, _ = await asyncio.gather(_read(process), _write(process, data if plain else b""))
                    await process.wait()
            except TimeoutError:
                return Ended(None, "")
            finally:
                await _end(process)
            return Ended(_code(ours), output.decode("utf-8", "replace"))


def _code(line: socket.socket) -> int:
    try:
        return int(line.recv(16))
    except (OSError, ValueError):  # the guardian was killed
        return -int(signal.SIGKILL)


async def _read(process: Process) -> bytes:
    """Return the output; what is beyond the limit is read and forgotten, so that nobody waits to write it."""
    output = bytearray()
    assert process.stdout is not None  # noqa: S101  # for the type checker
    while data := await process.stdout.read(_CHUNK):
        output += data[: _MOST - len(output)]
    return bytes(output)


async def _write(process: Process, data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101  # as above
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not read its prompt
        process.stdin.write(data)
        await process.stdin.drain()
    process.stdin.close()


async def _end(process: Process) -> None:
    """End what is left of a group, asking first; who is told to end meanwhile does so at once, and then ends too."""
    cancellation: asyncio.CancelledError | None = None
    if process.returncode is None:
        signals.send_to_group(process, signal.SIGTERM)
        end = asyncio.get_running_loop().time() + _GRACE
        while process.returncode is None and cancellation is None and asyncio.get_running_loop().time() < end:
            try:
                await asyncio.sleep(0.02)
            except asyncio.CancelledError as word:
                cancellation = word
    signals.send_to_group(process, signals.KILL)
    try:
        await process.wait()
    except asyncio.CancelledError as word:
        cancellation = word
    if cancellation is not None:
        raise cancellation
