"""What agentchat's own tests ask of a server beyond the facts: presence, challenge, health, file chunks, verification.

The cases are those of its `presence`, `challenge-auth`, `health`, `file-chunk` and `verification` tests, asked over a
socket by another client than ours; what is refused instead is a case here too.
"""

from __future__ import annotations

import json
import re
import time
import urllib.request

import pytest
from peer import Key

pytestmark = pytest.mark.relay
NONCE = "test-nonce-12345678"


def proof(key, challenge, stamp=1):
    """Return the frame that answers a challenge."""
    signed = f"AGENTCHAT_AUTH|{challenge['nonce']}|{challenge['challenge_id']}|{stamp}"
    answer = {"type": "VERIFY_IDENTITY", "challenge_id": challenge["challenge_id"], "timestamp": stamp}
    return {**answer, "signature": key.sign(signed)}


def test_invalid_presence(peer):
    """SET_PRESENCE with another status is refused with `Invalid presence status` and the statuses that there are."""
    alice = peer("alice")
    alice.send(type="SET_PRESENCE", status="invalid-status")
    refused = alice.expect("ERROR")
    assert refused["code"] == "INVALID_MSG"
    assert "Invalid presence status" in refused["message"]
    assert all(word in refused["message"] for word in ("online", "away", "busy", "offline", "listening"))


def test_challenge_pending(peer):
    """A second IDENTIFY while a challenge waits is refused with `Challenge already pending`; the first one counts."""
    key, carol = Key(), peer()
    carol.send(type="IDENTIFY", name="carol", pubkey=key.pubkey)
    challenge = carol.expect("CHALLENGE")
    carol.send(type="IDENTIFY", name="carol2", pubkey=key.pubkey)
    refused = carol.expect("ERROR")
    assert (refused["code"], refused["message"]) == ("INVALID_MSG", "Challenge already pending")
    carol.send(**proof(key, challenge))
    assert carol.expect("WELCOME")["name"] == "carol"


def test_already_identified(peer):
    """A second IDENTIFY of an agent is refused with `Already identified`."""
    alice = peer("alice")
    alice.send(type="IDENTIFY", name="alice2")
    assert alice.expect("ERROR")["message"] == "Already identified"


def test_challenge_expires(relay, peer):
    """Who does not answer its challenge in time is told that it expired, and closed with 1000; who did is not."""
    at, key = relay(relay_challenge=0.4).url, Key()
    late, early = peer(at=at), peer("early", Key(), at=at)
    late.send(type="IDENTIFY", name="late", pubkey=key.pubkey)
    challenge = late.expect("CHALLENGE")
    assert challenge["expires_at"] - challenge["ts"] == 400
    frames, code, reason = late.ended()
    assert [frame["code"] for frame in frames] == ["VERIFICATION_EXPIRED"]
    assert (code, reason) == (1000, "Challenge expired")
    time.sleep(0.5)
    assert early.until_now() == []


def test_health(relay, peer):
    """GET /health has the fields that agentchat's server gives, and no name of an agent."""
    at = relay().url
    peer("alice", at=at)
    peer("carol", Key(), at=at)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(at.replace("ws:", "http:") + "/health", timeout=60) as answer:
        health = json.load(answer)
    assert health["status"] == "healthy"
    assert isinstance(health["uptime_seconds"], int)
    assert health["agents"] == {"connected": 2, "with_identity": 1}
    assert health["channels"] == {"total": 8, "public": 8}
    assert health["proposals"]
    assert health["server"]
    assert health["version"]
    moment = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
    assert moment.fullmatch(health["started_at"])
    assert moment.fullmatch(health["timestamp"])
    assert health["started_at"] <= health["timestamp"]
    assert "alice" not in json.dumps(health)


# --- file chunks ----------------------------------------------------------------------------------------------------


def test_chunk(peer):
    """FILE_CHUNK goes to one agent as it is, also far beyond what a message may be worth, and is not echoed."""
    alice, bob, eve = peer("alice"), peer("bob"), peer("eve")
    content = json.dumps({"_ft": "chunk", "tid": "t1", "data": "AKIAIOSFODNN7EXAMPLE" + "x" * 100 * 1024})
    alice.send(type="FILE_CHUNK", to=bob.id, content=content)
    chunk = bob.expect("FILE_CHUNK")
    assert {name: chunk[name] for name in ("from", "to", "content")} == {
        "from": alice.id, "to": bob.id, "content": content,
    }  # fmt: skip
    assert not [frame for one in (alice, eve) for frame in one.until_now() if frame["type"] == "FILE_CHUNK"]


