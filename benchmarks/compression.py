"""What compression costs: one journal, ten megabytes of them in this process, and the same through the commands.

    python benchmarks/compression.py [--quick] [--data DIRECTORY]

Journals are made from seeds, 40 KB each; with SLEEP_SHARED set, or `--data`, also from the Markdown files below
`data/journals` there, joined to that size. Each measurement runs in a process of its own, so that peak memory is its
own. Beside a time stands its floor, reading the same text from disk and splitting it into words, in the same process.
Times are processor time: another process slows them less. Garbage is searched for as
`sleepwake sleep` does. Exits with 1 when a bar is missed; `--quick` takes 1 MB.
"""

from __future__ import annotations

import argparse
import gc
import glob
import itertools
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.dirname(HERE)
sys.path[:0] = [PROGRAM, HERE]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIZE = 40_000  # bytes of a journal
ALL, QUICK = 250, 25  # journals: 10 MB and 1 MB
_BEFORE = 4  # journals that are slept on before the one that is measured
_WORD = re.compile(r"\w+")
_SECONDS, _ONE, _PEAK = 60.0, 0.25, 300.0
_STRAIGHT = 1.5


class Row(NamedTuple):
    """A line of the table: what, its figure, its floor, and the bar with whether it is met."""

    what: str
    figure: str
    floor: str = ""
    bar: str = ""
    met: bool = True


class Lived(NamedTuple):
    """A life: seconds of import and of the sleeps by journal, of the floor, bytes in and out, and the peak in MiB."""

    taken_in: list[float]
    slept: list[float]
    floor: float
    came: int
    kept: int
    peak: float


def made(number: int) -> Iterator[str]:
    """Yield so many journals, by seed."""
    import journals  # noqa: PLC0415  # late: only the measuring process needs it

    for seed in range(1, number + 1):
        yield journals.Author(seed).by_hand(SIZE)


def found(folder: str, number: int) -> Iterator[str]:
    """Yield at most so many journals of real files, joined in their order up to the size; none is taken twice."""
    joined = ""
    left = number
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.md"), recursive=True)):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            joined += f"{file.read()}\n\n"
        while len(joined) >= SIZE and left:
            cut = joined.find("\n", SIZE) + 1 or len(joined)
            yield joined[:cut]
            joined, left = joined[cut:], left - 1


def lay(folder: str, texts: Iterator[str]) -> list[str]:
    """Write journals as files and return their paths."""
    os.makedirs(folder)
    paths = []
    for number, text in enumerate(texts, 1):
        paths.append(os.path.join(folder, f"day-{number:03}.md"))
        with open(paths[-1], "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    return paths


def live(paths: Sequence[str]) -> Lived:
    """Take in the journals one after another in this process, and sleep on each; a bar shows how far it is."""
    from sleep.__main__ import MANY  # noqa: PLC0415
    from sleep.evaluation.life import Life  # noqa: PLC0415
    from sleep.journal.imports import conversion  # noqa: PLC0415  # late: the peak is to be that of what it needs
    from sleep.tasks.output import PATIENCE, progress  # noqa: PLC0415

    gc.set_threshold(MANY)  # as the command does
    marking = 0.0
    canonical = conversion.canonical

    def timed(*given: object) -> tuple[str, int]:
        nonlocal marking
        begun = time.process_time()
        done = canonical(*given)  # type: ignore[arg-type]
        marking += time.process_time() - begun
        return done

    conversion.canonical = timed
    life = Life()
    taken_in, slept = [], []
    floor, came = 0.0, 0
    with progress("compressing", PATIENCE) as notice:
        for number, path in enumerate(paths):
            notice(number, len(paths))
            begun = time.process_time()
            text = read(path)
            _WORD.findall(text)
            floor += time.process_time() - begun
            came += len(text.encode("utf-8", "surrogateescape"))
            begun, marking = time.process_time(), 0.0
            life.live(text)
            slept.append(time.process_time() - begun - marking)
            taken_in.append(marking)
    kept = sum(len(text.encode("utf-8", "surrogateescape")) for text in life.tiers().values())
    return Lived(taken_in, slept, floor, came, kept, peak())


def one(paths: Sequence[str]) -> tuple[float, float, float, float]:
    """Return the least seconds of a journal's import, of its compression, of that with nothing known, and the floor."""
    from sleep.compression import extractive, gate, segments  # noqa: PLC0415
    from sleep.cycle import cycle_plan, journal_to_hot  # noqa: PLC0415
    from sleep.documents import paths as places  # noqa: PLC0415
    from sleep.evaluation import life as lives  # noqa: PLC0415
    from sleep.journal.imports import conversion  # noqa: PLC0415  # late: as above
    from sleep.language import salience, similarity, term_weights, terms  # noqa: PLC0415  # late: as above
    from sleep.memory.view import View  # noqa: PLC0415
    from sleep.records.address import InstanceId  # noqa: PLC0415

    life = lives.Life()
    for path in paths[:_BEFORE]:
        life.live(read(path))
    text = read(paths[_BEFORE])
    instance = InstanceId(_BEFORE + 1, lives.TAG)
    fields = {"started": lives.NOW, "ended": lives.NOW}
    marked = least(lambda: conversion.canonical(text, instance, fields, {}))
    path = places.journal(instance.number)
    life.tree.take({path: conversion.canonical(text, instance, fields, {})[0]})

    def compressed() -> None:
        # As in a process that just began.
        for module in (extractive, gate, similarity, segments, salience, terms, term_weights):
            for one in vars(module).values():
                if hasattr(one, "cache_clear"):
                    one.cache_clear()
        view = View(life.tree)
        decided = journal_to_hot.journal_to_hot(view, life.settings, path)
        cycle_plan.check(view, decided, path, life.settings)

    return marked, least(compressed), least(lambda: _WORD.findall(read(paths[_BEFORE]))), peak()


def read(path: str) -> str:
    """Return a file's text."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def least(act: Callable[[], object], runs: int = 7) -> float:
    """Return the least seconds that an act takes: what else the machine does can only add."""
    spent = []
    for _ in range(runs):
        begun = time.process_time()
        act()
        spent.append(time.process_time() - begun)
    return min(spent)


def peak() -> float:
    """Return this process's peak memory in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1)


def commands(folder: str, paths: Sequence[str]) -> Iterator[tuple[str, float, float, float]]:
    """Yield (command, seconds, seconds of the processor, peak in MiB) of importing the journals and sleeping on all."""
    os.makedirs(folder)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLEEP_", "PYTHON"))}
    environ |= {"PYTHONPATH": PROGRAM, "HOME": folder}
    for words in (("init", "--quiet"), ("config", "user.name", "A Person"), ("config", "user.email", "p@example.org")):
        subprocess.run(("git", *words), cwd=folder, check=True, env=environ)
    pattern = os.path.join(os.path.dirname(paths[0]), "*.md")
    for words in (("init",), ("journal.import", pattern), ("sleep",)):
        begun = time.perf_counter()
        child = subprocess.Popen(
            (sys.executable, "-m", "sleep", *words), cwd=folder, env=environ, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"sleepwake {' '.join(words)} ended with {child.returncode}")
        wall = time.perf_counter() - begun
        most = usage.ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1)
        yield words[0], wall, usage.ru_utime + usage.ru_stime, most


