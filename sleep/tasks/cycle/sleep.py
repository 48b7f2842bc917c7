"""`sleep` and what belongs to it: resume, undo, and the debt that it settles."""

from __future__ import annotations

from typing import Any

from invoke.collection import Collection

from sleep.cycle import sleep as sleeps
from sleep.history.rebuild import undo as undoing
from sleep.tasks.cycle import debt, sleep_command
from sleep.tasks.cycle.sleep_command import Sleep
from sleep.tasks.form import PATIENCE, facts, here, now, number, progress, say, task


@task(
    default=True,
    help={
        "instance": "sleep on this instance only; default: on every one that no cycle has slept on, in order",
        "dry_run": "print the plan, the ratios and a unified diff; change nothing",
        "ask": "in a dry run too, ask the program or model that is set up, which may cost",
    },
)
def sleep(
    _c: Any, instance: str = "", dry_run: bool = False, ask: bool = False, json: bool = False, root: str = ""
) -> int:
    """Compress journal -> hot -> warm -> cold, one commit a step; twice in a row the second does nothing.

    What git took out of the memory since the last good sleep is named; it exits with 1 then.

    Example: sleepwake sleep --dry-run
    """
    return sleep_command.run(Sleep(instance, dry_run, ask, json, root))


@task()
def resume(_c: Any, json: bool = False, root: str = "") -> int:
    """Finish a sleep that a crash cut off: the interrupted step, then the steps that are left.

    Example: sleepwake sleep.resume
    """
    with progress("sleeping", PATIENCE) as notice:
        report = sleeps.run(here(root), now(), notice=notice)
    return sleep_command.show(report, json=json)


@task(
    help={
        "cycle": "the cycle's number; default: the last one",
        "instance": "the cycle's instance, as i7qxk, where two branches gave two cycles the same number",
        "dry_run": "print what would change; change nothing",
    },
)
def undo(
    _c: Any, cycle: str = "", instance: str = "", dry_run: bool = False, json: bool = False, root: str = ""
) -> None:
    """Undo a cycle in a new commit: the last one exactly, an older one by rebuilding the later ones without it.

    Example: sleepwake sleep.undo --cycle 12 --dry-run
    """
    done = undoing.undo(here(root), number(cycle, "cycle"), instance=instance, dry_run=dry_run)
    if json:
        return facts(done._asdict())
    say(
        f"cycle {done.cycle} of instance {done.instance} {'would be' if dry_run else 'is'} undone"
        + (f" in {done.sha[:7]}" if done.sha else "")
    )
    if done.debt or done.sessions:
        undone = "would be" if dry_run else "is"
        say(f"debt {done.debt} {undone} given back" + (f": {', '.join(done.sessions)}" if done.sessions else ""))
    if done.rebuilt:
        say(f"rebuilt without it: cycles {', '.join(map(str, done.rebuilt))}")
    if done.recorded:
        say(f"kept as another compressor wrote it: cycles {', '.join(map(str, done.recorded))}")
    if done.cleaned:
        say(f"what was taken out since stays out of: {', '.join(done.cleaned)}")
    for path in done.paths:
        say(f"  {path}")
    return say(f"\n{done.diff}") if dry_run and done.diff else None


collection = Collection("sleep", sleep, resume, undo, *debt.TASKS)
