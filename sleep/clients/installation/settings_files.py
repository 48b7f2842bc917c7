"""Where a client's settings are for a project or a person, and whether git would publish what is written there.

A command holds the absolute path of our program. Where that lies below the home directory, a file that others get is no
place for it: the client's private file is, or one that git is told to ignore, or the settings of the user.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.clients.installation import exclusions
from sleep.documents import yaml_reader
from sleep.errors import SleepError
from sleep.store import context, files, layout

if TYPE_CHECKING:
    from sleep.clients.client_table import Client


class Place(NamedTuple):
    """A project and a home, and which of the two the settings are for; `script` is our program."""

    project: str
    home: str
    script: str
    user: bool = False

    @property
    def top(self) -> str:
        """The folder that nothing may be written outside of."""
        return self.home if self.user else self.project

    def within(self, path: str, folder: str) -> str:
        """Return the folder that nothing may be written outside of: the top, or `folder` where a variable moved it."""
        return self.top if path.startswith(self.top + os.sep) else folder


def here(start: str, script: str, *, user: bool = False) -> Place:
    """Return the place for a folder: the memory's folder, else the top of the git work tree, else the folder itself."""
    memory = context.find(start, settings.root_override())
    git = layout.find_git(start)
    project = memory.base if memory and not memory.separate else git[0] if git else os.path.realpath(start)
    return Place(project, os.path.realpath(os.path.expanduser("~")), script, user)


def speaks_to_prompts(place: Place) -> bool:
    """Return whether the memory of a project is to be asked at each prompt, which costs a process each time."""
    memory = context.find(place.project)
    try:
        text = files.read(memory.settings) if memory else None
        return settings.resolve(yaml_reader.load(text or "")).recall_inject
    except (SleepError, ValueError):  # whoever reads settings to act on them says what is wrong
        return False


def files_of(client: Client, place: Place) -> list[str]:
    """Return the settings files that may hold our entries, the one that is shared first."""
    if place.user:
        moved = settings.environment().get(client.variable) if client.variable else None
        return [os.path.join(moved, client.user.partition("/")[2]) if moved else os.path.join(place.home, client.user)]
    return [os.path.join(place.project, path) for path in (client.project, client.private) if path]


def chosen(client: Client, place: Place) -> tuple[str, str]:
    """Return the file to write, and why not the shared one, "" if it is.

    Raises:
        SleepError: git would publish the path of our program, and there is no other file.
    """
    named = files_of(client, place)
    if place.user or not _is_private(place.script, place.home) or layout.find_git(place.project) is None:
        return named[0], ""
    if client.private:
        return named[1], f"the command names a path below your home directory, so it is kept out of {client.project}"
    if exclusions.is_tracked(place.project, named[0]):
        raise SleepError(
            "is tracked by git, and the command names a path below your home directory, which would be published",
            where=named[0],
            hint=f"sleepwake clients.install --client {client.name} --user",
        )
    return named[0], ""


def keep_out(place: Place, path: str) -> str:
    """Have git ignore a settings file that names a private path, without a change to the code's repository.

    Returns what was done, "" for nothing.
    """
    if place.user or not _is_private(place.script, place.home) or not exclusions.add(place.project, [path]):
        return ""
    return "git ignores it from now on (.git/info/exclude), for it names a path below your home directory"


def published(place: Place) -> str:
    """Return the command of our program for a file that others get: its name alone where its path is private."""
    return os.path.basename(place.script) if not place.user and _is_private(place.script, place.home) else place.script


def _is_private(script: str, home: str) -> bool:
    homes = {home, os.path.expanduser("~")} - {os.sep}
    return any(script.startswith(folder.rstrip(os.sep) + os.sep) for folder in homes)
