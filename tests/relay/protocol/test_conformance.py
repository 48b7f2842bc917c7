"""The protocol of `facts/relay-protocol.md`, case by case, over a real socket and by another client than ours.

`RELAY_UNDER_TEST=ws://host:port pytest -m relay tests/relay/protocol/test_conformance.py` runs the same cases against
any other server (without a limit on messages a second).
"""

from __future__ import annotations

import itertools
import json
import os
import re
import time
import urllib.request

import pytest
from peer import Key

pytestmark = pytest.mark.relay

_NUMBERS = itertools.count(int(time.time()) % 100_000 * 10)


@pytest.fixture
def name():
    """Return a function that makes names which nobody had before."""
    return lambda stem: f"{stem}{next(_NUMBERS)}"


@pytest.fixture
def url_limited(request):
    """Return the URL of a relay with its limits, whose heart beats fast; another implementation has its own."""
    if os.environ.get("RELAY_UNDER_TEST"):
        pytest.skip("its limits are not known")
    limits = {"relay_frames": 60, "relay_early_frames": 10, "relay_rate_ms": 1000, "relay_heartbeat": 0.5}
    return request.getfixturevalue("relay")(**limits).url


def subset(frame, **fields):
    """Return whether a frame has these fields."""
    return {key: frame.get(key) for key in fields} == fields


def test_ephemeral(peer, name):
    """An agent without a key is welcomed at once, with an id of its own."""
    alice = name("alice")
    welcome = peer(alice).welcome
    assert subset(welcome, type="WELCOME", name=alice)
    assert re.fullmatch(r"@[a-z0-9]{8}", welcome["agent_id"])
    assert welcome["server"]


def test_keyed(peer, name):
    """An agent with a key proves it, and has the id that the key gives."""
    key = Key()
    carol = peer()
    carol.send(type="IDENTIFY", name=name("carol"), pubkey=key.pubkey)
    challenge = carol.expect("CHALLENGE")
    assert challenge["challenge_id"].startswith("chal_")
    assert re.fullmatch(r"[0-9a-f]{32}", challenge["nonce"])
    assert 0 < challenge["expires_at"] - challenge["ts"] <= 60_000
    carol.send(
        type="VERIFY_IDENTITY",
        challenge_id=challenge["challenge_id"],
        signature=key.sign(f"AGENTCHAT_AUTH|{challenge['nonce']}|{challenge['challenge_id']}|123"),
        timestamp=123,
    )
    assert subset(carol.expect("WELCOME"), agent_id=key.id, verified=False)


def test_wrong_signature(peer, name):
    """A signature of another key, or of another nonce, is refused, and a challenge is good for one try."""
    key, other = Key(), Key()
    carol = peer()
    carol.send(type="IDENTIFY", name=name("carol"), pubkey=key.pubkey)
    challenge = carol.expect("CHALLENGE")
    signed = f"AGENTCHAT_AUTH|{challenge['nonce']}|{challenge['challenge_id']}|1"
    proof = {"type": "VERIFY_IDENTITY", "challenge_id": challenge["challenge_id"], "timestamp": 1}
    carol.send(**proof, signature=other.sign(signed))
    assert carol.expect("ERROR")["code"] == "VERIFICATION_FAILED"
    carol.send(**proof, signature=key.sign(signed))
    assert carol.expect("ERROR")["code"] == "VERIFICATION_EXPIRED"


def test_unknown_challenge(peer):
    """An answer to no challenge is refused."""
    carol = peer()
    carol.send(type="VERIFY_IDENTITY", challenge_id="chal_none", signature="eA==", timestamp=1)
    assert carol.expect("ERROR")["code"] == "VERIFICATION_EXPIRED"


def test_coming_online(peer, name):
    """Who is here sees an arrival in each public channel, and a line of the server."""
    alice, bob_name = peer(name("alice")), name("bob")
    bob = peer(bob_name)
    frames = alice.until_now()
    joined = [one for one in frames if one["type"] == "AGENT_JOINED"]
    assert subset(joined[0], agent=bob.id, name=bob_name, verified=False)
    assert "#general" in {one["channel"] for one in joined}
    assert len({one["channel"] for one in joined}) == len(joined)
    notices = [one for one in frames if one["type"] == "MSG" and one["to"] == "#general"]
    assert subset(notices[0], **{"from": "@server", "from_name": "Server", "content": f"{bob_name} came online"})