def rows(folder: str, name: str, paths: Sequence[str]) -> Iterator[Row]:
    """Measure the journals at these paths."""
    with multiprocessing.get_context("spawn").Pool(1) as apart:
        marked, compressed, floor, _ = apart.apply(one, (paths,))
    yield Row(f"{name}: one journal, its import", shown(marked), times(marked, floor))
    met = compressed <= _ONE
    yield Row("  its compression", shown(compressed), times(compressed, floor), f"at most {_ONE:g} s", met)
    with multiprocessing.get_context("spawn").Pool(1) as apart:
        lived = apart.apply(live, (paths,))
    taken, slept = sum(lived.taken_in), sum(lived.slept)
    share = lived.came / (ALL * SIZE)
    bar = _SECONDS * share
    yield Row(f"{len(paths)} journals, {lived.came / 1e6:.1f} MB, compressed", shown(slept), times(slept, lived.floor),
              f"at most {bar:.0f} s", slept <= bar)  # fmt: skip
    yield Row("  their import", shown(taken), times(taken, lived.floor))
    yield Row("  what is kept", f"{lived.came / max(1, lived.kept):.1f}:1", f"{lived.kept / 1e3:.0f} KB")
    yield Row("  peak memory", f"{lived.peak:.0f} MiB", "", f"at most {_PEAK:.0f} MiB", lived.peak <= _PEAK)
    if len(paths) >= 2 * QUICK:
        # The memory fills up first: from then on a journal must not cost more and more.
        third = len(paths) // 3
        middle, last = (statistics.median(part) for part in (lived.slept[third : 2 * third], lived.slept[2 * third :]))
        ratio = last / middle
        yield Row("  last third by the middle", f"{ratio:.2f}x", f"{shown(middle)}, {shown(last)} a journal",
                  f"at most {_STRAIGHT:g}x", ratio <= _STRAIGHT)  # fmt: skip
    for command, wall, spent, most in itertools.islice(commands(os.path.join(folder, f"{name}-git"), paths), 1, None):
        is_bound = command == "sleep"  # on all journals, which wait for it
        yield Row(f"  sleepwake {command}", shown(wall), f"processor {shown(spent)}",
                  f"at most {bar:.0f} s" if is_bound else "", wall <= bar or not is_bound)  # fmt: skip
        yield Row("    peak memory", f"{most:.0f} MiB", "",
                  f"at most {_PEAK:.0f} MiB" if is_bound else "", most <= _PEAK or not is_bound)  # fmt: skip


def shown(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def times(seconds: float, floor: float) -> str:
    """Return a floor, and how many times it a figure is."""
    return f"read and split {shown(floor)} ({seconds / max(floor, 1e-9):.0f}x)"


def main() -> int:
    """Print the table; 1 when a bar is missed."""
    asked = argparse.ArgumentParser(description="What compression costs, with its floors.")
    asked.add_argument("--quick", action="store_true", help=f"{QUICK} journals instead of {ALL}")
    asked.add_argument("--data", help="a folder of Markdown files; default: $SLEEP_SHARED/data/journals")
    given = asked.parse_args()
    number = QUICK if given.quick else ALL
    shared = os.environ.get("SLEEP_SHARED")
    data = given.data or (os.path.join(shared, "data", "journals") if shared else "")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="sleepwake-benchmark-") as folder:
        sets = [("made", made(number)), *([("real", found(data, number))] if data else [])]
        for name, texts in sets:
            paths = lay(os.path.join(folder, name), texts)
            for row in rows(folder, name, paths):
                verdict = "" if not row.bar else "met" if row.met else "MISSED"
                missed += not row.met
                line = f"{row.what:40} {row.figure:>9}  {row.floor:34} {row.bar:16} {verdict}"
                sys.stdout.write(line.rstrip() + "\n")
                sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
