"""`inv dev.quality`: every bar of what is remembered and told, run by the shared harness, as one table.

Owns the bars, which script of the harness shows each, and how its output is read. Refuses to measure: the scorers are
the harness's, which is no part of this repository. A measure whose data or figure is missing is a bar that is missed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dev import ROOT
from sleep import settings
from sleep.tasks.output import say, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Start = Callable[[Sequence[str], Path, Path], str]  # a command, the harness's folder, where figures may go

_FLAGS = re.MULTILINE | re.DOTALL
_LIMIT = 3600  # seconds of a script
_N = r"([0-9.]+)"
_AT = (2_000, 4_000, 8_000, 20_000)
_KINDS = {"decision": 0.6, "constraint": 0.6, "task": 0.5, "blocker": 0.5, "dead_end": 0.5}


class Bar(NamedTuple):
    """A figure to reach: its name, the expression whose first group it is in the output, and the bar.

    The bar is the least that is right, or the most where `is_most`. With `rivals` it is so many times the best of what
    that expression finds: the baselines of the same run.
    """

    name: str
    pattern: str
    bar: float
    is_most: bool = False
    rivals: str = ""

    def limit(self, output: str) -> str:
        """Return the bar as it is shown."""
        least = self.least(output)
        shown = f"{least:.3g}" if least is not None else f"{self.bar:g} times the best baseline"
        return f"{'at most' if self.is_most else 'at least'} {shown}"

    def least(self, output: str) -> float | None:
        """Return the bar, None where it is of rivals that are not there."""
        if not self.rivals:
            return self.bar
        others = [float(value) for value in re.findall(self.rivals, output, _FLAGS)]
        return self.bar * max(others) if others else None


class Measure(NamedTuple):
    """A script of the harness: its name, its words, what it needs of the shared folder, its bars."""

    name: str
    words: tuple[str, ...]
    needs: tuple[str, ...]
    bars: tuple[Bar, ...]
    is_slow: bool = False


class Row(NamedTuple):
    """A row of the table: the measure, its value as it is shown, the bar, and what is said of it."""

    measure: str
    value: str
    bar: str
    verdict: str


MET, MISSED, NO_FIGURE, NO_DATA, LEFT = "met", "MISSED", "NO FIGURE", "NO DATA", "left out (--quick)"


def _row(bar: Bar, output: str) -> Row:
    """Return the row of a bar, by what a script printed."""
    match, least = re.search(bar.pattern, output, _FLAGS), bar.least(output)
    if match is None or least is None:
        return Row(bar.name, "-", bar.limit(output), NO_FIGURE)
    value = float(match[1])
    is_met = value <= least if bar.is_most else value >= least
    return Row(bar.name, match[1], bar.limit(output), MET if is_met else MISSED)


def _brief() -> Iterator[Bar]:
    for size, least in zip(_AT, (0.52, 0.70, 0.86, 0.96), strict=True):
        row = rf"^under test +{size} points "
        yield Bar(f"brief: points told in {size:,} tokens", row + _N, least)
        yield Bar(f"brief: outdated shown in {size:,} tokens", rf"{row}[0-9.]+ +stale {_N}", 0.10, is_most=True)
    yield Bar("questions answered within 200 tokens", rf"answered within 200 tokens {_N}", 0.35)
    yield Bar("questions answered within 1,000 tokens", rf"within 1,000 {_N}", 0.60)
    yield Bar("questions without an answer: refused or marked", rf"refused or marked {_N}", 0.85)
    yield Bar("questions with an answer so marked", rf"answerable so {_N}", 0.20, is_most=True)
    yield from (Bar(f"records found: {kind}", rf"records found:.* {kind} {_N} of", bar) for kind, bar in _KINDS.items())
    yield Bar("records: traps taken", rf"traps taken {_N}", 0.05, is_most=True)


def _acts() -> Iterator[Bar]:
    row = "^ +{} +[0-9]+ +[0-9]+ +"
    yield Bar("acts: F1 over all kinds", row.format("all") + rf"[0-9.]+ +[0-9.]+ +{_N}", 0.50)
    yield Bar("acts: decisions, precision", row.format("decision") + _N, 0.70)
    yield Bar("acts: decisions, recall", row.format("decision") + rf"[0-9.]+ +{_N}", 0.50)
    yield Bar("acts: constraints, precision", row.format("constraint") + _N, 0.80)
    yield Bar("acts: reasons found", row.format("all") + rf"[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +{_N}", 0.50)
    wrong = "in 100 random messages: "
    yield Bar("acts: wrong and stated, of 100 messages", rf"{wrong}stated {_N}", 1.0, is_most=True)
    yield Bar("acts: wrong and noticed, of 100 messages", rf"{wrong}stated [0-9.]+, noticed {_N}", 5.0, is_most=True)


def _wakecov() -> Iterator[Bar]:
    row = "^  system +"
    for place, (size, least) in enumerate(((1, 0.41), (2, 0.53), (5, 0.69), (10, 0.76))):
        before = r"[^|\n]*\| " * place
        yield Bar(f"wakecov: pairs in {size},000 tokens", rf"pooled pair coverage.*{row}{before}{size}k {_N}", least)


def _locomo() -> Iterator[Bar]:
    row = "^  raw journals, always answers +"
    for place, (size, least) in enumerate(zip((1, 2, 4, 8), (0.857, 0.902, 0.932, 0.960), strict=True)):
        yield Bar(f"LoCoMo: recall in {size},000 tokens", row + r"[0-9.]+ [0-9.-]+ +" * place + _N, least)
    yield Bar("LoCoMo: answer in the three best lines", rf"^  read3, 2k +{_N}", 0.53)
    yield Bar("LoCoMo: answerable, marked as not sure, %", rf"^  abstains wrongly +{_N}%", 2.0, is_most=True)


def _pages() -> Iterator[Bar]:
    for size, least in ((2_000, 0.62), (8_000, 0.88)):
        pattern = rf"^page through the gate, {size} tokens: {_N}"
        yield Bar(f"a model's page: points told in {size:,} tokens", pattern, least)


def _sumref() -> Iterator[Bar]:
    for size in (250, 500, 1_000):
        for name, key, times in (("windows", "win", 1.1), ("open items", "f_open_items", 1.0)):
            own, others = (
                rf'^ "{who}": \{{(?:(?!^ \}}).)*?^  "{size}": \{{[^}}]*?"{key}": {_N}'
                for who in ("system", r"(?!system)\w+")
            )
            yield Bar(f"sumref: {name} in {size:,} tokens", own, times, rivals=others)


def measures(program: str) -> tuple[Measure, ...]:
    """Return what is run; `program` is the command `sleepwake`, `{shared}` stands for the harness's folder."""
    evaluation, data = "{shared}/eval", "{shared}/data"
    session = f"{program} bench.session {{{{memory}}}} {{{{file}}}}"
    wake = f"{program} bench.wake {{{{memory}}}} {{{{budget}}}}"
    memory = ("--session-cmd", session, "--wake-cmd", wake)
    asked = ("--recall-batch-cmd", f"{program} bench.recall {{{{memory}}}}")
    listed = ("--records-cmd", f"{program} bench.records {{{{memory}}}}")
    labels = ("--messages", f"{data}/labels/messages.jsonl", "--labels", f"{data}/labels/labels.jsonl")
    digest = ("--cmd", f"{program} journal.digest {{{{file}}}}", "--out", "{out}")
    return (
        Measure(
            "acts",
            ("{python}", f"{evaluation}/acts.py", *labels, "--cmd", f"{program} bench.acts"),
            ("eval/acts.py", "data/labels"),
            tuple(_acts()),
        ),
        Measure(
            "brief, questions and records",
            ("{python}", f"{evaluation}/brief.py", f"{data}/briefs", f"{data}/journals", *memory, *asked, *listed),
            ("eval/brief.py", "data/briefs", "data/journals"),
            tuple(_brief()),
        ),
        Measure(
            "pages",
            ("{python}", f"{ROOT}/benchmarks/brief.py", "--pages"),
            ("data/briefs", "data/journals", "data/pages"),
            tuple(_pages()),
        ),
        Measure(
            "sumref",
            ("{python}", f"{evaluation}/sumref.py", "--transcripts", f"{data}/transcripts", *digest),
            ("eval/sumref.py", "data/transcripts"),
            tuple(_sumref()),
        ),
        Measure(
            "LoCoMo",
            ("{python}", f"{ROOT}/benchmarks/recall_quality.py", "--dataset", "locomo"),
            ("eval/memeval.py", "data/cases/locomo"),
            tuple(_locomo()),
            is_slow=True,
        ),
        Measure(
            "wakecov",
            ("{python}", f"{evaluation}/wakecov.py", f"{data}/journals", *memory),
            ("eval/wakecov.py", "data/journals"),
            tuple(_wakecov()),
            is_slow=True,
        ),
    )


