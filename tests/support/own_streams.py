"""The command in the test's own process, with streams, folder and environment of its own: no fork, no cold start.

Owns `run`, which stands for `subprocess.run`, and `child`, which stands for what a hook runs and waits for. What the
program holds from one command to the next is what functions of a text returned; all else it reads anew. Refuses what
only another process shows: see `forkserver.run`.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import subprocess
import sys
import tempfile
import time

import pytest

_NAMES = ("stdin", "stdout", "stderr")


def run(words, *, cwd, env, stdin=""):
    """Run `sleepwake WORDS` and return what `subprocess.run` would: exit code, output, errors as text."""
    from sleep import __main__ as command  # late: it loads the program  # noqa: PLC0415
    from sleep.clients.hooks import hook_child  # late: as above  # noqa: PLC0415
    from sleep.memory import memo_file  # late: as above  # noqa: PLC0415

    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in _NAMES]
        files[0].write(stdin.encode())
        files[0].seek(0)
        with _at(cwd, env), _streams(files), pytest.MonkeyPatch.context() as patch:
            patch.setattr(hook_child, "run", child)
            patch.setattr(memo_file, "_program", _once(memo_file._program))
            code = _end(command.main, ["sleepwake", *words])
        texts = []
        for file in files[1:]:
            file.seek(0)
            texts.append(file.read().decode().replace("\r\n", "\n"))
        return subprocess.CompletedProcess(words, code, *texts)


@functools.cache
def _once(function):
    """Return a function that is called once in this process: it looks at each file of the program."""
    return functools.cache(function)


def child(words, folder, _):
    """Run the command that a hook waits for in this process too, and return its exit code and what it printed."""
    done = run(words, cwd=folder, env={**os.environ, "SLEEP_OFF": "1"})
    return done.returncode, done.stderr or done.stdout if done.returncode else done.stdout


def _end(main, words):
    """Return the exit code, as the interpreter would."""
    try:
        main(words)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    return 0


@contextlib.contextmanager
def _at(folder, environment):
    """Stand in a folder with these variables alone; whether garbage is searched for is as before, too."""
    before, variables, words, searches = os.getcwd(), dict(os.environ), sys.argv, gc.isenabled()
    try:
        os.chdir(folder)
        _set(environment)
        yield
    finally:
        os.chdir(before)
        _set(variables)
        sys.argv = words
        (gc.enable if searches else gc.disable)()


def _set(variables):
    for name in set(os.environ) - set(variables):
        del os.environ[name]
    for name, value in variables.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    time.tzset()


@contextlib.contextmanager
def _streams(files):
    """Lead the three streams to files, for Python and for the programs that it starts."""
    for name in _NAMES[1:]:
        getattr(sys, name).flush()
    before = [(os.dup(number), getattr(sys, name)) for number, name in enumerate(_NAMES)]
    try:
        for number, (name, file) in enumerate(zip(_NAMES, files, strict=True)):
            os.dup2(file.fileno(), number)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
        yield
    finally:
        for number, (name, (old, stream)) in enumerate(zip(_NAMES, before, strict=True)):
            with contextlib.suppress(OSError, ValueError):  # it closed the stream, or nobody can write there
                getattr(sys, name).close()
            os.dup2(old, number)
            os.close(old)
            setattr(sys, name, stream)
