"""`status` from its words to what it prints, with Invoke and without, which costs 60 ms.

Owns the options of `status`, and its screen.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.clients.hooks import log
from sleep.code import commit_lines
from sleep.cycle import debt_settlement
from sleep.debt import scores, storage
from sleep.language import tokens
from sleep.memory import memo_file
from sleep.options import Option
from sleep.records.kinds import key
from sleep.tasks.arguments import here, now
from sleep.tasks.command_line import plain_options
from sleep.tasks.output import facts, say, table
from sleep.tuples import NamedTuple
from sleep.upkeep import status as statuses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.upkeep.status import Status as Standing

OPTIONS = (Option("root", "r", is_valued=True), Option("json", "j"))
_LINE = 30  # tokens of a line of the brief, where a screen has no more


class Status(NamedTuple):
    """What was asked for, as it was typed; "" or false for what was not said."""

    json: bool = False
    root: str = ""


def parse(typed: Sequence[str]) -> Status | None:
    """Return what the words of a command line ask, None where they want more than a plain reading."""
    return plain_options.read(typed, OPTIONS, "status", Status)


def run(asked: Status) -> int:
    """Show on one screen what there is and what is due, and return the exit code."""
    where = here(asked.root)
    with memo_file.keep(where.root, "status"):
        standing = statuses.read(where, now(), os.getcwd())
    context = debt_settlement.of(where).context
    complaint = log.last_error(context)
    if asked.json:
        facts(
            {
                **standing._asdict(),
                "review": {key(sort): count for sort, count in standing.review},
                "commits": commit_lines.facts(standing.commits),
                "last_hook_error": complaint,
            }
        )
        return 0
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
    say(f"due         {standing.due}")
    return 0


def _head(standing: Standing) -> Iterator[str]:
    """Yield purpose, state and next, each line as far as a screen goes."""
    for name, lines in standing.head.items():
        for place, line in enumerate(lines):
            yield f"{'' if place else name:<12}{tokens.clip(line, _LINE)}"


def _records(standing: Standing) -> Iterator[str]:
    """Yield how many records there are of each kind, and how many wait for a word."""
    counts = [
        f"{count} {kind.replace('_', ' ')}{'' if count == 1 else 's'}" for kind, count in standing.records.items()
    ]
    yield f"records     {', '.join(counts)}"
    if waiting := ", ".join(f"{count} {sort}" for sort, count in standing.review):
        yield f"review      {waiting}: sleepwake review"
    for phrase in standing.pressing:
        yield f"            {phrase}"
