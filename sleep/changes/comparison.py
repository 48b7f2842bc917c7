"""What became of fragments between two states of the memory: kept, shortened, merged, dropped, or new.

Owns the comparison of documents before and after. Where a step's own fates are known they are believed; all else is
read off the documents, and a reason that they do not show is not made up. Pure.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.documents import paths
from sleep.language.tokenizer import words
from sleep.memory import groups
from sleep.records.fragment import STATUS, SUPERSEDED_BY, Fragment
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sleep.compression.contract import Fate
    from sleep.records.address import Address

    Documents = Mapping[str, Sequence[Fragment]]

ARRIVED = "arrived"


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
        return any(address in fragment.addresses for fragment in (self.before, self.after) if fragment)


def between(before: Documents, after: Documents, fates: Sequence[Fate] = ()) -> list[Passage]:
    """Return the passages of all fragments that do not stand as they were where they stood.

    Args:
        before: the fragments by path as they were; a journal's, cut, by its path.
        after: the same as they are now.
        fates: what the step said of fragments of `before`, where that is known.
    """
    changed = _changed(before, after)
    gone = _difference(before, after, changed)
    counts = Counter(source.fragment.identity for source in gone)
    arrivals = _Arrivals(
        _difference(after, before, changed),
        after,
        frozenset(identity for identity, count in counts.items() if count > 1),
    )
    fates_of: dict[Fragment, list[Fate]] = {}
    for fate in fates:
        fates_of.setdefault(fate.before, []).append(fate)
    by_index: dict[int, Passage] = {}
    for index, source in enumerate(gone):
        if known := fates_of.get(source.fragment):
            by_index[index] = _decided(source, known.pop(0), arrivals)
    for rule in (_same, _shorter, _merged, _reworded, _there, _repeated, _dropped):
        for index, source in enumerate(gone):
            if index not in by_index and (passage := rule(source, arrivals)):
                by_index[index] = passage
    passages = [by_index[index] for index in range(len(gone))]
    used = {(passage.target, passage.after) for passage in passages}
    arrived = [
        Passage(ARRIVED, None, entry.fragment, "", entry.path) for entry in arrivals.entries if tuple(entry) not in used
    ]
    return [*passages, *arrived]


class _Arrivals:
    """The fragments that arrived, each of which is what one that went became, at the most; and all that stand there.

    `several` are the entries of which more than one fragment went.
    """

    def __init__(self, entries: list[Placed], after: Documents, several: frozenset[Address]) -> None:
        self.entries = entries
        self.several = several
        self._free = dict.fromkeys(range(len(entries)))
        self._after = after
        self._words: dict[tuple[Address, str], list[int]] = {}
        for index, entry in enumerate(entries):
            self._words.setdefault((entry.fragment.identity, entry.fragment.text), []).append(index)

    def take_same(self, identity: Address, text: str) -> Placed | None:
        """Return the first of an entry with this text that is free, which it then is no longer."""
        index = next((index for index in self._words.get((identity, text), ()) if index in self._free), None)
        if index is None:
            return None
        self._free.pop(index)
        return self.entries[index]

    def named(self, identity: Address, text: str) -> Placed | None:
        """Return the first of an entry with this text that arrived, free or not, else the first that stands there."""
        arrived = self._words.get((identity, text))
        return self.entries[arrived[0]] if arrived else self._standing.get((identity, text))

    @cached_property
    def _standing(self) -> dict[tuple[Address, str], Placed]:
        standing: dict[tuple[Address, str], Placed] = {}
        for path, fragments in self._after.items():
            for fragment in fragments:
                standing.setdefault((fragment.identity, fragment.text), Placed(path, fragment))
        return standing

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
        return next((entry for entry in self.entries if fits(entry.fragment)), None)

    def there(self, fits: Callable[[Fragment], bool]) -> Placed | None:
        """Return the first of all that stand there that fits."""
        return next(
            (Placed(path, fragment) for path, all_ in self._after.items() for fragment in all_ if fits(fragment)), None
        )


def without_words(passage: Passage) -> str:
    """Return a passage's reason without what a person gave for a change of state."""
    return (
        passage.detail.replace(f" ({passage.after.reason})", "")
        if passage.after and passage.after.reason
        else passage.detail
    )


def with_words(passage: Passage) -> str:
    """Return a passage's reason with what a person gave for a change of state."""
    if not (passage.before and passage.after and passage.after.reason):
        return passage.detail
    change = f"{passage.before.state} -> {passage.after.state}"
    return passage.detail.replace(change, f"{change} ({passage.after.reason})", 1)


