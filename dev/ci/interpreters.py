"""The other Pythons of this machine: which there are, and the tests on each in an environment of its own."""

from __future__ import annotations

import glob
import os
import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from dev.ci.stages import Stage

if TYPE_CHECKING:
    from dev.ci.stages import Job

LOCK = "requirements/ci.txt"
_LOWEST, _HIGHEST = 11, 19  # the minor versions that are looked for
_MINOR = "import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)"
_SECONDS = 900  # of an installation


def stages(job: Job) -> list[Stage]:
    """Return a stage for each minor version that is present, supported and not this Python's own.

    Those of whole commands (tests/losses: most of their time goes to processes) run on this Python; what is below them
    runs on each.
    """
    programs = _programs(job)
    return [Stage(f"Python 3.{minor}", partial(_test, program)) for minor, program in sorted(programs.items())]


def _programs(job: Job) -> dict[int, str]:
    """Return by minor version the Pythons that PATH and pyenv know."""
    path = job.machine.variables.get("PATH", "")
    names = (shutil.which(f"python3.{minor}", path=path) for minor in range(_LOWEST, _HIGHEST + 1))
    root = job.output("pyenv", "root")
    candidates = [*filter(None, names), *(sorted(glob.glob(f"{root}/versions/3.*/bin/python")) if root else ())]
    found: dict[int, str] = {}
    for program in candidates:
        minor = int(job.output(program, "-c", _MINOR) or 0)
        if minor >= _LOWEST and minor != sys.version_info[1]:
            found.setdefault(minor, program)
    return found


def _test(program: str, job: Job) -> int:
    place = job.machine.scratch / os.path.basename(job.path).removesuffix(".log")
    code = _install(job, program, str(place))
    # One worker, which is replaced when a test of it hangs.
    words = ("-q", "-n", "1", "-p", "no:cacheprovider", "--ignore=tests/losses")
    return code or job.call(str(place / "bin/pytest"), *words)


def _install(job: Job, program: str, place: str) -> int:
    """Install what is pinned, then the package alone: nothing is resolved and nothing comes unpinned."""
    pip = (f"{place}/bin/pip", "install", "--quiet")
    return (
        job.call(program, "-m", "venv", place)
        or job.call(*pip, "--no-compile", "--require-hashes", "-r", LOCK, limit=_SECONDS)
        or job.call(*pip, "--no-deps", "--no-build-isolation", "-e", str(job.machine.root))
        or job.call(f"{place}/bin/pip", "check")
    )
