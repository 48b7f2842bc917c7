"""What the answers to pings are worth: a client that gives none is let go, and the last one stands for those before."""

from __future__ import annotations

import contextlib
import threading

import pytest
from peer import Key
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

pytestmark = pytest.mark.relay


def _mute(peer):
    """Have a peer's library answer no ping; return what it sent frames with before, and a list of the pings."""
    speak, asked = peer.ws.protocol.send_frame, []

    def send(frame):
        if frame.opcode is Opcode.PONG:
            asked.append(bytes(frame.data))
        else:
            speak(frame)

    peer.ws.protocol.send_frame = send
    return speak, asked


def test_deaf(relay, peer):
    """Who speaks and answers no ping is told so and let go, for what it was sent is kept until it has arrived."""
    host, key = relay(relay_heartbeat=0.5, relay_silence=2.0), Key()
    alice, bob = peer("alice", key, at=host.url), peer("bob", at=host.url)
    _mute(alice)
    stop = threading.Event()

    def speak():
        with contextlib.suppress(ConnectionClosed):
            while not stop.wait(0.1):
                alice.send(type="PING")

    speaker = threading.Thread(target=speak)
    speaker.start()
    _, code, reason = alice.ended()
    stop.set()
    speaker.join()
    assert (code, reason) == (1008, "pings are not answered")
    assert bob.until_now()


def test_mute_stranger(relay, peer):
    """Who never says who it is and answers no ping is told why too, however late its machine reads."""
    stranger = peer(at=relay(relay_heartbeat=0.5, relay_silence=1.0).url)
    _mute(stranger)
    assert stranger.ended()[1:] == (1008, "IDENTIFY first")


def test_last_ping(relay, peer, tmp_path):
    """Of two pings the answer to the second says that both were heard."""
    host, key = relay(tmp_path / "relay.db"), Key()
    alice, bob = peer("alice", key, at=host.url), peer("bob", at=host.url)
    speak, asked = _mute(alice)
    for text in ("one", "two"):
        alice.say("#love", "@@sleep:60s@@")
        alice.until_now()
        bob.say(alice.id, text)
        bob.until_now()
        alice.say("#love", "awake")
        alice.until_now()
    (connection,) = [one for one in host.call(lambda: tuple(host.server._connections)) if one.agent == alice.id]
    assert len(host.call(lambda: dict(connection.marks))) == len(asked) == 2
    alice.ws.protocol.send_frame = speak
    alice.ws.pong(asked[-1])
    alice.until_now()
    assert not host.call(lambda: dict(connection.marks))
