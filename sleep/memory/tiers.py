"""The tiers, followed from step to step: a step moves a few fragments of thousands, and what is known goes along.

Owns which pages changed since a view last looked, and who follows them. Refuses to decide anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.memory import groups
from sleep.memory.groups import Groups

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sleep.documents.tier import Document
    from sleep.memory.groups import Keys
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment


class Tiers:
    """The pages of the tiers as a view last saw them, and the groups that follow them."""

    def __init__(self) -> None:
        self._pages: dict[str, dict[str, Document]] = {}
        self._seen: dict[str, View] = {}
        self._followers: dict[str, dict[Keys, Groups]] = {}

    def groups(self, view: View, folder: str, keys: Keys) -> Groups:
        """Return the fragments that a view has in a folder, by the keys that a function of each gives.

        Those of pages of cold memory without a record may be missing.
        """
        known = self._followers.setdefault(folder, {})
        if self._seen.get(folder) is not view:
            self._look(view, folder, known.values())
        if keys not in known:
            fresh = known[keys] = Groups(keys)
            for path, page in self._pages[folder].items():
                fresh.follow(path, page.fragments, (), page.fragments)
        return known[keys]

    def _look(self, view: View, folder: str, followers: Collection[Groups]) -> None:
        before = self._pages.get(folder, {})
        now = {path: view.tier(path) for path in view.pages_with_records(folder)}
        for path, page, gone, come in _changes(before, now):
            for follower in followers:
                follower.follow(path, page, gone, come)
        self._pages[folder] = now
        self._seen[folder] = view


def _changes(
    before: dict[str, Document], now: dict[str, Document]
) -> Iterator[tuple[str, Sequence[Fragment], Sequence[Fragment], Sequence[Fragment]]]:
    """Yield the pages that are not as they were: what went from each and what came to it."""
    for path, page in before.items():
        if path not in now:
            yield path, (), page.fragments, ()
    for path, page in now.items():
        old = before.get(path)
        if old is not page:
            yield path, page.fragments, *groups.difference(old.fragments if old else (), page.fragments)
