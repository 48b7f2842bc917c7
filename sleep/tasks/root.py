"""The tasks without a collection: `init`, `status`, `doctor`, `demo`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from sleep import settings
from sleep.clients.hooks import log
from sleep.code import commit_lines
from sleep.cycle import debt_settlement
from sleep.debt import due, scores, storage
from sleep.language import tokens
from sleep.memory import memo_file
from sleep.records.kinds import key
from sleep.store import context as contexts
from sleep.store.git import checkout
from sleep.tasks.form import PATIENCE, facts, here, now, progress, say, table, task
from sleep.upkeep import demo as demos
from sleep.upkeep import doctor as doctors
from sleep.upkeep import ledger_rebuild, migration, setup
from sleep.upkeep import status as statuses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.upkeep.status import Status

_LINE = 30  # tokens of a line of the brief, where a screen has no more


@task(
    help={
        "separate": "a repository of its own for the memory, here or at --path, ignored by the code's",
        "path": "where the separate memory goes; default .sleepwake",
    }
)
def init(_c: Any, separate: bool = False, path: str = "", json: bool = False) -> None:
    """Lay out a memory in this git repository; run again it changes nothing, and it never overwrites your files.

    Example: sleepwake init
    """
    checkout.refuse_hidden(os.getcwd())  # no second memory over one that is not checked out
    root, laid = setup.init(os.getcwd(), (path or "") if separate or path else None)
    if json:
        return facts({"root": root, "laid": [file._asdict() for file in laid]})
    if not laid:
        return say(f"{root} has a memory already; nothing was changed")
    say(table(["path", "what", "note"], [list(file) for file in laid]))
    return say("Next: say in main.md what this project is for, then run: sleepwake wake")


@task()
def status(_c: Any, json: bool = False, root: str = "") -> None:
    """Show on one screen what there is and what is due.

    Example: sleepwake status
    """
    where = here(root)
    with memo_file.keep(where.root, "status"):
        standing = statuses.read(where, now(), os.getcwd())
    context = debt_settlement.of(where).context
    complaint = log.last_error(context)
    if json:
        return facts(
            {
                **standing._asdict(),
                "review": {key(sort): count for sort, count in standing.review},
                "commits": commit_lines.facts(standing.commits),
                "last_hook_error": complaint,
            }
        )
    say(f"memory      {standing.root} on {standing.branch}")
    for line in _head(standing):
        say(line)
    opened = ", ".join(f"{number} ({entries} entries)" for number, entries in standing.open_instances) or "none"
    say(f"open        {opened}")
    if standing.unslept:
        say(f"closed      {', '.join(str(number) for number, _ in standing.unslept)}, not slept on")
    say(f"cycles      {standing.cycles}, last {standing.last_sleep}")
    bar = scores.bar(standing.debt, where.settings)
    say(f"debt        {standing.debt} of {where.settings.debt_must} {bar} {standing.level}")
    if standing.trouble:
        say(f"trouble     the ledger {standing.trouble}: {storage.remedy(context)}")
    for line in commit_lines.describe(standing.commits) if standing.commits else ():
        say(f"code        {line}")
    say("\n".join(_records(standing)))
    rows = [[name, str(files), str(fragments), str(size)] for name, (files, fragments, size) in standing.tiers.items()]
    say("\n" + table(["tier", "files", "fragments", "tokens"], rows) + "\n")
    for line in standing.unreadable:
        say(f"unreadable  {line}")
    for line in standing.conflicts:
        say(f"conflict    {line}: a merge left its marks; sleep does not work on such a file")
    if complaint:
        say(f"hook error  {complaint}")
    return say(f"due         {standing.due}")


def _head(standing: Status) -> Iterator[str]:
    """Yield purpose, state and next, each line as far as a screen goes."""
    for name, lines in standing.head.items():
        for place, line in enumerate(lines):
            yield f"{'' if place else name:<12}{tokens.clip(line, _LINE)}"


def _records(standing: Status) -> Iterator[str]:
    """Yield how many records there are of each kind, and how many wait for a word."""
    counts = [
        f"{count} {kind.replace('_', ' ')}{'' if count == 1 else 's'}" for kind, count in standing.records.items()
    ]
    yield f"records     {', '.join(counts)}"
    if waiting := ", ".join(f"{count} {sort}" for sort, count in standing.review):
        yield f"review      {waiting}: sleepwake review"
    for phrase in standing.pressing:
        yield f"            {phrase}"


@task(
    help={
        "fix": "mend what is safe to mend",
        "migrate": "bring the memory to the format of this program, in one commit; older programs refuse it then",
        "rebuild_ledger": "make the ledger of sleep debt anew, from commits and transcripts; the old one is set aside",
        "dismiss": "forget an interrupted step that cannot be finished, and leave every file as it is",
    }
)
def doctor(
    _c: Any,
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
        facts({"ok": not wrong, "findings": [finding._asdict() for finding in findings]})
        return int(wrong)
    for finding in findings:
        say(f"{finding.level:5} {finding.line}")
    doubts = " but what the warnings say" if "warn" in levels else ""
    say("something is wrong" if wrong else f"nothing is wrong{doubts}")
    return int(wrong)


def _migrate(root: str, *, json: bool) -> int:
    with progress("reading history", PATIENCE) as notice:
        done = migration.migrate(here(root), notice)
    if json:
        facts(done._asdict())
    elif done.sha:
        say(f"format {done.before} -> {done.after}, {len(done.pages)} pages of fates ({done.sha[:7]})")
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
    say(f"debt is {made.debt}, from {made.transcripts} transcripts; last sleep {made.last_sleep or 'never'}")
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
        say(f"{made.manual} manual entries are carried over")
    if made.is_incomplete:
        say("manual entries (sleep.add) that the old ledger may have had cannot be rebuilt: add them again")
    return 0


@task(help={"keep": "leave the throwaway clone and print where it is"})
def demo(_c: Any, keep: bool = False, root: str = "") -> None:
    """Put this repository's own journals through all their cycles in a throwaway clone and show what happens.

    Example: sleepwake demo
    """
    with demos.throwaway(demos.source(root or os.getcwd()), keep=keep) as where:
        with progress("sleeping") as notice:
            result = demos.run(where, now(), notice)
        say("What a person reviews: one commit a step\n")
        say("\n".join(f"  {commit.sha[:7]}  {commit.subject}" for commit in result.commits))
        rows = []
        for size in result.sizes:
            remaining = size.hot + size.warm + size.cold
            rows.append([*map(str, size), f"{size.journals / remaining:.1f}:1" if remaining else "-"])
        say("\nWhat is kept, in tokens: journals so far and what they became\n")
        say(table(["cycle", "instance", "journals", "hot", "warm", "cold", "ratio"], rows))
        say("\nWhat the next instance would read\n")
        say(result.woken.text[result.woken.text.rindex("## Ledger") :])
        say(f"kept in {result.where}" if keep else "The clone is gone; your memory was not touched.")
