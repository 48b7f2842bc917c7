"""The protocol of an outside harness: a folder that is given a journal a call, and is woken under a budget.

Owns the folder's form: a real project of ours in `.project`, and beside it the tiers alone, as plain files, which is
what a harness that reads every Markdown file in the folder may see. Refuses a folder with a memory that is not its own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sleep.cycle import sleep
from sleep.documents import paths
from sleep.errors import UsageError
from sleep.evaluation.life import TIERS
from sleep.journal.imports import importer
from sleep.memory import place
from sleep.memory.view import View
from sleep.recall.index import access
from sleep.store import files
from sleep.store.tree import InMemory, WorkTree
from sleep.upkeep import setup
from sleep.wake import assembly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.memory.place import Place
    from sleep.recall.index.database import Index
    from sleep.wake.render import Wake

PROJECT = ".project"


class Session(NamedTuple):
    """What became of a journal: its instance, the steps of its sleep, and the files that the folder shows now."""

    instance: str
    steps: tuple[str, ...]
    files: tuple[str, ...]


def session(memory: str, source: str, text: str, now: str) -> Session:
    """Take a journal of any form into the folder's project as the next instance, sleep, and show the tiers.

    Args:
        memory: a folder, which need not exist; the first call makes the project in it.
        source: the journal's name, for the commit.
        text: the journal.
        now: ISO 8601, UTC.

    Raises:
        UsageError: the folder has tiers that are not ours.
    """
    where = (
        _project(memory) if os.path.exists(os.path.join(memory, PROJECT, *paths.SETTINGS.split("/"))) else _laid(memory)
    )
    done = importer.import_sources(where, now, importer.plain([(source, text)])).journals
    report = sleep.run(where, now)
    shown = mirror(memory, _tiers(where))
    return Session(str(done[0].instance), tuple(step.decided.step for step in report.steps), shown)


def woken(memory: str, budget: int | None, task: str = "") -> Wake:
    """Return what the next instance would read, and change nothing. Raises NoMemoryError without a project."""
    return assembly.peek(_project(memory), task=task, budget=budget)


def view(memory: str) -> View:
    """Return what a folder's project says, or, of a folder that has none, the memory there.

    Raises NoMemoryError where there is neither.
    """
    has_project = os.path.exists(os.path.join(memory, PROJECT))
    where = _project(memory) if has_project else place.find(memory, os.path.realpath(memory))
    return View(WorkTree(where.root))


def index(memory: str) -> Index:
    """Return the index of a folder's project, or, of a folder that has none, of its Markdown files as journals."""
    if os.path.exists(os.path.join(memory, PROJECT)):
        return access.open_index(_project(memory).root)
    pages = [path for path in files.list_files(memory) if path.endswith(".md")]
    texts = {f"{paths.JOURNALS}{path}": files.read(os.path.join(memory, *path.split("/"))) or "" for path in pages}
    return access.index_tree(InMemory(texts))


def mirror(folder: str, documents: Mapping[str, str]) -> tuple[str, ...]:
    """Make the tiers in a folder those of `documents`, by path below it; tier files that are not in it go."""
    for tier in TIERS:
        for path in files.list_files(folder, tier):
            if path.endswith(".md") and path not in documents:
                files.remove(os.path.join(folder, *path.split("/")))
    for path, text in documents.items():
        at = os.path.join(folder, *path.split("/"))
        if files.read(at) != text:
            os.makedirs(os.path.dirname(at), exist_ok=True)
            files.write(at, text)
    return tuple(sorted(documents))


def _project(memory: str) -> Place:
    """Return the folder's project. Its commits are nobody's: no hooks run on them and none is signed."""
    where = place.find(memory, os.path.realpath(os.path.join(memory, PROJECT)))
    return where._replace(settings=where.settings._replace(git_hooks=False, git_sign=False))


def _laid(memory: str) -> Place:
    # late: GitPython costs 74 ms, and a wake needs none
    from sleep.store import repository  # noqa: PLC0415

    if os.path.lexists(memory) and not os.path.isdir(memory):
        raise UsageError("is no folder (an empty or new one would be right)", where=memory)
    known = [path for tier in TIERS for path in files.list_files(memory, tier)]
    if known or os.path.exists(os.path.join(memory, "sleep.yaml")):
        raise UsageError(
            "this folder has a memory that is not of this task (an empty one would be right)", where=memory
        )
    project = os.path.join(os.path.realpath(memory), PROJECT)
    os.makedirs(project, exist_ok=True)
    repository.create(project)
    setup.init(project)
    return _project(memory)


def _tiers(where: Place) -> dict[str, str]:
    tree = WorkTree(where.root)
    pages = [path for tier in TIERS for path in tree.list(f"{paths.MEMORY}{tier}") if path.endswith(".md")]
    return {path.removeprefix(paths.MEMORY): tree.read(path) or "" for path in pages}
