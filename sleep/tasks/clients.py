"""`clients.*`: the hooks in the settings of the agents' clients."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.clients import install as installing
from sleep.clients import place, programs
from sleep.clients import status as statuses
from sleep.errors import NoMemoryError, UsageError
from sleep.store import context
from sleep.tasks.shown import JSON_HELP, facts, say, table, task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.clients.client import Client
    from sleep.clients.install import Outcome
    from sleep.clients.place import Place

CLIENT_HELP = "claude, codex, gemini, qwen or copilot; may be repeated; default: those found here"
USER_HELP = "the settings of your home directory, for every project"
PROJECT_HELP = "the settings of this project (the default)"
DRY_HELP = "only say what would be done"


def _asked(client: Sequence[str], *, user: bool, project: bool) -> tuple[Place, list[Client]]:
    if user and project:
        raise UsageError("--user and --project are two places (would be right: one of them)")
    script = programs.script()
    if not script:
        raise NoMemoryError(
            "this program was not installed, so there is no sleepwake for a hook to run", hint="pip install sleepwake"
        )
    where = place.here(os.getcwd(), script, user=user)
    return where, installing.named(client, where)


def _told(outcomes: Sequence[Outcome], *, json: bool, tail: Sequence[str] = ()) -> int:
    refused = any(one.what == "refused" for one in outcomes)
    if json:
        facts({"ok": not refused, "clients": [one._asdict() for one in outcomes], "notes": list(tail)})
        return int(refused)
    say(table(["client", "settings", "what"], [[one.client, one.path, one.what] for one in outcomes]))
    for one in outcomes:
        for note in one.notes:
            say(f"{one.client}: {note}")
    for line in tail:
        say(line)
    return int(refused)


@task(
    iterable=["client"],
    help={"client": CLIENT_HELP, "user": USER_HELP, "project": PROJECT_HELP, "dry_run": DRY_HELP, "json": JSON_HELP},
)
def install(
    _c: Any,
    client: list[str] | None = None,
    user: bool = False,
    project: bool = False,
    dry_run: bool = False,
    json: bool = False,
) -> int:
    """Put the hooks into the settings of the agents' clients; run again it changes nothing. Your other hooks stay.

    Example: sleepwake clients.install --client claude --dry-run
    """
    where, chosen = _asked(client or [], user=user, project=project)
    outcomes = [installing.install(one, where, dry=dry_run) for one in chosen]
    tail = []
    if context.find(where.project) is None:
        tail.append("There is no memory here yet: the hooks stay silent until you run sleepwake init")
    if dry_run:
        tail.append("Nothing was written.")
    return _told(outcomes, json=json, tail=tail)


@task(
    iterable=["client"],
    help={"client": CLIENT_HELP, "user": USER_HELP, "project": PROJECT_HELP, "dry_run": DRY_HELP, "json": JSON_HELP},
)
def uninstall(
    _c: Any,
    client: list[str] | None = None,
    user: bool = False,
    project: bool = False,
    dry_run: bool = False,
    json: bool = False,
) -> int:
    """Take the hooks out of the settings of the agents' clients. The memory stays, and so do your other hooks.

    Example: sleepwake clients.uninstall --client claude
    """
    where, chosen = _asked(client or [], user=user, project=project)
    outcomes = [outcome for one in chosen for outcome in installing.uninstall(one, where, dry=dry_run)]
    return _told(outcomes, json=json, tail=["Nothing was written."] if dry_run else [])


@task(help={"json": JSON_HELP})
def status(_c: Any, json: bool = False) -> None:
    """Show for each client: its program, our hooks in its settings, when one last ran, and what our tests ran.

    Example: sleepwake clients.status
    """
    where = place.here(os.getcwd(), programs.script())
    found = statuses.read(where)
    if json:
        return facts({"script": where.script, "clients": found.as_facts(), "last_error": found.last_error})
    say(f"script      {where.script or 'not installed'}")
    say(f"project     {where.project}\n")
    rows = [
        [
            one.client,
            one.program.version or one.program.path or "not found",
            one.hooks,
            one.last or "never",
            one.support,
        ]
        for one in found.clients
    ]
    say(table(["client", "program", "hooks", "last hook", "support"], rows))
    for one in found.clients:
        for note in one.notes:
            say(f"{one.client}: {note}")
    return say(f"\nlast error  {found.last_error}") if found.last_error else None


collection = Collection("clients", install, uninstall, status)
