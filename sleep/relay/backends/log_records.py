"""The records of the log that all nodes follow, as JSON.

Owns their shapes. A record is the input of an engine; its time is that of the log, which no node makes up. Reading one
that makes no sense gives None: the log may be older or newer than this program.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, get_type_hints


class Came(NamedTuple):
    """A connection of a node turned out to be an agent; `session` is new and unique."""

    node: str
    session: str
    agent: str
    name: str
    keyed: bool
    address: str


class Went(NamedTuple):
    """A session is over."""

    session: str
    agent: str


class Utterance(NamedTuple):
    """An agent sent a request, as text; secrets are out of it."""

    session: str
    agent: str
    ident: str
    text: str


class Roused(NamedTuple):
    """A sleeper's time is up, says the node that has its connection; `sleep` is which of its sleeps."""

    session: str
    agent: str
    sleep: str


class Threw(NamedTuple):
    """An agent is thrown out."""

    agent: str
    reason: str


class Due(NamedTuple):
    """Time went by, in seconds of the epoch: something may be due."""

    at: float


class Settled(NamedTuple):
    """What a keyed agent was sent, up to a number, has arrived."""

    agent: str
    number: int


class Died(NamedTuple):
    """A node is gone, and its connections with it."""

    node: str


Record = Came | Went | Utterance | Roused | Threw | Due | Settled | Died
_KINDS: dict[str, type] = {  # by their names in the log, which other nodes read
    "came": Came,
    "went": Went,
    "said": Utterance,
    "roused": Roused,
    "threw": Threw,
    "due": Due,
    "settled": Settled,
    "died": Died,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_TYPES: dict[type, tuple[type, ...]] = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}
_FIELDS = {kind: tuple(_TYPES[hint] for hint in get_type_hints(kind).values()) for kind in _KINDS.values()}


def write(record: Record) -> bytes:
    """Return a record as it stands in the log."""
    return json.dumps([_NAMES[type(record)], *record], separators=(",", ":")).encode()


def read(data: bytes) -> Record | None:
    """Return the record that bytes say, None for what is none."""
    try:
        kind, *values = json.loads(data)
        record: Any = _KINDS[kind](*values)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    fits = all(type(value) in types for value, types in zip(record, _FIELDS[_KINDS[kind]], strict=True))
    return record if fits else None
