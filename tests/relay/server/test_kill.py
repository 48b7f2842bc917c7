"""The relay killed with -9 under load: what was echoed reaches the keyed sleeper, and nothing is told twice as new."""

from __future__ import annotations

import json
import random
import socket
import threading
import time

import pytest
from hosts import Process
from peer import PATIENCE, Key, Peer
from senders import PATIENT, Sender, receive

pytestmark = pytest.mark.relay


def _round(path, chance, seconds):
    """Kill a relay at some moment while a keyed agent sleeps for `seconds`, and let the agent come back."""
    key, got = Key(), {}
    relay = Process(path, **PATIENT)
    sleeper = Peer(relay.url, "sleeper", key)
    sleeper.say("#love", f"@@sleep:{seconds}s@@")
    sleeper.until_now()
    listening = threading.Thread(target=receive, args=(sleeper, got), daemon=True)
    listening.start()
    senders = [Sender(relay.url, name, key.id) for name in ("one", "two")]
    time.sleep(chance.uniform(0.05, 0.4))
    relay.kill()
    for one in senders:
        one.join()
    listening.join(PATIENCE)
    sleeper.close()
    echoed = {ident: text for one in senders for ident, text in one.echoed.items()}
    relay = Process(path, **PATIENT)
    try:
        again = Peer(relay.url, "sleeper", key)
        frames = [one for one in again.until_now() if one["type"] == "MSG"]
        again.close()
    finally:
        assert relay.stop() == 0
    for frame in frames:
        if "msg_id" in frame:
            got.setdefault(frame["msg_id"], set()).add(frame["content"])
    assert not {ident: text for ident, text in echoed.items() if got.get(ident) != {text}}
    texts = [text for found in got.values() for text in found]
    assert len(texts) == len(set(texts)), "a repeat came under another id"
    if seconds > 1:
        assert frames[0]["content"] == "@@wake@@"
        assert frames[0]["buffered"] == len(frames) - 1
        order = [(one["from"], int(one["content"].split()[1])) for one in frames[1:]]
        for sender in {who for who, _ in order}:
            numbers = [number for who, number in order if who == sender]
            assert numbers == list(range(len(numbers)))
    return len(echoed)


@pytest.mark.parametrize("seconds", [3600, 0.2])
def test_killed(tmp_path, seconds):
    """No message that was echoed is lost to a keyed sleeper, asleep or just waking; repeats carry the same id."""
    chance = random.Random(7)
    echoed = [_round(tmp_path / f"{number}.db", chance, seconds) for number in range(2)]
    assert sum(echoed) > 20


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(100))
def test_killed_often(tmp_path, seed):
    """The same, a hundred times, at other moments."""
    chance = random.Random(seed)
    _round(tmp_path / "relay.db", chance, chance.choice([3600, 0.1, 0.2, 0.3]))


@pytest.fixture
def killed(tmp_path):
    """Return a function that starts a relay on the test's journal, after killing the one before."""
    running = []

    def start(**settings):
        for one in running:
            one.kill()
        running[:] = [Process(tmp_path / "relay.db", **settings)]
        return running[0].url

    yield start
    for one in running:
        one.kill()


def test_sleeps_on(killed):
    """A keyed sleeper that does not come back at once sleeps on: messages go on being buffered, by id and by name."""
    key, url = Key(), killed()
    with Peer(url, "alice", key) as alice, Peer(url, "bob") as bob:
        alice.say("#love", "@@sleep:60s@@")
        alice.until_now()
        bob.say(key.id, "before")
        bob.expect("MSG", content="before")
        url = killed()
    with Peer(url, "bob") as bob:
        bob.say("@alice", "after")
        assert bob.expect("MSG", content="after")["recipient"] == "sleeping"
        bob.send(type="IDENTIFY", name="carol")
        with Peer(url) as thief:
            thief.send(type="IDENTIFY", name="alice")
            assert thief.expect("ERROR")["code"] == "INVALID_NAME"
        with Peer(url, "alice", key) as alice:
            heard = [one["content"] for one in alice.until_now() if one["type"] == "MSG"]
            assert heard == ["@@wake@@", "before", "after"]


