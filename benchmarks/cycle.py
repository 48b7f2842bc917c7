"""What a cycle costs: whole commands in scratch repositories, a floor beside each, and the pure parts in this process.

    python benchmarks/cycle.py [--quick] [--runs N]

Times are medians of wall time. The floors of a command are a bare Python that does nothing and, where it commits, as
many `git commit` processes in the same repository; both run in turn with the command, so that a busy machine slows all
alike. Exits with 1 when a bar is missed. `--quick` builds 60 instances instead of 1,000, for CI.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import multiprocessing
import os
import shutil
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

_LARGE = 40_000  # bytes of the large journal
_FILES = 500
_MEGABYTE = 1e6
_MANY, _QUICK = 1_000, 60
_MEMO = "memo"  # the folder in which commands keep what functions of a text returned
_TASK = "the retry of billing"
_LOGS, _QUICK_LOGS = 120, 20  # days that a newcomer brings along


class Row(NamedTuple):
    """A line of the table: what, its figure, its floors, and the bar with whether it is met."""

    what: str
    figure: str
    floors: str = ""
    bar: str = ""
    met: bool = True


class Run(NamedTuple):
    """One run of a command: seconds of wall time, of processor time (git included), and the peak in MiB."""

    wall: float
    processor: float
    peak: float


class World:
    """A repository in which a command runs again and again, each time from the same commit.

    Args:
        folder: the repository; its tag `laid` is where it starts.
        following: path and text of a journal that is open, and not committed yet.
    """

    def __init__(self, folder: str, following: tuple[str, str] | None = None) -> None:
        self.folder = folder
        self.following = following

    def git(self, *words: str) -> str:
        """Run git and return what it says."""
        return subprocess.run(("git", *words), cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def reset(self) -> None:
        """Bring everything back, with an index that knows the files, as after a person's `git status`.

        So is the note that nothing was missing there, which the sleep before leaves.
        """
        self.git("reset", "--quiet", "--hard", "laid")
        self.git("clean", "-fdq")
        if self.following:
            with open(os.path.join(self.folder, self.following[0]), "w", encoding="utf-8") as file:
                file.write(self.following[1])
        self.git("status", "--short")
        notes = os.path.join(self.folder, ".git", "sleepwake")
        os.makedirs(notes, exist_ok=True)
        with open(os.path.join(notes, "checked"), "w", encoding="utf-8") as file:
            file.write(self.git("rev-parse", "laid^{commit}"))
        # What the commands of the instance before kept: none may know what it is about to read for the first time.
        shutil.rmtree(os.path.join(notes, _MEMO), ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copytree(f"{self.folder}.{_MEMO}", os.path.join(notes, _MEMO))

    def command(self, *words: str) -> Run:
        """Run a command of the program from the start."""
        self.reset()
        return run((sys.executable, "-m", "sleep", *words), self.folder)

    def commits(self) -> int:
        """Return how many commits there are since the start."""
        return int(self.git("rev-list", "--count", "laid..HEAD"))

    def only_commits(self, number: int) -> float:
        """Return the seconds of so many `git commit` processes that each commit one changed file."""
        self.reset()
        spent = 0.0
        for count in range(number):
            with open(os.path.join(self.folder, "main.md"), "a", encoding="utf-8") as file:
                file.write(f"{count}\n")
            words = ("git", "-c", "gc.auto=0", "commit", "-qm", f"commit {count}", "--only", "main.md")
            spent += run(words, self.folder).wall
        return spent


def run(words: Sequence[str], folder: str) -> Run:
    """Run a process to its end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLEEP_", "PYTHON"))}
    bytecode = os.path.join(tempfile.gettempdir(), "sleepwake-bytecode")  # as an installed program has it
    environ |= {"PYTHONPATH": PROGRAM, "PYTHONPYCACHEPREFIX": bytecode}
    begun = time.perf_counter()
    child = subprocess.Popen(words, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {child.returncode}: {said.decode()}")
    return Run(
        wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1)
    )


