"""A relay of several processes over NATS JetStream: what agents on different nodes share, and what a kill leaves."""

from __future__ import annotations

import asyncio
import base64
import signal
import time

import pytest
from nodes import Nats, Process

from sleep.errors import RelayError
from sleep.relay import commands, notices
from sleep.relay.client import Client
from sleep.relay.endpoint import Endpoint
from sleep.relay.identity import Identity

pytestmark = pytest.mark.relay


@pytest.fixture
def nats(tmp_path):
    """Return a NATS server."""
    server = Nats(tmp_path / "js")
    yield server
    server.kill()


@pytest.fixture
def node(nats):
    """Return a function that starts a node."""
    started = []

    def start(**settings):
        started.append(Process(nats.url, **settings))
        return started[-1]

    yield start
    for one in started:
        one.kill()


async def heard(client, kind, seconds=15, where=lambda _: True):
    """Return the next thing of a kind."""
    async with asyncio.timeout(seconds):
        async for one in client:
            if isinstance(one, kind) and where(one):
                return one
    raise AssertionError("the session ended")


async def given_up(node, name):
    """Wait until a node knows that an agent's node is dead."""
    async with asyncio.timeout(30):
        while True:
            found = await asyncio.to_thread(commands.status, Endpoint(node.url, "", "", 0))
            if not any(one["name"] == name and one["here"] for one in found["agents"]):
                return
            await asyncio.sleep(0.1)


def of(client):
    """Return what a message must be to be from an agent."""
    return lambda one: one.sender == client.agent


def test_shared(node):
    """Agents on two nodes share channels, presence, direct messages, names, history and sleep."""
    one, two = node(), node()

    async def run():
        async with Client(one.url, "alice") as alice, Client(two.url, "bob") as bob:
            sent = await alice.send("#love", "hello")
            assert (await heard(bob, notices.Message, where=of(alice))).ident == sent.ident
            await bob.send("@alice", "hi")
            assert (await heard(alice, notices.Message, where=of(bob))).text == "hi"
            with pytest.raises(RelayError, match="taken"):
                async with Client(two.url, "ALICE", again=False):
                    pass
            await alice.send("#love", "night @@sleep:3s@@")
            began = time.monotonic()
            assert (await heard(bob, notices.Presence)).presence == "sleeping"
            assert (await bob.send("@alice", "a dm")).echo["recipient"] == "sleeping"
            assert (await heard(alice, notices.Woke)).buffered == 1
            assert 2.5 < time.monotonic() - began < 15
            assert (await heard(alice, notices.Message, where=of(bob))).text == "a dm"
            assert (await heard(bob, notices.Presence, where=lambda it: it.presence == "online")).name == "alice"
            three = await asyncio.to_thread(node)
            async with Client(three.url, "late", channels=["#love"]) as late:
                assert (await heard(late, notices.Message, where=lambda it: it.replay)).text == "hello"
                await late.send("@bob", "from the third")
                assert (await heard(bob, notices.Message, where=of(late))).text == "from the third"

    asyncio.run(run())


def test_same_key_elsewhere(node):
    """A second login of a key on another node displaces the first."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(one.url, "alice", identity=key) as first, Client(two.url, "alice", identity=key) as second:
            assert "another connection" in (await heard(first, notices.Ended)).why
            assert (await second.send("@alice", "me")).ident

    asyncio.run(run())


def test_a_node_is_killed(node):
    """A sleeper's node dies by -9: what was echoed to its senders is there when it comes to another node, in order."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(two.url, "bob") as bob:
            alice = Client(one.url, "alice", identity=key, again=False)
            await alice.__aenter__()
            await alice.send("#love", "@@sleep:60s@@")
            idents = [(await bob.send("@alice", f"dm {number}")).ident for number in range(10)]
            one.kill()
            idents += [(await bob.send("@alice", f"dm {number}")).ident for number in range(10, 20)]
            await alice.close()
            await given_up(two, "alice")
            idents.append((await bob.send("@alice", "she is waited for")).ident)
            async with Client(two.url, "alice", identity=key) as again:
                assert (await heard(again, notices.Woke)).buffered == 21
                for ident in idents:
                    assert (await heard(again, notices.Message, where=of(bob))).ident == ident

    asyncio.run(run())


@pytest.mark.parametrize("known", [False, True])
def test_killed_awake(node, known):
    """What was echoed and may not have reached an agent whose node died is told it elsewhere, at once or later."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(two.url, "bob") as bob:
            alice = Client(one.url, "alice", identity=key, again=False)
            await alice.__aenter__()
            one.child.send_signal(signal.SIGSTOP)  # it takes nothing in any more
            ident = (await bob.send("@alice", "did you hear")).ident
            one.kill()
            await alice.close()
            if known:
                await given_up(two, "alice")
            async with Client(two.url, "alice", identity=key) as again:
                assert (await heard(again, notices.Message, where=of(bob))).ident == ident

    asyncio.run(run())


def test_nats_is_killed(node, nats):
    """NATS dies by -9 and comes back: what was echoed is there, agents stay, a sleeper wakes."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(one.url, "alice", identity=key) as alice, Client(two.url, "bob") as bob:
            await alice.send("#love", "@@sleep:4s@@")
            first = (await bob.send("@alice", "before")).ident
            await asyncio.to_thread(nats.kill)
            await asyncio.to_thread(nats.start)
            second = ""
            for _ in range(5):
                try:
                    second = second or (await bob.send("@alice", "after")).ident
                except RelayError:
                    await asyncio.sleep(0.5)
            assert second
            assert (await heard(alice, notices.Woke, 20)).buffered >= 2
            assert (await heard(alice, notices.Message, where=of(bob))).ident == first
            found = await heard(alice, notices.Message, where=lambda it: it.ident == second)
            assert found.text == "after"

    asyncio.run(run())


