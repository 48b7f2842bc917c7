"""The stages of `dev.ci`: what runs beside what, what a failure does, and what is printed last."""

from __future__ import annotations

import signal
import sys
import threading
import time

import pytest

from dev.ci import interpreters, stages, table
from dev.ci.stages import ALL, Job, Machine, Stage
from sleep.errors import UsageError


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a machine of two processors."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    before = signal.getsignal(signal.SIGTERM)
    yield Machine(tmp_path, tmp_path, {"PATH": "/usr/bin:/bin"})
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def record():
    """Return a function that makes a stage's action, and the list of what started and ended."""
    events, lock = [], threading.Lock()

    def action(job, code=0):
        with lock:
            events.append(("start", job.name))
        time.sleep(0.05)
        with lock:
            events.append(("end", job.name))
        return code

    return action, events


def test_a_failure_stops_no_other_stage(machine, record, capsys):
    """Every stage runs, a raised error is a failure, and the failed ones are named."""
    action, events = record
    rows = [Stage("one", lambda job: action(job, 3)), Stage("two", lambda _: 1 // 0), Stage("three", action)]
    assert stages.run(rows, machine, "three") == 1
    assert {name for _, name in events} == {"one", "three"}
    out = capsys.readouterr().out
    assert "ZeroDivisionError" in out
    assert out.splitlines()[-1] == "FAILED: one, two"


def test_no_more_at_once_than_processors(machine, record):
    """Stages wait for free processors and for those that they come after; one that takes all runs alone."""
    action, events = record
    rows = [
        Stage("net", action, 0),
        Stage("whole", action, ALL),
        *(Stage(name, action) for name in "abc"),
        Stage("late", action, 1, ("net", "a", "b", "c")),
    ]
    assert stages.run(rows, machine, "whole") == 0
    running, most = {}, 0
    for event, name in events:
        if event == "start":
            others = {other for other in running if other != "net"}
            assert name != "whole" or not others
            assert "whole" not in others or name == "net"
            running[name] = 1
        else:
            del running[name]
        most = max(most, len(set(running) - {"net"}))
    assert most <= 2
    assert events[-2:] == [("start", "late"), ("end", "late")]


@pytest.mark.parametrize(("code", "expected"), [(0, "9 passed in 1.00s"), (1, "1 failed, 8 passed in 1.00s")])
def test_the_last_line_is_a_summary_of_pytest(machine, capsys, code, expected):
    """The last line is the summary of the first stage that failed, else of the main one."""
    program = f"import sys; print({expected!r}); sys.exit({code})"
    rows = [
        Stage("main", lambda job: job.call(sys.executable, "-c", "print('9 passed in 1.00s')")),
        Stage("other", lambda job: job.call(sys.executable, "-c", program)),
    ]
    assert stages.run(rows, machine, "main") == code
    assert capsys.readouterr().out.splitlines()[-1] == expected


def test_what_hangs_is_ended_with_its_children(machine, monkeypatch, tmp_path):
    """A command beyond its limit is ended, and so is what it started."""
    monkeypatch.setattr(stages, "_GRACE", 5)
    mark = tmp_path / "mark"
    job = Job("hang", machine)
    assert job.call("sh", "-c", f"(sleep 1; touch '{mark}') & sleep 600", limit=0.2) == 124
    assert "!!! ended after" in job.text()
    time.sleep(1.2)
    assert not mark.exists()


def test_nothing_starts_after_a_stop(machine):
    """What runs is ended by a stop, and no command starts after it."""
    job = Job("stopped", machine)
    codes = []
    thread = threading.Thread(target=lambda: codes.append(job.call("sleep", "600")))
    thread.start()
    while not machine.processes:
        time.sleep(0.01)
    machine.stop()
    thread.join(30)
    assert codes == [-signal.SIGTERM]
    assert job.call("true") == 1


def test_what_is_absent_fails_in_ci_alone(machine):
    """What a machine lacks is said, and is a failure where CI=true."""
    job = Job("lack", machine)
    assert job.lack("What it would show") == 0
    machine.variables["CI"] = "true"
    assert job.lack("What it would show") == 1
    assert job.text().splitlines() == ["!!! What it would show is NOT shown."] * 2


def test_the_table_is_whole():
    """Each stage comes after stages that there are, and every mark of the tests belongs to one."""
    rows = (*table.TABLE, *table.LATER)
    names = {stage.name for stage in rows}
    assert all(set(stage.after) <= names for stage in rows)
    from dev.commands import MARKS  # late: it imports the table  # noqa: PLC0415

    assert {*table._EXTRAS, "real", "torture"} == set(MARKS)


def test_the_readme_has_its_line():
    """The README says how the tests run, in the words that CI takes from it."""
    assert table._README.search((table.ROOT / "README.md").read_text(encoding="utf-8"))


def test_this_python_is_no_other(machine):
    """A Python of this very version gets no stage of its own, and neither does one that does not start."""
    minor = sys.version_info[1]
    (machine.scratch / f"python3.{minor}").symlink_to(sys.executable)
    broken = machine.scratch / f"python3.{minor + 1}"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    machine.variables["PATH"] = str(machine.scratch)
    assert interpreters.stages(Job("interpreters", machine)) == []


def test_another_python_is_installed_first(machine):
    """A Python of another version is installed beside the other stages, and its tests come after that."""
    minor = min({11, 12} - {sys.version_info.minor})
    other = machine.scratch / f"python3.{minor}"
    other.write_text(f"#!/bin/sh\necho {minor}\n")
    other.chmod(0o755)
    machine.variables["PATH"] = str(machine.scratch)
    name = f"Python 3.{minor}"
    rows = [(row.name, row.processors, row.after) for row in interpreters.stages(Job("interpreters", machine))]
    assert rows == [(f"install {name}", 0, ()), (name, 1, (f"install {name}",))]


def test_a_python_between_two_others_runs_least():
    """The lowest and the highest Python run what starts git, one between them does not; no other races programs."""
    parts = [interpreters.leave_out(minor, {11, 12, 13}) for minor in (12, 13)]
    assert set(parts[0]) > set(parts[1])
    assert "tests/losses" in parts[1]
    assert interpreters.leave_out(11, {11, 12}) == interpreters.leave_out(13, {12, 13}) == parts[1]
    assert all((table.ROOT / name).is_dir() for name in parts[0] if "*" not in name)


def test_another_python_gets_what_the_default_tests_need():
    """Of the lock it gets the package, its tools for tests and what these require, each with its hashes, no more."""
    names = ("gitpython", "gitdb", "pytest", "pluggy", "numpy")
    rows = {name: f"{name}==1 \\\n    --hash=sha256:0\n" for name in names}
    assert interpreters.pinned("".join(rows.values())) == "".join(row for name, row in rows.items() if name != "numpy")


def test_a_stage_brings_those_before_it():
    """A stage that is chosen runs after those that it needs; a name that is none is refused."""
    assert [row.name for row in table.choose((*table.TABLE, *table.LATER), ["extras"])] == ["chromium", "extras"]
    assert table.choose(table.TABLE, []) == list(table.TABLE)
    with pytest.raises(UsageError, match="no stage 'nothing'"):
        table.choose(table.TABLE, ["nothing"])


def test_what_was_not_installed_fails(machine):
    """A Python whose installation failed has no tests to pass."""
    job = Job("Python 3.99", machine)
    assert interpreters._test(str(machine.scratch / "bin/pytest"), (), job) == 1
    assert job.text() == "it was not installed"


def test_marked_files_alone_are_collected(machine, monkeypatch):
    """Tests of a mark run out of the files that name it, and of no others."""
    job, calls = Job("extras", machine), []
    monkeypatch.setattr(job, "call", lambda *words, variables=None: calls.append(words) or 0)
    assert table._marked(job, ["mcp", "browser"], "mcp or browser", 3) == 0
    files = {word.rpartition("/")[2] for word in calls[0] if word.endswith(".py")}
    assert {"test_sdk.py", "test_browser.py"} <= files
    assert "test_table.py" not in files
    assert "test_nats.py" not in files
