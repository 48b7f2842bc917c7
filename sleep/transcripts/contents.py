"""What a part of a transcript holds that counts for debt: edits by their calls' ids.

Owns this value: how it grows event by event, the union of two, and its form in JSON. A call is known by its id, however
often it was written, so the order in which parts are read and joined changes nothing.
"""

from __future__ import annotations

from types import MappingProxyType

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sleep.transcripts.events import Event

_ID = 200  # characters of an id that are kept; a client's has at most 60
_NO_CALLS: Mapping[str, int] = MappingProxyType({})


class Contents(NamedTuple):
    """What a stretch holds.

    `main` and `side` are the calls that edit, of the main agent and of sub-agents: id to the number of files. `failed`
    are the ids of all calls whose result was an error, whether their calls stand in the stretch or not. `loose` and
    `loose_side` count calls without an id.
    """

    main: Mapping[str, int] = _NO_CALLS
    side: Mapping[str, int] = _NO_CALLS
    failed: frozenset[str] = frozenset()
    loose: int = 0
    loose_side: int = 0


NOTHING = Contents()


class Sum:
    """What is held so far, while it grows; `held` gives it as a value."""

    def __init__(self, held: Contents = NOTHING) -> None:
        self._main, self._side, self._failed = dict(held.main), dict(held.side), set(held.failed)
        self._loose, self._loose_side = held.loose, held.loose_side

    def take(self, events: Iterable[Event]) -> bool:
        """Take what one line, or a whole document, says; False if some of it could not be read."""
        is_sound = True
        edits: dict[tuple[str, bool], int] = {}
        for event in events:
            if event.kind == "edit":
                key = event.id[:_ID], event.side
                edits[key] = edits.get(key, 0) + 1
            elif event.kind == "result" and not event.ok and event.id:
                self._failed.add(event.id[:_ID])
            elif event.kind == "unread":
                is_sound = False
        for (call, is_side), files in edits.items():
            self._edit(call, files, is_side=is_side)
        return is_sound

    def _edit(self, call: str, files: int, *, is_side: bool) -> None:
        """Take a call; one that a sub-agent's line repeats is the main agent's."""
        if not call:
            self._loose, self._loose_side = self._loose + files * (not is_side), self._loose_side + files * is_side
        elif call in self._main or not is_side:
            self._main[call] = max(files, self._main.get(call, 0), self._side.pop(call, 0))
        else:
            self._side[call] = max(files, self._side.get(call, 0))

    def held(self) -> Contents:
        """Return what is held, as a value; to be asked for once."""
        return Contents(self._main, self._side, frozenset(self._failed), self._loose, self._loose_side)


def union(first: Contents, other: Contents) -> Contents:
    """Return what two stretches hold together: each id once, what has none as often as it stands there."""
    if other == NOTHING:
        return first
    main = _larger(first.main, other.main)
    side = _larger(first.side, other.side)
    for call in main.keys() & side.keys():
        main[call] = max(main[call], side.pop(call))
    loose, loose_side = first.loose + other.loose, first.loose_side + other.loose_side
    return Contents(main, side, first.failed | other.failed, loose, loose_side)


def _larger(first: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: max(first.get(key, 0), other.get(key, 0)) for key in {**first, **other}}


def subtract(held: Contents, ids: Collection[str]) -> Contents:
    """Return what is held without the calls of these ids."""
    gone = frozenset(ids)
    return held._replace(
        main={call: files for call, files in held.main.items() if call not in gone},
        side={call: files for call, files in held.side.items() if call not in gone},
    )


def to_json(held: Contents) -> dict[str, object]:
    """Return what is held as values that JSON has."""
    return {**held._asdict(), "main": dict(held.main), "side": dict(held.side), "failed": sorted(held.failed)}


def from_json(stored: object) -> Contents | None:
    """Return what `to_json` gave, None for anything else; keys that an older program wrote besides are passed over."""
    if not isinstance(stored, dict) or not stored.keys() >= set(Contents._fields):
        return None
    main, side, failed, loose, loose_side = (stored[key] for key in Contents._fields)
    is_sound = (
        all(isinstance(each, dict) for each in (main, side))
        and all(map(is_number, (*main.values(), *side.values(), loose, loose_side)))
        and isinstance(failed, list)
        and all(isinstance(call, str) for call in failed)
    )
    return Contents(main, side, frozenset(failed), loose, loose_side) if is_sound else None


def is_number(value: object) -> bool:
    """True for a count: an int, not negative, no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
