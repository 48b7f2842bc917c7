"""Whether a client still runs: its process as a number and a start, for numbers are given again.

Owns finding the client above a hook, and asking after a process later. Reads `/proc` only; where there is none nothing
is known, and the caller goes by the transcript's age. A start is `BOOT:NAMESPACE:TICKS`: on another machine, in another
container or after a restart it cannot be compared, and says so.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_PROC = "/proc"
_BETWEEN = frozenset(
    (
        *("sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "ash", "busybox"),
        *("env", "timeout", "nice", "nohup", "setsid", "stdbuf", "sudo", "doas", "su", "time", "xargs"),
    )
)
_NO_CLIENT = frozenset(("init", "systemd", "tini", "dumb-init", "docker-init", "launchd", "catatonit"))
_DEEPEST = 16
_PARENT, _START = 1, 19  # of what stands behind the name in `/proc/PID/stat`: proc_pid_stat(5), fields 4 and 22
_TERMINALS = ("/dev/pts/", "/dev/tty", "/dev/console")
_DEAD = frozenset("ZXx")


def client_process(start: int | None = None) -> tuple[int, str]:
    """Return the process that called a hook, seen through the shells between, and its start; (0, "") if none is known.

    Args:
        start: the first to be asked; the parent of this process by default.
    """
    pid = os.getppid() if start is None else start
    for _ in range(_DEEPEST):
        name, parent, _, ticks = _stat(pid)
        if not ticks or name in _NO_CLIENT:
            break
        if name not in _BETWEEN:
            return pid, _stamp(ticks)
        pid = parent
    return 0, ""


def own_process() -> tuple[int, str]:
    """Return this process and its start."""
    ticks = _stat(os.getpid())[3]
    return os.getpid(), _stamp(ticks) if ticks else ""


def answers_once(pid: int, options: Collection[str]) -> bool:
    """Return whether a process has one of the options, or nobody can type to it; False where none can tell."""
    line = _text(f"{pid}/cmdline") if pid > 0 else ""
    if any(word.partition("=")[0] in options for word in line.split("\0")):
        return True
    try:
        return bool(line) and not os.readlink(f"{_PROC}/{pid}/fd/0").startswith(_TERMINALS)
    except OSError:
        return False


def is_running(pid: int, started: str) -> bool | None:
    """Return whether that very process runs; None where it cannot be told."""
    if pid <= 0 or not started:
        return None
    if started.rpartition(":")[0] != _world():
        return None
    _, _, state, ticks = _stat(pid)
    return bool(ticks) and state not in _DEAD and started == _stamp(ticks)


def _stamp(ticks: str) -> str:
    return f"{_world()}:{ticks}"


def _world() -> str:
    """Return what the numbers of processes mean something in: a run of a kernel, and a namespace of it."""
    try:
        namespace = os.readlink(f"{_PROC}/self/ns/pid").strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{_text('sys/kernel/random/boot_id')[:8]}:{namespace}"


def _stat(pid: int) -> tuple[str, int, str, str]:
    """Return the name, parent, state and start of a process; empty where there is none."""
    text = _text(f"{pid}/stat")
    # The name may have spaces and brackets in it: what counts is behind the last one.
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    if len(fields) <= _START or not fields[_PARENT].isdigit():
        return "", 0, "", ""
    return head.partition("(")[2], int(fields[_PARENT]), fields[0], fields[_START]


def _text(name: str) -> str:
    try:
        with open(f"{_PROC}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
