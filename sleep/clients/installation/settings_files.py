"""Where a client's settings are for a project or a person, and whether git would publish what is written there.

A command has the absolute path of our program, which is right on one machine only. In a project in git it goes into
the client's private file, or into one that git is told to ignore. In a file that others get, the command runs the
program on PATH, and does nothing where there is none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.clients.installation import exclusions, hook_entries
from sleep.documents import yaml_reader
from sleep.errors import SleepError
from sleep.store import context, files, layout

if TYPE_CHECKING:
    from sleep.clients.client_table import Client


class Place(NamedTuple):
    """A project and a home, and which of the two the settings are for; `script` is our program.

    `shared` is set where a person wants the hooks of a project in the files that others get.
    """

    project: str
    home: str
    script: str
    user: bool = False
    shared: bool = False

    @property
    def top(self) -> str:
        """The folder that nothing may be written outside of."""
        return self.home if self.user else self.project

    def within(self, path: str, folder: str) -> str:
        """Return the folder that nothing may be written outside of: the top, or `folder` where a variable moved it."""
        return self.top if path.startswith(self.top + os.sep) else folder


class Choice(NamedTuple):
    """The settings file to write, the program its commands run ("" for the one on PATH), and the reason ("" for none).

    `is_personal` is set where the file is for this machine alone.
    """

    path: str
    script: str
    reason: str = ""
    is_personal: bool = False


def here(start: str, script: str, *, user: bool = False, shared: bool = False) -> Place:
    """Return the place for a folder: the memory's folder, else the top of the git work tree, else the folder itself."""
    memory = context.find(start, settings.root_override())
    git = layout.find_git(start)
    project = memory.base if memory and not memory.separate else git[0] if git else os.path.realpath(start)
    return Place(project, os.path.realpath(os.path.expanduser("~")), script, user, shared)


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


def chosen(client: Client, place: Place) -> Choice:
    """Return the file to write, and the program that it shall run.

    A file of the project that others get, or shall get, runs the program that is on PATH.
    """
    named = files_of(client, place)
    if place.shared or (is_published(place) and _is_shared(client, place, named[0])):
        reason = f"others get {client.project}, so its hooks run the {hook_entries.NAME} that is on PATH"
        return Choice(named[0], "", reason)
    if not is_published(place):
        return Choice(named[0], place.script)
    if client.private:
        reason = f"the command names a path of this machine, so it is kept out of {client.project}"
        return Choice(named[1], place.script, reason, is_personal=True)
    return Choice(named[0], place.script, is_personal=True)


def _is_shared(client: Client, place: Place, path: str) -> bool:
    """Return whether others get the hooks of a project's settings file."""
    try:
        own = hook_entries.own_hooks(client, files.read(path) or "", path)
    except SleepError:  # whoever writes the file says what is wrong
        own = []
    is_for_all = any(hook_entries.is_portable(hook.command) for hook in own)
    return is_for_all or (not client.private and exclusions.is_tracked(place.project, path))


def keep_out(place: Place, choice: Choice) -> str:
    """Have git ignore a settings file for this machine alone, without a change to the code's repository.

    One that others get is ignored no more. Returns what was done, "" for nothing.
    """
    if choice.is_personal and exclusions.add(place.project, [choice.path]):
        return "git ignores it from now on (.git/info/exclude), for it names a path of this machine"
    if not choice.script and exclusions.remove(place.project, [choice.path]):
        return "its lines in .git/info/exclude are taken out"
    return ""


def published(place: Place) -> str:
    """Return the command of our program for a file that git publishes: its name alone, as PATH has it."""
    return hook_entries.NAME if is_published(place) else place.script


def is_published(place: Place) -> bool:
    """Return whether git may publish the settings of a place."""
    return not place.user and layout.find_git(place.project) is not None
