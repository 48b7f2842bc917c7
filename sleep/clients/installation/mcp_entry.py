"""Our MCP server in a project's file that a client reads (`.mcp.json`): put in where it is asked for, and taken out.

Owns one entry, `mcpServers.sleep`; all else in the file keeps its every byte. Refuses to write what clients keep at
home: for these the command that registers it is said.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any

from sleep.clients.installation import install as install_
from sleep.clients.installation import json_spans, settings_files
from sleep.clients.installation.install import Outcome
from sleep.errors import StorageError
from sleep.store import files

if TYPE_CHECKING:
    from sleep.clients.client_table import Client
    from sleep.clients.installation.settings_files import Place

_SERVERS, _NAME = "mcpServers", "sleep"


def install(client: Client, where: Place, *, dry: bool = False) -> Outcome:
    """Register the server for a client, or say how a person does."""
    if not client.mcp_file or where.user:
        scope = " --scope user" if client.mcp_file else ""
        line = f"{client.program} mcp add{scope} {_NAME} -- {shlex.quote(where.script)} mcp"
        return Outcome(client.name, "", "left", (f"its MCP servers are its own to keep; this registers ours: {line}",))
    path = os.path.join(where.project, client.mcp_file)
    entry = {"command": settings_files.published(where), "args": ["mcp"]}
    try:
        text = files.read(path)
        if text is None or not text.strip():
            after = json.dumps({_SERVERS: {_NAME: entry}}, indent=2, ensure_ascii=False) + "\n"
        else:
            there = _registered(text)
            if there not in (None, entry) and not _is_ours(there):
                return Outcome(client.name, path, "refused", (f"another server is called {_NAME} there",))
            after = text if there == entry else json_spans.put(text, (_SERVERS, _NAME), entry)
        if not dry:
            install_.replace(path, text, after, where)
    except (ValueError, RecursionError):
        return Outcome(client.name, path, "refused", (f"is no JSON that can be edited; put this into it: {entry}",))
    except StorageError as error:
        return Outcome(client.name, path, "refused", (str(error),))
    return Outcome(client.name, path, "same" if after == text else "installed")


def uninstall(client: Client, where: Place, *, dry: bool = False) -> list[Outcome]:
    """Take our server out: give back what was there before, or remove a file that was made for it."""
    path = os.path.join(where.project, client.mcp_file)
    if not client.mcp_file or where.user:
        return []
    try:
        text = files.read(path)
        if not text or not _is_ours(_registered(text)):
            return []
        backup = files.read(path + install_.BACKUP)
        after = _without(text, backup)
        if not dry and after is None:
            files.delete(path)
        elif not dry:
            files.write(path, after or "", within=where.project)
        notes = install_.tidy(path, where) if not dry else []
    except (ValueError, RecursionError):
        return []
    except StorageError as error:
        return [Outcome(client.name, path, "refused", (str(error),))]
    gone = [] if after is not None else [install_.gone(dry=dry)]
    return [Outcome(client.name, path, "removed", (*gone, *notes))]


def _without(text: str, backup: str | None) -> str | None:
    """Return the text without our server, None for a file that was made for it and holds nothing else.

    A person's text that is the same but for that comes back to the byte, and so do her empty servers.
    """
    servers = json_spans.parse(text)[_SERVERS]
    after = json_spans.drop(text, (_SERVERS, _NAME) if len(servers) > 1 else (_SERVERS,))
    left = json_spans.parse(after)
    if backup is None:
        return after if left else None
    try:
        before = json_spans.parse(backup) if backup.strip() else {}
    except (ValueError, RecursionError):
        return after
    if not isinstance(before, dict):
        return after
    if _bare(before) == _bare(left):
        return backup
    is_emptied = before.get(_SERVERS) == {} and _SERVERS not in left
    return json_spans.put(after, (_SERVERS,), {}) if is_emptied else after


def _bare(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object of a file without servers that are none."""
    return {name: item for name, item in value.items() if name != _SERVERS or item}


def _registered(text: str) -> object:
    """Return what is called by our name, None for nothing; ValueError for a text that is no such object."""
    value = json_spans.parse(text)
    servers = value.get(_SERVERS, {}) if isinstance(value, dict) else None
    if not isinstance(servers, dict):
        raise ValueError(_SERVERS)  # noqa: TRY004  # as what is no JSON
    return servers.get(_NAME)


def _is_ours(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and "sleepwake" in os.path.basename(str(entry.get("command", "")))
        and entry.get("args") == ["mcp"]
    )
