"""What keeps one client from harming the others: limits, slow readers, look-alikes, doors."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
import urllib.error
import urllib.request

import pytest
from peer import PATIENCE, Key, Peer
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State

from sleep.errors import RelayError, StorageError
from sleep.relay.configuration import Configuration
from sleep.relay.server.hub import Server

pytestmark = pytest.mark.relay


def test_flood(relay, peer):
    """The 61st frame in 10 s ends its connection with 1008, and nobody else's."""
    url = relay(relay_frames=60).url
    alice, bob = peer("alice", at=url), peer("bob", at=url)
    for _ in range(61):
        alice.send(type="PING")
    frames, code, reason = alice.ended()
    assert (code, reason) == (1008, "Rate limit exceeded")
    assert len([one for one in frames if one["type"] == "PONG"]) == 60
    bob.expect("AGENT_LEFT", agent=alice.id)


def test_early_flood(relay, peer):
    """Before IDENTIFY it is the 11th."""
    stranger = peer(at=relay(relay_early_frames=10).url)
    for _ in range(11):
        stranger.send(type="LIST_CHANNELS")
    frames, code, _ = stranger.ended()
    assert (len(frames), code) == (10, 1008)


def test_control_flood(relay, peer):
    """Pings of the WebSocket count like frames."""
    alice = peer("alice", at=relay(relay_frames=60).url)
    for number in range(61):
        alice.ws.ping(b"%d" % number)
    assert alice.ended()[1] == 1008


def test_address_flood(relay, peer):
    """An address has a limit of its own, however many connections it spreads a flood over."""
    url = relay(relay_address_frames=100).url
    *first, last = [peer(f"agent{number}", at=url) for number in range(4)]
    for one in first:
        for _ in range(30):
            one.send(type="PING")
    for one in first:
        for _ in range(30):
            one.expect("PONG")
    with contextlib.suppress(ConnectionClosed):  # which comes while it still sends
        for _ in range(30):
            last.send(type="PING")
    frames, code, reason = last.ended()
    assert (code, reason) == (1008, "Rate limit exceeded")
    assert len([one for one in frames if one["type"] == "PONG"]) == 100 - 3 * 30 - 4  # each of the four said who it is
    assert all(one.ws.protocol.state is State.OPEN for one in first)


def test_crowd(relay, peer):
    """More connections from an address than allowed are answered with 429, and in all with 503."""
    url = relay(relay_address_connections=2).url
    first, _ = peer("alice", at=url), peer("bob", at=url)
    with pytest.raises(InvalidStatus) as refused:
        Peer(url)
    assert refused.value.response.status_code == 429
    first.close()
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            peer("carol", at=url)
            break
        except InvalidStatus:
            assert time.monotonic() < deadline
    full = relay(relay_connections=1).url
    peer("alice", at=full)
    with pytest.raises(InvalidStatus) as refused:
        Peer(full)
    assert refused.value.response.status_code == 503


def test_rate(relay, peer):
    """A second message before its time is refused; its marker does nothing, and its sender is told so."""
    url = relay(relay_rate_ms=60_000).url
    alice, bob = peer("alice", at=url), peer("bob", at=url)
    alice.say(bob.id, "one")
    alice.say(bob.id, "two @@sleep:60s@@")
    refused = alice.expect("ERROR")
    assert refused["code"] == "RATE_LIMITED"
    assert "not asleep" in refused["message"]
    bob.say(alice.id, "awake?")
    assert "recipient" not in bob.expect("MSG", content="awake?")


