"""The log in NATS: what nodes agree on, what is cut from it, and who ends because it is no more what it was."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from hosts import FREE
from nodes import Nats, Process
from peer import Key, Peer

nats_py = pytest.importorskip("nats", reason="!!! nats-py is absent: what many nodes would show is NOT shown")
from sleep.errors import RelayError  # noqa: E402
from sleep.relay.backends import agreement  # noqa: E402  # needs the library
from sleep.relay.backends import nats as nats_node  # noqa: E402
from sleep.relay.backends.log_records import Due  # noqa: E402
from sleep.relay.backends.nats import ALIVE, DUE, STREAM, NatsNode  # noqa: E402
from sleep.relay.backends.shelf import Shelf  # noqa: E402
from sleep.relay.configuration import Configuration, rules  # noqa: E402

pytestmark = pytest.mark.relay
LONG = 30


@pytest.fixture
def nats(tmp_path):
    """Return a NATS server."""
    server = Nats(tmp_path / "js")
    yield server
    server.kill()


@contextlib.asynccontextmanager
async def stream(nats):
    """Yield JetStream."""
    link = await nats_py.connect(nats.url)
    try:
        yield link.jetstream()
    finally:
        await link.close()


@contextlib.asynccontextmanager
async def running(nats, **settings):
    """Yield a node of this process."""
    node = NatsNode(Configuration(**{**FREE, **settings}), nats.url)
    await node.start()
    try:
        yield node
    finally:
        await node.stop()


async def until(what, seconds=LONG):
    """Return what a function finds, when it finds something."""
    async with asyncio.timeout(seconds):
        while not (found := await what()):  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0.05)
    return found


def test_terms():
    """Every setting that changes the engine's rules is among the terms, and no other one is."""
    for name, value in Configuration._field_defaults.items():
        other = "#x" if name == "relay_channels" else f"{value}1" if isinstance(value, str) else value + 1
        given = Configuration(**{name: not value if isinstance(value, bool) else other})
        changed = rules(given) != rules(Configuration())
        assert changed == bool(agreement.differences(agreement.terms(given), agreement.terms(Configuration()))), name


def test_nodes_must_agree(nats, monkeypatch):
    """A node with other settings, or of another version, is refused at its start; what is its own it may have."""

    async def run():
        async with running(nats):
            with pytest.raises(RelayError, match="relay_max_buffer is '50' there and '3' here"):
                await NatsNode(Configuration(**FREE, relay_max_buffer=3), nats.url).start()
            async with running(nats, relay_queue=2**20), stream(nats) as found:
                changed = (await found.stream_info(STREAM)).config.evolve(description="by an operator")
                await found.update_stream(changed)
            async with running(nats):
                pass
            monkeypatch.setattr(agreement, "FORMAT", 0)
            with pytest.raises(RelayError, match="relay_format is '2' there and '0' here"):
                await NatsNode(Configuration(**FREE), nats.url).start()

    asyncio.run(run())


def test_the_log_is_cut(nats):
    """Behind the last snapshot but one the log is cut; a node that begins then knows the sleeper and what it missed."""
    key, nodes = Key(), [Process(nats.url, every=40) for _ in range(2)]
    try:
        with Peer(nodes[0].url, "alice", key) as alice, Peer(nodes[1].url, "bob") as bob:
            alice.say("#love", "remember")
            alice.say("#love", "@@sleep:300s@@")
            alice.until_now()
            said = []

            async def cut():
                bob.say(key.id, f"dm {len(said)}")
                said.append(bob.expect("MSG", content=f"dm {len(said)}")["msg_id"])
                async with stream(nats) as found:
                    return (await found.stream_info(STREAM)).state.first_seq > 40

            asyncio.run(until(cut))
            nodes.append(Process(nats.url))
            for one in nodes[:2]:
                one.kill()
            with Peer(nodes[2].url, "alice", key) as again:
                frames = [one for one in again.until_now() if one["type"] == "MSG"]
                assert frames[0]["buffered"] + frames[0]["dropped"] == len(said)
                assert [one["msg_id"] for one in frames[1:]] == said[-50:]
                again.send(type="JOIN", channel="#love")
                assert again.expect("MSG", content="remember")["replay"]
    finally:
        for one in nodes:
            one.kill()


