"""What is not about sleep: callbacks, history, secrets, the floor, channels and names, on the engine alone."""

from __future__ import annotations

import time

import pytest
from room import ANN, BOB, CAT, START

WAKE = "@@wake@@"


def test_callback(room):
    """A callback comes back to its agent on time, and one for a channel to its members."""
    room.say(ANN, "#love", "hi @@cb:5s@@ping me @@cb:6s#love@@look")
    room.quiet()
    room.turn(5)
    assert room.heard(ANN) == [
        {"type": "MSG", "ts": START + 105_000, "from": "@server", "from_name": "server", "to": ANN,
         "content": "@@cb-fire@@ping me", "cb_id": "cb_m1", "cb_origin": ANN}
    ]  # fmt: skip
    room.turn(1)
    assert room.heard(BOB) == room.heard(ANN)
    assert room.heard(CAT)[0]["to"] == "#love"


def test_callback_limits(room):
    """Too long a payload, too many callbacks and a strange channel are refused with a word, and nothing is relayed."""
    room.say(ANN, "#love", "@@cb:5s@@" + "x" * 501)
    room.say(ANN, "#love", "@@cb:5s#nowhere@@x")
    room.say(ANN, "#love", "@@cb:5s@@x" * 51)
    room.say(ANN, "#love", "@@cb:5s@@x")
    assert [one["code"] for one in room.heard(ANN)] == [
        "INVALID_MSG",
        "CHANNEL_NOT_FOUND",
        "NOT_ALLOWED",
        "NOT_ALLOWED",
    ]
    assert room.heard(BOB) == []
    room.turn(5)
    assert len(room.heard(ANN)) == 50


def test_callback_left(room):
    """A callback for a channel that its agent has left says nothing, and a disconnect ends them all."""
    room.say(ANN, "#love", "@@cb:5s#love@@x")
    room.say(BOB, "#love", "@@cb:5s@@x")
    room.ask(ANN, type="LEAVE", channel="#love")
    room.depart(BOB)
    room.quiet()
    room.turn(10)
    assert room.sent == []


def test_replay(room):
    """Joining again replays the history, with what a sleeper did not get."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, "#love", "unheard")
    room.turn(30)
    room.quiet()
    room.ask(ANN, type="JOIN", channel="#love")
    joined, replayed = room.heard(ANN)
    assert {one["id"] for one in joined["agents"]} == {ANN, BOB, CAT}
    assert (replayed["content"], replayed["replay"]) == ("unheard", True)
    assert room.sent == []


def test_history_bound(room):
    """A channel remembers 200 messages."""
    for number in range(203):
        room.say(ANN, "#love", f"m {number}")
    room.quiet()
    room.ask(BOB, type="JOIN", channel="#love")
    assert [one["content"] for one in room.heard(BOB, "MSG")] == [f"m {number}" for number in range(3, 203)]


def test_redacted(room):
    """A secret is taken out of what is relayed and of what a callback will say, also one that a marker hid."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    room.say(ANN, "#love", f"it is {secret[:12]}@@sleep:0s@@{secret[12:]} @@cb:1s@@use {secret}")
    room.turn(1)
    assert secret not in str(room.sent)
    assert "[REDACTED" in room.contents(BOB)[0]
    assert "[REDACTED" in room.contents(ANN)[-1]


