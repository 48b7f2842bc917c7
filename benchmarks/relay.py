"""What the relay does in a second, beside an echo server of the same library that does nothing else.

`python benchmarks/relay.py [--quick] [--against PORT] [timers|throughput|latency|connections|fanout|memory]...`

With `--against` throughput and latency are measured, in turns, of another server of the protocol too, which listens
there without limits: agentchat's own is what the aims of both speak of.

The server runs in a process of its own, with the journal on and the limits on floods off (they would be measured
instead); the clients run in this one, which writes frames that were made beforehand and counts what comes back.
Timers are measured in one process: the real server, journal and event loop, with connections whose transports only note
when something is written, for no machine of ours has 100,000 sockets.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode

from sleep.relay.configuration import Configuration
from sleep.relay.server.connection import Connection
from sleep.relay.server.hub import Server
from sleep.relay.server.persistence import Journal
from sleep.relay.server.windows import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TURNS = 5  # of each server, in turns
TEXT = "the build is green again and the lock is faster now; see journal i7qxk.12 for the figures"
FREE = {"relay_rate_ms": 0, "relay_frames": 0, "relay_early_frames": 0, "relay_address_frames": 0}
_ACCEPTED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"  # enough for the client below
_READY = Frame(Opcode.TEXT, b"x" * 200).serialize(mask=False)  # as long as what the relay sends
FREE |= {"relay_address_connections": 0, "relay_connections": 200_000, "relay_port": 0, "relay_queue": 2**28}


# --- the servers ----------------------------------------------------------------------------------------------------


async def run_relay(channels: str) -> None:
    """Serve until standard input ends."""
    with tempfile.TemporaryDirectory() as folder:
        given = Configuration(**FREE, relay_channels=channels)  # type: ignore[arg-type]
        server = Server(given, Journal(os.path.join(folder, "relay.db")))
        await server.start()
        print(server.port, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        await server.stop()


async def run_echo(*, everybody: bool) -> None:
    """Serve an echo to the sender, or to everybody: to the sender and the other one, as the relay does."""
    connections: set[ServerConnection] = set()

    async def echo(connection: ServerConnection) -> None:
        connections.add(connection)
        async for message in connection:
            for each in connections if everybody else (connection,):
                await each.send(message)

    async with serve(echo, "127.0.0.1", 0, compression=None, max_size=2**21) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


class Bare(asyncio.Protocol):
    """A connection of a server that does the least: what comes in is answered to all, the last one first."""

    _all: ClassVar[list[asyncio.Transport]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.is_open = transport, False

    def data_received(self, data: bytes) -> None:
        """Answer the request for a WebSocket, and then whatever comes with a frame that was made beforehand."""
        del data
        if self.is_open:
            for transport in reversed(self._all):
                transport.write(_READY)
            return
        self.is_open = True
        self._all.append(self.transport)
        self.transport.write(_ACCEPTED)


async def run_bare() -> None:
    """Serve what no server in Python can do without: read, and write to both."""
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


@contextmanager
def serving(*words: str) -> Iterator[tuple[int, int]]:
    """Run one of them in a child; yields its port and process."""
    child = subprocess.Popen(
        [sys.executable, __file__, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin
    assert child.stdout
    try:
        yield int(child.stdout.readline()), child.pid
    finally:
        child.kill()
        child.wait()


# --- a client that costs next to nothing ----------------------------------------------------------------------------


def frame(value: object) -> bytes:
    """Return a client's frame."""
    return Frame(Opcode.TEXT, json.dumps(value).encode()).serialize(mask=True)


