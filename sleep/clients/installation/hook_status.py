"""The status of each client: its program, our hooks in its settings, and when one of them last ran.

Reads only.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep.clients import client_table as clients
from sleep.clients.hooks import log
from sleep.clients.installation import client_programs, hook_entries, install, settings_files
from sleep.debt import book, sessions
from sleep.errors import SleepError
from sleep.store import context, files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.clients.client_table import Client
    from sleep.clients.installation.client_programs import Program
    from sleep.clients.installation.settings_files import Place


class Standing(NamedTuple):
    """A client: `hooks` is `in place`, `outdated`, `incomplete`, `duplicate`, `plugin` or `absent`, in `files`."""

    client: str
    program: Program
    hooks: str
    files: tuple[str, ...]
    last: str
    support: str
    notes: tuple[str, ...] = ()


class Status(NamedTuple):
    """All clients, and the last error that a hook logged, "" for none."""

    clients: tuple[Standing, ...]
    last_error: str


def read(where: Place) -> Status:
    """Return the status for a project."""
    memory = context.find(where.project)
    last = _last_seen(memory) if memory else {}
    each = tuple(_standing(clients.of(name), where, last.get(name, "")) for name in clients.CLIENTS)
    return Status(each, log.last_error(memory) if memory else "")


def _standing(client: Client, where: Place, last: str) -> Standing:
    mine, notes = _installed(client, where)
    hooks = [hook for own in mine.values() for hook in own]
    notes += _program_notes(hooks)
    named = install.plugin(client, where)
    others = [hook for hook in hooks if not (client.prompt and hook.event == client.prompt)]
    notes += _notes(client, where, hooks, others, named)
    state = "plugin" if named and not others else _state(client, where, hooks)
    path, lent = install.borrowed(client, where)
    if lent:
        lender = clients.of(client.runs_hooks_of)
        once = f": sleepwake clients.install --client {client.name}"
        twice = f", and its own: each runs twice{once}" if hooks else ""
        notes.append(f"it runs the hooks of {os.path.relpath(path, where.project)}{twice}")
        state = "duplicate" if hooks else _state(lender, where, lent)
        mine.setdefault(path, lent)
    elif state == "duplicate":
        notes.append(_twice(client, where, mine))
    support = f"tried with {client.tried}"
    return Standing(client.name, client_programs.of(client), state, tuple(mine), last, support, tuple(notes))


def _twice(client: Client, where: Place, mine: Mapping[str, Sequence[hook_entries.OwnHook]]) -> str:
    """Return which files a client's hooks run from more than once, and the command that leaves one of them."""
    home = settings_files.files_of(client, where._replace(user=True))
    at_home, here = [path for path in mine if path in home], [path for path in mine if path not in home]
    command = f"sleepwake clients.{'uninstall' if at_home and here else 'install'} --client {client.name}"
    user = " --user" if at_home else ""
    return f"each hook runs more than once, from {' and '.join((*here, *at_home))}: {command}{user}"


def _program_notes(hooks: Sequence[hook_entries.OwnHook]) -> Iterator[str]:
    """Yield which programs that hooks run are not there."""
    scripts = dict.fromkeys(hook_entries.script_of(hook.command) for hook in hooks)
    yield from (f"{path} is gone: sleepwake clients.install" for path in scripts if path and not os.path.exists(path))
    if "" in scripts and not client_programs.on_path():
        yield hook_entries.SILENT


def _installed(client: Client, where: Place) -> tuple[dict[str, list[hook_entries.OwnHook]], list[str]]:
    """Return our hooks by the settings file they are in, and notes on what else stands there."""
    mine: dict[str, list[hook_entries.OwnHook]] = {}
    notes: list[str] = []
    for path in (*settings_files.files_of(client, where), *settings_files.files_of(client, where._replace(user=True))):
        try:
            text = files.read(path) or ""
            if own := hook_entries.own_hooks(client, text, path):
                mine[path] = own
            notes += [f"also in {path}: {line}" for line in hook_entries.alike(client, text, path)]
        except SleepError as error:
            notes.append(str(error))
    return mine, notes


def _notes(
    client: Client,
    where: Place,
    hooks: Sequence[hook_entries.OwnHook],
    others: Sequence[hook_entries.OwnHook],
    plugin: str,
) -> Iterator[str]:
    """Yield what a person should know of hooks for prompts, all but `others`, and of a plugin beside our hooks."""
    speaks, has_hook = bool(install.prompts(client, where)), len(hooks) > len(others)
    if speaks and not has_hook and (hooks or plugin):
        yield "recall.inject is on, and the hook for it is not installed: sleepwake clients.install"
    if has_hook and not speaks:
        yield "recall.inject is off, and its hook costs every prompt a process: sleepwake clients.install"
    if plugin:
        yield f"the plugin {plugin} has the hooks" + (
            f" too: each runs twice: sleepwake clients.uninstall --client {client.name}" if others else ""
        )


def _state(client: Client, where: Place, mine: Sequence[hook_entries.OwnHook]) -> str:
    if not mine:
        return "absent"
    events = [entry.event for entry in mine]
    if len(set(events)) < len(events):
        return "duplicate"
    wanted = {
        event: entry["hooks"][0] if client.nested else entry
        for event, entry in hook_entries.wanted(
            client, where.script, (*client.events, (client.prompt, install.PROMPT))
        ).items()
    }
    for own in mine:
        entry = wanted.get(own.event)
        runs_ours = entry and (own.command == entry[client.command] or hook_entries.is_portable(own.command))
        if not entry or not runs_ours or own.timeout != entry[client.timeout]:
            return "outdated"
    return "in place" if set(events) >= set(wanted) - {*client.older, client.prompt} else "incomplete"


def _last_seen(memory: context.Context) -> dict[str, str]:
    """Return for each client when one of its hooks last told of a session."""
    stopped = {session.session_id: session.stopped_at for session in book.read(memory).sessions}
    last: dict[str, str] = {}
    for known in sessions.all(memory):
        seen = max(known.started_at, known.ended_at or "", stopped.get(known.session_id, ""))
        last[known.client] = max(last.get(known.client, ""), seen)
    return last
