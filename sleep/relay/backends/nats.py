"""The log of a relay of many processes, in NATS JetStream.

Owns the stream `RELAY` (subject `relay.log`, and what is due from the stream `RELAY_SLEEP`, where sleeps are scheduled
messages), the signs of life of nodes, when a snapshot is taken, and what happens when NATS goes away: nodes wait, and
nothing is echoed meanwhile. A node reads every record, in order, or it ends. Needs NATS from 2.12.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import nats
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, StreamConfig, StreamSource

from sleep.errors import RelayError
from sleep.relay.backends import agreement, log_records
from sleep.relay.backends.log_records import Died, Due
from sleep.relay.backends.node import Node
from sleep.relay.backends.shelf import Shelf, ensure_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nats.aio.client import Client as Nats
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext
    from nats.js.api import StreamInfo

    from sleep.relay.backends import image
    from sleep.relay.backends.log_records import Record
    from sleep.relay.configuration import Configuration
    from sleep.relay.engine.frames import Frame
    from sleep.relay.server.site_protocol import Site

STREAM, LOG, ALIVE, CHUNK = "RELAY", "relay.log", "relay.alive", "relay.chunk"
SLEEPS, SLEEP, DUE = "RELAY_SLEEP", "relay.sleep", "relay.due"
_READ = "Read"  # the header of a sign of life: the record up to which a node has read
_BEAT, _DEAD = 1.0, 5.0  # seconds between signs of life, and without one until a node is given up
_ROOM = 2**30  # bytes of the log, above which nodes refuse requests
_EVERY, _LARGE = 20_000, 2**27  # records, and bytes of them, from one snapshot to the next
_PATIENCE = 5.0  # seconds for NATS to be there at the start; later it is waited for
_PENDING = 64 * 2**20  # bytes that wait while NATS is away


class _Sign(NamedTuple):
    """A sign of life of a node: when it came, and the record up to which that node had read."""

    at: float
    read: int


class NatsNode(Node):
    """A node whose log is in NATS; after so many records (`every`) one of the nodes takes a snapshot."""

    def __init__(
        self,
        configuration: Configuration,
        url: str,
        known: Sequence[str] = (),
        every: int = _EVERY,
        site: Site | None = None,
    ) -> None:
        super().__init__(configuration, known, site)
        self.log = self
        self._url = url
        self._nats: Nats | None = None
        self._seen: dict[str, _Sign] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._since = 0.0
        self._log: datetime | None = None  # when it was made: another log is another one
        self._followed = 0  # the number of the last record that was done
        self._every = every
        self._kept = self._size = 0  # up to which record there is a snapshot, and bytes of records since
        self._keeping: asyncio.Task[None] | None = None
        self._spare = self._cut = 0  # up to which record the log can go, and is gone

    async def start(self) -> None:
        """Take up the log, and listen.

        Raises:
            RelayError: there is no NATS, it has no JetStream, the log is one of nodes with other settings or of another
                version, or the address cannot be had.
        """
        self._loop = asyncio.get_running_loop()
        try:
            await self._begin()
        except BaseException:
            await _end(*self._tasks)
            if self._nats is not None:
                await self._nats.close()
            raise

    async def _begin(self) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                link: Nats = await nats.connect(
                    self._url,
                    connect_timeout=5,
                    allow_reconnect=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.2,
                    pending_size=_PENDING,
                    error_cb=_ignore,
                    reconnected_cb=self._on_again,
                )
            self._nats = link
            stream = link.jetstream()
            log = await self._open(stream)
            self._log = log.created
            await self._take_up(stream)
        except (NatsError, OSError, TimeoutError) as problem:
            raise RelayError(
                f"no JetStream answers: {str(problem) or 'nothing is there'}", where=self._url, hint="nats-server -js"
            ) from None
        caught, end = asyncio.Event(), log.state.last_seq
        self._tasks.append(asyncio.create_task(self._read(link, end, caught)))
        self._tasks[0].add_done_callback(self._on_end)
        caught_up = asyncio.create_task(caught.wait())
        await asyncio.wait([self._tasks[0], caught_up], return_when=asyncio.FIRST_COMPLETED)
        caught_up.cancel()
        if self._tasks[0].done():
            self._tasks[0].result()
        self.append(Due(0.0))  # what comes back says how our clock stands to that of the log
        await super().start()
        await link.subscribe(ALIVE, cb=self._on_sign)
        await link.subscribe(CHUNK, cb=self._on_chunk)
        self._since = time.monotonic()
        self._tasks.append(asyncio.create_task(self._live(link)))
        self._tasks[1].add_done_callback(self._on_end)

    async def _open(self, stream: JetStreamContext) -> StreamInfo:
        """Return the log, made where there is none; all nodes must agree on what they make of it."""
        sleeps = StreamConfig(
            name=SLEEPS, subjects=[f"{SLEEP}.*", DUE], allow_msg_schedules=True, max_msgs_per_subject=1000
        )
        await ensure_stream(stream, sleeps)
        ours = agreement.terms(self.configuration)
        sources = [StreamSource(name=SLEEPS, filter_subject=DUE)]
        log = await ensure_stream(stream, StreamConfig(name=STREAM, subjects=[LOG], sources=sources, metadata=ours))
        if different := agreement.differences(ours, log.config.metadata or {}):
            raise RelayError(
                f"the nodes of this log have other settings: {'; '.join(different)}",
                where=self._url,
                hint=f"the same settings on all nodes, or a new log: nats stream rm {STREAM}",
            )
        return log

    async def _take_up(self, stream: JetStreamContext) -> None:
        """Begin with the newest snapshot, if there is one."""
        shelf = self._shelf(stream)
        await shelf.open()
        number, snapshot = await shelf.newest()
        if not snapshot:
            return
        try:
            self.load(json.loads(zlib.decompress(snapshot)))
        except (ValueError, TypeError, LookupError, zlib.error) as problem:
            raise RelayError(
                f"the snapshot of record {number} cannot be read: {problem!r}",
                where=self._url,
                hint=f"a new log: nats stream rm {STREAM}",
            ) from None
        self._followed = self._kept = number

    def _shelf(self, stream: JetStreamContext) -> Shelf:
        since = self._log.timestamp() if self._log else 0.0
        return Shelf(stream, str(round(since * 1000)))

    async def stop(self, reason: str = "the relay is shutting down") -> None:
        """End; the others take this node's agents for cut off, so that keyed sleepers may come back elsewhere."""
        self.append(Died(self.node))
        await _end(*self._tasks, *([self._keeping] if self._keeping else []))
        await super().stop(reason)
        if self._nats is not None:
            with contextlib.suppress(NatsError, TimeoutError):
                async with asyncio.timeout(2):
                    await self._nats.flush()
            await self._nats.close()

    def _on_end(self, task: asyncio.Task[None]) -> None:
        """End with the task that follows the log, and with the one that lives: a node without is of no use."""
        if not task.cancelled() and (problem := task.exception()):
            reason = problem if isinstance(problem, RelayError) else None
            self._fail(reason or RelayError(f"the log cannot be followed: {problem!r}", where=self._url))

    # --- the log (node.Log) -------------------------------------------------------------------------------------------

    def append(self, record: Record, once: str = "") -> None:
        """Append a record. It counts when it is read back; one that got lost was never echoed."""
        self._publish(LOG, log_records.write(record), {"Nats-Msg-Id": once} if once else None)

    def wake_at(self, agent: str, at: float) -> None:
        """Schedule a message that says that time went by; of an agent there is one."""
        when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        headers = {"Nats-Schedule": f"@at {when}", "Nats-Schedule-Target": DUE}
        self._publish(f"{SLEEP}.{agent[1:]}", log_records.write(Due(at)), headers)

    def carry(self, agent: str, frame: Frame) -> bool:
        """Publish a frame for whatever node has an agent; it stands on no disk, and NATS bounds its size."""
        data = json.dumps([agent, frame]).encode()
        if self._nats is None or len(data) > self._nats.max_payload:
            return False
        self._publish(CHUNK, data, None)
        return True

    async def _on_chunk(self, message: Msg) -> None:
        agent, frame = json.loads(message.data)
        self.carried(agent, frame)

    def _publish(self, subject: str, data: bytes, headers: dict[str, str] | None) -> None:
        if self._nats is not None:
            task = self._loop.create_task(self._nats.publish(subject, data, headers=headers))  # they start in order
            task.add_done_callback(_done)

    async def _read(self, link: Nats, end: int, caught: asyncio.Event) -> None:
        """Follow the log from where this node is; after a broken line, too."""
        while True:
            stream = link.jetstream()
            with contextlib.suppress(NatsError, TimeoutError):
                again = link.stats["reconnects"]
                config = ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=self._followed + 1,
                    ack_policy=AckPolicy.NONE,
                )
                line = await stream.subscribe(
                    "",
                    stream=STREAM,
                    ordered_consumer=True,
                    config=config,
                    pending_msgs_limit=-1,
                    pending_bytes_limit=-1,
                )
                self._insist_on_all(await stream.stream_info(STREAM))
                whole = True
                while whole and link.stats["reconnects"] == again:
                    if self._followed >= end:
                        caught.set()
                    try:
                        whole = self._take(await line.next_msg(timeout=1.0))
                    except TimeoutError:  # nothing new, or a consumer that is no more
                        whole = (await stream.stream_info(STREAM)).state.last_seq <= self._followed
                await line.unsubscribe()
            await asyncio.sleep(0.1)

    def _insist_on_all(self, log: StreamInfo) -> None:
        """Insist that what comes next in the log is what comes next here."""
        self._insist_on_same(log, self._followed)
        if log.state.first_seq > self._followed + 1:
            raise RelayError(
                f"the log begins with record {log.state.first_seq}, and this node needs {self._followed + 1}",
                where=self._url,
                hint=f"start it again; if that does not help: nats stream rm {STREAM}",
            )

    def _insist_on_same(self, log: StreamInfo, followed: int) -> None:
        """Insist that the log is the one that was followed so far when it was looked at."""
        if log.created != self._log or log.state.last_seq < followed:
            raise RelayError("the log is not the one that this node followed", where=self._url, hint="start it again")

    def _take(self, message: Msg) -> bool:
        """Do what a record says; return whether it was the next one, or one from before."""
        metadata = message.metadata
        number = metadata.sequence.stream
        if number <= self._followed:
            return True
        if number > self._followed + 1:
            return False
        self._followed = number
        self._size += len(message.data)
        self.follow(message.data, metadata.timestamp.timestamp())
        return True

    # --- snapshots ----------------------------------------------------------------------------------------------------

    def _keep(self, link: Nats) -> None:
        """Take a snapshot if it is time, and this node is the one to do it."""
        due = self._followed - self._kept >= self._every or self._size >= _LARGE
        if due and self.node <= min(self._alive(), default=self.node) and (not self._keeping or self._keeping.done()):
            number, snapshot = self._followed, self.dump()
            self._kept, self._size = number, 0
            self._keeping = self._loop.create_task(self._put(link, number, snapshot))
            self._keeping.add_done_callback(_done)

    async def _put(self, link: Nats, number: int, snapshot: image.Plain) -> None:
        """Keep a snapshot; what is in the one before it can go."""
        shelf = self._shelf(link.jetstream())
        compressed = await asyncio.to_thread(lambda: zlib.compress(json.dumps(snapshot).encode(), 1))
        await shelf.put(number, self.node, compressed)
        self._spare = max(self._spare, await shelf.tidy())

    async def _shorten(self, stream: JetStreamContext) -> None:
        """Cut from the log what can go and every living node has read: one that lags behind would have to end.

        Not before all have had the time to say how far they are.
        """
        if time.monotonic() - self._since < _DEAD:
            return
        upto = min([self._spare, *(sign.read for sign in self._alive().values())])
        if upto > self._cut:
            await stream.purge_stream(STREAM, seq=upto + 1)
            self._cut = upto

    def _alive(self) -> dict[str, _Sign]:
        """Return the nodes that gave a sign of life lately, this one among them."""
        return {node: sign for node, sign in self._seen.items() if time.monotonic() - sign.at < _DEAD}

    # --- who is alive -------------------------------------------------------------------------------------------------

    async def _live(self, link: Nats) -> None:
        while True:
            with contextlib.suppress(NatsError, TimeoutError):
                await link.publish(ALIVE, self.node.encode(), headers={_READ: str(self._followed)})
                followed = self._followed  # now: a record may be here sooner than the answer from before it
                log = await link.jetstream(timeout=_BEAT).stream_info(STREAM)
                self.full = log.state.bytes > _ROOM
                self._insist_on_same(log, followed)
                await self._shorten(link.jetstream())
            now = time.monotonic()
            if link.is_connected and now - self._since > _DEAD:
                for node in {came.node for came in self._sessions.values()} - {self.node}:
                    if now - self._seen.get(node, _Sign(self._since, 0)).at > _DEAD:
                        self.append(Died(node), f"died-{node}")
            self._keep(link)
            await asyncio.sleep(_BEAT)

    async def _on_sign(self, message: Msg) -> None:
        read = (message.headers or {}).get(_READ, "")
        sign = _Sign(time.monotonic(), int(read) if read.isdecimal() else 0)
        self._seen[message.data.decode(errors="replace")] = sign

    async def _on_again(self) -> None:
        """Nobody could give a sign of life while NATS was away, and what was said last it may not have heard."""
        self._since = time.monotonic()
        self._seen.clear()
        self._say_again()


async def _ignore(_problem: Exception) -> None:
    """The line is taken up again by itself."""


async def _end(*tasks: asyncio.Task[None]) -> None:
    """End tasks, and tell them again: until Python 3.12 `wait_for`, with which nats-py waits, may swallow it once."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)


def _done(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()  # it was never echoed, so its sender knows nothing of it