def run(shared: Path, *, quick: bool, start: Start | None = None) -> int:
    """Run all measures one after the other, print the table, and return 1 where a bar is missed or has no figure.

    Args:
        shared: the harness's folder.
        quick: leave the slow measures out; they are rows of the table all the same.
        start: runs a command with the harness's folder and a scratch folder, and returns what it prints.
    """
    program = str(Path(sys.executable).with_name("sleepwake"))
    start = start or _output
    rows = [row for measure in measures(program) for row in _rows(measure, shared, start, quick=quick)]
    say(table(["measure", "value", "bar", ""], [list(row) for row in rows]))
    judged = [row for row in rows if row.verdict != LEFT]
    failed = [row for row in judged if row.verdict != MET]
    left = f", {len(rows) - len(judged)} left out" if quick else ""
    say(f"{len(judged) - len(failed)} of {len(judged)} bars met{left}")
    return int(bool(failed))


def _rows(measure: Measure, shared: Path, start: Start, *, quick: bool) -> list[Row]:
    """Return the rows of a measure: run, unless it is left out or has no data."""
    absent = [str(shared / name) for name in measure.needs if not (shared / name).exists()]
    if quick and measure.is_slow:
        return [Row(bar.name, "-", bar.limit(""), LEFT) for bar in measure.bars]
    if absent:
        say(f"NO DATA for {measure.name}: {', '.join(absent)}")
        return [Row(bar.name, "-", bar.limit(""), NO_DATA) for bar in measure.bars]
    output = _run(measure, shared, start)
    return [_row(bar, output) for bar in measure.bars]


def _run(measure: Measure, shared: Path, start: Start) -> str:
    """Return what a measure prints, and what it writes where it is asked to."""
    say(f"== {measure.name}")
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "figures.json")
        output = start(
            [word.format(python=sys.executable, shared=shared, out=out) for word in measure.words], shared, out
        )
        output += f"\n{out.read_text(encoding='utf-8')}" if out.exists() else ""
    say(f"   {measure.name}: {time.perf_counter() - begin:.0f} s")
    return output


def _output(words: Sequence[str], shared: Path, out: Path) -> str:
    """Return what a command prints; where it fails, say so with its last words."""
    environ = {**settings.environment(), "SLEEP_SHARED": str(shared)}
    where = out.parent  # scripts of the harness write figures where they run
    try:
        done = subprocess.run(
            words, cwd=where, env=environ, capture_output=True, text=True, timeout=_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        say(f"   not done within {_LIMIT} s")
        return ""
    if done.returncode and not done.stdout:
        say(f"   FAILED ({done.returncode}): {done.stderr.strip()[-300:]}")
    return done.stdout
