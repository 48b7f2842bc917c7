"""What goes into the engine and what comes out of it: events and effects, as values.

Owns their shapes, and the refusal of a request. An agent is named by its id with the `@`. Events are named in the past
tense, as the log's records are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from sleep.relay.engine.frames import error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.markers import Mode
    from sleep.relay.engine.requests import Request

Doing = Literal["joined", "left", "slept", "woke", "kicked"]


class Now(NamedTuple):
    """A moment: seconds of a clock that never goes back, for timers, and milliseconds of the epoch, for people."""

    mono: float
    wall: int


# --- events ------------------------------------------------------------------------------------------------------


class Arrived(NamedTuple):
    """An agent has a connection. Whoever says so has checked the key of a keyed one and the name.

    A keyed agent that is here already is displaced: what it slept through goes to the new connection.
    """

    agent: str
    name: str
    keyed: bool


class Departed(NamedTuple):
    """An agent's connection is gone; `cut` if that was not its doing, as when another process that had it died."""

    agent: str
    cut: bool = False


class Asked(NamedTuple):
    """An agent sent a request; `ident` is new and unique, and names what comes of it."""

    agent: str
    request: Request
    ident: str


class Kicked(NamedTuple):
    """Somebody who may do so ends an agent's session, asleep or not, here or not."""

    agent: str
    reason: str


Event = Arrived | Departed | Asked | Kicked


# --- effects on others -------------------------------------------------------------------------------------------


class Send(NamedTuple):
    """A frame goes to these agents; those without a connection miss it."""

    to: Sequence[str]
    frame: Frame


class Close(NamedTuple):
    """An agent's connection is closed, with a code of RFC 6455."""

    agent: str
    code: int
    reason: str


class Overdue(NamedTuple):
    """A sleeper's time is up: whoever has its connection says with `rouse` that it lives."""

    agent: str
    sleep: str  # which of its sleeps


class Noted(NamedTuple):
    """Something for the feed of activity."""

    ts: int
    agent: str
    name: str
    doing: Doing
    detail: str


# --- effects on what must outlive the process ----------------------------------------------------------------------
# Asleep, Buffered, Set and what undoes them are about keyed agents only: another cannot prove who it was.


class Relayed(NamedTuple):
    """A message was said to a channel or an agent; its number is its place in the order of all messages."""

    number: int
    target: str
    frame: Frame


class Asleep(NamedTuple):
    """An agent is asleep, or something about that changed. `wakes` is in milliseconds of the epoch."""

    agent: str
    ident: str
    name: str
    mode: Mode
    since: int
    wakes: int
    dropped: int
    channels: tuple[str, ...]


class Buffered(NamedTuple):
    """The message of this number waits for an agent."""

    agent: str
    number: int


class Unbuffered(NamedTuple):
    """It waits no more, because the buffer was full; `dropped` is how many that makes."""

    agent: str
    number: int
    dropped: int


class Awake(NamedTuple):
    """What waited for an agent, up to a number, was sent to it: to be forgotten once it is known to have arrived."""

    agent: str
    ident: str
    number: int


class Sent(NamedTuple):
    """Messages that wait for an agent, up to a number, were sent to it while it was awake: as above."""

    agent: str
    number: int


class Gone(NamedTuple):
    """An agent's sleep, buffer and callbacks are over."""

    agent: str


class Set(NamedTuple):
    """A callback waits: when it fires, in milliseconds of the epoch, where, and what it says."""

    agent: str
    ident: str
    fires: int
    channel: str
    payload: str


class Unset(NamedTuple):
    """A callback has fired or is void."""

    ident: str


class Opened(NamedTuple):
    """A channel that is not public was made, or its guests changed."""

    channel: str
    invite_only: bool
    guests: tuple[str, ...]


class Shut(NamedTuple):
    """A channel is no more, and its history with it."""

    channel: str


Lasting = Relayed | Asleep | Buffered | Unbuffered | Awake | Sent | Gone | Set | Unset | Opened | Shut
Effect = Send | Close | Overdue | Noted | Lasting
LASTING = (Relayed, Asleep, Buffered, Unbuffered, Awake, Sent, Gone, Set, Unset, Opened, Shut)


def refuse(agent: str, code: str, why: str, now: Now, out: list[Effect]) -> None:
    """Add to the effects that an agent, by its id, is told why it does not get what it asked for."""
    out.append(Send((agent,), error(code, why, now.wall)))


# --- what outlived the process -------------------------------------------------------------------------------------


class Archive(NamedTuple):
    """What a journal gives back: messages in order, and what hangs on them."""

    messages: Sequence[Relayed] = ()
    asleep: Sequence[Asleep] = ()
    buffered: Sequence[Buffered] = ()
    callbacks: Sequence[Set] = ()
    channels: Sequence[Opened] = ()
