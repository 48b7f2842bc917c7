"""The lock: one writer at a time, across processes and worktrees.

Owns mutual exclusion by the operating system's file lock, which ends with its holder. Refuses to be taken twice by one
process. Its descriptor is inherited by git children that change the repository: if this process is killed while its
`git commit` still runs, the lock stays held until that child has ended. Standard library only; hooks load it.
"""

from __future__ import annotations

import errno
import os
import sys
import time

from sleep import lean_json
from sleep.errors import HeldError
from sleep.store import files
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from types import TracebackType
    from typing import Self

    from sleep.store.layout import Root

TIMEOUT = 30.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.1
_BUSY = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK}
_held: dict[str, int] = {}  # path -> process that holds it: a forked child has a copy, not the lock


class Owner(NamedTuple):
    """Who holds a lock, as written into the lock file; `since` is local time with its zone."""

    purpose: str
    pid: int
    host: str
    since: str


class Lock:
    """A lock file as a context manager.

    Args:
        path: the lock file; it and its folder are made.
        purpose: what is being done, for whoever has to wait: "sleep", "journal".
        timeout: seconds to wait for the present holder; 0 tries once.

    Entering raises HeldError when the time is up, StorageError when the file cannot be made, and RuntimeError (a bug)
    when this process holds it already.
    """

    __slots__ = ("_descriptor", "path", "purpose", "timeout")

    def __init__(self, path: str, purpose: str, timeout: float = TIMEOUT) -> None:
        self.path = os.path.realpath(path)
        self.purpose = purpose
        self.timeout = timeout
        self._descriptor = -1

    def __enter__(self) -> Self:
        if _held.get(self.path) == os.getpid():
            raise RuntimeError(f"{self.path} is held by this very process: pass the lock on, do not take it twice")
        deadline, pause = time.monotonic() + self.timeout, _FIRST_PAUSE
        while (descriptor := _try(self.path)) < 0:
            if time.monotonic() >= deadline:
                raise self._timed_out()
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            pause = min(pause * 2, _LONGEST_PAUSE)
        self._descriptor = descriptor
        _held[self.path] = os.getpid()
        _describe(descriptor, self.purpose)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        _held.pop(self.path, None)
        _truncate(descriptor)
        _unlock(descriptor)  # explicitly: a daemon that a git hook started may have a copy of the descriptor
        os.close(descriptor)

    def fileno(self) -> int:
        """Return the descriptor that holds the lock, to be inherited by git children."""
        if self._descriptor < 0:
            raise RuntimeError(f"{self.path} is not held: use `with hold(...) as lock`")
        return self._descriptor

    def _timed_out(self) -> HeldError:
        holder = owner(self.path)
        who = "another process"
        if holder:
            ended = "" if files.is_running(holder.pid) else ", which ended and left a git process running"
            who = f"{holder.purpose} (process {holder.pid} on {holder.host}{ended}) since {holder.since}"
        return HeldError(f"held by {who}, waited {self.timeout:g} s", where=self.path, hint="wait, then try again")


def hold(root: Root, purpose: str, timeout: float = TIMEOUT) -> Lock:
    """Return the lock that all worktrees of a repository share, not yet taken; a `with` statement takes it."""
    return Lock(os.path.join(root.shared_dir, "lock"), purpose, timeout)


def owner(path: str) -> Owner | None:
    """Return who wrote itself into a lock file, None when nobody did or it is being written."""
    try:
        with open(path, encoding="utf-8") as file:
            return Owner(**lean_json.loads(file.read()))
    except (OSError, ValueError, TypeError):
        return None


def _try(path: str) -> int:
    """Return a descriptor that holds the lock, -1 when another one does."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise files.refusal(error, path) from error
    try:
        _lock(descriptor)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    except FileNotFoundError:
        pass  # removed between opening and locking: the next try makes a new one
    except OSError as error:
        if error.errno not in _BUSY:
            os.close(descriptor)
            raise files.refusal(error, path) from error
    os.close(descriptor)
    return -1


def _describe(descriptor: int, purpose: str) -> None:
    host = os.uname().nodename if hasattr(os, "uname") else "this machine"
    record = Owner(purpose, os.getpid(), host, time.strftime("%Y-%m-%dT%H:%M:%S%z"))
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, lean_json.dumps(record._asdict()).encode())
    except OSError:  # a full disk must not stop anyone from holding the lock
        return


def _truncate(descriptor: int) -> None:
    try:
        os.ftruncate(descriptor, 0)
    except OSError:
        return


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # Windows forbids others to read locked bytes: lock one behind the record

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
