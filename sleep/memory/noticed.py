"""Records that were noticed: which of them wait for somebody's word, and what a journal makes of them.

Owns when one waits no more: it was confirmed, corrected or rejected, its words were rejected before, or a record that
was stated says the same. Refuses to change anything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents import entries, register
from sleep.documents.register import Record
from sleep.documents.verdicts import CONFIRMED, REJECTED
from sleep.records import kinds, known_texts
from sleep.records.fragment import QUOTATION
from sleep.records.known_texts import KnownTexts
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from sleep.documents.verdicts import Verdict
    from sleep.memory.groups import Groups
    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment

_HOT = "memory/hot/"
WARM_MOST = 2  # of one instance, in warm memory and in their words, when they wait no more


class Settled(NamedTuple):
    """What a journal makes of what was noticed.

    Of its own: `left_out` says by address why one becomes nothing, `merged` which record, or which that waits already,
    says the same. Of the tiers: `leaving` goes, with its path, and why where it was `rejected`; `again` gains the
    addresses of those that say it again.
    """

    left_out: Mapping[Address, str]
    merged: Mapping[Address, Address]
    leaving: frozenset[tuple[str, Fragment]]
    again: Mapping[tuple[str, Fragment], Fragment]
    rejected: Mapping[Address, str] = {}

    def takes(self, fragment: Fragment) -> bool:
        """Return whether a fragment of the journal does not arrive as it is."""
        return fragment.identity in self.left_out or fragment.identity in self.merged

    def without(self, fragments: Iterable[Fragment]) -> list[Fragment]:
        """Return the fragments of the journal that arrive."""
        return [fragment for fragment in fragments if not self.takes(fragment)]

    @property
    def changes(self) -> dict[tuple[str, Fragment], Fragment]:
        """What becomes of fragments in the tiers; what leaves has to be among it."""
        return {**self.again, **{place: place[1] for place in self.leaving}}


def waiting(view: View, most: int | None = None) -> list[Record]:
    """Return the noticed records that wait for a word, of hot memory and of journals not slept on, the newest first.

    Those that say who said them come before the others; at most `most` are returned.
    """
    return list(_waiting(view)[:most])


@lru_cache(maxsize=1)  # a wake asks twice: for its line on what waits, and for what it tells
def _waiting(view: View) -> tuple[Record, ...]:
    records = {fragment.identity: Record(fragment, path) for path, fragment in view.placed(_HOT) if fragment.is_noticed}
    entries = [(path, entry) for path, entry in view.waiting if entry.noticed]
    for path, entry in entries:
        records.setdefault(entry.address, Record(register.from_entry(entry), path))
    if not records:
        return ()
    verdicts = view.verdicts(view.journals if entries else view.unslept)
    fragments = [record.fragment for record in records.values()]
    stated = [record.fragment for record in view.records.values() if record.fragment.is_open]
    gone = {**_judged(fragments, verdicts), **equals(fragments, stated), **_repetitions(fragments)}
    left = [record for address, record in records.items() if address not in gone]
    left.sort(key=lambda record: (record.fragment.is_asked, record.fragment.identity), reverse=True)
    return tuple(left)


def aged(view: View, handle: str) -> Fragment | None:
    """Return what was noticed at an address and stands in a tier, asked about or not; None where it was judged."""
    named = (fragment for _, fragment in view.naming((handle,)))
    fragment = next((each for each in named if each.is_noticed and handle in map(str, each.addresses)), None)
    is_judged = fragment is not None and _judged([fragment], view.verdicts(view.journals))
    return None if is_judged else fragment


def bound(view: View) -> list[tuple[str, Fragment]]:
    """Return, with their paths, the records that bind and were only noticed: a merge put their lines elsewhere."""
    return [
        (path, fragment)
        for path, fragment in view.placed()
        if kinds.is_record(fragment.kind) and not fragment.number and _was_noticed(view, fragment.identity)
    ]


def _was_noticed(view: View, address: Address) -> bool:
    """Return whether the journal says that an entry was only noticed; a journal without such an entry is not parsed."""
    path = view.path_of(address.instance)
    if path is None or f"{entries.STANDING}: {kinds.NOTICED}" not in (view.read(path) or ""):
        return False
    entry = view.entry(address)
    return entry is not None and register.from_entry(entry).is_noticed


def likeliest(fragments: Iterable[Fragment]) -> frozenset[Address]:
    """Return the noticed records that keep their words in warm memory: the likeliest few of each instance."""
    by_instance: dict[InstanceId, list[Fragment]] = {}
    for fragment in fragments:
        if fragment.is_asked:
            by_instance.setdefault(fragment.identity.instance, []).append(fragment)
    for own in by_instance.values():
        own.sort(key=lambda fragment: (kinds.ENTRIES[fragment.stated_kind].noticed_rank, fragment.identity))
    return frozenset(fragment.identity for own in by_instance.values() for fragment in own[:WARM_MOST])


def settle(view: View, arriving: Sequence[Fragment], stated: Sequence[Fragment], own: Sequence[Verdict]) -> Settled:
    """Return what a journal makes of what was noticed.

    Args:
        view: the memory without the journal in its tiers.
        arriving: what the journal noticed.
        stated: the records that it states.
        own: the verdicts that it gives.
    """
    verdicts = view.verdicts(view.journals) if arriving else {}
    fresh = {fragment.identity for fragment in stated}
    merged = {address: verdict.by for address, verdict in verdicts.items() if verdict.by in fresh}
    judged = {address: why for address, why in _judged(arriving, verdicts).items() if address not in merged}
    asked = [fragment for fragment in arriving if fragment.is_asked and fragment.identity not in {**judged, **merged}]
    merged |= equals(asked, stated, view.by(_HOT, sayings))
    asked = [fragment for fragment in asked if fragment.identity not in merged]
    leaving = _leaving(view, stated, own)
    again, repeated = _said_again(view, asked, leaving)
    return Settled(judged, {**merged, **repeated}, leaving, again, _rejected(leaving, own))


def _rejected(leaving: Iterable[tuple[str, Fragment]], own: Iterable[Verdict]) -> dict[Address, str]:
    """Return by address why something leaves that was rejected."""
    verdicts = {verdict.address: verdict for verdict in own if verdict.to == REJECTED}
    return _judged([fragment for _, fragment in leaving], verdicts)


def _leaving(view: View, stated: Sequence[Fragment], own: Sequence[Verdict]) -> frozenset[tuple[str, Fragment]]:
    """Return what waits in the tiers and waits no more: a journal judges it, or states it."""
    hot = [place for place in view.placed(_HOT) if place[1].is_noticed]
    named = [place for place in view.naming(str(verdict.address) for verdict in own) if place[1].is_noticed]
    fragments = [fragment for _, fragment in hot]
    verdicts = {verdict.address: verdict for verdict in own}
    gone = verdicts.keys() | _judged(fragments, verdicts).keys() | equals(fragments, stated).keys()
    return frozenset(place for place in (*hot, *named) if place[1].identity in gone)


def _said_again(
    view: View, asked: Sequence[Fragment], leaving: frozenset[tuple[str, Fragment]]
) -> tuple[dict[tuple[str, Fragment], Fragment], dict[Address, Address]]:
    """Return what waits already with the addresses of what says it again, and by address of that which it is."""
    staying = [place for place in view.placed(_HOT) if place[1].is_noticed and place not in leaving]
    known = KnownTexts(fragment.text for _, fragment in staying)
    again: dict[tuple[str, Fragment], Fragment] = {}
    repeated: dict[Address, Address] = {}
    for fragment in asked:
        alike = (staying[at] for at in known.repeating(fragment.text))
        same = next((place for place in alike if place[1].kind == fragment.kind), None)
        if same and fragment.identity != same[1].identity:
            repeated[fragment.identity] = same[1].identity
            now = again.get(same, same[1])
            if fragment.identity not in now.addresses:  # a step that is taken a second time changes nothing
                again[same] = now._replace(addresses=(*now.addresses, fragment.identity))
    return again, repeated


def equals(
    noticed: Sequence[Fragment], stated: Sequence[Fragment], standing: Groups | None = None
) -> dict[Address, Address]:
    """Return by address of what was noticed the stated record that says it, first of those that are `standing`.

    What an instance stated itself stands for what was noticed of it where either has four fifths of the other's terms;
    what another stated has to be the same words.
    """
    if not noticed:
        return {}
    known = KnownTexts(_words(fragment) for fragment in stated)
    same = {fragment.identity: _repeated(fragment, stated, known, standing) for fragment in noticed}
    records = {address: record.identity for address, record in same.items() if record}
    by_instance: dict[InstanceId, list[Fragment]] = {}
    for fragment in noticed:
        for instance in dict.fromkeys(fragment.instances):
            by_instance.setdefault(instance, []).append(fragment)
    texts = {instance: KnownTexts(fragment.text for fragment in own) for instance, own in by_instance.items()}
    own_standing = [fragment for _, fragment in standing.of(*by_instance)] if standing else []
    for record in (*own_standing, *stated):
        if own := by_instance.get(record.identity.instance):
            for fragment in _alike(own, texts[record.identity.instance], record):
                records.setdefault(fragment.identity, record.identity)
    return records


def sayings(fragment: Fragment) -> Iterator[Hashable]:
    """Yield what leads to an open record: its instance, and what leads to its text, and to that with its reason."""
    if fragment.is_open:
        yield fragment.identity.instance
        texts = dict.fromkeys((fragment.text, _words(fragment)))
        yield from dict.fromkeys(handle for text in texts for handle in known_texts.handles(text))


def _repeated(
    fragment: Fragment, stated: Sequence[Fragment], known: KnownTexts, standing: Groups | None
) -> Fragment | None:
    """Return the first record that a fragment repeats, or that repeats it; `known` are the words of those `stated`."""
    text = fragment.text
    if standing:
        keys = known_texts.asked(text, standing.count)
        same = standing.of(*keys, fits=lambda record: known_texts.repeats(text, _words(record)))
        if same:
            return same[0][1]
    at = next(known.repeating(text), None)
    return None if at is None else stated[at]


def _alike(own: Sequence[Fragment], texts: KnownTexts, record: Fragment) -> Iterator[Fragment]:
    """Yield what was noticed of a record's own instance and has four fifths of its terms, or it of theirs.

    `texts` are those of what was noticed, in its order.
    """
    whole = KnownTexts((_words(record),))
    yield from (fragment for fragment in own if whole.has(fragment.text))
    yield from (own[at] for at in texts.saying(record.text))


def _words(fragment: Fragment) -> str:
    why = fragment.field("why")
    return f"{fragment.text} {why}" if why else fragment.text


def _judged(fragments: Iterable[Fragment], verdicts: Mapping[Address, Verdict]) -> dict[Address, str]:
    """Return by address why some are not to be asked about: of themselves, or of the same words, somebody has judged.

    Words that were confirmed are those of a record.
    """
    gone = [verdict for verdict in verdicts.values() if verdict.to != CONFIRMED and verdict.quotation]
    known = KnownTexts(verdict.quotation for verdict in gone)
    judged: dict[Address, str] = {}
    for fragment in fragments:
        if verdict := next((verdicts[address] for address in fragment.addresses if address in verdicts), None):
            judged[fragment.identity] = f"{verdict.to} in {verdict.by}"
            continue
        texts = filter(None, (fragment.text, fragment.field(QUOTATION)))
        if (at := next((at for text in texts for at in known.repeating(text)), None)) is not None:
            judged[fragment.identity] = f"the same was {gone[at].to} in {gone[at].by}"
    return judged


def _repetitions(fragments: Sequence[Fragment]) -> dict[Address, Address]:
    """Return which say what an earlier one says that waits too."""
    known = KnownTexts(())
    first: list[Fragment] = []
    repeated: dict[Address, Address] = {}
    for fragment in fragments:
        same = next((first[at] for at in known.repeating(fragment.text) if first[at].kind == fragment.kind), None)
        if same:
            repeated[fragment.identity] = same.identity
        else:
            known.add(fragment.text)
            first.append(fragment)
    return repeated
