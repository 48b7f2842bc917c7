"""`clients.*`: the hooks in the settings of the agents' clients."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep import extra_install
from sleep.clients import client_table as clients
from sleep.clients.installation import agent_page, client_programs, guidance, mcp_entry, settings_files
from sleep.clients.installation import hook_status as statuses
from sleep.clients.installation import install as installing
from sleep.errors import NoMemoryError, UsageError
from sleep.mcp_server import stdio
from sleep.store import context
from sleep.tasks.output import facts, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.clients.client_table import Client
    from sleep.clients.installation.install import Outcome
    from sleep.clients.installation.settings_files import Place

_DEEDS = ("installed", "updated", "removed")
CLIENT_HELP = f"one of {', '.join(clients.CLIENTS)}; may be repeated; default: those found here, else the first"
USER_HELP = "the settings of your home directory, for every project"
PROJECT_HELP = "the settings of this project (the default)"
SHARED_HELP = "hooks in the files that others get, which run the sleepwake on PATH and are silent where there is none"
DRY_HELP = "only say what would be done"
MCP_HELP = "also register the MCP server: in .mcp.json for Claude Code, for others the command to run is said"
AGENT_HELP = "also the sub-agent that consolidates, in each client's folder of agents"
NO_NOTES_HELP = "leave AGENTS.md and CLAUDE.md as they are; without it they get a few lines on how to ask the memory"


def _asked(client: Sequence[str], *, user: bool, project: bool, shared: bool = False) -> tuple[Place, list[Client]]:
    if user and (project or shared):
        raise UsageError(f"--user and --{'project' if project else 'shared'} exclude each other")
    script = client_programs.script()
    if not script:
        raise NoMemoryError(
            "this program was not installed, so there is no sleepwake for a hook to run", hint="pip install sleepwake"
        )
    where = settings_files.here(os.getcwd(), script, user=user, shared=shared)
    return where, installing.named(client, where)


def _report(
    outcomes: Sequence[Outcome], pages: Sequence[Outcome] = (), *, json: bool, dry: bool, tail: Sequence[str] = ()
) -> int:
    every = (*outcomes, *pages)
    refused = any(outcome.what == "refused" for outcome in every)
    if json:
        facts({"ok": not refused, "clients": outcomes, "guidance": pages, "notes": tail})
        return int(refused)
    if dry:
        say("dry run: nothing is written")
    rows = [[outcome.client, outcome.path, _did(outcome.what, dry=dry)] for outcome in every]
    say(table(["client", "settings", "what"], rows))
    for outcome in every:
        for note in outcome.notes:
            name = outcome.client or outcome.path
            say(f"{name}: {note.removeprefix(f'{name}: ')}")
    for line in tail:
        say(line)
    return int(refused)


def _did(what: str, *, dry: bool) -> str:
    """Return what became of a file, or in a dry run would become of it."""
    return f"would be {what}" if dry and what in _DEEDS else what


@task(
    "clients.install",
    help={
        "client": CLIENT_HELP,
        "user": USER_HELP,
        "project": PROJECT_HELP,
        "shared": SHARED_HELP,
        "no_notes": NO_NOTES_HELP,
        "mcp": MCP_HELP,
        "agent": AGENT_HELP,
        "dry_run": DRY_HELP,
    },
)
def install(
    client: list[str] | None = None,
    user: bool = False,
    project: bool = False,
    shared: bool = False,
    no_notes: bool = False,
    mcp: bool = False,
    agent: bool = False,
    dry_run: bool = False,
    json: bool = False,
) -> int:
    """Put the hooks into the settings of the agents' clients; run again it changes nothing. Your other hooks stay.

    A project's AGENTS.md or CLAUDE.md gets a few lines between two marks, on how to ask the memory.

    Example: sleepwake clients.install --client claude --dry-run
    """
    where, chosen = _asked(client or [], user=user, project=project, shared=shared)
    outcomes = [installing.install(each, where, dry=dry_run) for each in chosen]
    outcomes += [mcp_entry.install(each, where, dry=dry_run) for each in chosen if mcp]
    outcomes += [agent_page.install(each, where, dry=dry_run) for each in chosen if agent]
    guided = [] if no_notes else guidance.install(chosen, where, dry=dry_run)
    tail = []
    if context.find(where.project) is None:
        tail.append("There is no memory here yet: the hooks stay silent until you run sleepwake init")
    if mcp and not stdio.is_installed():
        command = extra_install.command("mcp")
        tail.append(f"The MCP server cannot start yet, for its library is not installed: {command}")
    return _report(outcomes, guided, json=json, dry=dry_run, tail=tail)


@task(
    "clients.uninstall", help={"client": CLIENT_HELP, "user": USER_HELP, "project": PROJECT_HELP, "dry_run": DRY_HELP}
)
def uninstall(
    client: list[str] | None = None,
    user: bool = False,
    project: bool = False,
    dry_run: bool = False,
    json: bool = False,
) -> int:
    """Take the hooks and our lines in AGENTS.md and CLAUDE.md out again. The memory stays, and your other hooks.

    Example: sleepwake clients.uninstall --client claude
    """
    where, chosen = _asked(client or [], user=user, project=project)
    outcomes = [outcome for each in chosen for outcome in installing.uninstall(each, where, dry=dry_run)]
    outcomes += [outcome for each in chosen for outcome in mcp_entry.uninstall(each, where, dry=dry_run)]
    outcomes += [outcome for each in chosen for outcome in agent_page.uninstall(each, where, dry=dry_run)]
    gone = {each.name for each in chosen}
    staying = [
        each for each in map(clients.of, clients.CLIENTS) if each.name not in gone and installing.is_in(each, where)
    ]
    guided = guidance.uninstall(staying, where, dry=dry_run)
    return _report(outcomes, guided, json=json, dry=dry_run)


@task("clients.status")
def status(json: bool = False) -> None:
    """Show for each client: its program, our hooks in its settings, when one last ran, and what our tests ran.

    Example: sleepwake clients.status
    """
    where = settings_files.here(os.getcwd(), client_programs.script())
    standing = statuses.read(where)
    if json:
        return facts({"script": where.script, "clients": standing.clients, "last_error": standing.last_error})
    say(f"script      {where.script or 'not installed'}")
    say(f"project     {where.project}\n")
    rows = [
        [
            state.client,
            state.program.version or state.program.path or "not found",
            state.hooks,
            state.last or "never",
            state.support,
        ]
        for state in standing.clients
    ]
    say(table(["client", "program", "hooks", "last hook", "support"], rows))
    for state in standing.clients:
        for note in state.notes:
            say(f"{state.client}: {note}")
    return say(f"\nlast error  {standing.last_error}") if standing.last_error else None


TASKS = (install, uninstall, status)
