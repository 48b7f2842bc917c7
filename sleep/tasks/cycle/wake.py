"""`wake` and `wake.check`."""

from __future__ import annotations

from typing import Any

from invoke.collection import Collection

from sleep import settings
from sleep.clients.hooks import shown_entries
from sleep.memory.view import View
from sleep.store import context
from sleep.store.tree import WorkTree
from sleep.tasks import moments
from sleep.tasks.form import facts, here, now, number, say, task
from sleep.wake import assembly as wakes
from sleep.wake import checks


@task(
    default=True,
    help={
        "task": "what the instance is going to do; chooses what of warm memory is shown",
        "budget": "tokens to print at the most; default: wake.budget in sleep.yaml (20000), at most 60000",
        "at": f"what would have been read at {moments.AT_HELP}; changes nothing",
        "peek": "only look: open no journal",
        "new": "open a new instance even if a journal is open",
        "session": "the client's session id: the same session is the same instance",
    },
)
def wake(
    _c: Any,
    task: str = "",
    budget: str = "",
    at: str = "",
    peek: bool = False,
    new: bool = False,
    session: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Print what the next instance should read, within a budget, and open its journal.

    Example: sleepwake wake --task "make the lock faster" --budget 8000
    """
    where, moment = here(root), None
    if at or peek:
        moment = moments.at(where, at)
        page = wakes.peek(where, task=task, budget=number(budget, "budget"), at=moment)
    else:
        page = wakes.wake(where, now(), task=task, budget=number(budget, "budget"), session=session, fresh=new)
    if where.settings.recall_inject and (reader := session or settings.session()):
        shown_entries.add(context.of(where.root), reader, shown_entries.extents(page.text))
    if json:
        parts = [phase._asdict() for phase in page.phases]
        return facts(
            {
                "instance": page.instance,
                "path": page.path,
                "tokens": page.cost,
                "budget": page.budget,
                "parts": parts,
                **moments.as_facts(moment),
            }
        )
    return say(page.text)


@task()
def check(_c: Any, json: bool = False, root: str = "") -> int:
    """Check that the next instance can trust what it reads; exits with 1 if something fails.

    Example: sleepwake wake.check
    """
    where = here(root)
    findings = checks.check(View(WorkTree(where.root)), where.settings, now())
    failed = any(finding.level == "fail" for finding in findings)
    if json:
        facts({"ok": not failed, "findings": [finding._asdict() for finding in findings]})
        return int(failed)
    for name in checks.CHECKS:
        mine = [finding for finding in findings if finding.check == name and finding.level != "note"]
        say(f"{'ok  ' if not mine else mine[0].level}  {name}")
        for finding in mine:
            say(f"      {finding.line}")
    return int(failed)


collection = Collection("wake", wake, check)
