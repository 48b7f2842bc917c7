"""What a part of a transcript holds that counts for debt: edits by their calls' ids, and what was said.

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
_NO_MESSAGES: Mapping[str, tuple[int, int]] = MappingProxyType({})


class Contents(NamedTuple):
    """What a stretch holds.

    `main` and `side` are the calls that edit, of the main agent and of sub-agents: id to the number of files. `failed`
    are the ids of all calls whose result was an error, whether their calls stand in the stretch or not. `loose` and
    `loose_side` count calls without an id. `messages` are by who wrote each, when, and how long it
    is: (decisions, tokens); `loose_messages` is (turns, decisions, tokens) of what has no time.
    """

    main: Mapping[str, int] = _NO_CALLS
    side: Mapping[str, int] = _NO_CALLS
    failed: frozenset[str] = frozenset()
    loose: int = 0
    loose_side: int = 0
    messages: Mapping[str, tuple[int, int]] = _NO_MESSAGES
    loose_messages: tuple[int, int, int] = (0, 0, 0)


NOTHING = Contents()


class Sum:
    """What is held so far, while it grows; `held` gives it as a value."""

    def __init__(self, held: Contents = NOTHING, *, substance: bool = False) -> None:
        self._main, self._side, self._failed = dict(held.main), dict(held.side), set(held.failed)
        self._loose, self._loose_side = held.loose, held.loose_side
        self._messages, self._loose_messages = dict(held.messages), held.loose_messages
        self._substance = substance

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
            elif self._substance:
                self._count_speech(event)
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

    def _count_speech(self, event: Event) -> None:
        from sleep.transcripts import substance  # noqa: PLC0415  # late: most counts do not need it

        if (spoken := substance.of(event)) is None:
            return
        key, *numbers = spoken
        if key:
            self._messages[key] = max((numbers[1], numbers[2]), self._messages.get(key, (0, 0)))
        else:
            turns, decisions, tokens = (old + new for old, new in zip(self._loose_messages, numbers, strict=True))
            self._loose_messages = turns, decisions, tokens

    def held(self) -> Contents:
        """Return what is held, as a value; to be asked for once."""
        failed = frozenset(self._failed)
        return Contents(
            self._main, self._side, failed, self._loose, self._loose_side, self._messages, self._loose_messages
        )


def union(first: Contents, other: Contents) -> Contents:
    """Return what two stretches hold together: each id once, what has none as often as it stands there."""
    if other == NOTHING:
        return first
    main = _larger(first.main, other.main)
    side = _larger(first.side, other.side)
    for call in main.keys() & side.keys():
        main[call] = max(main[call], side.pop(call))
    messages = {
        key: max(first.messages.get(key, (0, 0)), other.messages.get(key, (0, 0)))
        for key in {**first.messages, **other.messages}
    }
    turns, decisions, tokens = (old + new for old, new in zip(first.loose_messages, other.loose_messages, strict=True))
    return Contents(
        main,
        side,
        first.failed | other.failed,
        first.loose + other.loose,
        first.loose_side + other.loose_side,
        messages,
        (turns, decisions, tokens),
    )


def _larger(first: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: max(first.get(key, 0), other.get(key, 0)) for key in {**first, **other}}


def subtract(held: Contents, ids: Collection[str]) -> Contents:
    """Return what is held without the calls and messages of these ids."""
    gone = frozenset(ids)
    return held._replace(
        main={call: files for call, files in held.main.items() if call not in gone},
        side={call: files for call, files in held.side.items() if call not in gone},
        messages={key: numbers for key, numbers in held.messages.items() if key not in gone},
    )


_KEYS = ("main", "side", "failed", "loose", "loose_side", "said", "loose_said")  # of the fields, as they are kept


def to_json(held: Contents) -> dict[str, object]:
    """Return what is held as values that JSON has."""
    return {
        **dict(zip(_KEYS, held, strict=True)),
        "main": dict(held.main),
        "side": dict(held.side),
        "failed": sorted(held.failed),
        "said": {key: list(numbers) for key, numbers in held.messages.items()},
        "loose_said": list(held.loose_messages),
    }


def from_json(stored: object) -> Contents | None:
    """Return what `to_json` gave, None for anything else."""
    if not isinstance(stored, dict) or set(stored) != set(_KEYS):
        return None
    main, side, failed, loose, loose_side, messages, loose_messages = (stored[key] for key in _KEYS)
    is_sound = (
        all(isinstance(each, dict) for each in (main, side, messages))
        and all(map(is_number, (*main.values(), *side.values(), loose, loose_side)))
        and all(is_numbers(value, 2) for value in messages.values())
        and is_numbers(loose_messages, 3)
        and isinstance(failed, list)
        and all(isinstance(call, str) for call in failed)
    )
    if not is_sound:
        return None
    pairs = {key: tuple(value) for key, value in messages.items()}
    return Contents(main, side, frozenset(failed), loose, loose_side, pairs, tuple(loose_messages))


def is_number(value: object) -> bool:
    """True for a count: an int, not negative, no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_numbers(value: object, length: int) -> bool:
    """True for a list of so many counts."""
    return isinstance(value, list) and len(value) == length and all(map(is_number, value))
