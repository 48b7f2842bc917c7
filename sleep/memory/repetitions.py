"""Repetitions: which record that stands already a new one says again, and what becomes of both.

Owns where it is looked for: in hot memory it may be told in nearly the same words, elsewhere in the same ones. What was
only noticed is compared by `noticed`. Refuses to write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.memory import noticed
from sleep.records import known_texts
from sleep.records.known_texts import KnownTexts
from sleep.records.relations import equality

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.memory.groups import Place
    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

_HOT = "memory/hot/"


def fold(
    view: View, records: Sequence[Fragment], changes: dict[Place, Fragment]
) -> tuple[list[Fragment], dict[Address, Address]]:
    """Fold each new record that says what another says into that: it gains the address, the number and the fields.

    `changes` are what becomes of records in this step; those that stand and are said again are added. Returns the
    records that are left, and by folded address the record it went into. Each is compared with what it has become: two
    that say the same may each bring a field of one name, and only one has room for it.
    """
    left: list[Fragment] = []
    known = KnownTexts(())
    into: dict[Address, Address] = {}
    for record in records:
        place = _standing(view, record, changes) if equality.may_repeat(record) else None
        if place:
            first = changes.get(place, place[1])
            if record.identity not in first.addresses:  # a step that is taken a second time changes nothing
                changes[place] = equality.join(first, record)
            into[record.identity] = first.identity
            continue
        own = next((at for at in known.repeating(record.text) if equality.is_repeated(left[at], record)), None)
        if own is None:
            left.append(record)
            known.add(record.text)
        else:
            left[own] = equality.join(left[own], record)
            into[record.identity] = left[own].identity
    return left, into


def _standing(view: View, record: Fragment, changes: Mapping[Place, Fragment]) -> Place | None:
    """Return the record of the tiers that a new one repeats, with its path; of several the first.

    What a step ends is not said again.
    """
    changed = {fragment.text for _, fragment in changes}
    keys = tuple(_same_words(record))
    hot = view.by(_HOT, noticed.sayings)
    near = hot.of(
        *known_texts.asked(record.text, hot.count),
        fits=lambda old: old.text in changed or equality.is_repeated(old, record),
    )
    same = (place for tier in (paths.WARM, paths.COLD) for place in view.by(tier, _same_words).of(*keys))
    there = (place for places in (near, same) for place in places)
    return next((place for place in there if equality.is_repeated(changes.get(place, place[1]), record)), None)


def _same_words(fragment: Fragment) -> Iterator[tuple[str, str]]:
    if equality.may_repeat(fragment):
        yield fragment.kind, known_texts.spoken(fragment.text)
