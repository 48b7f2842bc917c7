"""Every test runs with a git and an environment of its own: nothing of the machine's leaks in or out.

Says at the end of a run what was left out of it, also under `-q`.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import shutil
import signal
import sys
import tempfile

import pytest
import watch
from _pytest.pathlib import import_path
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

# No test is timed: on a machine that others use, the same example takes ten times as long. The examples are the same in
# every run, and few, so that the tests say of a change what it does; `inv dev.torture` looks for others, and for more,
# with `--hypothesis-profile=random`.
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("seeded", settings.get_profile("random"), derandomize=True, max_examples=10)
settings.register_profile("few", settings.get_profile("seeded"), max_examples=5)
settings.load_profile("seeded")

_GITCONFIG = """\
[user]
\tname = Ada Example
\temail = ada@example.org
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[advice]
\tdetachedHead = false
[maintenance]
\tauto = false
"""


# Tests make a quarter of a million files, most of them git's: on a disk it takes minutes to remove those of a run.
_MEMORY = "/dev/shm"  # noqa: S108  # each test has a folder of its own in it
if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 2**31:
    os.environ["TMPDIR"] = tempfile.tempdir = _MEMORY

# Beside Python's bytecode pytest keeps what it made of a module's assertions. Where none may be written, each worker
# makes it anew in each run, for six seconds, and programs that tests start compile themselves. `.ci/run` does the same.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell starts a job in the background with the interrupt ignored, and every program below it would ignore it too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CLEARED = ("GIT_", "SLEEP_", "XDG_", "CLAUDE", "CODEX", "GEMINI", "QWEN", "COPILOT")
_numbers = itertools.count()
_homes = []  # at most one: its path, and what `_stamp` says of it


def _make_home(folder):
    home = folder / f"home-{next(_numbers)}"  # `mktemp` would look for a free name each time
    home.mkdir()
    (home / ".gitconfig").write_text(_GITCONFIG, encoding="utf-8")
    return home, _stamp(home)


def _stamp(home):
    """Return what changes where a file of the home is added, removed or written; None where the home is gone."""
    try:
        config = os.stat(home / ".gitconfig")
        return os.listdir(home), config.st_mtime_ns, config.st_size
    except OSError:
        return None


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory, monkeypatch):
    """Give git an empty home, one identity, no system settings and no template; clear what git, we and clients set.

    A home is the next test's too for as long as it is as it was made.
    """
    home, stamp = _homes.pop() if _homes else _make_home(tmp_path_factory.getbasetemp())
    for name in os.environ:
        if name.startswith(_CLEARED) or name in {"EMAIL", "VISUAL", "EDITOR"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", "")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")  # git waits ten seconds for it to be read
    monkeypatch.setenv("GIT_TEST_FSYNC", "0")  # nothing here cuts the power, and a disk that others use is slow
    monkeypatch.setattr(os, "fsync", lambda _: None)
    if "sleep.store.files" in sys.modules:  # so no threads wait for the disk; those of forked commands do
        monkeypatch.setattr(sys.modules["sleep.store.files"], "_AT_ONCE", 1)
    yield home
    if _stamp(home) == stamp:
        _homes.append((home, stamp))
    else:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def scene(tmp_path):
    """Return a memory at the top of a repository, committed."""
    from scene import Scene  # late: it loads the program, which a test of a small module need not  # noqa: PLC0415

    return Scene(tmp_path / "project")


@pytest.fixture
def sleepwake(capfd):
    """Return a function that runs the command in this process and returns (exit code, output, errors)."""
    from sleep import __main__ as command  # late: as above  # noqa: PLC0415

    def sleepwake(*words):
        capfd.readouterr()
        code = 0
        try:
            command.main(["sleepwake", *words])
        except SystemExit as end:
            code = end.code or 0
        said = capfd.readouterr()
        return code, said.out, said.err

    return sleepwake


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers(config):
    """Run a single file in this process: it starts at once, and a debugger can stop in it. Else use all processors.

    A test waits for git and for other processes a third of its time: a worker more than there are processors keeps
    these at work.
    """
    processors = yield
    return 0 if len(config.args) == 1 and ".py" in config.args[0] else processors + 1


def pytest_configure(config):
    """Make the folder that the workers of a run share for `template`, and watch for tests that hang."""
    config.pluginmanager.register(watch)
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="sleepwake-tests-")
        os.environ["ORIGINALS"] = folder.name
        config.add_cleanup(folder.cleanup)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Let each worker of xdist import a part of the modules before it collects all of them.

    pytest keeps of a module what it made of its assertions. In a fresh checkout all workers would make the same, for
    five seconds each.
    """
    worker = getattr(session.config, "workerinput", None)
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    folders = [session.config.rootpath / folder for folder in session.config.args]
    modules = [path for folder in folders for path in sorted(folder.rglob("test_*.py"))]
    for path in modules[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # the collection tells it
            import_path(path, mode="importlib", root=session.config.rootpath, consider_namespace_packages=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Let a worker of xdist report each test once: that it began, was set up and torn down says nothing if it passed.

    A message costs both processes a third of a millisecond. Who asks for durations, for XML or for more is told all.
    """
    asked = item.config.option
    if not hasattr(item.config, "workerinput") or asked.durations is not None or asked.xmlpath or asked.verbose > 0:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


# Garbage is searched for once in so many objects, as the command does (`MANY`): else it takes a twelfth of the time.
gc.set_threshold(100_000)


def pytest_collection_finish():
    """Let Python's search for garbage pass over what was collected: it lives as long as the process."""
    gc.collect()
    gc.freeze()


_left_out = {}


def _marks(config):
    ours = (line.partition(":")[0] for line in config.getini("markers"))
    return [mark for mark in ours if f"not {mark}" in config.getoption("markexpr")]


def pytest_deselected(items):
    """Count what each mark kept away."""
    for item in items:
        for mark in _marks(item.config):
            if item.get_closest_marker(mark):
                _left_out[mark] = _left_out.get(mark, 0) + 1


def pytest_sessionfinish(session):
    """Hand the counts of a worker of xdist over: each has collected all the tests."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = _left_out


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Take the counts of a worker."""
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter, config):
    """Name the tests that did not run, and the command that runs them."""
    for mark in filter(_left_out.get, _marks(config)):
        command = "inv dev.torture" if mark == "torture" else f"inv dev.test --also {mark}"
        where = "" if mark != "real" or os.environ.get("SLEEP_SHARED") else ", which needs SLEEP_SHARED"
        terminalreporter.write_line(f"NOT RUN: {_left_out[mark]} marked `{mark}`; {command}{where}", yellow=True)
