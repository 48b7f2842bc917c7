"""The relay as a server: connections around the engine.

Owns identities, limits of connection and address, and what effects do. What must last is committed before anything is
written (`ticks`). Refuses to decide what a message does.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from sleep.errors import RelayError, SleepError
from sleep.relay.configuration import rules
from sleep.relay.engine import effects as kinds
from sleep.relay.engine import requests
from sleep.relay.engine.effects import Arrived, Asked, Awake, Close, Departed, Kicked, Noted, Now, Relayed, Send, Sent
from sleep.relay.engine.frames import DISPLACED, displaced, error
from sleep.relay.engine.machine import Engine
from sleep.relay.engine.requests import RequestError
from sleep.relay.server import answers, health
from sleep.relay.server.addresses import Addresses
from sleep.relay.server.admission import Gate
from sleep.relay.server.connection import Connection
from sleep.relay.server.door import Door
from sleep.relay.server.frame_codec import Encoder
from sleep.relay.server.heartbeat import Heartbeat
from sleep.relay.server.ports import Ports, is_loopback
from sleep.relay.server.ticks import Ticks
from sleep.relay.server.windows import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from websockets.http11 import Request as HttpRequest
    from websockets.http11 import Response

    from sleep.relay.configuration import Configuration
    from sleep.relay.engine.effects import Effect, Event
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.requests import Request
    from sleep.relay.server.persistence import Journal
    from sleep.relay.server.site_protocol import Site, Watchers

_SPAN = 10.0  # seconds of the limits on frames
_FEED = 200
_INLET = 2**18  # bytes that are read at once


class Server:
    """A relay that listens, and serves a site to browsers if it is configuration one.

    `feed` has what happened last, oldest first; `watchers` are called with each new entry; `admin` ends sessions,
    `pages` opens the pages of the site to a browser.
    """

    shared = False  # connections are on this server alone

    def __init__(
        self,
        configuration: Configuration,
        journal: Journal | None = None,
        known: Sequence[str] = (),
        site: Site | None = None,
    ) -> None:
        if not is_loopback(configuration.relay_host) and not configuration.relay_token:
            raise RelayError(
                f"a token is needed to listen on {configuration.relay_host} (would be right: 127.0.0.1, or a token)",
                where="relay_token",
                hint="SLEEP_RELAY_TOKEN=... relay.serve",
            )
        self.configuration = configuration
        self.frame_size = configuration.relay_frame_size
        self.queue = configuration.relay_queue
        self.inlet = memoryview(bytearray(_INLET))
        self.engine = Engine(rules(configuration, known), shared=self.shared)
        self.admin = secrets.token_urlsafe(24)
        self._gate = Gate(self.engine, self.admin, configuration)
        self.feed: deque[Noted] = deque(maxlen=_FEED)
        self.watchers: Watchers = set()
        self.ended: asyncio.Future[None] | None = None
        self._journal = journal
        self._addresses = Addresses(configuration.relay_address_frames, configuration.relay_address_connections, _SPAN)
        if site is not None:
            site.board.attach(self.observe, self.watchers)
        routes = {"/health": self._health, "/status": lambda: answers.reply_json(self.observe())}
        host, early = configuration.relay_host, configuration.relay_early_frames
        self._door = Door(host, configuration.relay_token, configuration.relay_origins, routes, site)
        self.pages = self._door.key
        self._ports = Ports(host, lambda: Connection(self, Window(early, _SPAN)))
        self._connections = Heartbeat(configuration.relay_heartbeat, configuration.relay_silence)
        self._here: dict[str, Connection] = {}
        self._ticks = Ticks(self._commit)
        self.settle = self._ticks.settle
        self._armed: tuple[float, asyncio.TimerHandle] | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._boot = secrets.token_hex(2)
        self._count = self._marks = 0
        self._wire = Encoder().encode
        self._began = time.monotonic()

    # --- beginning and end --------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Take up what the journal kept, and listen.

        Raises:
            RelayError: the address cannot be had.
        """
        loop = asyncio.get_running_loop()
        self._loop = loop
        self.ended = loop.create_future()
        if self._journal is not None:
            self._apply(self.engine.restore(self._journal.read(), self._now()))
        await self._ports.open(self.configuration.relay_port, self.configuration.relay_dashboard_port)
        self._beat = loop.call_later(1.0, self._on_beat)
        self._rearm()

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return self._ports.port

    @property
    def dashboard_port(self) -> int:
        """The port at which a browser opens the dashboard."""
        return self._ports.browser_port

    async def stop(self, reason: str = "the relay is shutting down") -> None:
        """Close every connection and the journal. That is no agent's own doing: keyed sleepers may come back."""
        self._ports.close()
        for handle in (self._beat, self._armed and self._armed[1]):
            if handle:
                handle.cancel()
        for connection in self._connections:
            connection.agent = ""
            connection.close(1001, reason)
        self._here.clear()
        self._ticks.run()
        end = self._loop.time() + 1.0
        while self._connections and self._loop.time() < end:  # noqa: ASYNC110  # once, at the end
            await asyncio.sleep(0.02)
        for connection in self._connections:
            connection.abort()
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    async def serve(self) -> None:
        """Wait until the relay ends by itself, which only a journal that cannot be written makes it do."""
        if self.ended is not None:
            await self.ended

    # --- for connections ----------------------------------------------------------------------------------------------

    def opened(self, connection: Connection) -> None:
        """Count a connection; whether it may stay is told to its request."""
        self._connections.enter(connection, self._loop.time())
        self._addresses.enter(connection.address)

    def answer(self, connection: Connection, request: HttpRequest) -> Response | None:
        """Return the answer to plain HTTP, or to a WebSocket that may not come in."""
        if len(self._connections) > self.configuration.relay_connections:
            return answers.reply(503, "the relay is full\n", Retry_After="5")
        if self._addresses.crowded(connection.address):
            return answers.reply(429, "too many connections from this address\n", Retry_After="5")
        return self._door.answer(request)

    def allows(self, connection: Connection) -> bool:
        """Count a frame of a connection and of its address."""
        now = self._loop.time()
        return connection.window.allow(now) and self._addresses.allow(connection.address, now)

    def heard(self, connection: Connection, text: str) -> None:
        """Do what a message asks for."""
        now = self._now()
        try:
            request = requests.read(text)
        except RequestError as problem:
            self._tell(connection, error(problem.code, problem.message, now.wall))
            return
        if isinstance(request, requests.Kick):
            self._kick(connection, request, now)
        elif connection.agent:
            if isinstance(request, requests.Chunk) and (refused := self._gate.limit(connection, now)):
                self._tell(connection, refused)
                return
            if isinstance(request, requests.VerifyResponse):
                request, text = self._gate.prove(connection, request)
            self._decide(Asked(connection.agent, request, self._ident(now)), now, text)
        else:
            self._stranger(connection, request, now)

    def arrived(self, connection: Connection, mark: bytes) -> None:
        """Forget what a keyed agent has received: of a few pings, some clients answer the last one only."""
        marks = tuple(connection.marks)
        for earlier in marks[: marks.index(mark) + 1]:
            delivery = connection.marks.pop(earlier)
            if delivery is not None and self._journal is not None:
                self._journal.settle(delivery)
                self._ticks.schedule()
        if not connection.marks and (unasked := connection.unasked):
            connection.unasked = None
            self._mark(connection, unasked)

    def changed(self, connection: Connection) -> None:
        """Write to a connection when the tick ends."""
        self._ticks.write(connection)

    def lost(self, connection: Connection) -> None:
        """Let go of a connection."""
        self._connections.leave(connection)
        self._addresses.leave(connection.address)
        self._let_go(connection)

    def ending(self, connection: Connection) -> None:
        """Let go of its agent as soon as that is cut off: what is said to it must not vanish."""
        self._loop.call_soon(self._let_go, connection)

    def _let_go(self, connection: Connection) -> None:
        if connection.agent and self._here.get(connection.agent) is connection:
            del self._here[connection.agent]
            self._decide(Departed(connection.agent), self._now())

    # --- who is who ---------------------------------------------------------------------------------------------------

    def _stranger(self, connection: Connection, request: Request, now: Now) -> None:
        answer = self._gate.ask(connection, request, now)
        if isinstance(answer, Arrived):
            self._admit(connection, answer, now)
            return
        self._tell(connection, answer)
        if answer["type"] == "CHALLENGE":
            self._loop.call_later(self.configuration.relay_challenge, self._expire, connection, connection.challenge)

    def _expire(self, connection: Connection, challenge: object) -> None:
        """Close a connection whose challenge nobody answered."""
        if connection.challenge is challenge:
            self._tell(connection, error("VERIFICATION_EXPIRED", "Challenge expired", self._now().wall))
            connection.close(1000, "Challenge expired")

    def _admit(self, connection: Connection, arrived: Arrived, now: Now) -> None:
        """Let in an agent that the gate lets in; a backend of many processes asks the others first."""
        self._enter(connection, arrived, now)

    def _enter(self, connection: Connection, arrived: Arrived, now: Now) -> None:
        if old := self._here.get(arrived.agent):
            self._displace(old, connection.address, now)
        connection.agent = arrived.agent
        connection.window = Window(self.configuration.relay_frames, _SPAN)
        self._here[arrived.agent] = connection
        self._apply(self.engine.handle(arrived, now))

    def _displace(self, old: Connection, address: str, now: Now) -> None:
        """End an agent's session for another one of the same agent, which came from an address."""
        self._tell(old, displaced(address, now.wall))
        old.agent = ""
        old.close(1000, DISPLACED)

    def _kick(self, connection: Connection, request: requests.Kick, now: Now) -> None:
        answer = self._gate.kick(request, now)
        if isinstance(answer, Kicked):
            self._decide(answer, now)
            ended = {"action": "kick", "success": True, "agentId": answer.agent}
            answer = {"type": "ADMIN_RESULT", "ts": now.wall, **ended}
        self._tell(connection, answer)

    # --- effects ------------------------------------------------------------------------------------------------------

    def _decide(self, event: Event, now: Now, _text: str = "") -> None:
        """Do what an event leads to, at once; a backend of many processes agrees on its place with the others first."""
        self._apply(self.engine.handle(event, now))

    def _apply(self, effects: Sequence[Effect]) -> None:
        """Carry out effects: what goes to the same agents in a row is put together."""
        to: Sequence[str] = ()
        run: list[bytes] = []
        for effect in effects:
            if type(effect) is Send:
                if effect.to != to:
                    self._push(to, run)
                    to, run = effect.to, []
                if to:
                    run.append(self._wire(effect.frame)[1])
            elif type(effect) is Relayed:
                if self._journal is not None:
                    self._journal.add(effect, self._wire(effect.frame)[0])
                    self._ticks.schedule()
            else:
                self._push(to, run)
                to, run = (), []
                self._effect(effect)
        self._push(to, run)
        self._rearm()

    def _effect(self, effect: Effect) -> None:
        if isinstance(effect, Close):
            if connection := self._here.pop(effect.agent, None):
                connection.agent = ""
                connection.close(effect.code, effect.reason)
        elif isinstance(effect, Noted):
            self.feed.append(effect)
            for watcher in tuple(self.watchers):
                watcher(effect._asdict())
        elif self._journal is not None and isinstance(effect, kinds.LASTING):
            self._journal.add(effect)
            self._ticks.schedule()
            if isinstance(effect, (Awake, Sent)) and (connection := self._here.get(effect.agent)):
                self._mark(connection, effect)

    def _mark(self, connection: Connection, effect: Awake | Sent) -> None:
        """Ask whether what was just sent has arrived; of messages that go on and on, one question at a time."""
        if isinstance(effect, Sent) and connection.marks:
            connection.unasked = effect
            return
        self._marks += 1
        connection.ping(b"m%d" % self._marks, effect)

    def _push(self, to: Sequence[str], run: list[bytes]) -> None:
        if run:
            data = run[0] if len(run) == 1 else b"".join(run)
            for agent in to:
                if connection := self._here.get(agent):
                    connection.push(data)

    def _tell(self, connection: Connection, frame: Frame) -> None:
        connection.push(self._wire(frame)[1])

    # --- time ---------------------------------------------------------------------------------------------------------

    def _now(self) -> Now:
        return Now(time.monotonic(), time.time_ns() // 1_000_000)

    def _ident(self, now: Now) -> str:
        self._count += 1
        return f"{now.wall}-{self._boot}{self._count:x}"

    def _commit(self) -> bool:
        """Commit what was decided; return whether it may be told. A relay that cannot ends."""
        if self._journal is not None:
            try:
                self._journal.commit()
            except SleepError as problem:
                self._fail(problem)
                return False
        return True

    def _fail(self, problem: SleepError) -> None:
        """End, without a word of what could not be committed."""
        self._journal = None
        for connection in self._connections:
            connection.agent = ""
            connection.abort()
        if self.ended is not None and not self.ended.done():
            self.ended.set_exception(problem)

    def _rearm(self) -> None:
        due = self.engine.next_deadline()
        if self._armed and (due is None or due < self._armed[0]):
            self._armed[1].cancel()
            self._armed = None
        if due is not None and self._armed is None:
            delay = max(0.0, due - time.monotonic())
            self._armed = (due, self._loop.call_later(delay, self._advance))

    def _advance(self) -> None:
        self._armed = None
        self._apply(self.engine.advance(self._now()))

    def _on_beat(self) -> None:
        self._beat = self._loop.call_later(1.0, self._on_beat)
        now = self._loop.time()
        self._connections.beat(now)
        self._addresses.sweep(now)

    # --- seen from outside --------------------------------------------------------------------------------------------

    def observe(self) -> dict[str, Any]:
        """Return what may be seen: the engine's view, which is bounded, the connections, the feed."""
        return {
            "server": self.configuration.relay_server,
            "ts": self._now().wall,
            "uptime": round(time.monotonic() - self._began, 1),
            "connections": len(self._connections),
            "journal": self.configuration.relay_journal if self._journal is not None else "off",
            **self.engine.observe(),
            "feed": [entry._asdict() for entry in self.feed],
        }

    def _health(self) -> Response:
        up = time.monotonic() - self._began
        return answers.reply_json(health.report(self.configuration.relay_server, self.engine.world, self._here, up))
