"""What a node makes of records, without NATS: the log is a list here."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("websockets", reason="the extra `relay` is absent: what it would show is NOT shown")
from sleep.relay.backends import records
from sleep.relay.backends.node import Node
from sleep.relay.backends.records import Came, Died, Due, Said, Settled, Threw, Went
from sleep.relay.configuration import Configuration

pytestmark = pytest.mark.relay
WORDS = st.text(max_size=5)
RECORDS = st.one_of(
    st.builds(Came, WORDS, WORDS, WORDS, WORDS, st.booleans(), WORDS),
    st.builds(Said, WORDS, WORDS, WORDS, WORDS),
    st.builds(Went, WORDS, WORDS),
    st.builds(Threw, WORDS, WORDS),
    st.builds(Due, st.floats(allow_nan=False)),
    st.builds(Settled, WORDS, st.integers()),
    st.builds(Died, WORDS),
)
AGENTS = ("@ann00000", "@bob00000", "@0123456789abcdef")


@given(RECORDS)
def test_round_trip(record):
    """What is written is read."""
    assert records.read(records.write(record)) == record


@given(st.one_of(st.binary(max_size=30), st.recursive(st.integers() | WORDS | st.none(), st.lists).map(json.dumps)))
def test_anything(data):
    """What is no record is none."""
    data = data.encode() if isinstance(data, str) else data
    assert records.read(data) is None
    assert records.read(b'["said",1,"","",""]') is None
    assert records.read(b'["due",true]') is None


def said(agent, **frame):
    return Said(f"s{agent}", agent, "", json.dumps(frame))


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
    st.builds(Settled, st.sampled_from(AGENTS), st.integers(0, 40)),
    st.just(Died("n1")),
    st.just(Due(0.0)),
)


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
                unique = record._replace(ident=f"m{number}") if isinstance(record, Said) else record
                node.follow(records.write(unique), now)
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