def test_arrived(killed):
    """What is known to have arrived is not sent again."""
    key, url = Key(), killed()
    with Peer(url, "alice", key) as alice, Peer(url, "bob") as bob:
        alice.say("#love", "@@sleep:0.2s@@")
        alice.until_now()
        bob.say(key.id, "dm")
        alice.expect("MSG", content="dm")
        alice.until_now()  # behind it is a ping, which is answered by now,
        alice.until_now()  # and the answer is behind us, and committed
        url = killed()
    with Peer(url, "alice", key) as alice:
        assert not [one for one in alice.until_now() if one["type"] == "MSG"]


def test_unsure(killed):
    """What an agent was told while awake, and may not have received, comes again when it is back, under the same id."""
    key, url = Key(), killed()
    line = socket.create_connection(tuple(url.removeprefix("ws://").split(":")))
    with line, Peer(url, "bob") as bob:
        asleep_at_the_wheel(line, key)
        bob.say(key.id, "dm")
        ident = bob.expect("MSG", content="dm")["msg_id"]
        url = killed()
    with Peer(url, "alice", key) as alice:
        assert alice.expect("MSG", content="dm")["msg_id"] == ident
        alice.until_now()
        alice.until_now()
        url = killed()
    with Peer(url, "alice", key) as alice:
        assert not [one for one in alice.until_now() if one["type"] == "MSG"]


def asleep_at_the_wheel(line, key):
    """Identify as a keyed agent that answers no ping and reads no further than its welcome."""
    line.sendall(
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )

    def send(**frame):
        text = json.dumps(frame).encode()
        line.sendall(bytes([0x81, 0x80 | 126, *len(text).to_bytes(2, "big"), 0, 0, 0, 0]) + text)

    def until(what):
        read = b""
        while what not in read:
            read += line.recv(4096)
        return read

    send(type="IDENTIFY", name="alice", pubkey=key.pubkey)
    read = until(b'"expires_at"')
    challenge = json.loads(read[read.index(b"{") :])
    signature = key.sign(f"AGENTCHAT_AUTH|{challenge['nonce']}|{challenge['challenge_id']}|1")
    send(type="VERIFY_IDENTITY", challenge_id=challenge["challenge_id"], signature=signature, timestamp=1)
    until(b'"WELCOME"')


def test_history_and_callbacks(killed):
    """History and a keyed agent's callbacks are there again; an ephemeral agent is gone without a trace."""
    key, url = Key(), killed()
    with Peer(url, "alice", key) as alice, Peer(url, "bob") as bob:
        alice.say("#love", "remember this @@cb:2s@@and that")
        bob.say("#love", "@@sleep:60s@@")
        alice.expect("MSG", content="remember this")
        bob.until_now()
        url = killed()
    time.sleep(2)
    with Peer(url, "bob") as bob, Peer(url, "alice", key) as alice:
        assert alice.expect("MSG", content="@@cb-fire@@and that")
        bob.send(type="JOIN", channel="#love")
        assert bob.expect("MSG", content="remember this")["replay"] is True
        alice.say(bob.id, "hi")
        assert "recipient" not in alice.expect("MSG", content="hi")


def test_grace(killed):
    """Who does not come back is given up when the grace period ends, and its name is free again."""
    key, url = Key(), killed()
    with Peer(url, "alice", key) as alice:
        alice.say("#love", "@@sleep:0.3s@@")
        alice.until_now()
        url = killed(relay_grace=0.3)
    deadline = time.monotonic() + PATIENCE
    with Peer(url) as bob:
        while True:
            bob.send(type="IDENTIFY", name="alice")
            if bob.receive()["type"] == "WELCOME":
                break
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_stopped(tmp_path):
    """A relay that is stopped in good order keeps its sleepers too: that was not their own doing."""
    key, path = Key(), tmp_path / "relay.db"
    relay = Process(path)
    alice, bob = Peer(relay.url, "alice", key), Peer(relay.url, "bob")
    alice.say("#love", "@@sleep:60s@@")
    alice.until_now()
    bob.say(key.id, "dm")
    bob.expect("MSG", content="dm")
    assert relay.stop() == 0
    assert alice.ended()[1] == 1001
    alice.close()
    bob.close()
    relay = Process(path)
    with Peer(relay.url, "alice", key) as alice:
        assert [one["content"] for one in alice.until_now() if one["type"] == "MSG"] == ["@@wake@@", "dm"]
    assert relay.stop() == 0