def build(folder: str, many: int) -> None:
    """Lay out the memories: of 10 and of many instances before their last, and one crowded with topics."""
    import memories  # noqa: PLC0415  # late: only the building process needs the room

    built = memories.Memory()
    for name, instances, files, size in (
        ("ten", 9, 0, memories.TYPICAL),
        ("crowd", 60, _FILES, _LARGE),
        ("many", many - 1, 0, memories.TYPICAL),
    ):
        memory = memories.Memory() if files else built
        memory.live(instances - 1 - memory.instances)
        memory.crowd(files)
        memory.lay(os.path.join(folder, name))
        live_once(os.path.join(folder, name), *memory.next_journal())
        memory.live(1)
        path, text = memory.next_journal(size)
        with open(os.path.join(folder, f"{name}.next"), "w", encoding="utf-8") as file:
            file.write(f"{path}\n{text}")

    lay_logs(folder)


def live_once(folder: str, path: str, text: str) -> None:
    """Let an instance wake, look, write a journal and sleep by commands, and keep what they keep for the next one."""
    World(folder).reset()
    for words in (("wake",), ("wake", "--task", _TASK), ("status",), ("wake.check",)):
        run((sys.executable, "-m", "sleep", *words), folder)
        World(folder).git("clean", "-fdq")
    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
        file.write(text)
    run((sys.executable, "-m", "sleep", "sleep"), folder)
    World(folder).git("tag", "--force", "laid")
    with contextlib.suppress(FileNotFoundError):
        shutil.copytree(os.path.join(folder, ".git", "sleepwake", _MEMO), f"{folder}.{_MEMO}")


def lay_logs(folder: str) -> None:
    """Lay out an empty memory, and daily logs that are to be imported into it."""
    import journals  # noqa: PLC0415  # late: only the building process needs the room
    import memories  # noqa: PLC0415

    from sleep.records.address import InstanceId  # noqa: PLC0415

    memories.Memory().lay(os.path.join(folder, "daily"))
    os.makedirs(os.path.join(folder, "logs"))
    for number in range(_LOGS):
        day, author = journals.day(InstanceId(number + 1, "abc"))[:10], journals.Author(number)
        heads = {"Done": 8, "Decisions": 3, "Open questions": 2, "Notes": 6}
        parts = [
            f"## {head}\n\n" + "".join(f"- {author.bullet()} {author.reason()}\n" for _ in range(count))
            for head, count in heads.items()
        ]
        with open(os.path.join(folder, "logs", f"{day}.md"), "w", encoding="utf-8") as file:
            file.write("\n".join((f"# {day}\n", *parts)))


def world(folder: str, name: str) -> World:
    """Return a memory as built, with the journal that comes next."""
    with open(os.path.join(folder, f"{name}.next"), encoding="utf-8") as file:
        path, _, text = file.read().partition("\n")
    return World(os.path.join(folder, name), (path, text))