def test_join(peer, name):
    """Joining says who is there and replays what was said, also when joining again."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    alice.say("#love", "hi")
    msg = bob.expect("MSG", content="hi")
    for _ in range(2):
        bob.send(type="JOIN", channel="#love")
        joined, *replayed = [one for one in bob.until_now() if one["type"] in ("JOINED", "MSG")]
        assert {"id": alice.id, "name": alice.name, "verified": False} in joined["agents"]
        assert {**msg, "replay": True} in replayed


def test_history(peer, name):
    """The last 200 messages of a channel are replayed, oldest first."""
    alice = peer(name("alice"))
    for number in range(203):
        alice.say("#bounties", f"m {number}")
    alice.until_now()
    alice.send(type="JOIN", channel="#bounties")
    joined, *replayed = alice.until_now()
    assert joined["type"] == "JOINED"
    assert [one["content"] for one in replayed] == [f"m {number}" for number in range(3, 203)]
    assert all(one["replay"] is True for one in replayed)


def test_message(peer, name):
    """A message goes to every member, its sender included, with an id."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    bob.say("#love", "hi", ts=1)
    one, other = alice.expect("MSG", content="hi"), bob.expect("MSG", content="hi")
    assert one == other
    assert subset(one, **{"from": bob.id, "from_name": bob.name, "to": "#love", "verified": False})
    assert one["msg_id"]


def test_direct(peer, name):
    """A direct message goes by id or nick, is echoed, and says the recipient's id."""
    alice, bob, eve = (peer(name(one)) for one in ("alice", "bob", "eve"))
    for to in (bob.id, f"@{bob.name}"):
        alice.say(to, "dm", in_reply_to="m1")
        got, echo = bob.expect("MSG", content="dm"), alice.expect("MSG", content="dm")
        assert got == echo
        assert subset(got, **{"from": alice.id, "to": bob.id, "in_reply_to": "m1"})
    assert not [one for one in eve.until_now() if one.get("content") == "dm"]


def test_nobody(peer, name):
    """A direct message to nobody is refused by name."""
    alice = peer(name("alice"))
    alice.say("@nobody", "dm")
    assert subset(alice.expect("ERROR"), code="AGENT_NOT_FOUND", message="Agent @nobody not found")


def test_presence(peer, name):
    """A change of presence reaches those who share a channel, once."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    alice.until_now()
    bob.send(type="SET_PRESENCE", status="away", status_text="brb")
    bob.until_now()
    changed = [one for one in alice.until_now() if one["type"] == "PRESENCE_CHANGED"]
    assert len(changed) == 1
    assert subset(changed[0], agent_id=bob.id, name=bob.name, presence="away", status_text="brb")
    alice.send(type="LIST_AGENTS", channel="#love")
    listed = alice.expect("AGENTS", channel="#love")["list"]
    assert {"id": bob.id, "name": bob.name, "presence": "away", "status_text": "brb", "verified": False} in listed


def test_lists(peer):
    """Channels are listed before anybody said who it is; agents are not."""
    stranger = peer()
    stranger.send(type="LIST_CHANNELS")
    listed = {one["name"]: one["agents"] for one in stranger.expect("CHANNELS")["list"]}
    assert {"#general", "#engineering", "#pull-requests", "#help", "#love", "#agents", "#discovery", "#bounties"} <= {
        *listed
    }
    for frame in ({"type": "LIST_AGENTS", "channel": "#love"}, {"type": "MSG", "to": "#love", "content": "x"}):
        stranger.send(**frame)
        assert stranger.expect("ERROR")["code"] == "AUTH_REQUIRED"


def test_leave(peer, name):
    """Leaving is confirmed, seen by the others, and ends delivery."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    bob.send(type="LEAVE", channel="#love")
    bob.expect("LEFT", channel="#love")
    assert subset(alice.expect("AGENT_LEFT"), channel="#love", agent=bob.id, name=bob.name)
    alice.say("#love", "gone?")
    alice.expect("MSG", content="gone?")
    assert not [one for one in bob.until_now() if one.get("content") == "gone?"]
    bob.say("#love", "me too")
    assert bob.expect("ERROR")["code"] == "NOT_INVITED"


def test_ping(peer, name):
    """PING is answered by PONG."""
    alice = peer(name("alice"))
    alice.send(type="PING")
    assert alice.receive()["type"] == "PONG"


