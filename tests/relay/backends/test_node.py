"""What a node makes of records, without NATS: the log is a list here."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("websockets", reason="the extra `relay` is absent: what it would show is NOT shown")
from sleep.relay.backends import log_records
from sleep.relay.backends.log_records import Came, Died, Due, Roused, Settled, Threw, Utterance, Went
from sleep.relay.backends.node import Node
from sleep.relay.configuration import Configuration
from sleep.relay.engine.timers import Timers

pytestmark = pytest.mark.relay
WORDS = st.text(max_size=5)
RECORDS = st.one_of(
    st.builds(Came, WORDS, WORDS, WORDS, WORDS, st.booleans(), WORDS),
    st.builds(Utterance, WORDS, WORDS, WORDS, WORDS),
    st.builds(Went, WORDS, WORDS),
    st.builds(Roused, WORDS, WORDS, WORDS),
    st.builds(Threw, WORDS, WORDS),
    st.builds(Due, st.floats(allow_nan=False)),
    st.builds(Settled, WORDS, st.integers()),
    st.builds(Died, WORDS),
)
AGENTS = ("@ann00000", "@bob00000", "@0123456789abcdef")


@given(RECORDS)
def test_round_trip(record):
    """What is written is read."""
    assert log_records.read(log_records.write(record)) == record


def test_names_in_the_log():
    """A record keeps its name in the log whatever its class is called: an older node reads it."""
    assert log_records.write(Utterance("s1", "a1", "m1", "{}")) == b'["said","s1","a1","m1","{}"]'


@given(st.one_of(st.binary(max_size=30), st.recursive(st.integers() | WORDS | st.none(), st.lists).map(json.dumps)))
def test_anything(data):
    """What is no record is none."""
    data = data.encode() if isinstance(data, str) else data
    assert log_records.read(data) is None
    assert log_records.read(b'["said",1,"","",""]') is None
    assert log_records.read(b'["due",true]') is None


def said(agent, **frame):
    return Utterance(f"s{agent}", agent, "", json.dumps(frame))


def answered(number):
    """Return the answer of the agent with a key to a request, as its node writes it into the log."""
    answer = {"request_id": f"verify_m{number}", "nonce": "0123456789abcdef", "pubkey": "pem" if number % 2 else ""}
    return said(AGENTS[-1], type="VERIFY_RESPONSE", **answer)


STEPS = st.one_of(
    st.builds(lambda one: Came("n1", f"s{one}", one, one[1:5], len(one) > 10, ""), st.sampled_from(AGENTS)),
    st.builds(lambda one: Went(f"s{one}", one), st.sampled_from(AGENTS)),
    st.builds(
        lambda one, to, text: said(one, type="MSG", to=to, content=text),
        st.sampled_from(AGENTS),
        st.sampled_from(("#love", *AGENTS)),
        st.sampled_from(("hi", "hi @ann0 @0123 @bob0", "@@sleep:9s@@", "@@sleep:5s:buffer@@", "@@cb:3s@@x")),
    ),
    st.builds(lambda one: said(one, type="SET_NICK", nick="zoe"), st.sampled_from(AGENTS)),
    st.builds(
        lambda one, kind, name: said(one, type=kind, channel=name),
        st.sampled_from(AGENTS),
        st.sampled_from(("CREATE_CHANNEL", "JOIN", "LEAVE")),
        st.sampled_from(("#love", "#ours")),
    ),
    st.builds(lambda one: said(one, type="SET_PRESENCE", presence="away", status_text="x"), st.sampled_from(AGENTS)),
    st.builds(
        lambda one, number: said(one, type="RESPONDING_TO", msg_id=f"m{number}", channel="#love", started_at=1),
        st.sampled_from(AGENTS),
        st.integers(0, 40),
    ),
    st.builds(
        lambda one: said(one, type="VERIFY_REQUEST", target=AGENTS[-1], nonce="0123456789abcdef"),
        st.sampled_from(AGENTS),
    ),
    st.builds(lambda one, number: Roused(f"s{one}", one, f"m{number}"), st.sampled_from(AGENTS), st.integers(0, 40)),
    st.builds(Threw, st.sampled_from(AGENTS), st.just("")),
    st.builds(Settled, st.sampled_from(AGENTS), st.integers(0, 40)),
    st.just(Died("n1")),
    st.just(Due(0.0)),
)


def made():
    """Return a node that notes what it carries out, and asks a log for nothing."""
    node = Node(Configuration(relay_rate_ms=0, relay_max_buffer=3, relay_history=4))
    node.log = type("Log", (), {"append": lambda *_: None, "wake_at": lambda *_: None})()
    node._loop = asyncio.get_running_loop()
    node.done = []
    node._apply = lambda effects: (node.done.extend(effects), Node._apply(node, effects))
    return node


def follow(node, steps, start=0):
    """Have a node do some steps, and forget its timer."""
    now = 1_795_000_000.0 + sum(wait for _, wait in steps[:start])
    for number, (record, wait) in enumerate(steps[start:], start):
        now += wait
        unique = record._replace(ident=f"m{number}") if isinstance(record, Utterance) else record
        node.follow(log_records.write(unique), now)
    if node._armed:
        node._armed[1].cancel()


def known(node):
    """Return all that a node knows by the log, by looking at every field; frames that are one are one number."""
    frames = {}

    def seen(thing):
        if isinstance(thing, dict) and "type" in thing and "ts" in thing:
            frames.setdefault(id(thing), (len(frames), thing))
            return frames[id(thing)]
        if isinstance(thing, Timers):
            return seen(thing.dump())  # without the order of its heap, and what was cancelled in it
        if isinstance(thing, dict):
            return [type(thing).__name__, [(seen(name), seen(value)) for name, value in thing.items()]]
        if isinstance(thing, (list, tuple, deque)):
            return [type(thing).__name__, *map(seen, thing)]
        if isinstance(thing, (str, int, float, set, type(None))):
            return thing
        names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        return [
            type(thing).__name__,
            {one: seen(getattr(thing, one)) for one in (*names, *getattr(thing, "__dict__", ()))},
        ]

    world = {**vars(node.engine.world), "_names": sorted(node.engine.world._names.items())}
    things = [world, node._sessions, node._ledger.pending, node._mono]
    return [seen(one) for one in things]


def life(chance):
    """Return a long row of steps, with everything that a node can know of in some of them."""
    come = [Came("n1", f"s{one}", one, one[1:5], len(one) > 10, "") for one in AGENTS]
    one, place = lambda: chance.choice(AGENTS), lambda: chance.choice(("#love", "#ours", *AGENTS, AGENTS[-1]))
    kinds = (
        *(lambda: said(chance.choice(AGENTS[:2]), type="MSG", to=place(), content="hi"),) * 6,
        *(lambda: said(AGENTS[-1], type="MSG", to="#love", content="@@cb:15s@@a @@sleep:30s:buffer@@"),) * 2,
        lambda: said(one(), type="MSG", to=place(), content=chance.choice(("@@sleep:9s:buffer@@", "@@sleep:20s@@"))),
        lambda: said(one(), type="MSG", to=place(), content="@@cb:15s@@a @@cb:3s#love@@b"),
        lambda: said(one(), type=chance.choice(("CREATE_CHANNEL", "JOIN", "LEAVE")), channel="#ours"),
        lambda: said(one(), type="RESPONDING_TO", msg_id=f"m{chance.randrange(60)}", channel="#love", started_at=1),
        lambda: said(one(), type="SET_PRESENCE", status="away", status_text="out"),
        lambda: said(one(), type="SET_NICK", nick=chance.choice(("zoe", "max"))),
        lambda: said(one(), type="VERIFY_REQUEST", target=AGENTS[-1], nonce="0123456789abcdef"),
        lambda: answered(chance.randrange(60)),
        *(lambda: Roused(f"s{(whose := one())}", whose, f"m{chance.randrange(60)}"),) * 3,
        lambda: Settled(AGENTS[-1], chance.randrange(60)),
        lambda: chance.choice(come),
        lambda: chance.choice(come)._replace(node="n2", session=f"again{chance.random()}"),
        lambda: chance.choice((Died("n1"), Died("n2"), Threw(one(), ""), Went(f"s{AGENTS[0]}", AGENTS[0]), Due(0.0))),
        lambda: Due(0.0),
    )
    return [(step, chance.uniform(0, 2)) for step in (*come, *(chance.choice(kinds)() for _ in range(60)))]


@pytest.mark.parametrize("seed", range(200))
def test_a_snapshot(seed):
    """A node that begins with a snapshot knows the same and does the same as one that has read the whole log."""
    chance = random.Random(seed)
    steps = life(chance)

    async def run():
        cut = chance.randrange(len(steps))
        whole, first, second = made(), made(), made()
        follow(whole, steps[:cut])
        follow(first, steps[:cut])
        second.load(json.loads(json.dumps(first.dump())))
        assert known(second) == known(whole)
        whole.done.clear()
        for node in (whole, second):
            follow(node, steps, cut)
        await asyncio.sleep(0)
        assert known(second) == known(whole)
        assert second.done == whole.done

    asyncio.run(run())


def test_what_the_log_did_not_hear():
    """That an agent went is said until the log says so, and an arrival that it says twice is one."""

    async def run():
        node, asked = made(), []
        node.log = type("Log", (), {"append": lambda _, record, once="": asked.append(record)})()
        here = Came(node.node, "s1", "@ann00000", "ann", False, "")
        follow(node, [(here, 0.0)])
        assert asked == [Went("s1", "@ann00000")]  # its connection is no more
        node._say_again()
        assert asked == [Went("s1", "@ann00000")] * 2
        follow(node, [(asked[0], 0.0), (here._replace(node="other"), 0.0)])
        node.done.clear()
        follow(node, [(here._replace(node="other"), 0.0)])
        node._say_again()
        assert (node.done, len(asked)) == ([], 2)

    asyncio.run(run())


@given(st.lists(st.tuples(STEPS, st.floats(0, 4)), max_size=40))
def test_the_same_everywhere(steps):
    """Whatever the log says, nodes that follow it know the same, one that comes late too, and no record stops them."""

    async def run():
        nodes = []
        for _ in range(2):
            node = Node(Configuration(relay_rate_ms=0))
            node.log = type("Log", (), {"append": lambda *_: None, "wake_at": lambda *_: None})()
            node._loop = asyncio.get_running_loop()
            nodes.append(node)
            now = 1_795_000_000.0
            for number, (record, wait) in enumerate(steps):
                now += wait
                unique = record._replace(ident=f"m{number}") if isinstance(record, Utterance) else record
                node.follow(log_records.write(unique), now)
            if node._armed:
                node._armed[1].cancel()
            await asyncio.sleep(0)
        one, two = nodes
        assert one.engine.observe() == two.engine.observe()
        assert one.engine.next_deadline() == two.engine.next_deadline()
        assert one._ledger.pending == two._ledger.pending
        assert one._sessions == two._sessions
        assert set(one._sessions) <= set(one.engine.world.agents)

    asyncio.run(run())


def test_a_sleeper_is_roused_by_its_node():
    """A sleeper whose time is up sleeps on until its node says that it lives, and its node says so each second."""

    async def run():
        node, asked = made(), []
        node.log = type(
            "Log", (), {"append": lambda _, record, once="": asked.append(record), "wake_at": lambda *_: 0}
        )()
        agent = AGENTS[-1]
        came = Came("other", f"s{agent}", agent, "carol", True, "")
        asleep = [(came, 0.0), (said(agent, type="MSG", to="#love", content="@@sleep:2s@@"), 0.0), (Due(0.0), 3.0)]
        follow(node, asleep)
        assert node.engine.world.agents[agent].sleep
        assert asked == []  # it is another node's
        node._sessions[agent], node._here[agent] = came._replace(node=node.node), object()
        follow(node, [*asleep, (Due(0.0), 2.0)], 3)
        assert asked == [Roused(came.session, agent, "m1")]
        del node._here[agent]
        follow(node, [*asleep, (Due(0.0), 2.0), (Due(0.0), 2.0)], 4)
        assert asked[1:] == [Went(came.session, agent)]
        follow(node, [*asleep, *[(Due(0.0), 2.0)] * 2, (Roused(came.session, agent, "m9"), 0.0)], 5)
        assert node.engine.world.agents[agent].sleep  # of another sleep
        follow(node, [*asleep, *[(Due(0.0), 2.0)] * 3, (asked[0], 0.0)], 6)
        assert node.engine.world.agents[agent].sleep is None

    asyncio.run(run())
