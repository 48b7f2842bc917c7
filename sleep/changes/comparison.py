"""What became of fragments between two states of the memory: kept, shortened, merged, dropped, or new.

Owns the comparison of documents before and after. Where a step's own fates are known they are believed; all else is
read off the documents, and a reason that they do not show is not made up. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.documents import paths
from sleep.records.fragment import STATUS, SUPERSEDED_BY, Fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sleep.compression.contract import Fate
    from sleep.records.address import Address

    Documents = Mapping[str, Sequence[Fragment]]

ARRIVED = "arrived"
_WORD = re.compile(r"\w+")


class Placed(NamedTuple):
    """A fragment and the path of the document it stands in."""

    path: str
    fragment: Fragment


class Passage(NamedTuple):
    """One fragment's way: `before` in `source` became `after` in `target`, with its fate and what is known of why.

    What was dropped, or says what stands elsewhere already, has no `after`; what arrived has no `before`.
    """

    fate: str
    before: Fragment | None
    after: Fragment | None
    source: str = ""
    target: str = ""
    detail: str = ""

    @property
    def moved(self) -> bool:
        """True for what went from one tier to another, the journal counted as one."""
        return bool(self.before and self.after and paths.tier_of(self.source) != paths.tier_of(self.target))

    @property
    def has_moved_state(self) -> bool:
        """True for a record that is in another state than before."""
        return bool(self.before and self.after and self.before.field(STATUS) != self.after.field(STATUS))

    def names(self, address: Address) -> bool:
        """True if the fragment carries the address before or after."""
        return any(address in one.addresses for one in (self.before, self.after) if one)


def between(before: Documents, after: Documents, fates: Sequence[Fate] = ()) -> list[Passage]:
    """Return the passages of all fragments that do not stand as they were where they stood.

    Args:
        before: the fragments by path as they were; a journal's, cut, by its path.
        after: the same as they are now.
        fates: what the step said of fragments of `before`, where that is known.
    """
    gone = _less(before, after)
    counts = Counter(one.fragment.identity for one in gone)
    come = _Come(_less(after, before), after, frozenset(one for one, count in counts.items() if count > 1))
    said: dict[Fragment, list[Fate]] = {}
    for fate in fates:
        said.setdefault(fate.before, []).append(fate)
    found: dict[int, Passage] = {}
    for index, one in enumerate(gone):
        if known := said.get(one.fragment):
            found[index] = _told(one, known.pop(0), come)
    for rule in (_same, _shorter, _merged, _reworded, _there, _repeated):
        for index, one in enumerate(gone):
            if index not in found and (passage := rule(one, come)):
                found[index] = passage
    passages = [found.get(index) or Passage(DROPPED, one.fragment, None, one.path) for index, one in enumerate(gone)]
    used = {(one.target, one.after) for one in passages}
    arrived = [Passage(ARRIVED, None, one.fragment, "", one.path) for one in come.entries if tuple(one) not in used]
    return [*passages, *arrived]


class _Come:
    """The fragments that arrived, each of which is what one that went became, at the most; and all that stand there.

    `several` are the entries of which more than one fragment went.
    """

    def __init__(self, entries: list[Placed], after: Documents, several: frozenset[Address]) -> None:
        self.entries = entries
        self.several = several
        self._free = dict.fromkeys(range(len(entries)))
        self._after = after

    def take(self, fits: Callable[[Fragment], bool]) -> Placed | None:
        """Return the first that fits and is free, which it then is no longer."""
        placed = self.free(fits)
        if placed:
            self._free.pop(next(index for index in self._free if self.entries[index] is placed))
        return placed

    def free(self, fits: Callable[[Fragment], bool]) -> Placed | None:
        """Return the first that fits and is free, and leave it so."""
        return next((self.entries[index] for index in self._free if fits(self.entries[index].fragment)), None)

    def find(self, fits: Callable[[Fragment], bool]) -> Placed | None:
        """Return the first that fits, free or not."""
        return next((one for one in self.entries if fits(one.fragment)), None)

    def there(self, fits: Callable[[Fragment], bool]) -> Placed | None:
        """Return the first of all that stand there that fits."""
        return next((Placed(path, one) for path, all_ in self._after.items() for one in all_ if fits(one)), None)


def without_words(one: Passage) -> str:
    """Return a passage's reason without what a person gave for a change of state."""
    return one.detail.replace(f" ({one.after.reason})", "") if one.after and one.after.reason else one.detail


