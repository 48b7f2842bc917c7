"""What stands in the tiers, followed from step to step: groups of fragments that a change alone brings up to date.

A step moves a few fragments of thousands. Owns which came and went of a folder since it was last looked at, and groups
by what a function of a fragment alone says. Refuses to decide anything.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from sleep.documents.tier import Document
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment

    Keys = Callable[[Fragment], Iterable[Hashable]]
    Place = tuple[str, Fragment]


class Groups:
    """The fragments of a folder by keys, each fragment under any number of them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._members: dict[Hashable, dict[int, Fragment]] = {}
        self._paths: dict[int, list[str]] = {}  # of each member, as often as it stands there
        self.pages: dict[str, Document] = {}

    def follow(self, path: str, page: Document | None, gone: Sequence[Fragment], come: Sequence[Fragment]) -> None:
        """Take in what went from a page and what came to it; the page is None where there is none any more."""
        for fragment in gone:
            self._leave(path, fragment)
        for fragment in come:
            self._enter(path, fragment)
        if page is None:
            del self.pages[path]
        else:
            self.pages[path] = page

    def _enter(self, path: str, fragment: Fragment) -> None:
        number = id(fragment)
        if number in self._paths:
            self._paths[number].append(path)
            return
        for key in self._keys(fragment):
            self._members.setdefault(key, {})[number] = fragment
            self._paths[number] = [path]

    def _leave(self, path: str, fragment: Fragment) -> None:
        number = id(fragment)
        paths = self._paths.get(number)
        if paths is None:
            return
        paths.remove(path)
        if paths:
            return
        del self._paths[number]
        for key in self._keys(fragment):
            members = self._members.get(key, {})
            members.pop(number, None)
            if not members:
                self._members.pop(key, None)  # a function may say a key twice

    def __contains__(self, key: Hashable) -> bool:
        """Return whether there is any fragment of a key."""
        return key in self._members

    def count(self, key: Hashable) -> int:
        """Return how many different fragments there are of a key."""
        return len(self._members.get(key, ()))

    def of(self, *keys: Hashable) -> list[Place]:
        """Return the fragments of any of these keys, each with its path, in the order in which they stand."""
        own = self._members.get(keys[0], {}) if len(keys) == 1 else self._any(keys)
        if len(own) == 1:
            (fragment,) = own.values()
            return [(path, fragment) for path in sorted(self._paths[id(fragment)])]
        paths = {path for number in own for path in self._paths[number]}
        return [
            (path, fragment) for path in sorted(paths) for fragment in self.pages[path].fragments if id(fragment) in own
        ]

    def _any(self, keys: Iterable[Hashable]) -> dict[int, Fragment]:
        together: dict[int, Fragment] = {}
        for key in keys:
            together.update(self._members.get(key, ()))
        return together


class Tiers:
    """The pages of the tiers as a view last saw them, and the groups that follow them."""

    def __init__(self) -> None:
        self._pages: dict[str, dict[str, Document]] = {}
        self._seen: dict[str, View] = {}
        self._groups: dict[str, dict[Keys, Groups]] = {}

    def groups(self, view: View, folder: str, keys: Keys) -> Groups:
        """Return the fragments that a view has in a folder, by the keys that a function of each gives."""
        known = self._groups.setdefault(folder, {})
        if self._seen.get(folder) is not view:
            self._look(view, folder, known.values())
        if keys not in known:
            groups = known[keys] = Groups(keys)
            for path, page in self._pages[folder].items():
                groups.follow(path, page, (), page.fragments)
        return known[keys]

    def _look(self, view: View, folder: str, followers: Collection[Groups]) -> None:
        before = self._pages.get(folder, {})
        now = {path: view.tier(path) for path in view.files(folder)}
        for path, page, gone, come in _changes(before, now):
            for groups in followers:
                groups.follow(path, page, gone, come)
        self._pages[folder] = now
        self._seen[folder] = view


def _changes(
    before: dict[str, Document], now: dict[str, Document]
) -> Iterator[tuple[str, Document | None, list[Fragment], list[Fragment]]]:
    """Yield the pages that are not as they were: what went from each and what came to it."""
    for path, page in before.items():
        if path not in now:
            yield path, None, list(page.fragments), []
    for path, page in now.items():
        old = before.get(path)
        if old is not page:
            yield path, page, *_difference(old.fragments if old else (), page.fragments)


def _difference(before: Sequence[Fragment], after: Sequence[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Return what is among the first and not among the second, and the other way; what is parsed again is the same."""
    old, new = set(map(id, before)), set(map(id, after))
    if len(old) == len(before) and len(new) == len(after):
        apart = old ^ new
        return [fragment for fragment in before if id(fragment) in apart], [
            fragment for fragment in after if id(fragment) in apart
        ]
    return _less(before, after), _less(after, before)


def _less(these: Sequence[Fragment], those: Sequence[Fragment]) -> list[Fragment]:
    left = Counter(map(id, those))
    less = []
    for fragment in these:
        left[id(fragment)] -= 1
        if left[id(fragment)] < 0:
            less.append(fragment)
    return less