def test_the_log_is_not_cut_before_a_node_that_lags(nats, monkeypatch):
    """What a living node has not read yet stays, whatever snapshots there are; of a dead one nobody waits."""
    monkeypatch.setattr(nats_node, "_BEAT", 0.05)
    monkeypatch.setattr(nats_node, "_DEAD", 1.0)

    async def run():
        node = NatsNode(Configuration(**FREE), nats.url, every=40)
        await node.start()
        async with stream(nats) as found:
            link = await nats_py.connect(nats.url)

            async def first():
                return (await found.stream_info(STREAM)).state.first_seq

            async def lag():
                while True:
                    await link.publish(ALIVE, b"~", headers={"Read": "7"})
                    await asyncio.sleep(0.1)

            async def long_ago():
                node.append(Due(0.0))
                return (await node._shelf(found).newest())[0] > 120

            async def cut():
                return await first() > 40

            lagging = asyncio.ensure_future(lag())
            await until(long_ago)
            await until(lambda: asyncio.sleep(0, time.monotonic() - node._since > 2))
            assert 1 < await first() <= 8
            lagging.cancel()
            await until(cut)
            await link.close()
        await node.stop()

    asyncio.run(run())


def test_a_node_ends_although_an_answer_swallowed_the_word():
    """Until Python 3.12 a cancellation is lost where what `wait_for` waits for comes in the same moment."""

    async def run():
        node = NatsNode(Configuration(**FREE), "nats://127.0.0.1:1")
        node._loop = asyncio.get_running_loop()

        async def follow():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(LONG)
            await asyncio.sleep(LONG)

        node._tasks.append(asyncio.create_task(follow()))
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await node.stop()
        assert node._tasks[0].cancelled()

    asyncio.run(run())


def test_snapshots(nats):
    """The newest whole one counts, of any size; two are kept; one that lacks a part, or is of another log, is none."""

    async def run():
        async with stream(nats) as found:
            shelf = Shelf(found, "7")
            await shelf.open()
            assert await shelf.newest() == (0, b"")
            assert await shelf.tidy() == 0
            large = bytes(range(256)) * 8000
            for number, image in ((10, b"a"), (30, large), (20, b"c"), (40, b"d")):
                await shelf.put(number, "n1", image)
                assert await Shelf(found, "8").newest() == (0, b"")
            await found.publish("relay.snapshot.7.50.n2", b"half", headers={"Part": "1/2"})
            assert await shelf.newest() == (40, b"d")
            assert await shelf.tidy() == 30
            await found.purge_stream("RELAY_SNAPSHOT", subject="relay.snapshot.7.40.n1")
            assert await shelf.newest() == (30, large)
            await Shelf(found, "8").put(1, "n1", b"")
            assert await Shelf(found, "8").tidy() == 0
            assert await shelf.newest() == (0, b"")

    asyncio.run(run())


def test_a_log_without_its_beginning(nats):
    """A node does not begin with a log that lacks records, and one that runs ends when its log is gone."""

    async def run():
        async with stream(nats) as found, running(nats) as node:
            await found.delete_stream(STREAM)
            async with running(nats):
                async with asyncio.timeout(LONG):
                    with pytest.raises(RelayError, match="not the one"):
                        await node.serve()
                assert (await found.stream_info(STREAM)).state.last_seq
            await found.purge_stream(STREAM)
            with pytest.raises(RelayError, match="the log begins with record"):
                await NatsNode(Configuration(**FREE), nats.url).start()

    asyncio.run(run())


def test_due_without_nodes(nats):
    """When a sleeper's time has come the log says so, though every node is dead."""
    node = Process(nats.url)
    with Peer(node.url, "alice", Key()) as alice:
        alice.say("#love", "@@sleep:1s@@")
        alice.until_now()
        node.kill()

    async def due():
        async with stream(nats) as found:
            with contextlib.suppress(nats_py.js.errors.NotFoundError):
                return await found.get_last_msg(STREAM, DUE)

    assert asyncio.run(until(due)).data.startswith(b'["due"')


def test_a_snapshot_that_makes_no_sense(nats):
    """A node does not begin with a snapshot that it cannot read."""

    async def run():
        async with running(nats) as node, stream(nats) as found:
            await node._shelf(found).put(1, "n", b"what is this")
            with pytest.raises(RelayError, match="the snapshot of record 1 cannot be read"):
                await NatsNode(Configuration(**FREE), nats.url).start()

    asyncio.run(run())
