"""Whether this program and another checkout of it sleep alike: the same commits, byte for byte, on the same memories.

    python benchmarks/_same.py OTHER [--memories FOLDER] [--cycles N]

OTHER is the folder of the other checkout. The memories are those of `cycle.py --memories FOLDER` (a small set is built
without), and a fresh one with daily logs. Each program sleeps on a copy of each, at a moment and with dates that are
fixed, so that equal commits have equal ids. Prints for each memory the last id, the processor time and the git
processes of both, in turn; exits with 1 when a memory differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import cycle

_NOW = "2026-01-01T00:00:00Z"
_DATES = {"GIT_AUTHOR_DATE": _NOW, "GIT_COMMITTER_DATE": _NOW}
_SLEEPER = """
import resource, subprocess, sys
from sleep.cycle import sleep
from sleep.memory import place
class Enough(Exception): pass
started = [0]
really = subprocess.Popen.__init__
def counted(self, *words, **named):
    started[0] += 1
    really(self, *words, **named)
subprocess.Popen.__init__ = counted
def notice(done, every):
    if done >= int(sys.argv[2]):
        raise Enough
try:
    sleep.run(place.find(sys.argv[1]), sys.argv[3], notice=notice)
except Enough:
    pass
spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in spent), started[0])
"""


class Slept(NamedTuple):
    """What a program did: the id of its last commit, its processor time with git's in seconds, and its processes."""

    last: str
    spent: float
    processes: int


def slept(program: str, memory: str, following: tuple[str, str] | None, cycles: int) -> Slept:
    """Let a program sleep on a copy of a memory."""
    with tempfile.TemporaryDirectory(prefix="sleepwake-same-") as scratch:
        copy = shutil.copytree(memory, os.path.join(scratch, "memory"), symlinks=True)
        if following:
            cycle.World(copy).reset()
            with open(os.path.join(copy, following[0]), "w", encoding="utf-8", newline="") as file:
                file.write(following[1])
        bytecode = os.path.join(tempfile.gettempdir(), "sleepwake-bytecode")  # as an installed program has it
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLEEP_"))}
        environ |= {**_DATES, "PYTHONPATH": program, "PYTHONPYCACHEPREFIX": bytecode}
        subprocess.run((sys.executable, "-c", "import sleep.cycle.sleep, git"), env=environ, check=True)
        words = (sys.executable, "-c", _SLEEPER, copy, str(cycles), _NOW)
        said = subprocess.run(words, cwd=scratch, env=environ, check=True, capture_output=True, text=True).stdout
        last = subprocess.run(("git", "rev-parse", "HEAD"), cwd=copy, check=True, capture_output=True, text=True).stdout
        spent, processes = said.split()
        return Slept(last.strip(), float(spent), int(processes))


def imported(folder: str) -> str:
    """Return a memory into which daily logs were taken, made once."""
    place = os.path.join(folder, "imported")
    if not os.path.exists(place):
        shutil.copytree(os.path.join(folder, "daily"), place, symlinks=True)
        cycle.run((sys.executable, "-m", "sleep", "journal.import", os.path.join("..", "logs")), place)
    return place


def main() -> int:
    """Print a line for each memory; 1 when one differs."""
    asked = argparse.ArgumentParser(description="Whether two versions of the program write the same commits.")
    asked.add_argument("other", help="the folder of another checkout of the program")
    asked.add_argument("--memories", help="where the memories are kept, or are found from an earlier run")
    asked.add_argument("--cycles", type=int, default=40, help="cycles of each sleep at most (40)")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="sleepwake-same-") as scratch:
        folder = os.path.abspath(given.memories or scratch)
        if not os.path.exists(os.path.join(folder, "logs")):
            builder = multiprocessing.get_context("spawn").Process(target=cycle.build, args=(folder, 30))
            builder.start()
            builder.join()
        memories = [(name, *_laid(folder, name)) for name in ("ten", "many", "crowd")]
        memories.append(("imported", imported(folder), None))
        differing = 0
        for name, place, following in memories:
            other, this = (
                slept(os.path.abspath(one), place, following, given.cycles) for one in (given.other, cycle.PROGRAM)
            )
            differing += other.last != this.last
            verdict = "the same" if other.last == this.last else f"DIFFERS from {other.last[:12]}"
            figures = f"{other.spent:.2f} s to {this.spent:.2f} s ({this.spent / other.spent:.2f}x)"
            processes = f"{other.processes} to {this.processes} processes"
            sys.stdout.write(f"{name:10} {this.last[:12]} {verdict:12} {figures}, {processes}\n")
            sys.stdout.flush()
    return int(differing > 0)


def _laid(folder: str, name: str) -> tuple[str, tuple[str, str] | None]:
    laid = cycle.world(folder, name)
    return laid.folder, laid.following


if __name__ == "__main__":
    sys.exit(main())