def test_chunk_targets(peer):
    """FILE_CHUNK to a channel, to nobody, and to a sleeper (for whom none is kept) is refused."""
    alice, bob = peer("alice"), peer("bob")
    alice.send(type="FILE_CHUNK", to="#general", content="x")
    refused = alice.expect("ERROR")
    assert refused["code"] == "INVALID_MSG"
    assert "DM targets" in refused["message"]
    alice.send(type="FILE_CHUNK", to="@nonexistent1234", content="x")
    assert alice.expect("ERROR")["code"] == "AGENT_NOT_FOUND"
    bob.say("#love", "@@sleep:60s:buffer@@")
    bob.until_now()
    alice.send(type="FILE_CHUNK", to=bob.id, content="x")
    refused = alice.expect("ERROR")
    assert refused["code"] == "NOT_ALLOWED"
    assert "asleep" in refused["message"]
    bob.say("#love", "awake")
    wake, *rest = [frame for frame in bob.until_now() if frame["type"] in ("MSG", "FILE_CHUNK")]
    assert wake["buffered"] == 0
    assert [frame["content"] for frame in rest] == ["awake"]


def test_chunk_rate(relay, peer):
    """More than ten chunks in a second are refused with RATE_LIMITED."""
    at = relay(relay_chunks=10).url
    alice, bob = peer("alice", at=at), peer("bob", at=at)
    for number in range(12):
        alice.send(type="FILE_CHUNK", to=bob.id, content=str(number))
    refused = [frame["code"] for frame in alice.until_now() if frame["type"] == "ERROR"]
    assert refused == ["RATE_LIMITED"] * 2
    assert [f["content"] for f in bob.until_now() if f["type"] == "FILE_CHUNK"] == [str(one) for one in range(10)]


# --- verification ---------------------------------------------------------------------------------------------------


def asked(asker, target, to=""):
    """Ask for a proof; return what the asker and the agent that is asked heard."""
    asker.send(type="VERIFY_REQUEST", target=to or target.id, nonce=NONCE)
    pending = asker.expect("VERIFY_REQUEST")
    assert pending["status"] == "pending"
    return pending, target.expect("VERIFY_REQUEST")


def test_verified(peer):
    """An agent that signs the nonce with its key is verified: the asker gets its public key."""
    key = Key()
    alice, carol = peer("alice"), peer("carol", key)
    for to in (carol.id, "@carol"):
        pending, request = asked(alice, carol, to)
        assert pending["request_id"] == request["request_id"]
        assert (pending["target"], request["from"], request["nonce"]) == (to, alice.id, NONCE)
        answer = {"type": "VERIFY_RESPONSE", "request_id": request["request_id"], "nonce": NONCE}
        carol.send(**answer, sig=key.sign(NONCE))
        success = alice.expect("VERIFY_SUCCESS")
        assert (success["agent"], success["pubkey"]) == (to, key.pubkey)
        assert carol.expect("VERIFY_SUCCESS")["verified"] is True
        carol.send(**answer, sig=key.sign(NONCE))
        assert carol.expect("ERROR")["code"] == "VERIFICATION_EXPIRED"


@pytest.mark.parametrize("sig", ["invalid-signature-not-base64!", "", "other"])
def test_not_verified(peer, sig):
    """A signature that is none, or of another key, fails for both, whatever key the frame itself names."""
    key, other = Key(), Key()
    alice, carol = peer("alice"), peer("carol", key)
    _, request = asked(alice, carol)
    wrong = other.sign(NONCE) if sig == "other" else sig
    answer = {"request_id": request["request_id"], "nonce": NONCE, "sig": wrong, "pubkey": other.pubkey}
    carol.send(type="VERIFY_RESPONSE", **answer)
    failed = alice.expect("VERIFY_FAILED")
    assert failed["target"] == carol.id
    assert "failed" in failed["reason"]
    assert carol.expect("VERIFY_FAILED")["verified"] is False


