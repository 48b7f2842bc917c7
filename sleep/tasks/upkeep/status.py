"""`status`: one screen of what there is and what is due."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.clients.hooks import log
from sleep.code import commit_lines
from sleep.cycle import debt_settlement
from sleep.debt import scores, storage
from sleep.language import tokens
from sleep.memory import memo_file
from sleep.plurals import several
from sleep.records.kinds import key
from sleep.review import agenda
from sleep.tasks.arguments import here, now
from sleep.tasks.output import facts, say, table
from sleep.tasks.task import task
from sleep.upkeep import status as statuses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.upkeep.status import Status

_LINE = 30  # tokens of a line of the brief, where a screen has no more


@task("status")
def status(json: bool = False, root: str = "") -> None:
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
    say("\n".join(_beginning(standing)))
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


def _beginning(standing: Status) -> Iterator[str]:
    """Yield where the memory is, its head, and its instances and cycles."""
    yield f"memory      {standing.root} on {standing.branch}"
    yield from _head(standing)
    opened = (f"{number} ({several(entries, 'entry')})" for number, entries in standing.open_instances)
    yield f"journal     {', '.join(opened) or 'none'} open"
    for instance, who, day in standing.elsewhere:
        yield f"            {instance} open in another clone (committed by {who}, {day})"
    if standing.unslept:
        yield f"            {', '.join(str(number) for number, _ in standing.unslept)} closed, not slept on"
    yield f"cycles      {standing.cycles}, last {standing.last_sleep}"


def _head(standing: Status) -> Iterator[str]:
    """Yield purpose, state and next, each line as far as a screen goes."""
    for name, lines in standing.head.items():
        for place, line in enumerate(lines):
            yield f"{'' if place else name:<12}{tokens.clip(line, _LINE)}"


def _records(standing: Status) -> Iterator[str]:
    """Yield how many records there are of each kind, and how many wait for a word."""
    counts = [several(count, kind.replace("_", " ")) for kind, count in standing.records.items()]
    yield f"records     {', '.join(counts)}"
    if waiting := ", ".join(f"{count} {agenda.plural(sort, count)}" for sort, count in standing.review):
        yield f"review      {waiting}: sleepwake review"
    for phrase in standing.pressing:
        yield f"            {phrase}"
    if standing.stale:
        yield f"            {standing.stale}: sleepwake review --stale"


TASKS = (status,)
