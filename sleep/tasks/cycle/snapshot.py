"""`snapshot`: what a session that starts is told, as a task, so that `inv` has it and lists name it."""

from __future__ import annotations

from sleep.tasks.task import task
from sleep.wake.snapshot import cli


@task("snapshot", help={"budget": cli.BUDGET_HELP, "tokens": cli.TOKENS_HELP})
def snapshot(budget: str = "", tokens: bool = False, json: bool = False, root: str = "") -> None:
    """Print what a session that starts is told: plain text, nothing where there is no memory.

    Example: sleepwake snapshot --budget 9500 --tokens
    """
    cli.show(cli.Words(cli.budget_of(budget) if budget else None, tokens, json, root or None))


TASKS = (snapshot,)
