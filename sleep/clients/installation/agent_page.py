"""The sub-agent that consolidates, as a page in a client's folder of agents: put in where asked, and taken out.

Owns one file a client, `consolidate` in the form that the client reads; its words are those of the plugin's agent.
Refuses to write over a page that somebody wrote or changed: it is theirs, and that is said.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from sleep.clients import client_table
from sleep.clients.installation import install as installing
from sleep.clients.installation import settings_files
from sleep.clients.installation.install import Outcome
from sleep.errors import StorageError
from sleep.store import files

if TYPE_CHECKING:
    from sleep.clients.client_table import Client
    from sleep.clients.installation.settings_files import Place

NAME = "consolidate.md"
_TOOLS = re.compile(r"(?m)^tools: .*\n")  # the names of tools are Claude Code's; without them an agent has all
_OURS = "You consolidate the memory of this project."  # by which a page that was edited since is known


def page(client: Client) -> str:
    """Return the page for a client."""
    with open(os.path.join(os.path.dirname(__file__), NAME), encoding="utf-8") as file:
        text = file.read()
    text = text if client.has_plugin else _TOOLS.sub("", text)
    return _toml(text) if client.agent.endswith(".toml") else text


def _toml(text: str) -> str:
    """Return a page of front matter and words as TOML: a quoted line of JSON is one of TOML, too."""
    _, head, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines()) | {"developer_instructions": body.lstrip()}
    return "".join(f"{name} = {_toml_value(value)}\n" for name, value in fields.items())


def _toml_value(value: str) -> str:
    return f"'''\n{value}'''" if "\n" in value else json.dumps(value, ensure_ascii=False)


def path(client: Client, where: Place) -> str:
    """Return where a client's page is, below the project or the home."""
    home = os.path.dirname(settings_files.files_of(client, where)[0])
    return os.path.normpath(os.path.join(home, client.agent))


def _lent(client: Client, where: Place) -> str:
    """Return the page of another client, in this project, that this one reads too; "" for none."""
    if not client.runs_hooks_of or where.user:
        return ""
    place = path(client_table.of(client.runs_hooks_of), where)
    return place if _OURS in (files.read(place) or "") else ""


def install(client: Client, where: Place, *, dry: bool = False) -> Outcome:
    """Put the agent into a client's folder, or say why not."""
    place, wanted = path(client, where), page(client)
    if name := installing.plugin(client, where):
        return Outcome(client.name, place, "same", (f"the plugin {name} has the agent already",))
    try:
        lent = "" if os.path.exists(place) else _lent(client, where)
    except StorageError as error:
        return Outcome(client.name, place, "refused", (str(error),))
    if lent:
        return Outcome(client.name, lent, "same", (f"{client.title} reads this page too",))

    def with_agent(text: str | None) -> str:
        if text not in (None, wanted):
            raise ValueError("another page is there, or it was edited: remove it first")
        return wanted

    return installing.change(client.name, place, where, with_agent, _OURS, dry=dry)


def uninstall(client: Client, where: Place, *, dry: bool = False) -> list[Outcome]:
    """Take the agent out again, with the folders that it needed; nothing where none of ours is."""

    def without(text: str | None) -> str | None:
        if text and _OURS in text and text != page(client):
            raise ValueError("it was edited by hand, and is left as it is")
        return None if text == page(client) else text

    done = installing.change(client.name, path(client, where), where, without, _OURS, dry=dry)
    return [] if done.what == "same" else [done]
