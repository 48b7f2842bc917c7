"""The command in the test's own process, or it, or `inv`, forked from a server that has loaded it.

Owns the server, one a worker and interpreter environment, and `run`, which stands for `subprocess.run`. A command is
forked where a test gives it a time limit or other settings of the interpreter, in threads, and with FORKSERVER=always,
which CI sets: each has then its own process, working folder, environment, pipes and exit code. Refuses what the start
itself decides: where the system has no `pidfd_open`, where PATH is another one, or with FORKSERVER=off, Python starts
anew each time.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback

_PATH = os.environ.get("PATH")
_IS_USED = hasattr(os, "pidfd_open") and os.environ.get("FORKSERVER") != "off"
_INTERPRETER = ("PYTHON", "LC_", "LANG", "LD_")  # variables that only a new interpreter obeys
_LEFT_OUT = ("sleep.conversation", "sleep.evaluation", "sleep.mcp_server", "sleep.relay")  # they load the extras
_JOURNAL = """# 2026-11-21

We chose ruff over flake8, because it is faster. The parser reads `a.py` twice. Never push to main on a Friday.

## Open

- [ ] Ask Bob about the disk
- Who owns the cache?
- We tried mmap and gave it up: it was slower.
"""
_LINES = {
    "sleepwake": (sys.executable, "-P", "-m", "sleep"),
    "inv": (sys.executable, "-P", "-c", "from invoke.main import program; program.run()"),
}


def run(words, *, cwd, env, stdin="", timeout=None, program="sleepwake"):
    """Run `sleepwake WORDS`, or `inv WORDS`, and return what `subprocess.run` would: exit code, output, errors as text.

    Raises:
        TimeoutExpired: It is still running after so many seconds, and was killed.
    """
    if program == "sleepwake" and timeout is None and _may_stay(env):
        import own_streams  # late: the server, which is this file too, has no such path  # noqa: PLC0415

        return own_streams.run(words, cwd=cwd, env=env, stdin=stdin)
    if not _IS_USED or env.get("PATH") != _PATH:
        line = (*_LINES[program], *words)
        return subprocess.run(
            line, cwd=cwd, env=env, input=stdin, capture_output=True, text=True, timeout=timeout, check=False
        )
    given = {name: value for name, value in env.items() if name.startswith(_INTERPRETER)}
    return _server(tuple(sorted(given.items()))).run(program, words, str(cwd), env, stdin, timeout)


def _may_stay(env):
    """Whether a command may run in the test's own process: it is no thread's, and its interpreter would be the same."""
    return (
        "FORKSERVER" not in env
        and threading.current_thread() is threading.main_thread()
        and all(os.environ.get(name) == env.get(name) for name in {**os.environ, **env} if _is_interpreters(name))
    )


def _is_interpreters(name):
    return name.startswith(_INTERPRETER) and name != "PYTHONPATH"


@functools.cache
def _server(variables):
    return _Server({"PATH": _PATH, "HOME": os.devnull, **dict(variables)})


class _Server:
    def __init__(self, environment):
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-P", __file__, str(theirs.fileno())),
                env=environment,
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        atexit.register(self._end)

    def _end(self):
        self._control.close()
        self._process.communicate()

    def run(self, program, words, folder, environment, stdin, timeout):
        status, theirs = socket.socketpair()
        pipes = [os.pipe(), os.pipe(), os.pipe()]
        ends = [pipes[0][0], pipes[1][1], pipes[2][1]]
        with theirs:
            socket.send_fds(self._control, [b"\0"], [*ends, theirs.fileno()])
        for end in ends:
            os.close(end)
        with status, open(pipes[0][1], "wb") as given, open(pipes[1][0]) as out, open(pipes[2][0]) as errors:
            status.sendall(json.dumps([program, words, folder, environment]).encode())
            status.shutdown(socket.SHUT_WR)
            status.settimeout(timeout)
            answer = status.makefile()
            number = answer.readline()
            assert number, f"the server of forks has ended: {self._process.communicate()}"
            texts = [_in_thread(out.read), _in_thread(errors.read), _in_thread(lambda: _feed(given, stdin))]
            until = time.monotonic() + timeout if timeout else None
            code = _line(answer)
            for text in texts:
                text.join(until and max(0, until - time.monotonic()))
            if not code or any(text.is_alive() for text in texts):
                os.kill(int(number), signal.SIGKILL)
                raise subprocess.TimeoutExpired(words, timeout)
            return subprocess.CompletedProcess(words, int(code), texts[0].result, texts[1].result)


def _line(answer):
    try:
        return answer.readline()
    except TimeoutError:
        return ""


def _in_thread(act):
    thread = threading.Thread(target=lambda: setattr(thread, "result", act()), daemon=True)
    thread.start()
    return thread


def _feed(pipe, text):
    with contextlib.suppress(BrokenPipeError), pipe:
        pipe.write(text.encode())


def _load():
    """Load all that commands load, and the patterns that each of them would read from the file beside the bytecode."""
    import sleep  # late: only the server needs it  # noqa: PLC0415
    from sleep import __main__ as command  # noqa: PLC0415

    patterns = command._prepare()
    for module in pkgutil.walk_packages(sleep.__path__, "sleep.", onerror=lambda _: None):
        if not module.name.startswith(_LEFT_OUT):
            with contextlib.suppress(ModuleNotFoundError):  # of an extra
                importlib.import_module(module.name)
    importlib.import_module("invoke.main")
    importlib.import_module("git")
    _rehearse()
    patterns.save()
    patterns.save = lambda: None
    command._prepare = lambda: patterns


def _rehearse():
    """Let a sleep and a wake read word lists and make of them what each command would make anew of no other text."""
    sys.path.append(os.path.dirname(__file__))
    from scene import Memory  # late: as above  # noqa: PLC0415

    from sleep.wake import assembly  # noqa: PLC0415

    sys.path.pop()
    memory = Memory()
    memory.journal(_JOURNAL)
    memory.sleep()
    assembly.assemble(memory.view, memory.settings)


def _serve(control):
    """Fork for every request; return in the child its four descriptors, and None in the server at the end."""
    chosen = selectors.DefaultSelector()
    chosen.register(control, selectors.EVENT_READ)
    while True:
        for key, _ in chosen.select():
            if key.data:
                pid, status = key.data
                chosen.unregister(key.fileobj)
                os.close(key.fileobj)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with contextlib.suppress(BrokenPipeError):  # nobody waited
                    os.write(status, b"%d\n" % code)
                os.close(status)
                continue
            _, ends, *_ = socket.recv_fds(control, 1, 4)
            if not ends:
                return None
            pid = os.fork()
            if not pid:
                _leave(chosen)
                return ends
            for end in ends[:3]:
                os.close(end)
            with contextlib.suppress(BrokenPipeError):
                os.write(ends[3], b"%d\n" % pid)
            chosen.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, ends[3]))


def _leave(chosen):
    """Close what is the server's alone."""
    for key in tuple(chosen.get_map().values()):
        if key.data:
            os.close(key.fileobj)
            os.close(key.data[1])
        else:
            key.fileobj.close()
    chosen.close()


def _become(ends):
    """Run the command in this process as if Python had just started, and exit."""
    from invoke.main import program as inv  # late: only a child needs them  # noqa: PLC0415

    from sleep import __main__ as command  # noqa: PLC0415

    with open(ends[3], "rb") as request:
        program, words, folder, environment = json.load(request)
    for number, end in enumerate(ends[:3]):
        os.dup2(end, number)
        os.close(end)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = [command.__file__ if program == "sleepwake" else program, *words]
    code = 0
    try:
        if program == "sleepwake":
            command.main()
        else:
            inv.run()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001  # as the interpreter would
        traceback.print_exc()
        code = 1
    if not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code & 0xFF)


def _main():
    _load()
    gc.collect()
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt):
        ends = _serve(socket.socket(fileno=int(sys.argv[1])))
        if ends:
            _become(ends)


if __name__ == "__main__":
    _main()
