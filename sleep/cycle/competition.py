"""Room in a tier: what arrives competes with what stands there, for the tokens that the tier's ratio gives.

Owns the room and who gets it. One instance's share of a tier is a few sentences in warm memory and less than one in
cold, so the ratio is kept by the tier and not by each step: an instance that said much keeps more than one that said
little, whichever came first. Only prose of the instances in question competes; records stand apart, whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, WHOLE, Fate
from sleep.cycle.outcome import free
from sleep.documents import paths
from sleep.memory import noticed
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.compression.contract import Answer, Compressor, Request
    from sleep.memory.view import View
    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment

_OFFER = 2.0  # times its share, that an instance may offer for the competition
_HEADING = 2  # tokens of an instance's share of the headings that date and sort it
_LEAST = 60  # tokens that it may always offer
_NO_ROOM = "over the room: what stands there says more for its length"


class Room(NamedTuple):
    """A tier's folder, the instances whose prose shares the room, and the tokens it has for them."""

    folder: str
    instances: frozenset[InstanceId]
    tokens: int


class Outcome(NamedTuple):
    """What arrives, what that changes of what stood there, by path (None: it makes room), and all fates."""

    arriving: tuple[Fragment, ...]
    changes: dict[str, dict[Fragment, Fragment | None]]
    answer: Answer
    fates: tuple[Fate, ...]


def room(view: View, folder: str, instances: frozenset[InstanceId], ratio: float, cap: int) -> Room:
    """Return the room of these instances in a tier: what their journals held, at the ratio from journal to tier.

    A tier far below its cap has room for more (`outcome.free`).
    """
    came = sum(cycle.before for cycle in view.cycles if cycle.instance in instances)
    placed = (fragment for path in view.files(folder) for fragment in view.tier(path).fragments)
    others = (fragment for fragment in placed if not fragment.instances & instances)
    share = int(came / ratio) - _HEADING * len(instances)
    return Room(folder, instances, free(others, cap, max(0, share)))


def compete(view: View, place: Room, request: Request, compress: Compressor) -> Outcome:
    """Compress what arrives, and let it compete with what stands in the tier.

    `request.budget` is the share that would be its own.
    """
    placed = _prose(view, place)
    standing = tuple(fragment for _, fragment in placed)
    limit = max(place.tokens, request.budget)
    offer = max(int(_OFFER * request.budget), _LEAST)
    request = with_lived(view, request._replace(standing=standing, room=limit))
    answer = compress(request._replace(budget=offer))
    arriving = answer.fragments
    fates = answer.standing
    if fates is None:
        arriving, fates = _fitting(arriving, request)
        answer = answer._replace(fates=tuple(_settled(fate, arriving) for fate in answer.fates))
    changes: dict[str, dict[Fragment, Fragment | None]] = {}
    for (path, fragment), fate in zip(placed, fates, strict=True):
        if fate.after != fragment:
            changes.setdefault(path, {})[fragment] = fate.after
    changed = tuple(fate for fate in fates if fate.after != fate.before)
    return Outcome(arriving, changes, answer, (*answer.fates, *changed))


def with_lived(view: View, request: Request) -> Request:
    """Return a request that names the instances of its fragments that spoke for themselves."""
    instances = {own for fragment in (*request.standing, *request.candidates) for own in fragment.instances}
    return request._replace(lived=frozenset(own for own in instances if not view.is_import(own)))


def _prose(view: View, place: Room) -> list[tuple[str, Fragment]]:
    """Return what competes of what stands in the room, with its path: neither records nor what keeps its words."""
    placed = view.said_by(place.instances, place.folder)
    likeliest = noticed.likeliest(fragment for _, fragment in placed) if place.folder == paths.WARM else ()
    return [(path, fragment) for path, fragment in placed if not (fragment.is_record or fragment.identity in likeliest)]


def _fitting(arriving: Sequence[Fragment], request: Request) -> tuple[tuple[Fragment, ...], tuple[Fate, ...]]:
    """Return what arrives within the room for both, and what becomes of each that stands there."""
    standing = request.standing
    stay = extractive.fitting([*standing, *arriving], request)
    fates = tuple(
        Fate(fragment, WHOLE, fragment) if index in stay else Fate(fragment, DROPPED, None, extractive.MADE_ROOM)
        for index, fragment in enumerate(standing)
    )
    return tuple(fragment for index, fragment in enumerate(arriving, len(standing)) if index in stay), fates


def _settled(fate: Fate, arriving: Sequence[Fragment]) -> Fate:
    """Return a fate as the competition leaves it."""
    if fate.after is None or fate.after in arriving:
        return fate
    why = f"over the room, as {fate.detail}, which it repeats" if fate.fate == MERGED else _NO_ROOM
    return Fate(fate.before, DROPPED, None, why)
