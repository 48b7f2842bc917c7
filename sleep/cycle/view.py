"""A view of a memory for one step: documents read once, by path, from whatever tree it stands on.

Owns reading and parsing what steps ask for (tiers, journals, cycles, records). Refuses to change anything.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from sleep.errors import DocumentError
from sleep.memory import cycles, journal, paths, records, tier

if TYPE_CHECKING:
    from sleep.memory.address import Address, InstanceId
    from sleep.memory.cycles import Cycle
    from sleep.memory.fragment import Fragment
    from sleep.memory.journal import Entry, Journal
    from sleep.memory.records import Record
    from sleep.memory.tier import Document
    from sleep.store.tree import Tree


class View:
    """What a step sees. Everything is read at most once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._texts: dict[str, str | None] = {}
        self._documents: dict[str, Document] = {}
        self._journals: dict[str, Journal] = {}

    def read(self, path: str) -> str | None:
        """Return a document's text, or None where there is none."""
        if path not in self._texts:
            self._texts[path] = self.tree.read(path)
        return self._texts[path]

    def tier(self, path: str) -> Document:
        """Return a tier's document; an empty one where there is none."""
        if path not in self._documents:
            self._documents[path] = tier.parse(self.read(path) or "")
        return self._documents[path]

    def files(self, prefix: str) -> tuple[str, ...]:
        """Return the Markdown files below a folder, in the order of their paths."""
        return tuple(path for path in self.tree.list(prefix) if path.endswith(".md"))

    @cached_property
    def cycles(self) -> tuple[Cycle, ...]:
        """The cycles slept so far."""
        return cycles.read(self.read(cycles.PATH))

    @cached_property
    def journals(self) -> tuple[str, ...]:
        """The paths of all journals, by number."""
        found = [(number, path) for path in self.files(paths.JOURNALS) if (number := paths.journal_number(path)) is not None]
        return tuple(path for _, path in sorted(found))

    @cached_property
    def unslept(self) -> tuple[str, ...]:
        """The paths of the journals that no cycle has slept on, in order."""
        slept = {cycle.instance for cycle in self.cycles}
        numbers = {instance.number for instance in slept}
        shared = Counter(paths.journal_number(path) for path in self.journals)
        found = []
        for path in self.journals:
            number = paths.journal_number(path)
            if number in numbers:
                # Only where a merge brought two instances of one number has the text to be read.
                if shared[number] == 1 or journal.instance_of(self.read(path) or "") in slept:
                    continue
            found.append(path)
        return tuple(found)

    def journal(self, path: str) -> Journal:
        """Return a journal as read. Raises DocumentError when its front matter cannot be read."""
        if path not in self._journals:
            try:
                self._journals[path] = journal.read(self.read(path) or "")
            except ValueError as error:
                raise DocumentError(
                    f"{error} (a journal starts with `instance` and `tag`)",
                    where=path,
                    hint="sleepwake journal.import takes journals of any form",
                ) from None
        return self._journals[path]

    def path_of(self, instance: InstanceId) -> str | None:
        """Return the path of an instance's journal, or None."""
        for path in (paths.journal(instance.number), paths.journal(instance.number, instance.tag)):
            if (text := self.read(path)) is not None and journal.instance_of(text) == instance:
                return path
        return None

    def placed(self, *prefixes: str) -> list[tuple[str, Fragment]]:
        """Return every fragment of the tiers under these folders (all three without one), with its path."""
        folders = prefixes or ("memory/hot/", paths.WARM, paths.COLD)
        return [(path, one) for folder in folders for path in self.files(folder) for one in self.tier(path).fragments]

    @cached_property
    def waiting(self) -> list[tuple[str, Entry]]:
        """The entries of journals not slept on, in order, each with its path."""
        return [(path, entry) for path in self.unslept for entry in self.journal(path).entries]

    @cached_property
    def records(self) -> dict[Address, Record]:
        """Every record by identity, as the tiers and the journals not slept on give it."""
        return records.registry(self.placed(), self.waiting)

    def used_numbers(self) -> dict[str, int]:
        """Return the highest record numbers in use, by letter."""
        texts = [self.read(path) or "" for folder in ("memory/hot/", paths.WARM, paths.COLD) for path in self.files(folder)]
        return records.used_numbers([*texts, *(self.read(path) or "" for path in self.unslept)])
