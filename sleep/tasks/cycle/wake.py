"""`wake`: what the next instance should read."""

from __future__ import annotations

from contextlib import nullcontext

from sleep import settings
from sleep.clients.hooks import shown_entries
from sleep.memory import memo_file
from sleep.store import context
from sleep.tasks import moments
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import facts, say
from sleep.tasks.task import task
from sleep.wake import assembly as wakes


@task(
    "wake",
    help={
        "task": "what the instance is going to do; what the memory has on it comes first, from any tier",
        "budget": "tokens to print at the most; default: wake.budget in sleep.yaml (20000), at most 60000",
        "project": "of a memory of several projects mostly this one; default: that of the repository you are in",
        "at": f"what would have been read at {moments.AT_HELP}; changes nothing",
        "peek": "only look: open no journal",
        "new": "open a new instance even if a journal is open",
        "session": "the client's session id: the same session is the same instance",
    },
)
def wake(
    task: str = "",
    budget: str = "",
    project: str = "",
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
    most = number(budget, "budget")
    # What was asked of the past would take the place of what the next wake asks.
    with nullcontext() if at else memo_file.keep(where.root, "wake-task" if task.strip() else "wake"):
        if at or peek:
            moment = moments.at(where, at)
            page = wakes.peek(where, now(), task=task, budget=most, at=moment, project=project)
        else:
            page = wakes.wake(where, now(), task=task, budget=most, session=session, fresh=new, project=project)
    if where.settings.recall_inject and (reader := session or settings.session()):
        shown_entries.add(context.of(where.root), reader, shown_entries.extents(page.text))
    if json:
        return facts(
            {
                "instance": page.instance,
                "path": page.path,
                "tokens": page.cost,
                "budget": page.budget,
                "parts": page.phases,
                **moments.as_facts(moment),
            }
        )
    return say(page.text)


TASKS = (wake,)
