"""A relay that is one of many: what it is asked goes into a common log, and what the log says is done.

Every node follows the same log with the same engine, and carries out what concerns its own connections. So there is one
order of everything, agents on different nodes share all there is, and nothing is echoed that is not in the log.

Owns what a record does. The clock of the engine is that of the log. Refuses to know where the log is kept.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, assert_never

from sleep.redaction import secret_scan
from sleep.relay.backends import image, log_records
from sleep.relay.backends.log_records import Came, Died, Due, Roused, Settled, Threw, Utterance, Went
from sleep.relay.engine import requests
from sleep.relay.engine.effects import (
    Archive,
    Arrived,
    Asked,
    Asleep,
    Awake,
    Buffered,
    Departed,
    Gone,
    Kicked,
    Now,
    Overdue,
    Relayed,
    Send,
    Unbuffered,
)
from sleep.relay.engine.effects import Sent as SentTo
from sleep.relay.engine.frames import error
from sleep.relay.server.hub import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.relay.backends.log_records import Record
    from sleep.relay.configuration import Configuration
    from sleep.relay.engine.effects import Effect, Event, Lasting
    from sleep.relay.engine.frames import Frame
    from sleep.relay.server.connection import Connection
    from sleep.relay.server.site_protocol import Site

_RETRY = 0.5  # seconds until what is due is said again
_HELD = 100  # requests of a connection that wait for its agent to come in


class Log(Protocol):
    """Where records go."""

    def append(self, record: Record, once: str = "") -> None:
        """Have a record appended some time; with the name of something that must be there once only, once."""

    def wake_at(self, agent: str, at: float) -> None:
        """Have `Due` appended at a time, though every node may be dead then."""

    def carry(self, agent: str, frame: Frame) -> bool:
        """Hand a frame to whatever node has an agent, now or never; return whether it is not too large for that."""


class Ledger:
    """In the place of the journal: nothing need be kept, for the log is; what may not have arrived is known."""

    set_aside = ""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._told: dict[int, Frame] = {}
        self.pending: dict[str, OrderedDict[int, Frame]] = {}

    def add(self, effect: Lasting, _text: str = "") -> None:
        """Note what waits for whom, on every node alike."""
        if isinstance(effect, Relayed):
            self._told = {effect.number: effect.frame}
        elif isinstance(effect, Buffered):
            if effect.number in self._told:
                self.pending.setdefault(effect.agent, OrderedDict())[effect.number] = self._told[effect.number]
        elif isinstance(effect, Unbuffered):
            self.pending.get(effect.agent, OrderedDict()).pop(effect.number, None)
        elif isinstance(effect, Gone):
            self.pending.pop(effect.agent, None)
        elif isinstance(effect, Asleep):
            self._node.sleeps(effect)

    def settled(self, agent: str, number: int) -> None:
        """Forget what has arrived."""
        frames = self.pending.get(agent)
        while frames and next(iter(frames)) <= number:
            frames.popitem(last=False)
        if frames is not None and not frames:
            del self.pending[agent]

    def settle(self, delivery: Awake | SentTo) -> None:
        """Tell all nodes that something has arrived."""
        if delivery.number:
            self._node.log.append(Settled(delivery.agent, delivery.number))

    def read(self) -> Archive:
        """Return nothing: the log was followed instead."""
        return Archive()

    def commit(self) -> None:
        """Nothing is left to do: what is carried out is in the log."""

    def close(self) -> None:
        """As above."""


class Node(Server):
    """A relay that follows a log, whose every record, in order, it is configuration by `follow`."""

    shared = True
    log: Log

    def __init__(self, configuration: Configuration, known: Sequence[str] = (), site: Site | None = None) -> None:
        super().__init__(configuration, site=site)
        self._known = known  # the engine must do the same everywhere, and its redaction with it: ours come before
        self.node = secrets.token_hex(6)
        self._ledger = Ledger(self)
        self._journal: Any = self._ledger
        self._sessions: dict[str, Came] = {}  # who is where, as the log says
        self._coming: dict[str, tuple[Connection, Arrived, list[str]]] = {}
        self._entering: dict[Connection, str] = {}
        self._mono = 0.0
        self.full = False  # the log is: nothing more can be asked
        self._skew: float | None = None

    # --- from connections to the log ----------------------------------------------------------------------------------

    def heard(self, connection: Connection, text: str) -> None:
        """Do what a message asks for, after the agent has come in."""
        if self.full:
            self._tell(connection, error("NOT_ALLOWED", "The relay's log is full", self._now().wall))
            return
        if session := self._entering.get(connection):
            texts = self._coming[session][2]
            texts.append(text)
            if len(texts) > _HELD:
                connection.close(1008, "too much at once")
            return
        super().heard(connection, text)

    def lost(self, connection: Connection) -> None:
        """Let go of a connection, and of an agent that was just coming in."""
        if session := self._entering.pop(connection, ""):
            del self._coming[session]
        super().lost(connection)

    def _admit(self, connection: Connection, arrived: Arrived, _now: Now) -> None:
        session = secrets.token_hex(8)
        self._coming[session] = (connection, arrived, [])
        self._entering[connection] = session
        self.log.append(Came(self.node, session, *arrived, connection.address))

    def _decide(self, event: Event, now: Now, text: str = "") -> None:
        match event:
            case Asked(request=requests.Chunk()):
                self._carry(event, now)
            case Asked():
                if came := self._sessions.get(event.agent):
                    self.log.append(Utterance(came.session, event.agent, event.ident, self._clean(text)))
            case Departed():
                if came := self._sessions.get(event.agent):
                    self.log.append(Went(came.session, event.agent))
            case Kicked():
                self.log.append(Threw(event.agent, event.reason))
            case Arrived():
                raise AssertionError("see _admit")
            case _:
                assert_never(event)

    def _carry(self, event: Asked, now: Now) -> None:
        """Pass a piece of a file on beside the log, which is on disk: nothing that nodes must agree on changes."""
        for effect in self.engine.handle(event, now):
            assert isinstance(effect, Send)  # noqa: S101  # for the type checker
            agent = effect.to[0]
            if connection := self._here.get(agent):
                self._tell(connection, effect.frame)
            elif not self.log.carry(agent, effect.frame) and (connection := self._here.get(event.agent)):
                self._tell(connection, error("NOT_ALLOWED", "The chunk is too large to go to another node", now.wall))

    def carried(self, agent: str, frame: Frame) -> None:
        """Take in a frame that another node handed on for an agent that may be here."""
        if connection := self._here.get(agent):
            self._tell(connection, frame)

    def _clean(self, text: str) -> str:
        """Return a request without secrets: the log is readable to others than this node."""
        frame = json.loads(text)
        if not isinstance(frame.get("content"), str):
            return text
        frame["content"], findings = secret_scan.redact(frame["content"], self._known)
        if findings:
            frame.pop("sig", None)
        return json.dumps(frame)

    # --- from the log to connections ----------------------------------------------------------------------------------

    def follow(self, data: bytes, stamp: float) -> None:
        """Do what a record says; `stamp` is when it was appended, in seconds of the epoch by the log's clock."""
        record = log_records.read(data)
        if record is None:
            return
        at = max(self._mono, stamp, min(record.at, stamp + 1.0) if isinstance(record, Due) else 0.0)
        self._mono = at
        late = time.time() - stamp
        self._skew = late if self._skew is None else min(self._skew + 0.0001, late)
        now = Now(at, round(at * 1000))
        self._RECORDS[type(record)](self, record, now)

    def _hear(self, record: Utterance, now: Now) -> None:
        with contextlib.suppress(requests.RequestError):  # a newer node may know requests that we do not
            if self._is_current(record):
                request = requests.read(record.text)
                self._apply(self.engine.handle(Asked(record.agent, request, record.ident), now))

    def _throw(self, threw: Threw, now: Now) -> None:
        self._apply(self.engine.handle(Kicked(threw.agent, threw.reason), now))
        self._sessions.pop(threw.agent, None)

    def _leave(self, went: Went, now: Now) -> None:
        if self._is_current(went):
            self._let_depart(went.agent, now)

    def _rouse(self, roused: Roused, now: Now) -> None:
        if self._is_current(roused):
            self._apply(self.engine.rouse(roused.agent, roused.sleep, now))

    def _effect(self, effect: Effect) -> None:
        """Say of a sleeper whose time is up that its node lives; of one whose connection is gone, that it is."""
        if not isinstance(effect, Overdue):
            super()._effect(effect)
        elif (came := self._sessions.get(effect.agent)) and came.node == self.node:
            here = effect.agent in self._here
            self.log.append(Roused(came.session, *effect) if here else Went(came.session, effect.agent))

    def _is_current(self, record: Went | Utterance | Roused) -> bool:
        came = self._sessions.get(record.agent)
        return came is not None and came.session == record.session

    def _come(self, came: Came, now: Now) -> None:
        connection, arrived, backlog = self._coming.pop(
            came.session, (None, Arrived(came.agent, came.name, came.keyed), [])
        )
        if connection is not None:
            del self._entering[connection]
        before = self._sessions.get(came.agent)
        if before is not None and before.session == came.session:  # said twice, for nobody knew whether it was heard
            return
        if why := self.engine.refusal(came.name, came.agent if came.keyed else ""):  # another was quicker
            if connection is not None:
                self._tell(connection, error("INVALID_NAME", why, now.wall))
            return
        self._sessions[came.agent] = came
        if before is not None:  # what went there may never have arrived: its node may be dead, and nobody knows yet
            self.engine.miss(came.agent, self._unsure(came.agent), now)
        if connection is not None:
            self._enter(connection, arrived, now)
            for text in backlog:
                super().heard(connection, text)
            return
        if old := self._here.pop(came.agent, None):
            self._displace(old, came.address, now)
        self._apply(self.engine.handle(arrived, now))
        if came.node == self.node:  # the connection broke meanwhile
            self.log.append(Went(came.session, came.agent))

    def _let_depart(self, agent: str, now: Now, *, cut: bool = False) -> None:
        del self._sessions[agent]
        self._apply(self.engine.handle(Departed(agent, cut), now))

    def _bury(self, died: Died, now: Now) -> None:
        """Let the agents of a node go, which is not their doing: what may not have arrived is theirs when they come."""
        node = died.node
        if node == self.node:  # the others think so: begin anew, as somebody else
            self.node = secrets.token_hex(6)
            for connection in tuple(self._here.values()):
                connection.agent = ""
                connection.abort()
            self._here.clear()
        for agent in sorted(name for name, came in self._sessions.items() if came.node == node):
            missed = self._unsure(agent)
            self._let_depart(agent, now, cut=True)
            if missed:
                self.engine.miss(agent, missed, now)
                self._ledger.pending.setdefault(agent, OrderedDict()).update(missed)
        self._rearm()

    def _unsure(self, agent: str) -> dict[int, Frame]:
        """Return what an agent was told and may not have received; what waits for it to wake is not among that."""
        sleeper = self.engine.world.agents.get(agent)
        in_buffer = {id(thing) for thing in sleeper.sleep.buffer.things()} if sleeper and sleeper.sleep else set()
        undelivered = self._ledger.pending.get(agent, OrderedDict())
        return {number: frame for number, frame in undelivered.items() if id(frame) not in in_buffer}

    def _say_again(self) -> None:
        """Say who came and who went, where the log has not said so: it may not have heard."""
        for session, (connection, arrived, _) in self._coming.items():
            self.log.append(Came(self.node, session, *arrived, connection.address))
        for agent, came in self._sessions.items():
            if came.node == self.node and agent not in self._here:
                self.log.append(Went(came.session, agent))

    # --- snapshots ----------------------------------------------------------------------------------------------------

    def dump(self) -> image.Plain:
        """Return all that this node knows by the log, so far; frames in it must not be changed."""
        frames = image.Frames()
        pending = [
            (agent, [(number, frames.put(frame)) for number, frame in undelivered.items()])
            for agent, undelivered in self._ledger.pending.items()
        ]
        world = image.dump(self.engine.world, frames)
        sessions = list(self._sessions.values())
        return {"mono": self._mono, "sessions": sessions, "world": world, "pending": pending, "frames": frames.all}

    def load(self, snapshot: image.Plain) -> None:
        """Know what another node knew, before the first record."""
        frames = image.Frames(snapshot["frames"])
        self._mono = snapshot["mono"]
        self._sessions = {came.agent: came for came in map(Came._make, snapshot["sessions"])}
        self.engine.world = image.load(self.engine.rules, snapshot["world"], frames)
        self._ledger.pending = {
            agent: OrderedDict((number, frames.all[frame]) for number, frame in undelivered)
            for agent, undelivered in snapshot["pending"]
        }

    # --- time ---------------------------------------------------------------------------------------------------------

    def _rearm(self) -> None:
        """Wait for what is due by the log's clock; it is done when the log says so."""
        if self._armed:
            self._armed[1].cancel()
            self._armed = None
        due = self.engine.next_deadline()
        if due is not None and self._skew is not None:
            delay = max(0.0, due - (time.time() - self._skew))
            self._armed = (due, self._loop.call_later(delay, self._advance))

    def _advance(self) -> None:
        self._armed = None
        due = self.engine.next_deadline()
        if due is not None:
            world = self.engine.world  # all nodes say so; the log takes one, or another one after a second
            self.log.append(Due(due), f"{due!r}-{len(world.timers)}-{world.number}-{int(time.time())}")
            self._armed = (due, self._loop.call_later(_RETRY, self._advance))

    def sleeps(self, asleep: Asleep) -> None:
        """Have a keyed sleeper woken though every node may be dead by then; the node that has it sees to that."""
        came = self._sessions.get(asleep.agent)
        if came and came.node == self.node and asleep.agent in self._here:
            self.log.wake_at(asleep.agent, asleep.wakes / 1000)

    _RECORDS: ClassVar[dict[type, Callable[[Node, Any, Now], None]]] = {
        Came: _come,
        Went: _leave,
        Utterance: _hear,
        Roused: _rouse,
        Threw: _throw,
        Due: lambda self, _, now: self._apply(self.engine.advance(now)),
        Settled: lambda self, settled, _: self._ledger.settled(settled.agent, settled.number),
        Died: _bury,
    }