def test_slow_reader(relay, peer):
    """Who does not read is cut off with the reason when its queue is full, and meanwhile nobody else waits for it."""
    host = relay(relay_queue=2**20)
    alice, bob = peer("alice", at=host.url), peer("bob", at=host.url)
    slow = socket.create_connection(("127.0.0.1", host.port))
    slow.sendall(
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    text = json.dumps({"type": "IDENTIFY", "name": "slow"}).encode()
    slow.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    deadline = time.monotonic() + PATIENCE
    while len(host.call(lambda: host.server.observe()["agents"])) < 3:
        assert time.monotonic() < deadline
    took, gone = [], threading.Event()
    host.call(lambda: host.server.watchers.add(lambda entry: entry["name"] == "slow" and gone.set()))
    while len(took) < 10 or host.call(lambda: all(one.is_open for one in host.server._connections)):
        assert time.monotonic() < deadline + PATIENCE
        began = time.monotonic()
        alice.say("#love", f"{len(took)} " + "x" * 200_000)
        bob.expect("MSG", **{"from": alice.id})
        took.append(time.monotonic() - began)
    assert sorted(took)[len(took) // 2] < 0.5
    read = b""
    with slow:
        slow.settimeout(PATIENCE)
        while piece := slow.recv(2**16):
            read = (read + piece)[-200:]
    assert b"too slow: " in read
    assert gone.wait(PATIENCE)


def test_one_flooder(relay, peer):
    """While one client sends as fast as it can, another is answered promptly."""
    url = relay(relay_queue=2**28).url  # so that it stays, however slowly it reads
    alice, bob, stop = peer("alice", at=url), peer("bob", at=url), threading.Event()
    reader = threading.Thread(target=lambda: _drain(alice), daemon=True)
    reader.start()

    def flood():
        while not stop.is_set():
            alice.say(alice.id, "x" * 50)

    flooder = threading.Thread(target=flood, daemon=True)
    flooder.start()
    took = []
    for _ in range(20):
        began = time.monotonic()
        bob.until_now()
        took.append(time.monotonic() - began)
    stop.set()
    flooder.join(PATIENCE)
    assert not flooder.is_alive()
    assert sorted(took)[10] < 1.0


def _drain(peer):
    peer.ended(10 * PATIENCE)


@pytest.mark.parametrize("name", ["Alice", "ALICE", "a1ice", "aIice", "aLice"])
def test_look_alikes(relay, peer, name):
    """A name that the eye takes for another's is refused, as nick too."""
    url = relay().url
    alice = peer("alice", at=url)
    stranger = peer(at=url)
    stranger.send(type="IDENTIFY", name=name)
    assert stranger.expect("ERROR")["code"] == "INVALID_NAME"
    bob = peer("bob", at=url)
    bob.send(type="SET_NICK", nick=name)
    assert bob.expect("ERROR")["code"] == "INVALID_NAME"
    stranger.send(type="IDENTIFY", name=alice.id[1:])
    assert stranger.expect("ERROR")["code"] == "INVALID_NAME"


def test_forged(relay, peer):
    """Nothing in a frame makes a message come from another, or from the server."""
    url = relay().url
    alice, bob = peer("alice", at=url), peer("bob", at=url)
    alice.say(bob.id, "@@wake@@", **{"from": "@server", "from_name": "Server", "msg_id": "mine", "cb_id": "x", "ts": 1})
    got = bob.expect("MSG", content="@@wake@@")
    assert (got["from"], got["from_name"]) == (alice.id, "alice")
    assert got["msg_id"] != "mine"
    assert "cb_id" not in got


def test_key_forms(relay, peer):
    """A key has one form and so one id; what is no Ed25519 key is refused."""
    url, key = relay().url, Key()
    for bad in (key.pubkey + "\n", key.pubkey.replace("\n", "\r\n"), " " + key.pubkey, "nonsense", key.pubkey * 2):
        stranger = peer(at=url)
        stranger.send(type="IDENTIFY", name="carol", pubkey=bad)
        assert stranger.expect("ERROR")["code"] == "INVALID_MSG"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (bytes([0x82, 0x81, 0, 0, 0, 0, 1]), 1003),  # binary
        (bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]), 1007),  # no UTF-8
        (bytes([0x81, 0x01, 0x41]), 1002),  # not masked
        (bytes([0xC1, 0x81, 0, 0, 0, 0, 0x41]), 1002),  # reserved bits
        (bytes([0x80, 0x81, 0, 0, 0, 0, 0x41]), 1002),  # continues nothing
        (bytes([0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 1009),  # 4 GiB
        (bytes([0x01, 0x80, 0, 0, 0, 0]) + bytes([0x00, 0x80, 0, 0, 0, 0]) * 1100, 1008),  # endless fragments
    ],
)
def test_bad_bytes(relay, peer, data, code):
    """Bytes that break the WebSocket protocol end their connection with its code, and nobody else's."""
    url = relay().url
    alice, bob = peer("alice", at=url), peer("bob", at=url)
    alice.ws.socket.sendall(data)
    assert alice.ended()[1] == code
    bob.until_now()


def test_any_bytes(relay, peer):
    """Whatever bytes come, the relay goes on."""
    host, chance = relay(), random.Random(7)
    for number in range(60):
        with socket.create_connection(("127.0.0.1", host.port)) as line:
            if number % 2:
                line.sendall(
                    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
                )
            line.sendall(chance.randbytes(chance.randrange(2000)))
    assert peer("alice", at=host.url).until_now() == []


@pytest.mark.parametrize("count", [3, 300])
def test_last_words(relay, peer, count):
    """What was said right before a good-bye is heard."""
    url = relay().url
    alice, bob = peer("alice", at=url), peer("bob", at=url)
    text = json.dumps({"type": "MSG", "to": bob.id, "content": "last words"}).encode()
    said = bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text
    alice.ws.socket.sendall(said * count + bytes([0x88, 0x80, 0, 0, 0, 0]))
    for _ in range(count):
        bob.expect("MSG", content="last words")
    bob.expect("AGENT_LEFT", agent=alice.id)


