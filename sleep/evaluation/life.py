"""A memory that lives in this process: journals go in, it sleeps on each, and can be woken at any time.

Owns getting from journals to the memory that real sleeps would leave: the same import, steps and gate, with no disk and
no git. What it is given decides what comes out: instance tags are not random here, and no clock is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.cycle import compressor, cycle_plan
from sleep.documents import main_page, paths
from sleep.journal import writer
from sleep.journal.imports import conversion
from sleep.language import dates
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.settings import Settings
from sleep.store.tree import InMemory
from sleep.wake import assembly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.cycle.compressor import Pick

NOW = "2026-01-01T00:00:00Z"
TAG = "mem"
SOURCE = "journal.md"  # the name of a document that was taken in
TIERS = ("hot", "warm", "cold")


class Life:
    """A memory without a past, and what becomes of it.

    Args:
        settings: of the memory; the program's defaults if there are none.
        pick: who compresses in its sleeps; nobody but the engine is called otherwise.
    """

    def __init__(self, settings: Settings | None = None, pick: Pick = compressor.plain) -> None:
        self.settings = settings or Settings()
        self._pick = pick
        laid = {path: f"# {title}\n" for path, title in paths.TITLES.items()}
        self.tree = InMemory({paths.MAIN: main_page.new("Project"), **laid})
        self._cycles = 0
        self._view = View(self.tree)  # what is parsed stays parsed

    def live(self, text: str) -> None:
        """Take in a journal of any form as the next instance, and sleep on it."""
        view = View(self.tree)
        number = writer.next_number(view)
        day = dates.of(text)
        fields = {"started": NOW, "ended": NOW, "source": SOURCE, **({"date": day} if day else {})}
        written, _ = conversion.canonical(text, InstanceId(number, TAG), fields, view.used_numbers())
        self.sleep(paths.journal(number), written)

    def sleep(self, path: str, text: str) -> None:
        """Put a journal that is in our form at its path, and sleep on it."""
        self.tree.take({path: text})
        steps, _, writes = cycle_plan.plan_all(
            self.settings, self.tree, NOW, self._cycles + 1, pick=self._pick, earlier=self._view
        )
        self._cycles = max((step.cycle for step in steps), default=self._cycles)
        self.tree.take(writes)

    def woken(self, budget: int, task: str = "") -> str:
        """Return what the next instance would read within so many tokens."""
        return assembly.assemble(View(self.tree), self.settings, task=task, budget=budget).text

    def tiers(self) -> dict[str, str]:
        """Return the tiers' documents by path below `memory/`: `hot/threads.md`."""
        return {
            path.removeprefix(paths.MEMORY): self.tree.texts[path]
            for tier in TIERS
            for path in self.tree.list(f"{paths.MEMORY}{tier}")
            if path.endswith(".md")
        }


def lived(journals: Iterable[str], pick: Pick = compressor.plain) -> Life:
    """Return a life through these journals, in their order."""
    life = Life(pick=pick)
    for text in journals:
        life.live(text)
    return life
