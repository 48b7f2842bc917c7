"""One call of a program: the prompt on standard input, the reply on standard output.

Owns the process: no shell, an empty directory of its own, an environment that says where it comes from, limits of time
and output, and its end. It leads a process group of its own, and the group is ended with the call, however the call
ends: answer, time-out, too much output, Ctrl-C, SIGTERM. Only SIGKILL of this process leaves it to itself. Signals are
held back while it lives (`store.signals`), and looked at between two looks at it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
import time
from typing import IO, TYPE_CHECKING

from sleep.compressors.delegation import CallError
from sleep.store import signals
from sleep.store.git import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GUARD = "SLEEP_COMPRESSING"
LIMIT = 1_000_000  # bytes of output, far above any answer that could fit a budget
_TAIL = 2_000
_TICK = 0.02
_GRACE = 2.0
# Of the session that we may run in; a client of that name would take the call for a part of it.
_SESSION = frozenset({"SLEEP_SESSION", "SLEEP_ROOT", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"})


def inherited(outer: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the program: hooks of ours are silent in it, and it cannot start another."""
    inherited = {
        name: value for name, value in outer.items() if name not in _SESSION and not environment.is_foreign(name)
    }
    return inherited | {"SLEEP_OFF": "1", GUARD: "1"}


def ask(argv: Sequence[str], prompt: str, seconds: float, outer: Mapping[str, str], limit: int = LIMIT) -> str:
    """Run a program and return what it prints, `limit` bytes at the most.

    Raises:
        CallError: it could not be started, took too long, printed too much or nothing, or ended with an exit code.
    """
    with tempfile.TemporaryDirectory(prefix="sleepwake-") as folder, tempfile.TemporaryFile() as feed:
        feed.write(prompt.encode("utf-8", "replace"))
        feed.seek(0)
        with signals.held(deadly=True) as hold:
            process = _started(argv, feed, folder, outer)
            try:
                return _answer(process, seconds, limit, hold)
            finally:
                signals.end_group(process, _GRACE)
                for pipe in (process.stdout, process.stderr):
                    if pipe:
                        pipe.close()


def _started(argv: Sequence[str], feed: IO[bytes], folder: str, outer: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # the argument list is the person's own; see ADR 13
            list(argv),
            stdin=feed,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=inherited(outer),
            start_new_session=True,
        )
    except OSError as error:
        raise CallError(f"could not be started: {error.strerror}") from None


def _answer(process: subprocess.Popen[bytes], seconds: float, limit: int, hold: signals.Hold) -> str:
    out, err = _Drain(process.stdout, limit), _Drain(process.stderr, 0)
    until = time.monotonic() + seconds
    why = ""
    while process.poll() is None and not why and not out.is_over:
        if time.monotonic() > until:
            why = f"no answer within {seconds:g} s"
        elif hold.number:
            why = f"interrupted by signal {hold.number}"
        else:
            time.sleep(_TICK)
    signals.end_group(process, _GRACE)  # also of what it started, which may still hold its output open
    text = out.close()
    errors = err.close()[-_TAIL:].decode("utf-8", "replace").strip()
    if not why and out.is_over:
        why = f"printed more than {limit} bytes"
    if not why and process.returncode:
        code = process.returncode
        why = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
    if not why and not text.strip():
        why = "printed nothing"
    if why:
        raise CallError(why, errors)
    return text.decode("utf-8", "replace")


class _Drain:
    """A pipe read to its end by a thread; above the limit (0: none) reading stops, and only a tail is kept."""

    def __init__(self, pipe: IO[bytes] | None, limit: int) -> None:
        self.is_over = False
        self._limit = limit
        self._bytes = bytearray()
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the pipe was closed under us
            while self._pipe and (chunk := os.read(self._pipe.fileno(), 65_536)):
                self._bytes += chunk
                if self._limit and len(self._bytes) > self._limit:
                    self.is_over = True
                    return
                if not self._limit:
                    del self._bytes[:-_TAIL]

    def close(self) -> bytes:
        self._thread.join(_GRACE)
        if self._pipe:
            self._pipe.close()
        return bytes(self._bytes)
