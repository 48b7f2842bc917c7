"""What hooks did and what went wrong, in a file that stays on this machine.

Owns the file: below the git directory, else beside the ledger; its lines (time, event, level, words); and its size.
Refuses to fail, to print, and to hold a secret or a home directory.
"""

from __future__ import annotations

import os
import time

from sleep.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.store.context import Context

NAME = "hooks.log"
LIMIT = 256 << 10
_LONGEST = 600


def path(context: Context) -> str:
    """Return where the log of a context is; the file need not exist."""
    git = layout.find_git(context.base)
    return os.path.join(git[1], "sleepwake", NAME) if git else os.path.join(context.state, f".{NAME}")


def info(context: Context, event: str, words: str) -> None:
    """Write down what was done, in words of our own."""
    _append(context, f"{event} INFO {words}")


def error(context: Context, event: str, problem: BaseException | str) -> None:
    """Write down what went wrong, redacted."""
    # late: only what went wrong may hold anything that is not ours
    from sleep.store import private  # noqa: PLC0415

    words = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}{_place(problem)}"
    _append(context, f"{event} ERROR {private.clean(words)}")


def last_error(context: Context) -> str:
    """Return the newest line that says ERROR, "" for none."""
    for name in (path(context), f"{path(context)}.1"):
        try:
            with open(name, encoding="utf-8", errors="replace") as lines:
                errors = [line for line in lines if " ERROR " in line]
        except OSError:
            continue
        if errors:
            return errors[-1].rstrip("\n")
    return ""


def _place(problem: BaseException) -> str:
    trace = problem.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})" if trace else ""


def _append(context: Context, words: str) -> None:
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {' '.join(words.split())}"
    try:
        where = path(context)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        descriptor = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, f"{line[:_LONGEST]}\n".encode("utf-8", "replace"))
            full = os.fstat(descriptor).st_size > LIMIT
        finally:
            os.close(descriptor)
        if full:
            os.replace(where, f"{where}.1")
    except (OSError, ValueError):
        return
