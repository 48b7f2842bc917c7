"""Where a client's settings are for a project or a person, and whether git would publish what is written there.

A command holds the absolute path of our program. Where that lies below the home directory, a file that others get is no
place for it: the client's private file is, or one that git is told to ignore, or the settings of the user.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.documents import yaml_reader
from sleep.documents.markdown import edit
from sleep.errors import SleepError
from sleep.store import context, files, layout
from sleep.store.git import environment

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        return [os.path.join(moved, os.path.basename(client.user)) if moved else os.path.join(place.home, client.user)]
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
    if _is_tracked(place.project, named[0]):
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
    git = layout.find_git(place.project)
    if place.user or git is None or not _is_private(place.script, place.home):
        return ""
    inside = os.path.relpath(os.path.realpath(path), git[0]).replace(os.sep, "/")
    lines = [line for line in (f"/{inside}", "*.sleepwake-backup") if not _is_ignored(git[0], _example(line, inside))]
    if inside.startswith("../") or not lines:
        return ""
    exclude = os.path.join(git[2], "info", "exclude")
    _extend(exclude, lines)
    return "git ignores it from now on (.git/info/exclude), for it names a path below your home directory"


def published(place: Place) -> str:
    """Return the command of our program for a file that others get: its name alone where its path is private."""
    return os.path.basename(place.script) if not place.user and _is_private(place.script, place.home) else place.script


def _extend(path: str, lines: Iterable[str]) -> None:
    text = files.read(path) or ""
    newline = edit.newline(text)
    lead = "" if not text or text.endswith("\n") else newline
    files.write(path, text + lead + "".join(f"{line}{newline}" for line in lines))


def _example(line: str, inside: str) -> str:
    return inside if line.startswith("/") else f"{inside}.sleepwake-backup"


def _is_private(script: str, home: str) -> bool:
    homes = {home, os.path.expanduser("~")} - {os.sep}
    return any(script.startswith(folder.rstrip(os.sep) + os.sep) for folder in homes)


def _is_tracked(folder: str, path: str) -> bool:
    return _asked(folder, "ls-files", "--error-unmatch", "--", path)


def _is_ignored(folder: str, path: str) -> bool:
    return _asked(folder, "check-ignore", "--quiet", "--no-index", "--", path)


def _asked(folder: str, *words: str) -> bool:
    """Return whether git says yes; no git, no yes."""
    try:
        code = subprocess.run(
            ("git", *words),
            cwd=folder,
            env=environment.for_git(settings.environment(), reading=True),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        ).returncode
    except OSError:
        return False
    return code == 0
