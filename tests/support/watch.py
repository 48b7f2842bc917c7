"""A watch for the test that hangs: its process says where each thread stands, and ends; under xdist the others go on.

Owns the timer of the system, SIGALRM's: it costs nothing, is no child's, and goes off whatever Python does. (Of
pytest's own watch, `faulthandler_timeout`, each test starts a thread and waits for its end: milliseconds on a busy
machine.) Refuses to end what a debugger has stopped, and long runs.
"""

from __future__ import annotations

import faulthandler
import os
import signal

import pytest

SECONDS = 300
_IS_THERE = hasattr(signal, "setitimer")  # it is not on Windows: there a hang is told by nobody


def prepare(file):
    """Let the end of the timer tell the file, then do what is the system's own with SIGALRM: end the process."""
    faulthandler.register(signal.SIGALRM, file, chain=True)


def begin(seconds):
    """Watch from now on for so many seconds."""
    signal.setitimer(signal.ITIMER_REAL, seconds)


def end():
    """Watch no more."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_configure(config):
    """Tell the errors of the run itself: nothing is captured yet."""
    if _IS_THERE:
        file = os.fdopen(os.dup(2), "w")
        config.add_cleanup(file.close)
        config.add_cleanup(lambda: faulthandler.unregister(signal.SIGALRM))
        prepare(file)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_protocol(item):
    """Watch each test but the long runs of `inv dev.torture`."""
    if not _IS_THERE or item.get_closest_marker("torture"):
        return (yield)
    begin(SECONDS)
    try:
        return (yield)
    finally:
        end()


@pytest.hookimpl(tryfirst=True)
def pytest_enter_pdb():
    """A person at a debugger has time."""
    if _IS_THERE:
        end()