class Light(asyncio.Protocol):
    """A WebSocket client: writes bytes made beforehand, and calls back with each frame's bytes."""

    def __init__(self, path: str = "/") -> None:
        self.path = path
        self.buffer = bytearray()
        self.open = asyncio.get_running_loop().create_future()
        self.on: Callable[[bytes], None] = lambda _: None
        self.count = 0
        self.deaf = False
        self.batch: Callable[[], None] = lambda: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        if self.deaf:
            return
        self.buffer += data
        if not self.open.done():
            head, found, rest = bytes(self.buffer).partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.splitlines()[0], head
            self.buffer = bytearray(rest)
            self.open.set_result(None)
        view, at, size = bytes(self.buffer), 0, len(self.buffer)
        while size - at >= 2:
            length, begin = view[at + 1] & 127, at + 2
            if length == 126:
                if size - at < 4:
                    break
                length, begin = int.from_bytes(view[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                if size - at < 10:
                    break
                length, begin = int.from_bytes(view[at + 2 : at + 10], "big"), at + 10
            if size - begin < length:
                break
            self.count += 1
            self.on(view[begin : begin + length])
            at = begin + length
        del self.buffer[:at]
        self.batch()


async def connect(port: int, host: str = "127.0.0.1") -> Light:
    """Return a client after its handshake."""
    _, client = await asyncio.get_running_loop().create_connection(Light, host, port)
    await client.open
    return client


async def identified(port: int, name: str, *, deaf: bool = False) -> tuple[Light, str]:
    """Return a client and its id after its WELCOME; a deaf one reads what follows without looking at it."""
    client = await connect(port)
    welcome = asyncio.get_running_loop().create_future()

    def on(data: bytes) -> None:
        if b'"WELCOME"' in data and not welcome.done():
            welcome.set_result(json.loads(data)["agent_id"])
            client.deaf = deaf

    client.on = on
    client.transport.write(frame({"type": "IDENTIFY", "name": name, "pubkey": None}))
    agent = await welcome
    client.on = lambda _: None
    return client, agent


# --- what is measured -----------------------------------------------------------------------------------------------


async def pump(sender: Light, counted: Light, message: bytes, total: int, ahead: int = 512) -> float:
    """Send `total` messages, at most `ahead` of which have not come back; return messages a second."""
    done = asyncio.get_running_loop().create_future()
    start, sent = counted.count, 0

    def more() -> None:
        nonlocal sent
        back = counted.count - start
        if back >= total:
            if not done.done():
                done.set_result(None)
        elif (room := min(total, back + ahead) - sent) > 0:
            sent += room
            sender.transport.write(message * room)

    counted.batch = more
    began = time.perf_counter()
    more()
    await done
    counted.batch = lambda: None
    return total / (time.perf_counter() - began)


class Pair(NamedTuple):
    """A server as a row names it, its process (0 where it is another's), and what one client says to the other."""

    name: str
    pid: int
    one: Light
    two: Light
    message: bytes


_OURS = "--serve"
_ECHO, _TO_ALL, _BARE = "--echo", "--echo-to-all", "--bare"
_NAMES = {
    _ECHO: "  a bare echo server of the same library",
    _TO_ALL: "  the same, that sends it to both",
    _BARE: "  bytes made beforehand, written to both without any library",
}


async def _pairs(stack: ExitStack, label: str, against: int, *others: str) -> list[Pair]:
    """Return what is compared: the relay, the other server if there is one, and the bare ones."""
    port, pid = stack.enter_context(serving(_OURS, ""))
    found = [await _speakers(label, port, pid)]
    if against:
        found.append(await _speakers(f"  the server on port {against}", against, 0))
    for option in others:
        port, pid = stack.enter_context(serving(option))
        one = await connect(port)
        two = one if option == _ECHO else await connect(port)
        found.append(Pair(_NAMES[option], pid, one, two, frame({"type": "MSG", "to": "@12345678", "content": TEXT})))
    return found


async def _speakers(name: str, port: int, pid: int) -> Pair:
    (one, _), (two, target) = await identified(port, "alice"), await identified(port, "bob")
    return Pair(name, pid, one, two, frame({"type": "MSG", "to": target, "content": TEXT}))


async def throughput(total: int, against: int = 0) -> list[tuple[str, str, str]]:
    """Measure DMs from one client to another, each echoed to its sender, and the bare echo; in turns."""
    with ExitStack() as stack:
        pairs = await _pairs(stack, "messages/s between two clients, journal on", against, _ECHO)
        rates: dict[str, list[float]] = {pair.name: [] for pair in pairs}
        costs = []
        for turn in range(_TURNS + 1):
            for pair in pairs:
                before = _cpu(pair.pid)
                rate = await pump(pair.one, pair.two, pair.message, total // _TURNS)
                if turn:  # the first one warms up
                    rates[pair.name].append(rate)
                    costs += [_cpu(pair.pid) - before] if pair is pairs[0] else []
    middle = {name: f"{statistics.median(all_):,.0f}" for name, all_ in rates.items()}
    cost = sum(costs) / len(costs) / (total // _TURNS) * 1e6
    aims = (">= 20,000", *[""] * len(pairs))
    rows = [(name, rate, aim) for (name, rate), aim in zip(middle.items(), aims, strict=False)]
    return [rows[0], ("  us of the server's processor for each", f"{cost:.1f}", ""), *rows[1:]]


async def latency(total: int, against: int = 0) -> list[tuple[str, str, str]]:
    """Measure how long a DM takes from one client to another, one at a time, and of bare servers; in turns."""
    with ExitStack() as stack:
        label = "ms for a message at rest, journal on: p50 (p5, p95)"
        pairs = await _pairs(stack, label, against, _ECHO, _TO_ALL, _BARE)
        times: dict[str, list[float]] = {pair.name: [] for pair in pairs}
        for turn in range(2 * _TURNS + 1):
            for pair in pairs:
                came = await _trips(pair, total // _TURNS // 2)
                times[pair.name] += came if turn else []
    return [(name, _spread(all_), "") for name, all_ in times.items()]


async def _trips(pair: Pair, total: int) -> list[float]:
    """Return the times of messages that are sent one after another, in ms."""
    times = []
    for _ in range(total):
        came = asyncio.get_running_loop().create_future()
        pair.two.on = lambda _, came=came: came.done() or came.set_result(None)  # type: ignore[misc]
        began = time.perf_counter()
        pair.one.transport.write(pair.message)
        await came
        times.append((time.perf_counter() - began) * 1000)
    pair.two.on = lambda _: None
    return times


def _spread(times: list[float]) -> str:
    p5, p50, p95 = (sorted(times)[int(len(times) * part)] for part in (0.05, 0.5, 0.95))
    return f"{p50:.3f} ({p5:.3f}, {p95:.3f})"


async def fanout(total: int) -> list[tuple[str, str, str]]:
    """Measure deliveries of one sender's messages to a channel of 50."""
    with serving("--serve", "#general") as (port, _):
        clients = [(await identified(port, f"agent{number}"))[0] for number in range(50)]
        await asyncio.sleep(0.3)
        message = frame({"type": "MSG", "to": "#general", "content": TEXT})
        await pump(clients[0], clients[-1], message, total // 10, 64)
        rate = await pump(clients[0], clients[-1], message, total, 64)
    return [("deliveries/s, 1 to 50", f"{rate * 50:,.0f}", ">= 80,000")]


async def connections(count: int) -> list[tuple[str, str, str]]:
    """Measure how long it takes many to connect at once, each to its WELCOME, in the eight public channels."""
    found = []
    for channels, label in ((Configuration().relay_channels, "8 channels"), ("", "no channel")):
        with serving("--serve", channels) as (port, _):
            began = time.perf_counter()
            await asyncio.gather(*(identified(port, f"agent{number}", deaf=True) for number in range(count)))
            found.append(
                (f"s for {count} connections to WELCOME, {label}", f"{time.perf_counter() - began:.2f}", "<= 1")
            )
    return found


def _cpu(pid: int) -> float:
    if not pid:
        return 0.0
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        times = file.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def memory(count: int) -> list[tuple[str, str, str]]:
    """Measure what an idle sleeper costs the server."""
    with serving("--serve", "") as (port, pid):
        await identified(port, "first")
        before = _resident(pid)
        clients = [await identified(port, f"agent{number}") for number in range(count)]
        connected = _resident(pid)
        for client, agent in clients:
            client.transport.write(frame({"type": "MSG", "to": agent, "content": "@@sleep:3600s@@"}))
        await asyncio.sleep(1.0)
        asleep = _resident(pid)
    return [
        ("KiB for a connected agent", f"{(connected - before) / count / 1024:.1f}", ""),
        ("KiB for an idle sleeper, connection included", f"{(asleep - before) / count / 1024:.1f}", ""),
    ]


class Watch(asyncio.Transport):
    """A transport that notes when something is written first after it was reset."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.at = 0.0

    def write(self, data: object) -> None:
        """Note the time."""
        del data
        self.at = self.at or time.monotonic()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing is held."""

    def is_closing(self) -> bool:
        """Never."""
        return False

    def can_write_eof(self) -> bool:
        """Never."""
        return False

    def abort(self) -> None:
        """Nothing is there to abort."""

    def close(self) -> None:
        """Nothing is there to close."""


HELLO = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def _late(count: int, span: float) -> list[float]:
    """Return how late sleepers wake, in ms, whose ends are spread over `span` seconds."""
    given = Configuration(**FREE, relay_channels="", relay_heartbeat=600, relay_silence=1200, relay_max_sleep=1e6)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(given, Journal(os.path.join(folder, "relay.db")))
        await server.start()
        watches = []
        for number in range(count):
            watch = Watch()
            connection = Connection(server, Window(0, 1))
            connection.connection_made(watch)
            connection.data_received(HELLO)
            connection.data_received(frame({"type": "IDENTIFY", "name": f"agent{number}"}))
            watches.append((watch, connection))
            if number % 500 == 0:
                await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        lead = count / 4000 + 1.0  # all are asleep before the first is to wake
        chance, due = random.Random(7), []
        began = time.monotonic()
        for watch, connection in watches:
            watch.at = 0.0
            seconds = lead + began - time.monotonic() + chance.uniform(0, span)
            due.append((watch, time.monotonic() + seconds))
            say = {"type": "MSG", "to": connection.agent, "content": f"@@sleep:{seconds:.6f}s@@"}
            connection.data_received(frame(say))
            if len(due) % 200 == 0:
                await asyncio.sleep(0)
        assert time.monotonic() - began < lead, "the machine is too slow for this lead"
        await asyncio.sleep(began + lead + span + 1.0 - time.monotonic())
        assert len(server.engine.world.timers) == 0
        await server.stop()
    return [(watch.at - when) * 1000 for watch, when in due]


async def timers(count: int, span: float, bound: float) -> list[tuple[str, str, str]]:
    """Measure the lateness of wakes."""
    late = sorted(await _late(count, span))
    assert late[0] >= -0.5, f"woken {-late[0]:.1f} ms early"
    p99 = late[int(len(late) * 0.99)]
    label = f"ms late of {count:,} sleepers over {span:.0f} s: p99 (median, most)"
    return [(label, f"{p99:.1f} ({statistics.median(late):.1f}, {late[-1]:.1f})", f"<= {bound:.0f}")]


def main() -> None:
    """Measure what was asked for and print it."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("what", nargs="*", help="timers, throughput, latency, connections, fanout, memory; default: all")
    words.add_argument("--quick", action="store_true", help="a short run of each")
    words.add_argument("--serve", metavar="CHANNELS", help=argparse.SUPPRESS)
    words.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    words.add_argument("--echo-to-all", action="store_true", help=argparse.SUPPRESS)
    words.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    words.add_argument("--against", metavar="PORT", type=int, default=0, help="another server of the protocol")
    asked = words.parse_args()
    logging.disable()
    if asked.serve is not None:
        return asyncio.run(run_relay(asked.serve))
    if asked.echo or asked.echo_to_all:
        return asyncio.run(run_echo(everybody=asked.echo_to_all))
    if asked.bare:
        return asyncio.run(run_bare())
    scale = 4 if asked.quick else 1
    every = {
        "throughput": [lambda: throughput(100_000 // scale, asked.against)],
        "latency": [lambda: latency(8000 // scale, asked.against)],
        "fanout": [lambda: fanout(8000 // scale)],
        "connections": [lambda: connections(500)],
        "memory": [lambda: memory(2000 // scale)],
        "timers": [lambda: timers(10_000, 10.0, 10), lambda: timers(100_000 // scale, 40.0 / scale, 25)],
    }
    rows = [("", "measured", "asked for")]
    for name in asked.what or every:
        for measure in every[name]:
            rows += asyncio.run(measure())
            gc.collect()
    for row in rows:
        print(f"{row[0]:62} {row[1]:>22}  {row[2]}")
    return None


if __name__ == "__main__":
    main()
