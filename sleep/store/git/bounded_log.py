"""The newest commits with the paths that each changed, by one git process with bounds: time, bytes and commits.

Owns the process, its end, and the form of what it prints. Standard library only, and of that nothing that a hook has
not loaded: no `subprocess`, no `select`. Refuses to fetch what a partial clone does not have, to run anything that a
repository's settings name, and to fail: what cannot be read is left out, and the log says that it was cut.
"""

from __future__ import annotations

import itertools
import os
import time

from sleep import settings
from sleep.store.git import environment
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

GONE = "D"  # the letter of a path that a commit took away
_FORM = "%x1e%H%x00%P%x00%ct%x00%an%x00%s%x00%(trailers:only=true,unfold=true)"
_FIELDS = 6
_OPTIONS = (
    *("log", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", "--no-renames", "--name-status"),
    f"--format=tformat:{_FORM}",
)
_CHUNK = 1 << 16
_PAUSE = 0.0005  # seconds between two looks at a pipe that has nothing yet
_KILL = 9
_NO_FETCH = {"GIT_NO_LAZY_FETCH": "1"}


class Commit(NamedTuple):
    """One commit: `at` is when it was made here, in seconds since 1970; `changes` are (letter, path from the top).

    The letters are those of `git log --name-status`; a merge has no changes. `trailers` keep their order.
    """

    sha: str
    parents: tuple[str, ...]
    at: int
    author: str
    subject: str
    trailers: tuple[tuple[str, str], ...]
    changes: tuple[tuple[str, str], ...]


class Log:
    """The commits of HEAD's history, newest first; iterate over it once.

    Args:
        work_tree: the top of the git work tree.
        most: commits.
        seconds: that git may take.
        size: bytes that are read.
        since: seconds since 1970; older commits are not asked for. 0 for all.

    `is_cut` tells afterwards that a bound ended it, `is_late` that it was that of time, `is_failed` that git could not
    say all, or anything: no repository, a branch without commits, an object that is not there.
    """

    def __init__(self, work_tree: str, *, most: int, seconds: float, size: int, since: float = 0.0) -> None:
        bounds = (f"--max-count={most}", *((f"--since={int(since)}",) if since else ()))
        self._words = ("git", "-C", work_tree, *_OPTIONS, *bounds, "HEAD", "--")
        self._most, self._seconds, self._size = most, seconds, size
        self.is_cut = self.is_late = self.is_failed = False

    def __iter__(self) -> Iterator[Commit]:
        """Yield the commits; whoever stops early ends the process."""
        parts: list[bytes] = []
        rest = b""
        count = 0
        for chunk in self._chunks():
            *whole, rest = (rest + chunk).split(b"\0")
            parts += whole
            starts = list(_starts(parts))
            for at, end in itertools.pairwise(starts):
                count += 1
                yield _commit(parts[at:end])
            parts = parts[starts[-1] :] if starts else parts
        if len(parts) >= _FIELDS and not (self.is_cut or self.is_failed):
            count += 1
            yield _commit(parts)
        self.is_cut = self.is_cut or count >= self._most

    def _chunks(self) -> Iterator[bytes]:
        try:
            yield from self._read() if hasattr(os, "posix_spawnp") else self._read_whole()
        except OSError:  # there is no git, or no process can be made
            self.is_failed = True

    def _read(self) -> Iterator[bytes]:
        until, left = time.monotonic() + self._seconds, self._size
        out, into = os.pipe()
        try:
            child = self._spawned(into)
        except OSError:
            os.close(out)
            raise
        finally:
            os.close(into)
        code = None
        try:
            os.set_blocking(out, False)
            while left > 0 and time.monotonic() < until:
                try:
                    chunk = os.read(out, _CHUNK)
                except BlockingIOError:
                    time.sleep(_PAUSE)
                    continue
                if not chunk:
                    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                    self.is_failed = code != 0
                    return
                left -= len(chunk)
                yield chunk
            self.is_cut, self.is_late = True, left > 0
        finally:
            os.close(out)
            if code is None:
                os.kill(child, _KILL)
                os.waitpid(child, 0)

    def _spawned(self, into: int) -> int:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, into, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        return os.posix_spawnp("git", self._words, _environment(), file_actions=actions)

    def _read_whole(self) -> Iterator[bytes]:
        import subprocess  # late: where processes are made in no leaner way  # noqa: PLC0415

        try:
            done = subprocess.run(
                self._words, env=_environment(), capture_output=True, timeout=self._seconds, check=False
            )
        except subprocess.TimeoutExpired:
            self.is_cut = self.is_late = True
            return
        self.is_failed, self.is_cut = done.returncode != 0, len(done.stdout) > self._size
        yield done.stdout[: self._size]


def _environment() -> dict[str, str]:
    return environment.for_git(settings.environment(), reading=True) | _NO_FETCH


def _starts(parts: list[bytes]) -> Iterator[int]:
    """Yield where commits begin; a path that looks like the beginning of one is passed over with its letter."""
    at = 0
    while at < len(parts):
        if parts[at].startswith(b"\x1e"):
            yield at
            at += _FIELDS
        else:  # a letter, then a path
            at += 2


def _commit(parts: list[bytes]) -> Commit:
    texts = b"\0".join(parts).decode("utf-8", "surrogateescape").split("\0")  # ten times as fast as one by one
    sha, parents, at, author, subject, trailers = texts[:_FIELDS]
    pairs = (line.partition(": ") for line in trailers.split("\n") if line)
    rows = texts[_FIELDS:]
    return Commit(
        sha[1:],
        tuple(parents.split()),
        int(at),
        author,
        subject,
        tuple((name, value) for name, _, value in pairs),
        tuple((letter.lstrip("\n")[:1], path) for letter, path in zip(rows[::2], rows[1::2], strict=False)),
    )
