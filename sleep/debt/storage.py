"""The ledger's file: read as it is, changed only in a transaction, set aside when it cannot be read.

Owns the one lock of all that is counted here, and what happens to a file that is torn or of another shape: its bytes
are kept beside it as `NAME.corrupt-MILLISECONDS`, for good, before anything is written in its place. What is no file,
or may not be read, is left where it is, and said with what mends it. A read writes nothing.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from sleep.debt import ledger as ledgers
from sleep.errors import StorageError
from sleep.store import files, lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.debt.ledger import Ledger
    from sleep.store.context import Context
    from sleep.store.lock import Lock

LOCK = ".sleep.lock"
CORRUPT = ".corrupt-"
REBUILD = "sleepwake doctor --rebuild-ledger"
_IGNORED = "# What begins with a dot belongs to this machine alone.\n.*\n"


def hold(context: Context, purpose: str, timeout: float = lock.TIMEOUT) -> Lock:
    """Return the lock of a context's ledger and sessions, not yet taken. Never held while a model is asked."""
    return lock.Lock(os.path.join(context.state, LOCK), purpose, timeout)


def read(context: Context) -> Ledger:
    """Return the ledger as it is; `trouble` says why something could not be read. Writes nothing."""
    if there := _obstacle(context.ledger):
        return ledgers.Ledger(trouble=there.what)
    try:
        return ledgers.parse(files.read(context.ledger))
    except StorageError as error:
        return ledgers.Ledger(trouble=f"{error.what}")


def write(context: Context, before: Ledger, after: Ledger) -> Ledger:
    """Write a ledger if it differs from the one that was read, and return it; the caller holds the lock.

    Raises:
        StorageError: the disk refuses, or what stands there is no file; the old one stands.
    """
    refuse(context)
    text = ledgers.render(after)
    if files.read(context.ledger) == text:
        return after
    if before.trouble:
        set_aside(context.ledger)
    elif before == ledgers.Ledger():
        _ignore(context)
    files.write(context.ledger, text, within=context.base)
    return after._replace(trouble="")


def refuse(context: Context) -> None:
    """Raise StorageError, with what mends it, where no ledger can be written: for what stands there, or the folder.

    Who changes more than the ledger asks first, and so changes all or nothing.
    """
    if there := _obstacle(context.ledger):
        raise there
    folder = context.state
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK):
        raise files.refusal(PermissionError(errno.EACCES, ""), folder)


def remedy(context: Context) -> str:
    """Return the command that mends a ledger of which something could not be read."""
    there = _obstacle(context.ledger)
    return there.hint if there else REBUILD


def set_aside(path: str, why: str = CORRUPT) -> str:
    """Keep a file's bytes as `NAME.corrupt-MILLISECONDS` beside it, and return that name; the file itself stays."""
    content = files.read(path)
    millis = int(time.time() * 1000)
    while os.path.lexists(aside := f"{path}{why}{millis}"):
        millis += 1
    files.write(aside, content or "")
    return aside


def aside(folder: str) -> list[str]:
    """Return the paths of what was set aside in a folder."""
    corrupt = (name for name in files.names(folder) if CORRUPT in name and not name.endswith(CORRUPT))
    return [os.path.join(folder, name) for name in corrupt]


def _obstacle(path: str) -> StorageError | None:
    """Return why no ledger can be read from a path where something stands; None where it can, or nothing does.

    A pipe is never opened: that would wait for whoever writes to it.
    """
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            return files.refusal(error, path)
        is_file = False
    if not is_file:
        return StorageError("is no file", where=path, hint=f"mv {path} {path}.moved")
    if not os.access(path, os.R_OK):
        return StorageError("may not be read by you", where=path, hint=f"chmod u+rw {path}")
    return None


def _ignore(context: Context) -> None:
    """Where `init` was never run, have git ignore what is of this machine: a ledger names paths and quotes messages."""
    ignoring = os.path.join(context.state, ".gitignore")
    if not os.path.exists(context.settings) and not os.path.exists(ignoring):
        files.write(ignoring, _IGNORED)
