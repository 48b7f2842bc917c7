"""`init`, `doctor`, `demo`."""

from __future__ import annotations

import os
import time

from sleep import settings
from sleep.cycle import debt_settlement
from sleep.debt import due
from sleep.plurals import several
from sleep.store import context as contexts
from sleep.store.git import checkout
from sleep.tasks.arguments import here, now
from sleep.tasks.output import PATIENCE, facts, progress, say, table
from sleep.tasks.task import task
from sleep.upkeep import demo as demos
from sleep.upkeep import doctor as doctors
from sleep.upkeep import ledger_rebuild, migration, setup


@task(
    "init",
    help={
        "separate": "a repository of its own for the memory, here or at --path, ignored by the code's",
        "path": "where the separate memory goes; default .sleepwake",
        "nested": "lay a memory of its own here, though a folder above has one",
    },
)
def init(separate: bool = False, path: str = "", nested: bool = False, json: bool = False) -> None:
    """Lay out a memory in this git repository; run again it changes nothing, and it never overwrites your files.

    Example: sleepwake init
    """
    checkout.refuse_hidden(os.getcwd())  # no second memory over one that is not checked out
    root, laid = setup.init(os.getcwd(), (path or "") if separate or path else None, nested=nested)
    if json:
        return facts({"root": root, "laid": laid})
    if not laid:
        return say(f"{root} has a memory already; nothing was changed")
    say(table(["path", "what", "note"], [list(file) for file in laid]))
    return say("Next: say in main.md what this project is for, then run: sleepwake wake")


@task(
    "doctor",
    help={
        "fix": "mend what is safe to mend",
        "migrate": "bring the memory to the format of this program, in one commit; older programs refuse it then",
        "rebuild_ledger": "make the ledger of sleep debt anew, from commits and transcripts; the old one is set aside",
        "dismiss": "forget an interrupted step that cannot be finished, and leave every file as it is",
    },
)
def doctor(
    fix: bool = False,
    migrate: bool = False,
    dismiss: bool = False,
    rebuild_ledger: bool = False,
    json: bool = False,
    root: str = "",
) -> int:
    """Look for what is wrong with the memory and say how to mend it; exits with 1 if something is.

    Example: sleepwake doctor --fix
    """
    if rebuild_ledger:
        return _rebuild(root, json=json)
    if migrate:
        return _migrate(root, json=json)
    context = contexts.require(os.getcwd(), root or settings.root_override())
    is_memory = due.is_memory(context)  # else it is an older tool's folder
    if dismiss and is_memory and doctors.dismiss(here(root)) and not json:
        say("the interrupted step is forgotten; your files are as you left them")
    findings = doctors.examine(here(root), now(), fix=fix) if is_memory else doctors.examine_pages(context)
    levels = {finding.level for finding in findings}
    wrong = "fail" in levels
    if json:
        facts({"ok": not wrong, "findings": [finding.facts for finding in findings]})
        return int(wrong)
    for finding in findings:
        say(f"{finding.level:5} {finding.line}")
    doubts = "; there are warnings" if "warn" in levels else ""
    say("something is wrong" if wrong else f"nothing is wrong{doubts}")
    return int(wrong)


def _migrate(root: str, *, json: bool) -> int:
    with progress("reading history", PATIENCE) as notice:
        done = migration.migrate(here(root), notice)
    if json:
        facts(done)
    elif done.sha:
        say(f"format {done.before} -> {done.after}, fates on {several(len(done.pages), 'page')} ({done.sha[:7]})")
    else:
        say(f"the memory has format {done.after} already")
    return 0


def _rebuild(root: str, *, json: bool) -> int:
    with progress("reading transcripts", PATIENCE) as notice:
        made = ledger_rebuild.rebuild(debt_settlement.find(os.getcwd(), root or None), time.time(), notice)
    if json:
        keys = {"aside": "kept", "is_incomplete": "lost"}
        values = {keys.get(name, name): value for name, value in made._asdict().items()}
        facts({**values, "sessions": [session.session_id for session in made.sessions]})
        return 0
    say(f"debt is {made.debt}, from {several(made.transcripts, 'transcript')}; last sleep {made.last_sleep or 'never'}")
    rows = []
    for session in made.sessions:
        score = "pending" if session.score is None else str(session.score)
        stopped = session.stopped_at[:16].replace("T", " ")
        rows.append([stopped, session.session_id, str(session.change_count or 0), score])
    if rows:
        say(table(["stopped", "session", "changes", "score"], rows))
    if made.aside:
        say(f"the ledger as it was is kept: {made.aside}")
    if made.manual:
        say(f"carried over: {several(made.manual, 'manual entry')}")
    if made.is_incomplete:
        say("manual entries (sleep.add) that the old ledger may have had cannot be rebuilt: add them again")
    return 0


@task("demo", help={"keep": "leave the throwaway clone and print where it is"})
def demo(keep: bool = False, root: str = "") -> None:
    """Put this repository's own journals through all their cycles in a throwaway clone and show what happens.

    Example: sleepwake demo
    """
    with demos.throwaway(demos.source(os.getcwd(), root), keep=keep) as where:
        with progress("sleeping") as notice:
            result = demos.run(where, now(), notice)
        say("What a person reviews: one commit a step\n")
        say("\n".join(f"  {commit.sha[:7]}  {commit.subject}" for commit in result.commits))
        rows = []
        for after in result.sizes:
            figures = (after.cycle, after.instance, after.journals, after.hot, after.warm, after.cold)
            rows.append([*map(str, figures), f"{after.overall:.1f}:1" if after.overall else "-"])
        say("\nWhat is kept, in tokens: journals so far and what they became\n")
        say(table(["cycle", "instance", "journals", "hot", "warm", "cold", "ratio"], rows))
        say("\nWhat the next instance would read\n")
        say(result.woken.text[result.woken.text.rindex("## Ledger") :])
        say(f"kept in {result.where}" if keep else "The clone is gone; your memory was not touched.")


TASKS = (init, doctor, demo)
