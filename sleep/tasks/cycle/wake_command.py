"""`wake` from its words to what it prints, with Invoke and without, which costs 60 ms.

Owns the options of `wake`.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from sleep import settings
from sleep.clients.hooks import shown_entries
from sleep.memory import memo_file
from sleep.options import Option
from sleep.store import context
from sleep.tasks import moments
from sleep.tasks.arguments import here, now, number
from sleep.tasks.command_line import plain_options
from sleep.tasks.output import facts, say
from sleep.tuples import NamedTuple
from sleep.wake import assembly as wakes

if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = (
    *(Option(name, name[:1], is_valued=True) for name in ("task", "budget", "at", "session", "root")),
    *(Option(name, name[:1]) for name in ("peek", "new", "json")),
)


class Wake(NamedTuple):
    """What was asked for, as it was typed; "" or false for what was not said."""

    task: str = ""
    budget: str = ""
    at: str = ""
    peek: bool = False
    new: bool = False
    session: str = ""
    json: bool = False
    root: str = ""


def parse(typed: Sequence[str]) -> Wake | None:
    """Return what the words of a command line ask, None where they want more than a plain reading."""
    return plain_options.read(typed, OPTIONS, "wake", Wake)


def run(asked: Wake) -> int:
    """Print what the next instance should read, open its journal unless it only looks, and return the exit code."""
    where, moment = here(asked.root), None
    budget = number(asked.budget, "budget")
    # What was asked of the past would take the place of what the next wake asks.
    with nullcontext() if asked.at else memo_file.keep(where.root, "wake-task" if asked.task.strip() else "wake"):
        if asked.at or asked.peek:
            moment = moments.at(where, asked.at)
            page = wakes.peek(where, now(), task=asked.task, budget=budget, at=moment)
        else:
            page = wakes.wake(where, now(), task=asked.task, budget=budget, session=asked.session, fresh=asked.new)
    if where.settings.recall_inject and (reader := asked.session or settings.session()):
        shown_entries.add(context.of(where.root), reader, shown_entries.extents(page.text))
    if asked.json:
        parts = [phase._asdict() for phase in page.phases]
        facts(
            {
                "instance": page.instance,
                "path": page.path,
                "tokens": page.cost,
                "budget": page.budget,
                "parts": parts,
                **moments.as_facts(moment),
            }
        )
    else:
        say(page.text)
    return 0