def sleeping(folder: str, many: int, runs: int) -> Iterator[Row]:
    """Measure `sleep`: on a large journal among many files, and late against early."""
    crowd = world(folder, "crowd")
    crowd.command("sleep")  # the first run writes bytecode
    slept, alone, bare = [], [], []
    for _ in range(runs):
        slept.append(crowd.command("sleep"))
        steps = crowd.commits()
        alone.append(crowd.only_commits(steps))
        bare.append(nothing())
    wall, peak = median(slept), max(one.peak for one in slept)
    floors = f"{steps} git commit {shown(statistics.median(alone))} ({wall / statistics.median(alone):.1f}x), "
    floors += f"python {shown(statistics.median(bare))} ({wall / statistics.median(bare):.0f}x)"
    yield Row(f"sleep, {_LARGE // 1000} KB journal, {_FILES} files", shown(wall), floors, "at most 1 s", wall <= 1)
    yield Row("  processor time, git included", shown(statistics.median(one.processor for one in slept)))
    yield Row("  peak memory", f"{peak:.0f} MiB", "", "at most 100 MiB", peak <= 100)

    early, late = world(folder, "ten"), world(folder, "many")
    first, last, steps = [], [], 0
    for _ in range(runs):
        first.append(early.command("sleep"))
        last.append(late.command("sleep"))
        steps = late.commits()
    alone = [late.only_commits(steps) for _ in range(max(1, runs // 2))]
    ratio = statistics.median(one.wall / other.wall for one, other in zip(last, first, strict=True))
    yield Row("sleep number 10", shown(median(first)))
    floors = f"{steps} git commit {shown(statistics.median(alone))} ({median(last) / statistics.median(alone):.1f}x)"
    yield Row(f"sleep number {many:,}", shown(median(last)), floors)
    yield Row("  against number 10", f"{ratio:.2f}x", "", "at most 1.5x", ratio <= 1.5)
    spent = [statistics.median(one.processor for one in runs_) for runs_ in (first, last)]
    yield Row(
        "  processor time, git included", shown(spent[1]), f"number 10: {shown(spent[0])} ({spent[1] / spent[0]:.2f}x)"
    )


def importing(folder: str, count: int) -> Iterator[Row]:
    """Measure a newcomer's start: so many daily logs taken in at once, and the sleep on all of them."""
    daily = World(os.path.join(folder, "daily"))
    logs = sorted(os.listdir(os.path.join(folder, "logs")))[:count]
    taken = daily.command("journal.import", *(os.path.join("..", "logs", name) for name in logs))
    yield Row(f"journal.import, {count} daily logs", shown(taken.wall))
    before = daily.commits()
    slept = run((sys.executable, "-m", "sleep", "sleep"), daily.folder)
    steps = (daily.commits() - before) / count
    alone = daily.only_commits(10) / 10
    floor = f"{steps:.1f} git commit {shown(steps * alone)} ({slept.wall / count / (steps * alone):.1f}x)"
    yield Row("sleep on all of them, each", shown(slept.wall / count), floor)
    yield Row("  processor time, git included", shown(slept.processor / count))
    yield Row("  peak memory", f"{slept.peak:.0f} MiB", "", "at most 100 MiB", slept.peak <= 100)


def reading(folder: str, many: int, runs: int) -> Iterator[Row]:
    """Measure what reads or jots, on the memory of many instances with its next journal open, `wake` also without."""
    late = world(folder, "many")
    closed = World(late.folder)
    words = (
        "journal.add",
        "--kind",
        "decision",
        "--text",
        "Keep the cursor in the ledger",
        "--why",
        "a restart lost it",
    )
    for what, place, command, bar in (
        ("wake", closed, ("wake",), 0.5),
        ("wake --task", closed, ("wake", "--task", _TASK), 0.5),
        ("status", late, ("status",), 0.0),
        ("journal.add", late, words, 0.0),
        ("thread.list", late, ("thread.list",), 0.0),
        ("wake.check", late, ("wake.check",), 0.0),
    ):
        taken, bare = [], []
        for _ in range(runs):
            taken.append(place.command(*command))
            bare.append(nothing())
        wall = median(taken)
        floors = f"python {shown(statistics.median(bare))} ({wall / statistics.median(bare):.0f}x)"
        limit = f"at most {bar:g} s" if bar else ""
        yield Row(f"{what}, {many:,} instances", shown(wall), floors, limit, not bar or wall <= bar)
        yield Row("  processor time", shown(statistics.median(one.processor for one in taken)))


def inside(runs: int) -> Iterator[Row]:
    """Measure the pure parts in this process, on a large journal and on the tier it becomes."""
    import journals  # noqa: PLC0415  # late: the peak of the commands must not begin with our own size

    from sleep.compression import extractive, segments  # noqa: PLC0415
    from sleep.compression.contract import Request  # noqa: PLC0415
    from sleep.documents import journal, tier  # noqa: PLC0415
    from sleep.documents.hand import annotation  # noqa: PLC0415
    from sleep.documents.markdown import blocks  # noqa: PLC0415
    from sleep.records.address import InstanceId  # noqa: PLC0415
    from sleep.redaction import secret_scan  # noqa: PLC0415

    instance = InstanceId(7, "abc")
    text = journals.journal(instance, _LARGE)
    marked = annotation.mark(text, instance, {})
    read = journal.read(marked)
    fragments = [one.fragment for one in segments.cut(read) if one.fragment]
    request = Request("all of it", 2.0, 2500, tuple(fragments), room=2500)
    page = tier.write("", add=fragments * 5, title="All of it")
    for what, act, size in (
        ("marking", lambda: annotation.mark(text, instance, {}), len(text)),
        ("reading", lambda: journal.read(marked), len(marked)),
        ("cutting", lambda: segments.cut(read), len(marked)),
        ("choosing", lambda: extractive.fitting(fragments, request), len(marked)),
        ("blocks.parse", lambda: blocks.parse(text), len(text)),
        ("tier.parse", lambda: tier.read(page), len(page)),
        ("redaction.find", lambda: secret_scan.find(text), len(text)),
    ):
        spent = least(act, runs)
        yield Row(f"{what}, {size / 1000:.0f} KB", shown(spent), f"{size / spent / _MEGABYTE:.1f} MB/s")


def least(act: Callable[[], object], runs: int) -> float:
    """Return the least seconds that an act takes: what else the machine does can only add."""
    gc.collect()
    spent = []
    for _ in range(max(5, runs * 3)):
        begun = time.perf_counter()
        act()
        spent.append(time.perf_counter() - begun)
    return min(spent)


def nothing() -> float:
    """Return the seconds of a Python that does nothing."""
    return run((sys.executable, "-c", "pass"), HERE).wall


def median(runs: Sequence[Run]) -> float:
    """Return the median wall time."""
    return statistics.median(one.wall for one in runs)


def shown(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def main() -> int:
    """Print the table; 1 when a bar is missed."""
    asked = argparse.ArgumentParser(description="What a cycle costs, with its floors.")
    asked.add_argument("--quick", action="store_true", help=f"{_QUICK} instances instead of {_MANY}, three runs")
    asked.add_argument("--runs", type=int, default=0, help="runs of each command (7; quick: 3)")
    asked.add_argument("--memories", help="where the memories are kept, or are found from an earlier run")
    given = asked.parse_args()
    many, runs = (_QUICK, given.runs or 3) if given.quick else (_MANY, given.runs or 7)
    with tempfile.TemporaryDirectory(prefix="sleepwake-benchmark-") as scratch:
        folder = os.path.abspath(given.memories or scratch)
        if not os.path.exists(os.path.join(folder, "logs")):
            os.makedirs(folder, exist_ok=True)
            builder = multiprocessing.get_context("spawn").Process(target=build, args=(folder, many))
            builder.start()
            builder.join()
            if builder.exitcode:
                return 1
        missed = 0
        logs = _QUICK_LOGS if given.quick else _LOGS
        parts = (sleeping(folder, many, runs), importing(folder, logs), reading(folder, many, runs), inside(runs))
        for row in itertools.chain(_heading(), *parts):
            verdict = "" if not row.bar else "met" if row.met else "MISSED"
            missed += not row.met
            sys.stdout.write(f"{row.what:40} {row.figure:>9}  {row.floors:50} {row.bar:16} {verdict}".rstrip() + "\n")
            sys.stdout.flush()
    return int(missed > 0)


def _heading() -> Iterator[Row]:
    yield Row("what", "median", "floor (times the floor)", "bar")


if __name__ == "__main__":
    sys.exit(main())
