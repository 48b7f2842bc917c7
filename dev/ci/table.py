"""The stages of `dev.ci`: checks, the tests, real data, what needs extras, and every Python present.

Owns which there are. Each row is a name, what runs, on how many processors, and the rows that must have ended before.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from dev import ROOT
from dev.ci import interpreters, programs, stages
from dev.ci.stages import ALL, Job, Machine, Stage
from sleep import settings
from sleep.errors import UsageError

_README = re.compile(r"^[ $]*(python3 -m venv \.venv .*\.venv/bin/pytest.*)$", re.MULTILINE)
_EXTRAS = {  # the marks of the tests that need extras, which are pinned with the rest: the modules that they load
    "llm": ("llm", "numpy"),
    "relay": ("websockets", "cryptography", "nats"),
    "browser": ("playwright", "websockets"),
    "mcp": ("mcp",),
    "adapters": ("langchain", "pydantic_ai", "agents"),
}
_TESTS = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
_NO_TESTS = 5  # pytest's exit code where nothing is marked so


def check(job: Job) -> int:
    """Run `inv dev.check`."""
    return job.call(str(Path(sys.executable).with_name("inv")), "dev.check")


def readme(job: Job) -> int:
    """Run the README's own words, in this environment: what they would install stands there already, pinned."""
    line = _README.search((ROOT / "README.md").read_text(encoding="utf-8"))
    if not line:
        job.say("README.md has no line 'python3 -m venv .venv && ... && .venv/bin/pytest ...'")
        return 1
    job.say(line[1])
    code = job.call("bash", "-c", line[1].replace(".venv", sys.prefix), variables={"PIP_NO_BUILD_ISOLATION": "false"})
    job.say("NOT RUN here: what is marked 'torture', the long form of what has just run in short; inv dev.torture")
    return code


def real(job: Job) -> int:
    """Run the tests on real journals and with the real clients."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        return job.lack("The real journals are absent: no ../shared stands beside this clone. What they would show")
    variables = {"SLEEP_SHARED": str(shared.resolve())}
    code = job.call(sys.executable, *_TESTS, "-n", "2", "-m", "real and not torture", variables=variables)
    return 0 if code == _NO_TESTS else code


def extras(job: Job) -> int:
    """Run the tests of all extras in one go: one collection, and one set of workers."""
    code, marks = 0, []
    for mark, modules in _EXTRAS.items():
        absent = [name for name in modules if job.output(sys.executable, "-c", f"import {name}") is None]
        if absent:
            code = job.lack(f"{', '.join(absent)} is absent. What the tests marked {mark!r} would show") or code
        else:
            marks.append(mark)
    if not marks:
        return code
    return (
        job.call(sys.executable, *_TESTS, "-n", "1", "-m", f"({' or '.join(marks)}) and not torture and not real")
        or code
    )


TABLE = (
    Stage("clients", programs.clients, 0),
    Stage("chromium", programs.browser, 0),
    Stage("tests", readme, ALL),
    Stage("check", check),
    Stage("extras", extras, after=("chromium",)),
    Stage("real", real, after=("clients",)),
)


def run(only: list[str]) -> int:
    """Run the stages, all or those that are named, and return the exit code.

    Raises:
        UsageError: a stage is named that is none.
    """
    with tempfile.TemporaryDirectory(prefix="sleepwake-ci-") as scratch:
        machine = Machine(ROOT, Path(scratch), dict(settings.environment()))
        table = (*TABLE, *interpreters.stages(Job("interpreters", machine)))
        names = [stage.name for stage in table]
        if strange := [name for name in only if name not in names]:
            raise UsageError(f"there is no stage {strange[0]!r} (one of {', '.join(names)} would be right)")
        return stages.run([stage for stage in table if not only or stage.name in only], machine, "tests")
