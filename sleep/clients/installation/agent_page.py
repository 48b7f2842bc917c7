"""The sub-agent that consolidates, as a page in a client's folder of agents: put in where asked, and taken out.

Owns one file a client, `agents/consolidate.md`; its words are those of the plugin's agent. Refuses to write over a page
that somebody wrote or changed: it is theirs, and that is said.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

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
    return text if client.has_plugin else _TOOLS.sub("", text)


def path(client: Client, where: Place) -> str:
    """Return where a client's page is, below the project or the home; "" for a client without such a folder."""
    home = os.path.dirname(settings_files.files_of(client, where)[0])
    return os.path.join(home, client.agents, NAME) if client.agents else ""


def install(client: Client, where: Place, *, dry: bool = False) -> Outcome:
    """Put the agent into a client's folder, or say why not."""
    place = path(client, where)
    if not place:
        return Outcome(client.name, "", "left", (f"{client.title} has no folder of agents that we know",))
    if name := installing.plugin(client, where):
        return Outcome(client.name, place, "same", (f"the plugin {name} has the agent already",))
    try:
        text, wanted = files.read(place), page(client)
        if text == wanted:
            return Outcome(client.name, place, "same")
        if text is not None:
            return Outcome(client.name, place, "left", ("another page is there, or it was edited: remove it first",))
        if not dry:
            within = _within(place, where)
            files.resolve(place, within)
            files.write(place, wanted, within=within)
    except StorageError as error:
        return Outcome(client.name, place, "refused", (str(error),))
    return Outcome(client.name, place, "installed")


def uninstall(client: Client, where: Place, *, dry: bool = False) -> list[Outcome]:
    """Take the agent out again, with the folders that it needed; nothing for a client that has none of ours."""
    place = path(client, where)
    try:
        text = files.read(place) if place else None
        if text is None or _OURS not in text:
            return []
        if text != page(client):
            return [Outcome(client.name, place, "left", ("it was edited by hand, and is left as it is",))]
        if not dry:
            files.delete(place)
            installing.prune(os.path.dirname(place), where.top)
    except StorageError as error:
        return [Outcome(client.name, place, "refused", (str(error),))]
    return [Outcome(client.name, place, "removed")]


def _within(place: str, where: Place) -> str:
    """Return the folder that nothing may be written outside of: the project or home, or where a variable moved it."""
    return where.top if place.startswith(where.top + os.sep) else os.path.dirname(os.path.dirname(place))
