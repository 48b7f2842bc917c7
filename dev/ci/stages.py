"""Runs stages side by side, as many as there are processors for, each with a log of its own.

Owns the order, the limit of time of a command and the closing table. A stage that fails stops none. Refuses to know
what a stage checks.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sleep.tasks.output import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

ALL = 1000  # processors: a stage that runs alone, but for stages that only wait for a network
_LIMIT = 1500  # seconds of a command: what hangs beside the limits of its own ends the stage
_GRACE = 30  # seconds until what was asked to end is killed
_COUNTS = re.compile(r"\d+ (passed|failed|errors?|skipped|deselected)|no tests ran")


@dataclass(frozen=True, slots=True)
class Stage:
    """A row of the table: what runs, on how many processors, and the stages that must have ended before it starts."""

    name: str
    run: Callable[[Job], int]
    processors: int = 1
    after: tuple[str, ...] = ()


@dataclass(slots=True)
class Machine:
    """What the stages share: the variables of their processes, to which a stage may add, and a folder for scratch."""

    root: Path
    scratch: Path
    variables: dict[str, str]
    processes: set[subprocess.Popen[bytes]] = field(default_factory=set)
    is_stopped: bool = False

    def stop(self) -> None:
        """End what runs; nothing starts any more."""
        self.is_stopped = True
        for process in tuple(self.processes):
            end(process)


class Job:
    """A stage as it runs: starts processes, and keeps the log and pytest's last line of counts."""

    def __init__(self, name: str, machine: Machine) -> None:
        self.name, self.machine = name, machine
        self.path = machine.scratch / f"{name.replace(' ', '-')}.log"
        self.path.touch()
        self.seconds = 0.0
        self.code = 0

    def say(self, text: str) -> None:
        """Add a line to the log."""
        with self.path.open("a", encoding="utf-8") as log:
            log.write(f"{text}\n")

    def call(self, *words: str, limit: float = _LIMIT, variables: Mapping[str, str] | None = None) -> int:
        """Run a command, its output to the log, and return its exit code; 124 when it was ended at the limit.

        The log is a file, for a process that the command leaves behind would hold a pipe open for ever.
        """
        if self.machine.is_stopped:
            return 1
        with self.path.open("ab") as log:
            process = subprocess.Popen(
                words,
                cwd=self.machine.root,
                env={**self.machine.variables, **(variables or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.machine.processes.add(process)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            self.say(f"!!! ended after {limit:.0f} s: {' '.join(words)[:200]}")
            end(process)
            return 124
        finally:
            self.machine.processes.discard(process)

    def output(self, *words: str, limit: float = 60) -> str | None:
        """Return what a command prints, None where it is absent, fails or hangs."""
        try:
            done = subprocess.run(
                words,
                cwd=self.machine.root,
                env=self.machine.variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def lack(self, what: str) -> int:
        """Say what cannot be shown on this machine, and return the exit code: a failure in CI alone."""
        self.say(f"!!! {what} is NOT shown.")
        return int(self.machine.variables.get("CI") == "true")

    def text(self) -> str:
        """Return the log."""
        return self.path.read_text(encoding="utf-8", errors="replace").strip()

    def summary(self) -> str:
        """Return pytest's last line of counts, "" where it has printed none."""
        return next((line for line in reversed(self.text().splitlines()) if _COUNTS.search(line)), "")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, and kill what is left of them."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)


def run(table: Sequence[Stage], machine: Machine, main: str) -> int:
    """Run the stages and return 1 when one failed, else 0.

    The last line is pytest's summary: of the first stage in the table that failed and has one, else of the stage
    `main`. SIGTERM ends what runs.
    """
    begin = time.monotonic()
    jobs = {stage.name: Job(stage.name, machine) for stage in table}
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with ThreadPoolExecutor(len(table)) as pool:
        try:
            _run_all(table, jobs, pool, os.cpu_count() or 1)
        except BaseException:  # the pool waits for its threads, and they for their processes
            machine.stop()
            raise
    return _close(table, jobs, time.monotonic() - begin, main)


def _run_all(table: Sequence[Stage], jobs: Mapping[str, Job], pool: ThreadPoolExecutor, processors: int) -> None:
    waiting, running = list(table), dict[Future[None], Stage]()
    while waiting or running:
        busy = sum(min(stage.processors, processors) for stage in running.values())
        unfinished = {stage.name for stage in (*waiting, *running.values())}
        stage = _next(waiting, processors - busy, unfinished, processors)
        if stage:
            waiting.remove(stage)
            running[pool.submit(_run_one, stage, jobs[stage.name])] = stage
            continue
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            job = jobs[running.pop(future).name]
            say(f"\n== {job.name}\n{job.text()}\n== {job.name}: {_verdict(job)}, {job.seconds:.0f} s")


def _next(waiting: Sequence[Stage], free: int, unfinished: set[str], processors: int) -> Stage | None:
    """Return the first stage that may start: none overtakes one that waits for processors alone."""
    for stage in waiting:
        if unfinished & set(stage.after):
            continue
        if min(stage.processors, processors) <= free:
            return stage
        if stage.processors:
            free = 0
    return None


def _run_one(stage: Stage, job: Job) -> None:
    begin = time.monotonic()
    say(f"== {stage.name}: started")
    try:
        job.code = stage.run(job)
    except Exception as error:  # noqa: BLE001  # a border: one stage that fails stops no other
        job.say(f"{type(error).__name__}: {error}")
        job.code = 1
    job.seconds = time.monotonic() - begin


def _verdict(job: Job) -> str:
    return f"FAILED ({job.code})" if job.code else "ok"


def _close(table: Sequence[Stage], jobs: Mapping[str, Job], seconds: float, main: str) -> int:
    """Print the table of what became of the stages."""
    say("\n== Stages")
    for job in jobs.values():
        say(f"{job.seconds:5.0f} s  {job.name:14} {_verdict(job)}")
    say(f"{seconds:5.0f} s  in all")
    failed = [jobs[stage.name] for stage in table if jobs[stage.name].code]
    if failed:
        say(f"FAILED: {', '.join(job.name for job in failed)}")
    summaries = [summary for job in (*failed, *filter(None, [jobs.get(main)])) if (summary := job.summary())]
    if summaries:
        say(summaries[0])
    return int(bool(failed))