def _changed(before: Documents, after: Documents) -> dict[str, set[str]]:
    """Return by path the texts of what is not there before and after as the same object, as what is parsed again is."""
    sides = {path: groups.difference(before.get(path, ()), after.get(path, ())) for path in {**before, **after}}
    return {path: {fragment.text for side in both for fragment in side} for path, both in sides.items()}


def _difference(these: Documents, those: Documents, changed: Mapping[str, set[str]]) -> list[Placed]:
    """Return what stands in these documents and not at the same path in those, in order; only `changed` is counted."""
    placed = []
    for path, fragments in these.items():
        texts = changed[path]
        left = Counter([fragment for fragment in those.get(path, ()) if fragment.text in texts])
        for fragment in fragments:
            if fragment.text in texts:
                left[fragment] -= 1
                if left[fragment] < 0:
                    placed.append(Placed(path, fragment))
    return placed


def _decided(source: Placed, fate: Fate, arrivals: _Arrivals) -> Passage:
    """Return the passage that a step's own fate says."""
    if fate.after is None:
        return Passage(fate.fate, source.fragment, None, source.path, "", fate.detail)
    into = (fate.after.identity, fate.after.text)
    placed = (None if fate.fate == MERGED else arrivals.take_same(*into)) or arrivals.named(*into)
    path, after = placed or Placed("", fate.after)
    return Passage(fate.fate, source.fragment, after, source.path, path, fate.detail)


def _same(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment whose entry arrived elsewhere with the same text."""
    before = source.fragment
    placed = arrivals.take_same(before.identity, before.text)
    return placed and _whole(source, placed)


def _whole(source: Placed, placed: Placed, note: str = "") -> Passage:
    """Return the passage of a fragment whose text stands: kept, or shortened where fields are not what they were."""
    before, after = source.fragment, placed.fragment
    less = [name for name, value in before.fields if name != STATUS and after.field(name) != value]
    details = [note] if note else []
    if before.state != after.state:
        details.append(f"{before.state} -> {after.state}{f' ({after.reason})' if after.reason else ''}")
    if after.is_superseded and not before.is_superseded:
        details.append(f"{SUPERSEDED_BY} {after.field(SUPERSEDED_BY)}")
    if less:
        details.append(f"less of: {', '.join(less)}")
    return Passage(SHORTENED if less else WHOLE, before, after, source.path, placed.path, "; ".join(details))


def _shorter(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment whose entry arrived with some of its words."""
    before = source.fragment
    placed = arrivals.take(lambda other: other.identity == before.identity and within(other.text, before.text))
    return placed and _shortened(source, placed)


def _shortened(source: Placed, placed: Placed, note: str = "") -> Passage:
    sizes = f"{len(placed.fragment.text)} of {len(source.fragment.text)} characters"
    return Passage(SHORTENED, source.fragment, placed.fragment, source.path, placed.path, f"{note}{sizes}")


def within(text: str, other: str) -> bool:
    """True if the words of a text stand in the other in their order, whatever is between them; it has to have some."""
    these, rest = words(text), iter(words(other))
    return bool(these) and all(word in rest for word in these)


def _merged(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment whose address an arrival carries among others."""
    before = source.fragment
    own_words = words(before.text)

    def fits(other: Fragment) -> bool:
        if before.identity not in other.addresses:
            return False
        if own_words == words(other.text):
            return True
        # Of several fragments of one entry it cannot be told which one went into words that are not its own.
        return other.identity != before.identity and before.identity not in arrivals.several

    placed = arrivals.find(fits)
    if placed is None:
        return None
    return Passage(MERGED, before, placed.fragment, source.path, placed.path, str(placed.fragment.identity))


def _reworded(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment whose entry arrived in other words."""
    placed = arrivals.free(lambda other: other.identity == source.fragment.identity)
    return placed and _shortened(source, placed, "in other words, ")


def _there(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment that stood elsewhere with the same text before."""
    before = source.fragment
    placed = arrivals.there(lambda other: before.identity in other.addresses and other.text == before.text)
    return placed and _whole(source, placed, "stood there already")


def _repeated(source: Placed, arrivals: _Arrivals) -> Passage | None:
    """Return the passage of a fragment that says the same as another which stands there."""
    own_words = words(source.fragment.text)
    placed = arrivals.there(lambda other: bool(own_words) and words(other.text) == own_words)
    if placed is None:
        return None
    return Passage(MERGED, source.fragment, None, source.path, "", f"says the same as {placed.fragment.identity}")


def _dropped(source: Placed, _arrivals: _Arrivals) -> Passage:
    return Passage(DROPPED, source.fragment, None, source.path)
