"""Signals that wait: a request to end is heard where a child process can be ended, and nowhere else.

Owns holding them back. An exception that a signal raises at any point of `subprocess` can lose the child (in the
middle of its start) or leave the lock held that every later wait for it needs (in the middle of a poll): then nothing
ends any more. So a signal is only noted while a child lives; whoever waits looks at the note, ends the child, and the
signal takes its course when the hold is over. A step holds them back from its first file to its last, or a Ctrl-C could
come between a lock file and the `try` that removes it. Refuses to hold back what is ignored, and anything off the main
thread, where no signal arrives.

Owns also those that are sent: a child leads a process group, and what it started goes with it.
"""

from __future__ import annotations

import contextlib
import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from subprocess import Popen
    from types import FrameType
    from typing import Any

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_holds: list[Hold] = []  # those that last, outermost first


class Hold:
    """What arrived while signals were held back: the number of the last signal, 0 for none."""

    def __init__(self) -> None:
        self.number = 0

    def note(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal."""
        self.number = number


def are_waiting() -> bool:
    """Return whether a signal is held back: what may last is not begun any more."""
    return any(hold.number for hold in _holds)


@contextlib.contextmanager
def held(*, deadly: bool = False) -> Iterator[Hold]:
    """Hold back the signals that ask us to end, and let the last of them take its course afterwards.

    Args:
        deadly: also those that would end us at once, without an exception.
    """
    import threading  # late: hooks load this module  # noqa: PLC0415

    hold = Hold()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _NAMES:
            number = getattr(signal, name, None)
            handler = signal.getsignal(number) if number else None
            if number and (callable(handler) or (deadly and handler == signal.SIG_DFL)):
                before[number] = handler
                signal.signal(number, hold.note)
    _holds.append(hold)
    try:
        yield hold
    finally:
        _holds.remove(hold)
        for number, handler in before.items():
            signal.signal(number, handler)
        if hold.number:
            signal.raise_signal(hold.number)


def send_to_group(process: Any, number: int) -> None:  # noqa: ANN401  # of subprocess, asyncio or anyio
    """Send a signal to the group that a child leads, to the child where there are no groups; fine if it has ended."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.send_signal(signal.Signals(number))


def end_group(process: Popen[bytes], grace: float) -> None:
    """End what is left of a child's group, asking first, and reap the child; each has so many seconds."""
    if process.poll() is None:
        send_to_group(process, signal.SIGTERM)
        with contextlib.suppress(Exception):
            process.wait(grace)
    send_to_group(process, KILL)
    with contextlib.suppress(Exception):
        process.wait(grace)