def test_verification_refused(peer):
    """Who has no key cannot be verified, nor who is not there; only who was asked may answer, with the same nonce."""
    key = Key()
    alice, bob, carol = peer("alice"), peer("bob"), peer("carol", key)
    for target, code in ((bob.id, "NO_PUBKEY"), ("@nonexistent", "AGENT_NOT_FOUND"), ("#love", "INVALID_MSG")):
        alice.send(type="VERIFY_REQUEST", target=target, nonce=NONCE)
        assert alice.expect("ERROR")["code"] == code
    _, request = asked(alice, carol)
    answer = {"type": "VERIFY_RESPONSE", "request_id": request["request_id"], "nonce": NONCE, "sig": key.sign(NONCE)}
    bob.send(**answer)
    assert bob.expect("ERROR")["code"] == "SIGNATURE_REQUIRED"
    dave = peer("dave", Key())
    dave.send(**answer)
    assert dave.expect("ERROR")["code"] == "INVALID_MSG"
    carol.send(**{**answer, "nonce": "another-nonce-12345"})
    assert "Nonce" in carol.expect("ERROR")["message"]
    stranger = peer()
    stranger.send(type="VERIFY_REQUEST", target=carol.id, nonce=NONCE)
    assert stranger.expect("ERROR")["code"] == "AUTH_REQUIRED"


@pytest.mark.parametrize(
    "nonce", ["short", "x" * 129, f"AGENTCHAT_AUTH|{'0' * 32}|chal_0|1", '{"to":"#love","ts":1}', 7]
)
def test_nonce(peer, nonce):
    """A nonce is 16 to 128 plain characters, so that nobody is asked to sign a login or a message of its own."""
    alice, carol = peer("alice"), peer("carol", Key())
    alice.send(type="VERIFY_REQUEST", target=carol.id, nonce=nonce)
    assert alice.expect("ERROR")["code"] == "INVALID_MSG"
    assert not [frame for frame in carol.until_now() if frame["type"] == "VERIFY_REQUEST"]


def test_verification_times_out(relay, peer):
    """Nobody answers: the asker hears that it timed out."""
    at = relay(relay_verification=0.3).url
    alice, carol = peer("alice", at=at), peer("carol", Key(), at=at)
    pending, _ = asked(alice, carol)
    failed = alice.expect("VERIFY_FAILED")
    assert failed["request_id"] == pending["request_id"]
    assert "timed out" in failed["reason"]


def test_verification_of_a_sleeper(peer):
    """A sleeper is not asked; who asks hears at once that it is asleep."""
    alice, carol = peer("alice"), peer("carol", Key())
    carol.say("#love", "@@sleep:60s@@")
    carol.until_now()
    alice.send(type="VERIFY_REQUEST", target=carol.id, nonce=NONCE)
    failed = alice.expect("VERIFY_FAILED")
    assert failed["target"] == carol.id
    assert "asleep" in failed["reason"]
    assert carol.until_now() == []


# --- what is not spoken here ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        *("PROPOSAL", "ACCEPT", "REJECT", "COMPLETE", "DISPUTE", "DISPUTE_INTENT", "DISPUTE_REVEAL", "EVIDENCE"),
        *("ARBITER_ACCEPT", "ARBITER_DECLINE", "ARBITER_VOTE", "REGISTER_SKILLS", "SEARCH_SKILLS"),
        *("ADMIN_APPROVE", "ADMIN_REVOKE", "ADMIN_LIST", "ADMIN_BAN", "ADMIN_UNBAN", "ADMIN_MOTD"),
    ],
)
def test_refused(peer, kind):
    """Proposals, disputes, skills and the lists of an operator are refused with what to do instead."""
    alice = peer("alice")
    alice.send(type=kind, to="@bob", task="x", sig="x", proposal_id="p")
    refused = alice.expect("ERROR")
    assert refused["code"] == "NOT_ALLOWED"
    assert refused["message"].startswith(f"{kind} is not spoken here: ")
    assert "sleepwake help relay says why" in refused["message"]


def test_unknown_channel(peer):
    """A message to a channel that is not there says, where it has a marker, that its sender is not asleep."""
    alice = peer("alice")
    for channel, code in (("#nowhere", "CHANNEL_NOT_FOUND"), ("#love", "NOT_INVITED")):
        alice.send(type="LEAVE", channel="#love")
        alice.say(channel, "good night @@sleep:60s@@")
        refused = alice.expect("ERROR")
        assert refused["code"] == code
        assert refused["message"].endswith("(you are not asleep)")
        alice.say(channel, "good night")
        assert "asleep" not in alice.expect("ERROR")["message"]
