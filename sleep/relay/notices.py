"""What a client hears, as typed values, and which of it is a repeat.

Owns the reading of a server's frames. A frame that this program does not know is `Other`: another server may say more.
"""

from __future__ import annotations

from collections import OrderedDict
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_KNOWN = 10_000
_WAKE, _FIRE = "@@wake@@", "@@cb-fire@@"


class Welcome(NamedTuple):
    """The relay knows this agent; `again` is true after a connection was lost."""

    agent: str
    name: str
    server: str
    again: bool = False


class Message(NamedTuple):
    """Somebody said something; `replay` marks history. `raw` has what else the frame said."""

    sender: str
    name: str
    to: str
    text: str
    ident: str
    ts: int
    replay: bool
    raw: Mapping[str, Any]


class Woke(NamedTuple):
    """This agent slept and is awake again; so many messages follow, and so many are lost."""

    buffered: int
    dropped: int
    ts: int


class Fired(NamedTuple):
    """A callback is due."""

    origin: str
    payload: str
    to: str
    ident: str
    ts: int


class Presence(NamedTuple):
    """Another agent's presence changed."""

    agent: str
    name: str
    presence: str
    text: str


class Moved(NamedTuple):
    """An agent (maybe this one) is in a channel now (`here`), or no longer."""

    agent: str
    name: str
    channel: str
    here: bool


class Renamed(NamedTuple):
    """An agent has another name."""

    agent: str
    old: str
    new: str


class Failed(NamedTuple):
    """The relay refused something."""

    code: str
    why: str


class Ended(NamedTuple):
    """This agent's session is over and is not taken up again: displaced, kicked, or refused."""

    why: str


class Lost(NamedTuple):
    """The connection broke; the next try is in so many seconds."""

    why: str
    seconds: float


class Other(NamedTuple):
    """Something else."""

    kind: str
    raw: Mapping[str, Any]


Notice = Welcome | Message | Woke | Fired | Presence | Moved | Renamed | Failed | Ended | Lost | Other


class Repeats:
    """The messages that were heard, as far back as it matters: delivery is at least once."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def again(self, frame: Mapping[str, Any]) -> bool:
        """Return whether a message was heard before; what is replayed on request is never a repeat."""
        ident = frame.get("msg_id") or frame.get("cb_id")
        if not isinstance(ident, str) or frame.get("replay"):
            return False
        if ident in self._known:
            return True
        self._known[ident] = None
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return False


def read(frame: Mapping[str, Any]) -> Notice:
    """Return what a frame says."""
    kind = str(frame.get("type"))
    reader = _READERS.get(kind)
    return reader(frame) if reader else Other(kind, frame)


def _message(frame: Mapping[str, Any]) -> Notice:
    text, sender, ts = str(frame.get("content", "")), str(frame.get("from", "")), _int(frame, "ts")
    if sender == "@server" and text == _WAKE:
        return Woke(_int(frame, "buffered"), _int(frame, "dropped"), ts)
    if sender == "@server" and text.startswith(_FIRE):
        return Fired(
            str(frame.get("cb_origin", "")),
            text.removeprefix(_FIRE),
            str(frame.get("to", "")),
            str(frame.get("cb_id", "")),
            ts,
        )
    return Message(
        sender,
        str(frame.get("from_name", "")),
        str(frame.get("to", "")),
        text,
        str(frame.get("msg_id", "")),
        ts,
        frame.get("replay") is True,
        frame,
    )


def _int(frame: Mapping[str, Any], field: str) -> int:
    value = frame.get(field)
    return value if isinstance(value, int) else int(value) if isinstance(value, float) and isfinite(value) else 0


def _texts(kind: Callable[..., Notice], *fields: str, **more: object) -> Callable[[Mapping[str, Any]], Notice]:
    return lambda frame: kind(*(str(frame.get(field) or "") for field in fields), **more)


_READERS: dict[str, Callable[[Mapping[str, Any]], Notice]] = {
    "MSG": _message,
    "WELCOME": _texts(Welcome, "agent_id", "name", "server"),
    "PRESENCE_CHANGED": _texts(Presence, "agent_id", "name", "presence", "status_text"),
    "AGENT_JOINED": _texts(Moved, "agent", "name", "channel", here=True),
    "AGENT_LEFT": _texts(Moved, "agent", "name", "channel", here=False),
    "NICK_CHANGED": _texts(Renamed, "agent_id", "old_nick", "new_nick"),
    "ERROR": _texts(Failed, "code", "message"),
    "SESSION_DISPLACED": _texts(Ended, "reason"),
    "KICKED": _texts(Ended, "reason"),
}
