"""The log of a relay of many processes, in NATS JetStream.

Owns the stream `RELAY` (subjects `relay.log`, and `relay.sleep.*` for sleeps as scheduled messages), the signs of life
of nodes, and what happens when NATS goes away: nodes wait, and nothing is echoed meanwhile. Needs NATS from 2.12.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import nats
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, StreamConfig

from sleep.relay.backends import records
from sleep.relay.backends.node import Node
from sleep.relay.backends.records import Died, Due
from sleep.relay.errors import RelayError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nats.aio.client import Client as Nats
    from nats.aio.msg import Msg

    from sleep.relay.backends.records import Record
    from sleep.relay.configuration import Configuration

STREAM, LOG, SLEEP, ALIVE = "RELAY", "relay.log", "relay.sleep", "relay.alive"
_BEAT, _DEAD = 1.0, 5.0  # seconds between signs of life, and without one until a node is given up
_ROOM = 2**30  # bytes of the log, above which nodes refuse requests: a log without its beginning is none
_PATIENCE = 5.0  # seconds for NATS to be there at the start; later it is waited for
_PENDING = 64 * 2**20  # bytes that wait while NATS is away


class NatsNode(Node):
    """A node whose log is in NATS."""

    def __init__(self, given: Configuration, url: str, known: Sequence[str] = ()) -> None:
        super().__init__(given, known)
        self.log = self
        self._url = url
        self._nats: Nats | None = None
        self._seen: dict[str, float] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._since = 0.0
        self._followed = self._size = 0

    async def start(self) -> None:
        """Take up the log, and listen.

        Raises:
            RelayError: there is no NATS, it has no JetStream, or the address cannot be had.
        """
        self._loop = asyncio.get_running_loop()
        try:
            link = self._nats = await asyncio.wait_for(
                nats.connect(
                    self._url,
                    connect_timeout=5,
                    allow_reconnect=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.2,
                    pending_size=_PENDING,
                    error_cb=_ignore,
                    reconnected_cb=self._on_again,
                ),
                _PATIENCE,
            )
            stream = link.jetstream()
            await stream.add_stream(
                StreamConfig(
                    name=STREAM,
                    subjects=[LOG, f"{SLEEP}.*"],
                    allow_msg_schedules=True,
                )
            )
            state = (await stream.stream_info(STREAM)).state
        except (NatsError, OSError, TimeoutError) as problem:
            raise RelayError(
                f"no JetStream answers: {str(problem) or 'nothing is there'}", where=self._url, hint="nats-server -js"
            ) from None
        if state.first_seq > 1:
            raise RelayError("the log has lost its beginning", where=self._url, hint=f"nats stream rm {STREAM}")
        caught, end = asyncio.Event(), state.last_seq
        self._tasks.append(asyncio.create_task(self._read(end, caught)))
        self._tasks[0].add_done_callback(self._on_end)
        await caught.wait()
        self.append(Due(0.0))  # what comes back says how our clock stands to that of the log
        await super().start()
        await link.subscribe(ALIVE, cb=self._on_sign)
        self._since = time.monotonic()
        self._tasks.append(asyncio.create_task(self._live()))

    async def stop(self, reason: str = "the relay is shutting down") -> None:
        """End; the others take this node's agents for cut off, so that keyed sleepers may come back elsewhere."""
        self.append(Died(self.node))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().stop(reason)
        if self._nats is not None:
            with contextlib.suppress(NatsError, TimeoutError):
                await asyncio.wait_for(self._nats.flush(), 2)
            await self._nats.close()

    def _on_end(self, task: asyncio.Task[None]) -> None:
        """End with the one that follows the log: a node that does not is of no use."""
        if not task.cancelled() and (problem := task.exception()):
            self._fail(RelayError(f"the log cannot be followed: {problem!r}", where=self._url))

    # --- the log (node.Log) -------------------------------------------------------------------------------------------

    def append(self, record: Record, once: str = "") -> None:
        """Append a record. It counts when it is read back; one that got lost was never echoed."""
        self._publish(LOG, records.write(record), {"Nats-Msg-Id": once} if once else None)

    def wake_at(self, agent: str, at: float) -> None:
        """Schedule a message that says that time went by; of an agent there is one."""
        when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        headers = {"Nats-Schedule": f"@at {when}", "Nats-Schedule-Target": LOG}
        self._publish(f"{SLEEP}.{agent[1:]}", records.write(Due(at)), headers)

    def _publish(self, subject: str, data: bytes, headers: dict[str, str] | None) -> None:
        if self._nats is not None:
            task = self._loop.create_task(self._nats.publish(subject, data, headers=headers))  # they start in order
            task.add_done_callback(_done)

    async def _read(self, end: int, caught: asyncio.Event) -> None:
        """Follow the log from its beginning; after a broken line from where it was."""
        assert self._nats is not None  # noqa: S101  # for the type checker
        while True:
            stream = self._nats.jetstream()
            with contextlib.suppress(NatsError, TimeoutError):
                config = ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=self._followed + 1,
                    ack_policy=AckPolicy.NONE,
                )
                line = await stream.subscribe(
                    LOG,
                    stream=STREAM,
                    ordered_consumer=True,
                    config=config,
                    pending_msgs_limit=-1,
                    pending_bytes_limit=-1,
                )
                if self._followed >= end or not (await line.consumer_info()).num_pending:
                    caught.set()
                again = self._nats.stats["reconnects"]
                while self._nats.stats["reconnects"] == again:
                    with contextlib.suppress(TimeoutError):
                        self._take(await line.next_msg(timeout=1.0))
                    if self._followed >= end or (not caught.is_set() and not line.pending_msgs):
                        caught.set()
                await line.unsubscribe()
            await asyncio.sleep(0.1)

    def _take(self, message: Msg) -> None:
        found = message.metadata
        number = found.sequence.stream
        if number <= self._followed:
            return
        self._followed = number
        self._size += len(message.data)
        self.full = self._size > _ROOM
        self.follow(message.data, found.timestamp.timestamp())

    # --- who is alive -------------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        assert self._nats is not None  # noqa: S101  # as above
        while True:
            with contextlib.suppress(NatsError):
                await self._nats.publish(ALIVE, self.node.encode())
            now = time.monotonic()
            if self._nats.is_connected and now - self._since > _DEAD:
                for node in {came.node for came in self._sessions.values()} - {self.node}:
                    if now - self._seen.get(node, self._since) > _DEAD:
                        self.append(Died(node), f"died-{node}")
            await asyncio.sleep(_BEAT)

    async def _on_sign(self, message: Msg) -> None:
        self._seen[message.data.decode(errors="replace")] = time.monotonic()

    async def _on_again(self) -> None:
        """Nobody could give a sign of life while NATS was away."""
        self._since = time.monotonic()
        self._seen.clear()


async def _ignore(_problem: Exception) -> None:
    """The line is taken up again by itself."""


def _done(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()  # it was never echoed, so its sender knows nothing of it
