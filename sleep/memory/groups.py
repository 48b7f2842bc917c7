"""Fragments of tiers by keys that a function computes of each, kept up to date as pages change.

Owns the groups, and the difference between two readings of a page. Refuses to read pages. Pure.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from sleep.records.fragment import Fragment

    Keys = Callable[[Fragment], Iterable[Hashable]]
    Place = tuple[str, Fragment]


class Groups:
    """The fragments of a folder by keys, each fragment under any number of them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        # One alone, as of most keys, stands without the dictionary that several need.
        self._members: dict[Hashable, Fragment | dict[int, Fragment]] = {}
        self._paths: dict[int, list[str]] = {}  # of each member, as often as it stands there
        self._pages: dict[str, Sequence[Fragment]] = {}

    def follow(self, path: str, page: Sequence[Fragment], gone: Iterable[Fragment], come: Iterable[Fragment]) -> None:
        """Update the groups: what a page lost, what it gained, and the whole page as it is now, in its order."""
        for fragment in gone:
            self._leave(path, fragment)
        for fragment in come:
            self._enter(path, fragment)
        self._pages[path] = page

    def _enter(self, path: str, fragment: Fragment) -> None:
        number = id(fragment)
        if number in self._paths:
            self._paths[number].append(path)
            return
        keys = [*self._keys(fragment)]
        if keys:
            self._paths[number] = [path]
        for key in keys:
            members = self._members.setdefault(key, fragment)
            if members is fragment:  # the first of a key: most are
                continue
            if isinstance(members, dict):
                members[number] = fragment
            else:
                self._members[key] = {id(members): members, number: fragment}

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
            members = self._members.get(key)  # none where a function says a key twice
            if isinstance(members, dict):
                members.pop(number, None)
            if not members or members is fragment:
                self._members.pop(key, None)

    def __contains__(self, key: Hashable) -> bool:
        """Return whether there is any fragment of a key."""
        return key in self._members

    def count(self, key: Hashable) -> int:
        """Return how many different fragments there are of a key."""
        return len(self._of(key))

    def of(self, *keys: Hashable, fits: Callable[[Fragment], bool] | None = None) -> list[Place]:
        """Return the fragments of any of these keys that fit, each with its path, in the order in which they stand."""
        own = self._of(keys[0]) if len(keys) == 1 else self._any(keys)
        if fits:
            own = {number: fragment for number, fragment in own.items() if fits(fragment)}
        if len(own) == 1:
            (fragment,) = own.values()
            return [(path, fragment) for path in sorted(self._paths[id(fragment)])]
        paths = {path for number in own for path in self._paths[number]}
        return [(path, fragment) for path in sorted(paths) for fragment in self._pages[path] if id(fragment) in own]

    def members(self, *keys: Hashable) -> Iterator[Fragment]:
        """Yield the fragments of these keys in no order, some of several keys more than once."""
        for key in keys:
            yield from self._of(key).values()

    def _any(self, keys: Iterable[Hashable]) -> Mapping[int, Fragment]:
        together: dict[int, Fragment] = {}
        for key in keys:
            together.update(self._of(key))
        return together

    def _of(self, key: Hashable) -> Mapping[int, Fragment]:
        """Return the fragments of a key by their ids."""
        members = self._members.get(key)
        if members is None or isinstance(members, dict):
            return members or {}
        return {id(members): members}


def difference(before: Sequence[Fragment], after: Sequence[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Return the fragments that only the first list has, and those that only the second has, compared by identity."""
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