def test_typing(peer, name):
    """Typing is seen by the others in the channel."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    bob.send(type="TYPING", channel="#love")
    assert subset(alice.expect("TYPING"), **{"from": bob.id, "from_name": bob.name, "channel": "#love"})


def test_nick(peer, name):
    """A new nick is announced, works as an address, and frees the old one."""
    alice, bob, new = peer(name("alice")), peer(name("bob")), name("bobby")
    bob.send(type="SET_NICK", nick=new)
    for one in (alice, bob):
        assert subset(one.expect("NICK_CHANGED"), agent_id=bob.id, old_nick=bob.name, new_nick=new)
    alice.say(f"@{new}", "hi")
    assert bob.expect("MSG", content="hi")["to"] == bob.id
    alice.say(f"@{bob.name}", "hi")
    assert alice.expect("ERROR")["code"] == "AGENT_NOT_FOUND"


def test_floor(peer, name):
    """A claim to answer is seen by the others, and a later one is told to yield."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    bob.send(type="RESPONDING_TO", msg_id="m1", channel="#love", started_at=1)
    claimed = alice.expect("FLOOR_CLAIMED")
    assert subset(claimed, msg_id="m1", channel="#love", holder=bob.id, holder_name=bob.name, started_at=1)
    alice.send(type="RESPONDING_TO", msg_id="m1", channel="#love", started_at=2)
    assert subset(alice.expect("YIELD"), msg_id="m1", channel="#love")


def test_callback(peer, name):
    """A callback comes back from the server at its time."""
    alice = peer(name("alice"))
    alice.say("#love", "@@cb:0.3s@@ping me")
    fired = alice.expect("MSG", content="@@cb-fire@@ping me")
    assert subset(fired, **{"from": "@server", "from_name": "server", "to": alice.id, "cb_origin": alice.id})
    assert fired["cb_id"].startswith("cb_")


def test_displaced(peer, name):
    """A second login of the same key displaces the first, which is told and closed with 1000."""
    key, carol = Key(), name("carol")
    first = peer(carol, key)
    second = peer(carol, key)
    frames, code, _ = first.ended()
    assert subset(frames[-1], type="SESSION_DISPLACED")
    assert frames[-1]["reason"]
    assert "new_ip" in frames[-1]
    assert code == 1000
    assert second.until_now() is not None


@pytest.mark.parametrize("bad", ["", "a b", "x" * 33, "server", "Admin", "a\u200bb", None, 7])
def test_bad_name(peer, bad):
    """A name outside the alphabet, too long or reserved is refused, and another can be tried."""
    stranger = peer()
    stranger.send(type="IDENTIFY", name=bad, pubkey=None)
    assert stranger.expect("ERROR")["code"] in ("INVALID_NAME", "INVALID_MSG")


@pytest.mark.parametrize("frame", ["", "{", "[]", '"MSG"', "{}", '{"type":"WHAT"}', '{"type":"MSG"}', "[" * 10_000])
def test_bad_frame(peer, name, frame):
    """What is no request is refused, and the connection goes on."""
    alice = peer(name("alice"))
    alice.ws.send(frame)
    assert alice.expect("ERROR")["code"] == "INVALID_MSG"
    assert alice.until_now() == []


