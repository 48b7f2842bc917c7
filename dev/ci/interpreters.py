"""The other Pythons of this machine: which there are, and the tests on each in an environment of its own."""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from dev import ROOT
from dev.ci.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dev.ci.stages import Job

LOCK = "requirements/ci.txt"
_LOWEST, _HIGHEST = 11, 19  # the minor versions that are looked for
_MINOR = "import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)"
_SECONDS = 900  # of an installation
_BUILD = ("hatchling", "editables")  # what an installation from the clone runs
_PINNED = re.compile(r"^([\w.-]+)==.*\n(?: .*\n)*", re.MULTILINE)  # a package of the lock, and its hashes
_END = re.compile(r"[^\w.-]")  # of a name
# Most of their time goes to processes, git and the clock, and none of it hangs on the Python: whole commands, criteria
# that other tests show by the part, programs killed and racing; and tests of this repository, which start linters.
_HERE_ALONE = (
    "tests/losses",
    "tests/requirements",
    "tests/dev",
    "*/test_survival.py",
    "*/test_crash.py",
    "*/test_races.py",
)
_ENDS_ALONE = (  # most of their time goes to git, too: the lowest Python runs them and the highest, none between
    "tests/clients",
    "tests/cycle",
    "tests/history",
    "tests/journal",
    "tests/store",
    "tests/tasks",
    "tests/upkeep",
    "tests/wake",
)


def stages(job: Job) -> list[Stage]:
    """Return two stages for each minor version that is present, supported and not this Python's own.

    An installation runs beside all others, for it mostly waits.
    """
    rows, programs = [], _programs(job)
    for minor, program in sorted(programs.items()):
        place, name = job.machine.scratch / f"python3.{minor}", f"Python 3.{minor}"
        left_out = leave_out(minor, {sys.version_info[1], *programs})
        rows.append(Stage(f"install {name}", partial(_install, program, str(place)), 0))
        rows.append(Stage(name, partial(_test, str(place / "bin/pytest"), left_out), after=(f"install {name}",)))
    return rows


def leave_out(minor: int, minors: Collection[int]) -> tuple[str, ...]:
    """Return what does not run on another Python, fewer on the lowest and the highest of those that there are."""
    return _HERE_ALONE if minor in (min(minors), max(minors)) else (*_HERE_ALONE, *_ENDS_ALONE)


def _programs(job: Job) -> dict[int, str]:
    """Return by minor version the Pythons that PATH and pyenv know."""
    path = job.machine.variables.get("PATH", "")
    names = (shutil.which(f"python3.{minor}", path=path) for minor in range(_LOWEST, _HIGHEST + 1))
    root = job.output("pyenv", "root")
    candidates = [*filter(None, names), *(sorted(glob.glob(f"{root}/versions/3.*/bin/python")) if root else ())]
    programs: dict[int, str] = {}
    for program in candidates:
        minor = int(job.output(program, "-c", _MINOR) or 0)
        if minor >= _LOWEST and minor != sys.version_info[1]:
            programs.setdefault(minor, program)
    return programs


def _test(pytest: str, left_out: Sequence[str], job: Job) -> int:
    if not os.access(pytest, os.X_OK):
        job.say("it was not installed")
        return 1
    # One worker, which is replaced when a test of it hangs; few examples: they look for slips, not for Pythons.
    words = ("-q", "-n", "1", "-p", "no:cacheprovider", "--hypothesis-profile=few")
    return job.call(pytest, *words, *(f"--ignore-glob={name}" for name in left_out))


def pinned(lock: str) -> str:
    """Return those rows of the lock that the default tests need: the package, `dev`, `bench`, and what these require.

    What the other extras bring is five times as large, and the tests of their marks run on one Python.
    """
    rows = {row[1]: row[0] for row in _PINNED.finditer(lock)}
    names = [*_BUILD, *_required("sleepwake", "dev"), *_required("sleepwake", "bench")]
    for name in names:  # it grows
        names += [other for other in _required(name) if other not in names] if name in rows else []
    return "".join(row for name, row in rows.items() if name in names)


def _required(name: str, extra: str = "") -> list[str]:
    """Return the names of what an installed package requires, with an extra of it; whatever the machine and Python."""
    names = []
    for line in metadata.requires(name) or ():
        other, _, condition = line.replace('"', "'").partition(";")
        if "extra ==" not in condition or (extra and f"extra == '{extra}'" in condition):
            names.append(re.sub(r"[-_.]+", "-", _END.split(other)[0]).lower())
    return names


def _install(program: str, place: str, job: Job) -> int:
    """Install what is pinned, then the package alone: nothing is resolved and nothing comes unpinned."""
    part = job.machine.scratch / f"{os.path.basename(place)}.txt"
    part.write_text(pinned((ROOT / LOCK).read_text(encoding="utf-8")), encoding="utf-8")
    pip = (f"{place}/bin/pip", "install", "--quiet")
    return (
        job.call(program, "-m", "venv", place)
        or job.call(*pip, "--no-compile", "--require-hashes", "-r", str(part), limit=_SECONDS)
        or job.call(*pip, "--no-deps", "--no-build-isolation", "-e", str(job.machine.root))
        or job.call(f"{place}/bin/pip", "check")
    )
