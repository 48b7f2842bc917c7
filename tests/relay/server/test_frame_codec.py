"""What comes out of the bytes of a connection: the same as the library alone makes of them, however they are cut."""

from __future__ import annotations

import pytest

pytest.importorskip("websockets", reason="the extra `relay` is absent: what it would show is NOT shown")
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from sleep.relay.server.frame_codec import FrameReader, serialize

pytestmark = pytest.mark.relay
MOST = 70_000
CODES = (Opcode.TEXT, Opcode.CONT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CLOSE)
SIZES = st.sampled_from((0, 1, 5, 124, 125, 126, 127, 300, 65_535, 65_536, MOST, MOST + 1))
WHOLE = st.builds(lambda size: Frame(Opcode.TEXT, b"x" * size).serialize(mask=True), SIZES)
PIECES = st.builds(
    lambda code, size, fin: Frame(code, b"y" * size, fin).serialize(mask=True),
    st.sampled_from((Opcode.TEXT, Opcode.CONT, Opcode.BINARY)),
    SIZES,
    st.booleans(),
)
CONTROL = st.builds(
    lambda code, size: Frame(code, b"\x03\xe8"[:size]).serialize(mask=True),
    st.sampled_from(CODES[3:]),
    st.sampled_from((0, 2)),
)
UNMASKED = st.builds(lambda size: serialize(b"z" * size), SIZES)
PARTS = st.one_of(WHOLE, WHOLE, WHOLE, PIECES, CONTROL, UNMASKED, st.binary(max_size=20))


def library():
    """Return the library's protocol after its handshake."""
    protocol = ServerProtocol(max_size=MOST)
    protocol.state = State.OPEN
    protocol.parser = protocol.parse()
    next(protocol.parser)
    return protocol


def made(events):
    """Return events as values: a whole text message is its bytes."""
    plain = lambda event: isinstance(event, Frame) and event.opcode is Opcode.TEXT and event.fin  # noqa: E731
    return [bytes(event.data) if plain(event) else event for event in events]


@given(st.lists(PARTS, max_size=8), st.lists(st.integers(1, 200_000), max_size=12))
def test_the_same_as_the_library(parts, cuts):
    """Whatever comes in, cut anywhere, gives the library's events and leaves it in the same state."""
    data = b"".join(parts)
    alone, ours = library(), library()
    reader = FrameReader(ours, MOST)
    events, wanted, at = [], [], 0
    for cut in [*cuts, len(data)]:
        chunk = data[at : at + cut]
        at += cut
        if chunk:
            events += reader.receive(chunk)
            alone.receive_data(chunk)
            wanted += alone.events_received()
    assert made(events) == made(wanted)
    reader.end()
    alone.receive_eof()
    assert (ours.state, ours.close_rcvd, ours.close_sent) == (alone.state, alone.close_rcvd, alone.close_sent)
    assert ours.data_to_send() == alone.data_to_send()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_serialize(size):
    """A message is written as the library writes it."""
    assert serialize(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)
