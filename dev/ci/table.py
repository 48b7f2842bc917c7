"""The stages of `dev.ci`: checks, the tests, real data, what needs extras, and every Python present.

Owns which there are. Each row is a name, what runs, on how many processors, and the rows that must have ended before.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from dev import ROOT
from dev.ci import interpreters, programs, stages
from dev.ci.stages import ALL, Job, Machine, Stage
from sleep import settings
from sleep.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_README = re.compile(r"^[ $]*(python3 -m venv \.venv .*\.venv/bin/pytest.*)$", re.MULTILINE)
_EXTRAS = {  # the marks of the tests that need extras, which are pinned with the rest: the modules that they load
    "llm": ("llm", "numpy"),
    "relay": ("websockets", "cryptography", "nats"),
    "browser": ("playwright", "websockets"),
    "mcp": ("mcp",),
    "adapters": ("langchain", "pydantic_ai", "agents"),
}
_TESTS = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


def check(job: Job) -> int:
    """Run `inv dev.check`."""
    return job.call(str(Path(sys.executable).with_name("inv")), "dev.check")


def readme(job: Job) -> int:
    """Run the README's own words, in this environment: what they would install stands there already, pinned.

    Each command is a process of its own here, which costs more (`tests/support/forkserver.py`).
    """
    line = _README.search((ROOT / "README.md").read_text(encoding="utf-8"))
    if not line:
        job.say("README.md has no line 'python3 -m venv .venv && ... && .venv/bin/pytest ...'")
        return 1
    job.say(line[1])
    variables = {"PIP_NO_BUILD_ISOLATION": "false", "FORKSERVER": "always"}
    code = job.call("bash", "-c", line[1].replace(".venv", sys.prefix), variables=variables)
    job.say("NOT RUN here: what is marked 'torture', the long form of what has just run in short; inv dev.torture")
    return code


def real(job: Job) -> int:
    """Run the tests on real journals and with the real clients."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        return job.lack("The real journals are absent: no ../shared stands beside this clone. What they would show")
    variables = {"SLEEP_SHARED": str(shared.resolve())}
    return _marked(job, ["real"], "real and not torture", 2, variables)


def extras(job: Job) -> int:
    """Run the tests of all extras in one go; most of their time they wait for servers and clocks."""
    code, marks = 0, []
    for mark, modules in _EXTRAS.items():
        absent = [name for name in modules if job.output(sys.executable, "-c", f"import {name}") is None]
        if absent:
            code = job.lack(f"{', '.join(absent)} is absent. What the tests marked {mark!r} would show") or code
        else:
            marks.append(mark)
    if not marks:
        return code
    return _marked(job, marks, f"({' or '.join(marks)}) and not torture and not real", 3) or code


def _marked(
    job: Job, marks: Sequence[str], expression: str, workers: int, variables: Mapping[str, str] | None = None
) -> int:
    """Run the tests of an expression out of the files that name one of its marks: each worker collects them all."""
    mark = re.compile(rf"\bmark\.({'|'.join(marks)})\b")
    files = [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if mark.search(path.read_text("utf-8"))]
    return job.call(sys.executable, *_TESTS, "-n", str(workers), "-m", expression, *files, variables=variables)


TABLE = (
    Stage("clients", programs.clients, 0),
    Stage("chromium", programs.browser, 0),
    Stage("tests", readme, ALL),
)
LATER = (  # behind the other Pythons, which have one worker each: these have more, and end together
    Stage("real", real, after=("clients",)),
    Stage("extras", extras, after=("chromium",)),
    Stage("check", check),
)


def run(only: list[str]) -> int:
    """Run the stages, all or those that are named, and return the exit code.

    Raises:
        UsageError: a stage is named that is none.
    """
    with tempfile.TemporaryDirectory(prefix="sleepwake-ci-") as scratch:
        machine = Machine(ROOT, Path(scratch), dict(settings.environment()))
        table = (*TABLE, *interpreters.stages(Job("interpreters", machine)), *LATER)
        return stages.run(choose(table, only), machine, "tests")


def choose(table: Sequence[Stage], only: Sequence[str]) -> list[Stage]:
    """Return the stages that are named, with those that they come after; all, where none is named.

    Raises:
        UsageError: a stage is named that is none.
    """
    stages_by_name = {stage.name: stage for stage in table}
    if strange := [name for name in only if name not in stages_by_name]:
        raise UsageError(f"there is no stage {strange[0]!r} (one of {', '.join(stages_by_name)} would be right)")
    wanted = {*only, *(before for name in only for before in stages_by_name[name].after)}
    return [stage for stage in table if not only or stage.name in wanted]
