"""Commands that a hook runs and waits for: what writes memory loads git, which a hook cannot afford itself.

Owns their end: at the limit, when the hook is told to end, and when it is killed, the whole process group goes. Nothing
outlives the hook. A child fires no hooks again (`SLEEP_OFF`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from sleep import settings
from sleep.store import signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import Popen

    from sleep.clients.hooks.hook_run import Call

_LEAST = 0.5  # seconds without which no child is worth its start
_GRACE = 0.5  # seconds between asking a group to end and ending it
_LINUX_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# Isolated, so that no package of the same name in the project's folder is run instead; and before what is installed, so
# that a hook and its child are of one version.
_CODE = """
import sys
are_packages = [path.endswith("-packages") for path in sys.path]
sys.path.insert([*are_packages, True].index(True), sys.argv[1])
from sleep.clients.hooks import hook_child
hook_child.bind(int(sys.argv[2]))
from sleep.__main__ import main
main(["sleepwake", *sys.argv[3:]])
"""
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))


def run(words: Sequence[str], folder: str, limit: float) -> tuple[int | None, str]:
    """Run `sleepwake WORDS` in a folder and return (exit code, what it printed); the code is None at the limit.

    On failure the text is what it said on standard error. Raises OSError when no process can be made.
    """
    import subprocess  # late: few hooks have a child, and this costs 8 ms  # noqa: PLC0415

    process = subprocess.Popen(
        command(words),
        cwd=folder,
        env={**settings.environment(), "SLEEP_OFF": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number in _ENDING:
        signal.signal(number, lambda _number, _frame: _leave(process))
    try:
        try:
            out, complaint = process.communicate(timeout=max(0.0, limit))
        except subprocess.TimeoutExpired:
            code = process.poll()  # it may have ended, and left something that holds its output open
            _end(process, close=False)
            out, complaint = process.communicate(timeout=_GRACE)
            return code, _decode(code, out, complaint)
        return process.returncode, _decode(process.returncode, out, complaint)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        _end(process)
        for number, old in before.items():
            signal.signal(number, old or signal.SIG_DFL)


def command(words: Sequence[str]) -> tuple[str, ...]:
    """Return what runs `sleepwake WORDS` as a child of this process, bound to its life."""
    return (sys.executable, "-I", "-c", _CODE, _PACKAGES, str(os.getpid()), *words)


def attended(call: Call, words: Sequence[str], limit: float) -> str:
    """Run a command for a hook, in the memory's folder, log what became of it, and return what it printed."""
    if limit < _LEAST:
        call.note(f"{words[0]} is done later: the client's time is up")
        return ""
    code, output = run([*words, f"--root={call.context.base}"], call.context.base, limit)
    if code == 0:
        call.note(f"{words[0]} done, {call.left():.1f} s left")
        return output
    if code is None:
        call.note(f"{words[0]} was ended after {limit:.1f} s, and is done later")
    else:
        call.failed(f"{words[0]} ended with {code}: {output}")
    return ""


def bind(parent: int) -> None:
    """Be a child: ask Linux to kill this process when its parent dies, by whatever signal."""
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(Exception):
        import ctypes  # late: 5 ms, and on Linux alone  # noqa: PLC0415

        ctypes.CDLL(None).prctl(_LINUX_DIES_WITH_PARENT, int(signal.SIGKILL))
    if os.getppid() != parent:  # it died meanwhile
        os._exit(1)


def _leave(process: Popen[bytes]) -> None:
    _end(process)
    os._exit(0)


def _decode(code: int | None, out: bytes, complaint: bytes) -> str:
    return (out if code == 0 else complaint or out).decode("utf-8", "replace")


def _end(process: Popen[bytes], *, close: bool = True) -> None:
    signals.end_group(process, _GRACE)
    for stream in (process.stdout, process.stderr) if close else ():
        if stream:
            stream.close()