def with_words(one: Passage) -> str:
    """Return a passage's reason with what a person gave for a change of state."""
    if not (one.before and one.after and one.after.reason):
        return one.detail
    change = f"{one.before.state} -> {one.after.state}"
    return one.detail.replace(change, f"{change} ({one.after.reason})", 1)


def _less(these: Documents, those: Documents) -> list[Placed]:
    """Return what stands in these documents and not at the same path in those, in order."""
    found = []
    for path, fragments in these.items():
        left = Counter(those.get(path, ()))
        for one in fragments:
            left[one] -= 1
            if left[one] < 0:
                found.append(Placed(path, one))
    return found


def _told(one: Placed, fate: Fate, come: _Come) -> Passage:
    """Return the passage that a step's own fate says."""
    if fate.after is None:
        return Passage(fate.fate, one.fragment, None, one.path, "", fate.detail)
    into = (fate.after.identity, fate.after.text)

    def fits(other: Fragment) -> bool:
        return (other.identity, other.text) == into

    placed = (None if fate.fate == MERGED else come.take(fits)) or come.find(fits) or come.there(fits)
    path, after = placed or Placed("", fate.after)
    return Passage(fate.fate, one.fragment, after, one.path, path, fate.detail)


def _same(one: Placed, come: _Come) -> Passage | None:
    before = one.fragment
    placed = come.take(lambda other: (other.identity, other.text) == (before.identity, before.text))
    return placed and _kept(one, placed)


def _kept(one: Placed, placed: Placed, note: str = "") -> Passage:
    """Return the passage of a fragment whose text stands: kept, or shortened where fields are not what they were."""
    before, after = one.fragment, placed.fragment
    less = [name for name, value in before.fields if name != STATUS and after.field(name) != value]
    details = [note] if note else []
    if before.state != after.state:
        details.append(f"{before.state} -> {after.state}{f' ({after.reason})' if after.reason else ''}")
    if after.is_superseded and not before.is_superseded:
        details.append(f"{SUPERSEDED_BY} {after.field(SUPERSEDED_BY)}")
    if less:
        details.append(f"less of: {', '.join(less)}")
    return Passage(SHORTENED if less else WHOLE, before, after, one.path, placed.path, "; ".join(details))


def _shorter(one: Placed, come: _Come) -> Passage | None:
    before = one.fragment
    placed = come.take(lambda other: other.identity == before.identity and within(other.text, before.text))
    return placed and _shortened(one, placed)


def _shortened(one: Placed, placed: Placed, note: str = "") -> Passage:
    sizes = f"{len(placed.fragment.text)} of {len(one.fragment.text)} characters"
    return Passage(SHORTENED, one.fragment, placed.fragment, one.path, placed.path, f"{note}{sizes}")


def within(text: str, other: str) -> bool:
    """True if the words of a text stand in the other in their order, whatever is between them; it has to have some."""
    these, rest = words(text), iter(words(other))
    return bool(these) and all(word in rest for word in these)


def words(text: str) -> list[str]:
    """Return the words of a text, folded: two texts with the same say the same."""
    return _WORD.findall(text.casefold())


def _merged(one: Placed, come: _Come) -> Passage | None:
    before = one.fragment
    said = words(before.text)

    def fits(other: Fragment) -> bool:
        if before.identity not in other.addresses:
            return False
        if said == words(other.text):
            return True
        # Of several fragments of one entry it cannot be told which one went into words that are not its own.
        return other.identity != before.identity and before.identity not in come.several

    placed = come.find(fits)
    if placed is None:
        return None
    return Passage(MERGED, before, placed.fragment, one.path, placed.path, str(placed.fragment.identity))


def _reworded(one: Placed, come: _Come) -> Passage | None:
    placed = come.free(lambda other: other.identity == one.fragment.identity)
    return placed and _shortened(one, placed, "in other words, ")


def _there(one: Placed, come: _Come) -> Passage | None:
    before = one.fragment
    placed = come.there(lambda other: before.identity in other.addresses and other.text == before.text)
    return placed and _kept(one, placed, "stood there already")


def _repeated(one: Placed, come: _Come) -> Passage | None:
    said = words(one.fragment.text)
    placed = come.there(lambda other: bool(said) and words(other.text) == said)
    if placed is None:
        return None
    return Passage(MERGED, one.fragment, None, one.path, "", f"says the same as {placed.fragment.identity}")