def test_all_die(node, nats):
    """All nodes die; a new one knows the sleeper, its buffer, and the history."""
    one, key = node(), Identity.new("alice")

    async def run():
        async with Client(one.url, "alice", identity=key, again=False) as alice:
            await alice.send("#love", "remember @@sleep:300s@@")
            async with Client(one.url, "bob", again=False) as bob:
                ident = (await bob.send("@alice", "a dm")).ident
                one.kill()
        two = await asyncio.to_thread(node)
        await given_up(two, "alice")
        async with Client(two.url, "alice", identity=key, channels=["#love"]) as again:
            assert (await heard(again, notices.Woke)).buffered == 1
            assert (await heard(again, notices.Message, where=lambda it: it.name == "bob")).ident == ident
            assert (await heard(again, notices.Message, where=lambda it: it.replay)).text == "remember"

    asyncio.run(run())


@pytest.mark.parametrize("known", [False, True])
def test_due_while_its_node_is_dead(node, known):
    """A sleeper whose time comes after its node died sleeps on: it wakes with its buffer where it logs in."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(two.url, "bob") as bob:
            alice = Client(one.url, "alice", identity=key, again=False)
            await alice.__aenter__()
            await alice.send("#love", "@@sleep:1.5s@@")
            assert (await heard(bob, notices.Presence)).presence == "sleeping"
            idents = [(await bob.send("@alice", "before")).ident]
            one.kill()
            await alice.close()
            await (given_up(two, "alice") if known else asyncio.sleep(2.5))
            sent = await bob.send("@alice", "after")
            assert sent.echo["recipient"] == "sleeping"
            idents.append(sent.ident)
            with pytest.raises(TimeoutError):  # nobody sees it online before
                await heard(bob, notices.Presence, 0.5)
            async with Client(two.url, "alice", identity=key) as again:
                assert (await heard(again, notices.Woke)).buffered == 2
                for ident in idents:
                    assert (await heard(again, notices.Message, where=of(bob))).ident == ident
                assert (await heard(bob, notices.Presence)).presence == "online"

    asyncio.run(run())


@pytest.mark.parametrize("known", [False, True])
def test_due_while_all_are_dead(node, known):
    """A sleeper whose time comes while no node is up wakes with its buffer when one is up and it logs in."""
    one, key = node(), Identity.new("alice")

    async def run():
        async with Client(one.url, "alice", identity=key, again=False) as alice:
            await alice.send("#love", "@@sleep:1.5s@@")
            async with Client(one.url, "bob", again=False) as bob:
                ident = (await bob.send("@alice", "a dm")).ident
                one.kill()
        await asyncio.sleep(2.5)
        two = await asyncio.to_thread(node)
        if known:
            await given_up(two, "alice")
        async with Client(two.url, "alice", identity=key) as again:
            assert (await heard(again, notices.Woke)).buffered == 1
            assert (await heard(again, notices.Message, where=lambda it: it.name == "bob")).ident == ident

    asyncio.run(run())


def test_due_beyond_its_grace(node):
    """A sleeper that does not come back within the grace after its time is forgotten."""
    one, two, key = node(relay_grace=1.0), node(relay_grace=1.0), Identity.new("alice")

    async def run():
        async with Client(two.url, "bob") as bob:
            async with Client(one.url, "alice", identity=key, again=False) as alice:
                await alice.send("#love", "@@sleep:1s@@")
                one.kill()
            await given_up(two, "alice")
            assert (await bob.send("@alice", "in time")).echo["recipient"] == "sleeping"
            await heard(bob, notices.Moved, where=lambda it: it.name == "alice" and not it.here)
            with pytest.raises(RelayError, match="not found"):
                await bob.send("@alice", "too late")

    asyncio.run(run())


def test_across_nodes(node):
    """A proof is asked for and given, and a piece of a file goes, from one node to another."""
    one, two, key = node(), node(), Identity.new("alice")

    async def run():
        async with Client(one.url, "alice", identity=key) as alice, Client(two.url, "bob") as bob:
            nonce = "a-nonce-of-bob-12"
            pending = await bob.ask({"type": "VERIFY_REQUEST", "target": alice.agent, "nonce": nonce})
            assert [answer.get("status") for answer in pending if answer["type"] == "VERIFY_REQUEST"] == ["pending"]
            request = (await heard(alice, notices.Other, where=lambda it: it.kind == "VERIFY_REQUEST")).raw
            answer = {"type": "VERIFY_RESPONSE", "request_id": request["request_id"], "nonce": nonce}
            await alice.ask({**answer, "sig": base64.b64encode(key.key.sign(nonce.encode())).decode()})
            success = await heard(bob, notices.Other, where=lambda it: it.kind.startswith("VERIFY_S"))
            assert success.raw["pubkey"] == key.pubkey
            await bob.ask({"type": "FILE_CHUNK", "to": "@alice", "content": "x" * 500_000})
            chunk = await heard(alice, notices.Other, where=lambda it: it.kind == "FILE_CHUNK")
            assert (len(chunk.raw["content"]), chunk.raw["from"]) == (500_000, bob.agent)
            refused = await bob.ask({"type": "FILE_CHUNK", "to": "@alice", "content": "x" * 1_500_000})
            assert [frame["code"] for frame in refused if frame["type"] == "ERROR"] == ["NOT_ALLOWED"]

    asyncio.run(run())
