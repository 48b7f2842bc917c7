"""What recall costs: the index of a made-up memory built, asked and brought up to date, beside plain FTS5 and a search.

    python benchmarks/recall.py [--quick] [--megabytes 10 100] [--runs N]

Journals have 10 kB each, so 10 MB are a thousand instances. A cold recall is a whole process: the least wall time of
the runs, the median in brackets, a bare Python beside it. Warm recalls are asked in this process, 400 questions of
words that the journals have, rare and frequent ones, the least of five for each. Exits with 1 when a bar is missed; the
bars of a second, larger size are three times those of the first. `--quick` takes 1 MB, for CI.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import journals  # noqa: E402  # the path has to be there first
from cycle import least, shown  # noqa: E402

from sleep.recall import search as recall  # noqa: E402
from sleep.recall.index import access  # noqa: E402
from sleep.recall.index.index_form import NAME  # noqa: E402
from sleep.records.address import InstanceId  # noqa: E402
from sleep.store import layout  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SIZE = 10_000  # bytes of a journal
_DISTINCT = 400  # journals that differ; larger memories have them again under other numbers
_ASKED = 400
_COLD, _WARM, _BUILD, _UPDATE, _LARGER = 0.150, 0.010, 20.0, 0.100, 3.0
# What a task does, without the task: find the memory, open its index, ask, print.
_PROGRAM = """
import sys
from sleep.recall import search as recall
from sleep.recall.index import access
from sleep.store import layout
root = layout.find_root(sys.argv[1])
print(recall.recall(access.open_index(root), sys.argv[2]).text)
"""


def lay(folder: str, megabytes: float) -> list[str]:
    """Write a memory of so many megabytes of journals; return what a journal says, to ask for it."""
    os.makedirs(os.path.join(folder, "journal"))
    os.makedirs(os.path.join(folder, "memory", "hot"))
    subprocess.run(("git", "init", "--quiet", folder), check=True)
    _write(folder, "memory/sleep.yaml", "format: 1\n")
    made: list[str] = []
    count = round(megabytes * 1e6 / _SIZE)
    for number in range(1, count + 1):
        if len(made) < _DISTINCT:
            made.append(journals.journal(InstanceId(len(made) + 1, "abc"), _SIZE, [], {}))
        old = (number - 1) % len(made)
        text = (
            made[old]
            .replace(f"i{old + 1}abc.", f"i{number}abc.")
            .replace(f"instance: {old + 1}\n", f"instance: {number}\n")
        )
        _write(
            folder, f"journal/instance-{number}.md", f"{text}\n- run {number * 7919 % 1_000_003:06x} of part{number}\n"
        )
    items = "".join(f"- the {number}th note of hot memory [i{number}abc.2]\n" for number in range(1, min(count, 60)))
    _write(folder, "memory/hot/context.md", f"# Context\n\n## Notes\n\n{items}")
    return made


def _write(folder: str, path: str, text: str) -> None:
    with open(os.path.join(folder, *path.split("/")), "w", encoding="utf-8") as file:
        file.write(text)


def questions(texts: Sequence[str]) -> list[str]:
    """Return questions of three to eight words that stand together somewhere."""
    dice = random.Random(1)
    found = []
    while len(found) < _ASKED:
        rows = [row for row in dice.choice(texts).split("\n") if len(row) > 40]
        words = re.findall(r"[\w./-]+", dice.choice(rows))
        found.append(f"What about {' '.join(dice.sample(words, min(len(words), dice.randint(3, 8))))}?")
    return found


def measured(folder: str, megabytes: float, runs: int) -> Iterator[tuple[str, float, str, float]]:
    """Yield what was measured: its name, seconds (or megabytes a minute), how it is shown, and the median."""
    texts = lay(folder, megabytes)
    root = layout.find_root(folder)
    start = time.perf_counter()
    opened = access.open_index(root)
    taken = time.perf_counter() - start
    place = os.path.join(root.state_dir, NAME)
    asked = questions(texts)
    opened.close()
    opened = access.open_index(root)
    spent = []
    for question in asked:
        recall.recall(opened, question)  # twice, for a neighbour's turn on the processor is no time of ours
        spent.append(least(lambda question=question: recall.recall(opened, question), 1))
    spent.sort()
    start = time.process_time()
    for question in asked:
        recall.recall(opened, question)
    mean = (time.process_time() - start) / len(asked)
    yield "warm, mean, processor", mean, shown(mean), 0.0
    yield "build, MB a minute", megabytes / taken * 60, f"{megabytes / taken * 60:.0f}", 0.0
    size = os.path.getsize(place) / 1e6
    yield "size of the index, MB", size, f"{size:.1f}", 0.0
    yield "warm, median", statistics.median(spent), shown(statistics.median(spent)), 0.0
    p99 = spent[int(0.99 * len(spent))]
    yield "warm, p99", p99, shown(p99), 0.0
    opened.close()
    # Settle: files are older than what a change may hide in.
    time.sleep(2.1)
    access.open_index(root).close()
    cold = [_process(_PROGRAM, folder, question) for question in itertools.islice(itertools.cycle(asked), runs)]
    yield "cold process", min(cold), shown(min(cold)), statistics.median(cold)
    bare = [_process("pass", folder, "") for _ in range(runs)]
    yield "bare Python", min(bare), shown(min(bare)), statistics.median(bare)
    updates = []
    for number in range(runs):
        _write(folder, f"journal/instance-{10_000_000 - 1 - number}.md", texts[number % len(texts)])
        _write(folder, "memory/hot/context.md", f"# Context\n\n## Notes\n\n- note {number} [i1abc.2]\n" * 20)
        start = time.perf_counter()
        access.open_index(root).close()
        updates.append(time.perf_counter() - start)
    yield "update after a sleep", min(updates), shown(min(updates)), statistics.median(updates)
    yield from beside(folder, asked, runs)


def beside(folder: str, asked: Sequence[str], runs: int) -> Iterator[tuple[str, float, str, float]]:
    """Yield what others need: a search of all files, and FTS5 over whole lines with its own ranking."""
    search = shutil.which("rg") or shutil.which("grep") or ""
    spent = []
    for question in asked[:runs]:
        words = [part for word in question.split()[2:] for part in ("-e", word.strip("?"))]
        start = time.perf_counter()
        subprocess.run(
            (search, "-r" if search.endswith("grep") else "-n", "-i", "-F", *words, f"{folder}/journal"),
            capture_output=True,
            check=False,
        )
        spent.append(time.perf_counter() - start)
    yield os.path.basename(search), min(spent), shown(min(spent)), statistics.median(spent)
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE VIRTUAL TABLE plain USING fts5(line, tokenize='porter')")
        start = time.perf_counter()
        for name in os.listdir(f"{folder}/journal"):
            with open(f"{folder}/journal/{name}", encoding="utf-8") as file:
                base.executemany("INSERT INTO plain VALUES (?)", ((line,) for line in file if line.strip()))
        taken = time.perf_counter() - start
        yield "plain FTS5, build", taken, shown(taken), 0.0
        spent = []
        for question in asked[:100]:
            words = " OR ".join(f'"{word.strip("?")}"' for word in question.split()[2:])
            start = time.perf_counter()
            base.execute("SELECT line FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 20", (words,)).fetchall()
            spent.append(time.perf_counter() - start)
        spent.sort()
        yield "plain FTS5, warm p99", spent[98], shown(spent[98]), 0.0


def _process(program: str, *words: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        (sys.executable, "-c", program, *words),
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(HERE)},
    )
    return time.perf_counter() - start


def main() -> int:
    """Print the table; return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--megabytes", type=float, nargs="+", default=[10.0])
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    missed = 0
    first: dict[str, float] = {}
    for megabytes in [1.0] if options.quick else options.megabytes:
        with tempfile.TemporaryDirectory(prefix="recall-") as folder:
            for what, value, figure, median in measured(os.path.join(folder, "memory"), megabytes, options.runs):
                times = _LARGER if first and what in first else 1.0
                bar = {"cold process": _COLD, "warm, p99": _WARM, "update after a sleep": _UPDATE}.get(what)
                limit = bar and (bar * times)
                is_met = value >= _BUILD if what.startswith("build") else limit is None or value <= limit
                missed += not is_met
                note = f" ({shown(median)})" if median else ""
                told = f"  bar {shown(limit)}" if limit else f"  bar {_BUILD:.0f}" if what.startswith("build") else ""
                print(
                    f"{megabytes:6.0f} MB  {what:24}{figure + note:24}{told}{'' if is_met else '  MISSED'}", flush=True
                )
                first.setdefault(what, value)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
