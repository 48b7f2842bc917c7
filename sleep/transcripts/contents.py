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
    from typing import Any

    from sleep.transcripts.events import Event

_ID = 200  # characters of an id that are kept; a client's has at most 60
_NO_CALLS: Mapping[str, int] = MappingProxyType({})


class Contents(NamedTuple):
    """What a stretch holds.

    `calls` are those that edit, of whatever agent: id to the number of files. `failed` are the ids of all calls whose
    result was an error, whether their calls stand in the stretch or not. `loose` counts files of calls without an id.
    """

    calls: Mapping[str, int] = _NO_CALLS
    failed: frozenset[str] = frozenset()
    loose: int = 0


NOTHING = Contents()


class Sum:
    """What is held so far, while it grows; `held` gives it as a value."""

    def __init__(self, held: Contents = NOTHING) -> None:
        self._calls, self._failed, self._loose = dict(held.calls), set(held.failed), held.loose

    def take(self, events: Iterable[Event]) -> bool:
        """Take what one line, or a whole document, says; False if some of it could not be read."""
        is_sound = True
        edits: dict[tuple[str, bool], int] = {}  # by the call and who made it: a sub-agent's line may repeat one
        for event in events:
            if event.kind == "edit":
                key = event.id[:_ID], event.side
                edits[key] = edits.get(key, 0) + 1
            elif event.kind == "result" and not event.ok and event.id:
                self._failed.add(event.id[:_ID])
            elif event.kind == "unread":
                is_sound = False
        for (call, _), files in edits.items():
            if call:
                self._calls[call] = max(files, self._calls.get(call, 0))
            else:
                self._loose += files
        return is_sound

    def held(self) -> Contents:
        """Return what is held, as a value; to be asked for once."""
        return Contents(self._calls, frozenset(self._failed), self._loose)


def union(first: Contents, other: Contents) -> Contents:
    """Return what two stretches hold together: each id once, what has none as often as it stands there."""
    if other == NOTHING:
        return first
    return Contents(_larger(first.calls, other.calls), first.failed | other.failed, first.loose + other.loose)


def _larger(first: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: max(first.get(key, 0), other.get(key, 0)) for key in {**first, **other}}


def subtract(held: Contents, ids: Collection[str]) -> Contents:
    """Return what is held without the calls of these ids."""
    gone = frozenset(ids)
    return held._replace(calls={call: files for call, files in held.calls.items() if call not in gone})


def to_json(held: Contents) -> dict[str, object]:
    """Return what is held as values that JSON has."""
    return {**held._asdict(), "calls": dict(held.calls), "failed": sorted(held.failed)}


def from_json(stored: object) -> Contents | None:
    """Return what `to_json` gave, None for anything else; an older program held calls of sub-agents apart."""
    if not isinstance(stored, dict) or not stored.keys() >= {"failed", "loose"}:
        return None
    counts: dict[str, Any] = {"calls": stored.get("main"), "side": {}, "loose_side": 0, **stored}
    calls, side, failed, loose, loose_side = (counts[key] for key in ("calls", "side", "failed", "loose", "loose_side"))
    is_sound = (
        isinstance(calls, dict)
        and isinstance(side, dict)
        and all(map(is_number, (*calls.values(), *side.values(), loose, loose_side)))
        and isinstance(failed, list)
        and all(isinstance(call, str) for call in failed)
    )
    return Contents({**side, **calls}, frozenset(failed), loose + loose_side) if is_sound else None


def is_number(value: object) -> bool:
    """True for a count: an int, not negative, no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