def test_large(peer, name):
    """A frame of almost 2 MiB goes through, and a larger one ends its connection."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    alice.say(bob.id, "x " * (2**20 - 200))
    assert len(bob.expect("MSG", **{"from": alice.id})["content"]) == 2**21 - 400
    alice.ws.send('{"type":"MSG","to":"#love","content":"' + "x" * 2**21 + '"}')
    assert alice.ended()[1] == 1009


def test_frames(peer, name, url_limited):
    """Sixty frames are heard in ten seconds after IDENTIFY, besides answers to pings; one more ends the connection."""
    alice = peer(name("alice"), at=url_limited)
    for _ in range(60):
        alice.send(type="PING")
    for _ in range(60):
        alice.expect("PONG")
    with pytest.raises(TimeoutError):
        alice.receive(2.0)  # heartbeats, which the library answers
    alice.send(type="PING")
    _, code, reason = alice.ended()
    assert (code, reason) == (1008, "Rate limit exceeded")


def test_rate(peer, name, url_limited):
    """The second message of a second is dropped with an error, and no marker in it is followed."""
    alice = peer(name("alice"), at=url_limited)
    alice.say("#love", "one")
    alice.say("#love", "@@sleep:60s@@ two")
    said, refused = alice.until_now()
    assert said["content"] == "one"
    assert subset(refused, type="ERROR", code="RATE_LIMITED")
    assert "not asleep" in refused["message"]
    alice.send(type="LIST_AGENTS", channel="#love")
    assert [one["presence"] for one in alice.expect("AGENTS")["list"] if one["id"] == alice.id] == ["online"]


# --- sleep ----------------------------------------------------------------------------------------------------------


def test_sleep(peer, name):
    """A sleeper gets nothing until its time, then the wake message and its direct messages, and is seen online."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    bob.until_now()
    alice.say("#love", "good night @@sleep:3s@@")
    assert alice.expect("MSG", content="good night")["to"] == "#love"
    began = time.monotonic()
    asleep = [bob.expect("PRESENCE_CHANGED"), bob.expect("PRESENCE")]
    assert subset(asleep[0], agent_id=alice.id, name=alice.name, presence="sleeping")
    assert {key: value for key, value in asleep[1].items() if key != "ts"} == {
        "type": "PRESENCE", "agent": alice.id, "presence": "sleeping",
    }  # fmt: skip
    bob.say(alice.id, "one")
    bob.say("#love", "not for you")
    bob.say("#love", f"hey @{alice.name.upper()}, two")
    bob.say(f"@{alice.name}", "three")
    echo = bob.expect("MSG", content="three")
    assert echo["recipient"] == "sleeping"
    assert echo["wakes_at"] > echo["ts"]
    frames = [alice.receive() for _ in range(4)]
    assert 2.5 < time.monotonic() - began < 30
    assert subset(frames[0], **{"from": "@server", "content": "@@wake@@", "buffered": 3, "dropped": 0, "to": alice.id})
    assert [one["content"] for one in frames[1:]] == ["one", f"hey @{alice.name.upper()}, two", "three"]
    assert bob.expect("PRESENCE_CHANGED")["presence"] == "online"
    assert bob.expect("PRESENCE")["presence"] == "online"
    assert alice.until_now() == []


@pytest.mark.parametrize(("mode", "kept"), [("buffer", ["channel", "dm"]), ("drop", [])])
def test_modes(peer, name, mode, kept):
    """With `buffer` all is kept, with `drop` nothing."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    alice.say("#love", f"@@sleep:60s:{mode}@@")
    alice.until_now()
    bob.say("#love", "channel")
    bob.say(alice.id, "dm")
    bob.until_now()
    alice.say("#love", "awake")
    wake, *rest = alice.until_now()
    assert subset(wake, content="@@wake@@", buffered=len(kept))
    assert [one["content"] for one in rest] == [*kept, "awake"]


def test_buffer_cap(peer, name):
    """The newest 50 are kept, and the wake message says how many are gone."""
    alice, bob = peer(name("alice")), peer(name("bob"))
    alice.say("#love", "@@sleep:60s@@")
    alice.until_now()
    for number in range(52):
        bob.say(alice.id, f"dm {number}")
    bob.until_now()
    alice.say("#love", "awake")
    wake, *rest = alice.until_now()
    assert subset(wake, buffered=50, dropped=2)
    assert [one["content"] for one in rest] == [*(f"dm {number}" for number in range(2, 52)), "awake"]


def test_reconnect(peer, name):
    """Who disconnects asleep is gone, and starts anew."""
    key, alice_name, bob = Key(), name("alice"), peer(name("bob"))
    alice = peer(alice_name, key)
    alice.say("#love", "@@sleep:60s@@")
    bob.expect("PRESENCE", presence="sleeping")
    alice.close()
    bob.expect("AGENT_LEFT", agent=key.id)
    again = peer(alice_name, key)
    assert not [one for one in again.until_now() if one.get("content") == "@@wake@@"]
    bob.say(key.id, "hello")
    assert again.expect("MSG", content="hello")


def test_asleep_displaced(peer, name):
    """A sleeper that logs in again without having disconnected wakes there, with what was buffered."""
    key, alice_name, bob = Key(), name("alice"), peer(name("bob"))
    alice = peer(alice_name, key)
    alice.say("#love", "@@sleep:60s@@")
    alice.until_now()
    bob.say(key.id, "dm")
    bob.expect("MSG", content="dm")
    again = peer(alice_name, key)
    assert [one["content"] for one in again.until_now() if one["type"] == "MSG"] == ["@@wake@@", "dm"]


def test_health(url):
    """The same port answers GET /health."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url.replace("ws:", "http:") + "/health", timeout=60) as answer:
        assert answer.status == 200
        assert json.load(answer)["status"] == "healthy"