def test_redacted_aside(room):
    """A secret is taken out of what stands beside a message too: the status, and the reference to another message."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    room.ask(ANN, type="SET_PRESENCE", status="away", status_text=f"uses {secret}")
    room.say(ANN, "#love", "hi", in_reply_to=secret)
    room.say(ANN, "#love", "hi", in_reply_to="1795290348272-dfa25")
    room.ask(BOB, type="LIST_AGENTS", channel="#love")
    assert secret not in str(room.sent)
    assert "uses [REDACTED" in str(room.sent)
    assert "'in_reply_to': '1795290348272-dfa25'" in str(room.sent)


@pytest.mark.parametrize("word", ["token=", "key=x ", "Password: y ", "--secret z ", "pw="])
def test_costly(room, word):
    """A message of nothing but names of secrets is refused, for to look behind each would keep all others waiting."""
    began = time.process_time()
    room.say(ANN, "#love", word * (2 * 10**6 // len(word)) + "@@sleep:60s@@")
    assert time.process_time() - began < 0.5
    (refused,) = room.heard(ANN)
    assert (refused["type"], refused["code"]) == ("ERROR", "INVALID_MSG")
    assert "you are not asleep" in refused["message"]
    assert not room.heard(BOB)
    room.say(ANN, "#love", word * 300)
    assert room.heard(BOB)


def test_signature(room):
    """A signature goes along with exactly what was signed, and with nothing else."""
    room.say(ANN, "#love", "hi", sig="s", in_reply_to="m0")
    room.say(ANN, "#love", "hi @@sleep:0s@@", sig="s")
    first, second = room.heard(BOB)
    assert (first["sig"], first["in_reply_to"]) == ("s", "m0")
    assert "sig" not in second


def test_floor(room):
    """The earliest claim holds the floor; who loses it or comes later is told to yield; speaking gives it back."""
    room.ask(BOB, type="RESPONDING_TO", channel="#love", msg_id="m1", started_at=20)
    room.ask(CAT, type="RESPONDING_TO", channel="#love", msg_id="m1", started_at=30)
    assert room.heard(ANN)[0]["holder"] == BOB
    assert [(one["type"], one["holder"]) for one in room.heard(CAT)] == [("FLOOR_CLAIMED", BOB), ("YIELD", BOB)]
    room.ask(ANN, type="RESPONDING_TO", channel="#love", msg_id="m1", started_at=10)
    assert [(one["type"], one["holder"]) for one in room.heard(BOB)] == [("YIELD", ANN), ("FLOOR_CLAIMED", ANN)]
    room.say(ANN, "#love", "done")
    room.quiet()
    room.ask(CAT, type="RESPONDING_TO", channel="#love", msg_id="m1", started_at=99)
    assert [one["type"] for one in room.heard(BOB)] == ["FLOOR_CLAIMED"]
    room.turn(46)
    room.ask(BOB, type="RESPONDING_TO", channel="#love", msg_id="m1", started_at=100)
    assert [one["type"] for one in room.heard(CAT)] == ["FLOOR_CLAIMED"]


def test_private_channel(room):
    """An invite-only channel shows itself to its guests alone and ends with its last member."""
    room.ask(ANN, type="CREATE_CHANNEL", channel="#den", invite_only=True)
    room.ask(BOB, type="JOIN", channel="#den")
    room.ask(BOB, type="LIST_AGENTS", channel="#den")
    room.ask(BOB, type="LIST_CHANNELS")
    *refused, listed = room.heard(BOB)
    assert [one["code"] for one in refused] == ["NOT_INVITED", "CHANNEL_NOT_FOUND"]
    assert "#den" not in str(listed)
    room.ask(ANN, type="INVITE", channel="#den", agent="bob")
    room.ask(BOB, type="JOIN", channel="#den")
    assert [one["type"] for one in room.heard(BOB)] == ["MSG", "JOINED"]
    for agent in (ANN, BOB):
        room.ask(agent, type="LEAVE", channel="#den")
    room.ask(ANN, type="JOIN", channel="#den")
    assert room.heard(ANN, "ERROR")[0]["code"] == "CHANNEL_NOT_FOUND"


def test_names(room):
    """A name, or one like it, is one agent's; a free one can be had, and the old one is free then."""
    assert room.engine.refusal("Ann")
    assert room.engine.refusal("id-bob")
    room.ask(BOB, type="SET_NICK", nick="cAt")
    assert room.heard(BOB)[0]["code"] == "INVALID_NAME"
    room.ask(BOB, type="SET_NICK", nick="dan")
    assert room.heard(BOB) == room.heard(ANN)
    assert not room.engine.refusal("bob")
    room.say(ANN, "@dan", "hi")
    room.say(ANN, "@bob", "hi")
    room.say(ANN, "@c4t", "hi")
    assert [one["code"] for one in room.heard(ANN, "ERROR")] == ["AGENT_NOT_FOUND"] * 2
