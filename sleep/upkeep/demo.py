"""The demonstration: a memory's own journals, put through all their cycles again in a throwaway clone.

Owns the clone, which starts with the journals alone, and what the demonstration shows. Touches nothing of the original.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from sleep.cycle import sleep
from sleep.documents import cycles, main_page, paths
from sleep.errors import NoMemoryError
from sleep.memory import place
from sleep.memory.view import View
from sleep.store import files, history, layout
from sleep.store.git import checkout
from sleep.store.tree import WorkTree
from sleep.upkeep import statistics
from sleep.wake import assembly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sleep.memory.place import Place
    from sleep.store.history import Commit
    from sleep.upkeep.statistics import After
    from sleep.wake.render import Wake


class Shown(NamedTuple):
    """What a demonstration has to show: the commits, oldest first, the sizes by cycle, and a wake."""

    commits: tuple[Commit, ...]
    sizes: tuple[After, ...]
    woken: Wake
    where: str


def source(start: str, explicit: str = "") -> str:
    """Return the memory root whose journals are shown: the one around `start`, else this program's own repository.

    One that is named (`explicit`) and has no memory is an error.
    """
    if explicit:
        start = layout.find_root(start, explicit).path
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for folder in (start, own):
        try:
            root = layout.find_root(folder)
        except NoMemoryError:
            continue
        if View(WorkTree(root)).journals:
            return root.path
    raise NoMemoryError(
        "no memory with journals to show",
        where=start,
        hint="run it where there is a memory with journals, as in a clone of sleepwake",
    )


@contextmanager
def throwaway(original: str, *, keep: bool) -> Iterator[Place]:
    """Clone the repository of a memory to a temporary folder, with every tier emptied; removed unless kept."""
    from sleep.store import repository  # late: GitPython costs 74 ms  # noqa: PLC0415

    root = layout.find_root(original)
    folder = tempfile.mkdtemp(prefix="sleepwake-demo-")
    try:
        clone = os.path.join(folder, "clone")
        repository.clone(root.work_tree, clone)
        where = place.find(os.path.join(clone, root.prefix))
        for path in WorkTree(where.root).list("memory"):
            if paths.tier_of(path) or path == cycles.PATH:
                os.remove(where.root.absolute(path))
        main = files.read(where.root.absolute(paths.MAIN)) or ""
        purpose = main_page.purpose(main)
        files.write(where.root.absolute(paths.MAIN), main_page.new(os.path.basename(root.path), purpose))
        yield where
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def run(where: Place, now: str, notice: Callable[[int, int], None]) -> Shown:
    """Sleep on every journal of a throwaway memory, one after the other, and wake.

    `notice` is called with the number of cycles done and of all.
    """
    start = checkout.head(where.root)
    waiting = View(WorkTree(where.root)).unslept
    for done, path in enumerate(waiting):
        notice(done, len(waiting))
        sleep.run(where, now, instance=paths.journal_number(path))
    notice(len(waiting), len(waiting))
    commits = history.commits(where.root, f"{start}..HEAD" if start else "HEAD")
    return Shown(tuple(reversed(commits)), statistics.over_time(where), assembly.peek(where), where.root.path)
