"""One git child, from its start to its end.

Owns its input, its answer, and that it is ended with us when we are interrupted. Refuses to know what git is asked.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import TYPE_CHECKING, BinaryIO

from sleep.store import signals
from sleep.store.git import refusals
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TICK = 0.05  # seconds between two looks at whether we are to end
_TICKS_BEHIND = 4  # in which all is read that git had said when it ended
_PIPED = 1 << 14 if os.name == "posix" else 0  # bytes that a pipe takes in with nobody at its other end


class Answer(NamedTuple):
    """How a child ended, and what it printed."""

    code: int
    out: bytes
    error: bytes


def run(
    words: Sequence[str], folder: str, variables: Mapping[str, str], feed: bytes | None, held: Sequence[int]
) -> Answer:
    """Run a child to its end and return what it says.

    Args:
        words: the command.
        folder: where it works.
        variables: its whole environment.
        feed: its standard input; None for nothing.
        held: descriptors that it inherits.

    Raises:
        GitStateError: git was not found.
    """
    with signals.held() as hold, _input(feed) as source:
        try:
            child = subprocess.Popen(
                words,
                cwd=folder,
                env=variables,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=held,
            )
        except FileNotFoundError as error:
            raise refusals.absent() from error
        return _answer(child, hold)


@contextlib.contextmanager
def _input(feed: bytes | None) -> Iterator[BinaryIO | int]:
    """Yield what a child reads: a pipe that holds all of it already, or a file.

    `communicate` sends no more of an input once it has run into its time limit, and the child would wait for ever.
    """
    if feed is None:
        yield subprocess.DEVNULL
        return
    if len(feed) <= _PIPED:
        source, end = os.pipe()
        try:
            with open(end, "wb") as sink:
                sink.write(feed)
            yield source
        finally:
            os.close(source)
        return
    import tempfile  # late: 3 ms, and few children are told that much  # noqa: PLC0415

    with tempfile.TemporaryFile() as file:
        file.write(feed)
        file.seek(0)
        yield file


def _answer(child: subprocess.Popen[bytes], hold: signals.Hold) -> Answer:
    """Return what a git child says until it ends; an interrupt ends it at once.

    What a hook started may outlive git and keep its output open: nobody waits for that.
    """
    ticks = 0  # since the child has ended
    while True:
        try:
            out, error = child.communicate(timeout=_TICK)
        except subprocess.TimeoutExpired as late:
            ticks += child.poll() is not None
            if ticks <= _TICKS_BEHIND and not hold.number:
                continue
            _end(child)
            out, error = (b"", b"") if hold.number else (late.output or b"", late.stderr or b"")
        except BaseException:
            _end(child)
            raise
        for pipe in filter(None, (child.stdout, child.stderr)):
            pipe.close()
        return Answer(child.returncode, out, error)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait()
