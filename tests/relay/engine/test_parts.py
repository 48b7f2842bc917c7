"""Buffers, names and windows, each alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.relay.engine import names
from sleep.relay.engine.buffers import Buffer, Pool
from sleep.relay.server.windows import Window


@given(st.integers(0, 5), st.integers(0, 20), st.lists(st.integers(0, 9)))
def test_buffer(most, room, sizes):
    """A buffer has the newest things within both caps, and accounts for all that went."""
    buffer, gone = Buffer(most, room, Pool(10**9, 0)), []
    for number, size in enumerate(sizes):
        gone += buffer.push(number, size, f"thing {number}")
        assert len(buffer) <= most
        assert buffer.size <= room or len(buffer) == 1
    kept = [f"thing {number}" for number in range(len(sizes) - len(buffer), len(sizes))]
    assert buffer.things() == kept
    assert [one.thing for one in gone] + kept == [f"thing {number}" for number in range(len(sizes))]
    assert buffer.dropped == len(gone)
    assert buffer.last() == (len(sizes) - 1 if len(buffer) else 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 30))))
def test_pool(pushes):
    """All buffers together never hold more than the pool and a share each, and the pool knows what they hold."""
    pool = Pool(60, 10)
    buffers = [Buffer(10, 50, pool) for _ in range(5)]
    for number, (which, size) in enumerate(pushes):
        buffers[which].push(number, size, number)
        assert pool.used == sum(one.size for one in buffers)
        assert pool.used <= 60 + 5 * 10 + 30
    for one in buffers:
        one.empty()
    assert pool.used == 0


@pytest.mark.parametrize(
    "name",
    ["", "a b", "x" * 33, "ｂｏｂ", "pаy", "a\n", "Server", "adm1n", "R00T", "bot", "0" * 16, "DEADBEEFdeadbeef"],
)
def test_refused(name):
    """Nobody is called what is no name, what is reserved or looks like it, or what has the form of a keyed id."""
    assert names.refusal(name)


def test_nick():
    """A nick is shorter than a name."""
    assert not names.refusal("x" * 32)
    assert names.refusal("x" * 25, nick=True)
    assert not names.refusal("x" * 24, nick=True)


@given(st.integers(1, 5), st.lists(st.floats(0, 3), max_size=40))
def test_window(most, steps):
    """In no span of the window's length are there more than it allows, and nothing is refused without need."""
    window, now, taken = Window(most, 10.0), 0.0, []
    for step in steps:
        now += step
        recent = [one for one in taken if one > now - 10.0]
        assert window.allow(now) == (len(recent) < most)
        if len(recent) < most:
            taken.append(now)
    assert window.idle(now + 10.001)


def test_no_limit():
    """A window of 0 allows everything and remembers nothing."""
    window = Window(0, 10.0)
    assert all(window.allow(0.0) for _ in range(1000))
    assert window.idle(0.0)