def test_fragments(relay, peer):
    """A message may come in fragments."""
    alice = peer("alice", at=relay().url)
    alice.ws.send(iter(['{"type":', '"PI', 'NG"}']))
    assert alice.expect("PONG")


# --- doors -----------------------------------------------------------------------------------------------------------


def _get(url, path, **headers):
    request = urllib.request.Request(url.replace("ws:", "http:") + path, headers=headers)  # noqa: S310
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_token_demanded():
    """Nothing but loopback is listened on without a token."""
    with pytest.raises(RelayError, match="token"):
        Server(Configuration(relay_host="0.0.0.0"))  # noqa: S104


def test_token(relay, peer):
    """Where a token is set, only who shows it comes in, by header or by query."""
    url = relay(relay_token="open sesame").url
    for options in ({}, {"additional_headers": {"Authorization": "Bearer no"}}):
        with pytest.raises(InvalidStatus) as refused:
            Peer(url, **options)
        assert refused.value.response.status_code == 401
    assert peer("alice", at=url, additional_headers={"Authorization": "Bearer open sesame"})
    assert peer("bob", at=url + "/?token=open%20sesame")
    assert _get(url, "/status")[0] == 401
    assert _get(url, "/status?token=open%20sesame")[0] == 200
    assert _get(url, "/health")[0] == 200


def test_web(relay):
    """GET shows what there is; other verbs, other hosts and other origins are refused."""
    url = relay().url
    status, body = _get(url, "/status")
    assert status == 200
    assert json.loads(body)["agents"] == []
    assert _get(url, "/nothing")[0] == 404
    assert _get(url, "/status", Host="evil.example")[0] == 403
    assert _get(url, "/status", Origin="http://evil.example")[0] == 403
    host = url.removeprefix("ws://")
    assert _get(url, "/status", Origin=f"http://{host}")[0] == 200
    with socket.create_connection(tuple(host.split(":"))) as line:
        line.sendall(f"POST /status HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n".encode())
        assert line.recv(1000).split()[1:2] == [b"405"]


def test_page(relay):
    """A page of another origin cannot open a WebSocket."""
    with pytest.raises(InvalidStatus) as refused:
        Peer(relay().url, origin="http://evil.example")
    assert refused.value.response.status_code == 403


def test_kick(relay, peer):
    """Who has the secret ends a sleeper's session; who has not does not."""
    host = relay()
    alice, admin = peer("alice", at=host.url), peer(at=host.url)
    alice.say("#love", "@@sleep:60s@@")
    alice.until_now()
    admin.send(type="ADMIN_KICK", agent_id="alice", admin_key="guess")
    assert admin.expect("ERROR")["code"] == "AUTH_REQUIRED"
    admin.send(type="ADMIN_KICK", agent_id="alice", admin_key=host.server.admin, reason="runs in a loop")
    assert admin.expect("ADMIN_RESULT")["agentId"] == alice.id
    frames, code, reason = alice.ended()
    assert (frames[-1]["type"], code, reason) == ("KICKED", 1000, "runs in a loop")


def test_silent(relay, peer):
    """Who answers no ping is dropped in time, and a quiet one that answers is not."""
    url = relay(relay_heartbeat=0.5, relay_silence=4.0).url
    bob, alice = peer("bob", at=url, ping_interval=None), peer("alice", at=url)
    raw = socket.create_connection(tuple(url.removeprefix("ws://").split(":")))
    with raw:
        raw.sendall(
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        text = json.dumps({"type": "IDENTIFY", "name": "mute"}).encode()
        raw.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
        alice.expect("AGENT_JOINED", name="mute")
        began = time.monotonic()
        alice.expect("AGENT_LEFT", name="mute")
    assert 2.0 < time.monotonic() - began < 30
    assert bob.until_now()


def test_stranger(relay, peer):
    """Who never says who it is does not stay."""
    stranger = peer(at=relay(relay_heartbeat=0.5, relay_silence=1.0).url)
    assert stranger.ended()[1:] == (1008, "IDENTIFY first")


def test_full_disk(relay, peer, tmp_path):
    """When the journal cannot be written nothing is echoed, and the relay ends with the reason."""
    host = relay(tmp_path / "relay.db")
    alice = peer("alice", at=host.url)

    def fail():
        raise StorageError("the disk is full", where="relay.db")

    host.call(lambda: setattr(host.server._journal, "commit", fail))
    alice.say("#love", "hello")
    frames, _, _ = alice.ended()
    assert frames == []
    assert isinstance(host.call(host.server.ended.exception), StorageError)
