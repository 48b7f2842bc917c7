"""Every rule of the protocol has a test: this table says which, and what no other test shows is tested here.

The rules are those of agentchat's server, and the decisions where the requirement of sleep leaves one open; a rule's
words are the left column, or the docstring of the test below.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from room import ANN, BOB, START, Room

from sleep.relay.configuration import Configuration, resolve, rules
from sleep.relay.engine import names

HERE = Path(__file__).parent.parent
OVER_A_SOCKET, ITS_OWN, MACHINE, TALK = (
    "protocol/test_conformance.py",
    "protocol/test_agentchat.py",
    "engine/test_machine.py",
    "engine/test_talk.py",
)
MARKERS, HUB = "engine/test_markers.py", "server/test_hub.py"
RULES = {
    "an ephemeral agent is welcomed at once": (OVER_A_SOCKET, "test_ephemeral"),
    "a keyed agent signs AGENTCHAT_AUTH|nonce|challenge_id|timestamp": (
        OVER_A_SOCKET,
        "test_keyed",
    ),
    "a challenge is good for one try": (OVER_A_SOCKET, "test_wrong_signature"),
    "an answer to no challenge is refused": (OVER_A_SOCKET, "test_unknown_challenge"),
    "a second IDENTIFY while a challenge waits is refused": (ITS_OWN, "test_challenge_pending"),
    "a challenge expires, and its connection is closed with 1000": (ITS_OWN, "test_challenge_expires"),
    "after WELCOME the agent is in every public channel, and the others see it": (OVER_A_SOCKET, "test_coming_online"),
    "JOINED has the members, then history with replay, also when joining again": (OVER_A_SOCKET, "test_join"),
    "history: 200 a channel": (OVER_A_SOCKET, "test_history"),
    "MSG goes to all members, the sender included": (OVER_A_SOCKET, "test_message"),
    "a DM goes by id or nick, is echoed, and `to` is the id": (OVER_A_SOCKET, "test_direct"),
    "AGENT_NOT_FOUND": (OVER_A_SOCKET, "test_nobody"),
    "PRESENCE_CHANGED to members of shared channels, once each": (OVER_A_SOCKET, "test_presence"),
    "another status is an invalid one": (ITS_OWN, "test_invalid_presence"),
    "LIST_CHANNELS is allowed before IDENTIFY, the rest is AUTH_REQUIRED": (OVER_A_SOCKET, "test_lists"),
    "LEAVE: LEFT, and AGENT_LEFT for the others": (OVER_A_SOCKET, "test_leave"),
    "PING: PONG": (OVER_A_SOCKET, "test_ping"),
    "TYPING": (OVER_A_SOCKET, "test_typing"),
    "SET_NICK: NICK_CHANGED": (OVER_A_SOCKET, "test_nick"),
    "RESPONDING_TO: FLOOR_CLAIMED, and YIELD for a later claimer": (OVER_A_SOCKET, "test_floor"),
    "a callback comes as @@cb-fire@@ from @server, with cb_id and cb_origin": (OVER_A_SOCKET, "test_callback"),
    "a second verified login of a key: SESSION_DISPLACED, then close 1000": (OVER_A_SOCKET, "test_displaced"),
    "FILE_CHUNK": (ITS_OWN, "test_chunk"),
    "VERIFY_REQUEST and VERIFY_RESPONSE": (ITS_OWN, "test_verified"),
    "GET /health": (ITS_OWN, "test_health"),
    "60 frames in a sliding 10 s, then close 1008 `Rate limit exceeded`": (OVER_A_SOCKET, "test_frames"),
    "10 frames before IDENTIFY": (HUB, "test_early_flood"),
    "MSG: one a second, else RATE_LIMITED and the message is dropped": (OVER_A_SOCKET, "test_rate"),
    "a frame has at most 2 MiB": (OVER_A_SOCKET, "test_large"),
    "a heartbeat without an answer is death": (HUB, "test_silent"),
    "@@cb:Ns@@ and @@cb:Ns#channel@@": (TALK, "test_callback"),
    "a payload runs to the next @@cb: or the end": (MARKERS, "test_callback"),
    "payload 500, 50 callbacks an agent: refused with a word, not in silence": (TALK, "test_callback_limits"),
    "sleep markers are parsed first": (MARKERS, "test_sleep_first"),
    "1: presence goes out as PRESENCE_CHANGED and PRESENCE": (OVER_A_SOCKET, "test_sleep"),
    "2: any MSG from a sleeper wakes it": (MACHINE, "test_early"),
    "2: then a marker in that message starts the new sleep": (MACHINE, "test_again"),
    "2: PING, LIST, TYPING, SET_PRESENCE do not wake": (MACHINE, "test_does_not_wake"),
    "3: falling asleep, the text without the marker is relayed first": (MACHINE, "test_text_first"),
    "3: waking: wake DM, buffer oldest first, presence": (MACHINE, "test_order_of_waking"),
    "4: while asleep fired callbacks count as DMs": (MACHINE, "test_modes"),
    "4: joins, leaves, typing and others' presence are suppressed": (MACHINE, "test_silence"),
    "5: a mention is @id or @name at word boundaries, any case, outside code": (MARKERS, "test_mentions"),
    "6: the wake DM has `dropped` beside `buffered`": (MACHINE, "test_cap"),
    "6: an echo to the sender of a DM to a sleeper says `sleeping` and when it wakes": (MACHINE, "test_echo"),
    "7: 0s is stripped and does nothing": (MACHINE, "test_nothing"),
    "7: of several sleep markers the last wins; the s may be missing": (MARKERS, "test_sleep"),
    "7: -5s, 1e3s, unknown markers and markers in code are text": (MARKERS, "test_text"),
    "8: joining again replays history, suppressed messages included": (TALK, "test_replay"),
    "9: a disconnect cancels the sleep": (MACHINE, "test_departed"),
    "9: durable sleep keeps it for keyed agents through a grace period": (MACHINE, "test_durable"),
    "10: a rate-limited message is not parsed, and its ERROR says so": (MACHINE, "test_rate"),
}


@cache
def documented(path):
    """Return the tests of a file that say what they show."""
    tree = ast.parse((HERE / path).read_text(encoding="utf-8"))
    return {part.name for part in tree.body if isinstance(part, ast.FunctionDef) and ast.get_docstring(part)}


@pytest.mark.parametrize("rule", RULES)
def test_tested(rule):
    """The test that shows a rule is there."""
    path, name = RULES[rule]
    assert name in documented(path)


def test_values():
    """The values of agentchat's server: 60 and 10 frames, 1 s, 2 MiB, 30 and 70 s, 200, 3600 s, 50, 500, 60 s."""
    default = Configuration()
    assert (default.relay_frames, default.relay_early_frames, default.relay_rate_ms) == (60, 10, 1000)
    assert (default.relay_frame_size, default.relay_heartbeat, default.relay_silence) == (2 * 2**20, 30.0, 70.0)
    assert (default.relay_history, default.relay_max_sleep) == (200, 3600.0)
    assert (default.relay_callbacks, default.relay_payload, default.relay_challenge) == (50, 500, 60.0)
    channels = "#general #engineering #pull-requests #help #love #agents #discovery #bounties"
    assert default.relay_channels == channels


def test_variables():
    """AGENTCHAT_CB_MAX_DURATION_S, AGENTCHAT_CB_MAX_PER_AGENT, AGENTCHAT_CB_MAX_PAYLOAD, AGENTCHAT_SLEEP_MAX_BUFFER."""
    environ = {
        "AGENTCHAT_CB_MAX_DURATION_S": "9",
        "AGENTCHAT_CB_MAX_PER_AGENT": "8",
        "AGENTCHAT_CB_MAX_PAYLOAD": "7",
        "AGENTCHAT_SLEEP_MAX_BUFFER": "6",
        "RATE_LIMIT_MS": "5",
    }
    made = rules(resolve(environ))
    assert (made.longest, made.callbacks, made.payload, made.buffer, made.rate) == (9.0, 8, 7, 6, 0.005)


@pytest.mark.parametrize(
    "word", ["server", "admin", "system", "root", "moderator", "mod", "bot", "agentchat", "operator", "SeRvEr"]
)
def test_reserved(word):
    """Reserved: server admin system root moderator mod bot agentchat operator."""
    assert "reserved" in names.refusal(word)


def test_lengths():
    """A name has 1-32 signs, a nick 1-24, a channel `#` and 1-31, a status text up to 100."""
    assert not names.refusal("x" * 32)
    assert names.refusal("x" * 33)
    assert not names.refusal("x" * 24, nick=True)
    assert names.refusal("x" * 25, nick=True)
    assert names.is_channel("#" + "x" * 31)
    assert not names.is_channel("#" + "x" * 32)
    assert not names.is_channel("#")
    room = Room()
    ann, bob = room.arrive("ann"), room.arrive("bob")
    room.ask(ann, type="SET_PRESENCE", status="busy", status_text="x" * 100)
    assert room.heard(bob, "PRESENCE_CHANGED")[-1]["status_text"] == "x" * 100
    with pytest.raises(ValueError, match="100"):
        room.ask(ann, type="SET_PRESENCE", status="busy", status_text="x" * 101)


def test_codes(room):
    """The error codes: CHANNEL_NOT_FOUND NOT_INVITED CHANNEL_EXISTS AGENT_NOT_FOUND INVALID_NAME NOT_ALLOWED."""
    room.ask(ANN, type="CREATE_CHANNEL", channel="#ours", invite_only=True)
    for frame, code in (
        ({"type": "JOIN", "channel": "#nowhere"}, "CHANNEL_NOT_FOUND"),
        ({"type": "JOIN", "channel": "#ours"}, "NOT_INVITED"),
        ({"type": "CREATE_CHANNEL", "channel": "#ours"}, "CHANNEL_EXISTS"),
        ({"type": "MSG", "to": "@nobody", "content": "x"}, "AGENT_NOT_FOUND"),
        ({"type": "SET_NICK", "nick": "ANN"}, "INVALID_NAME"),
        ({"type": "MSG", "to": "#love", "content": "@@cb:1s@@x" * 60}, "NOT_ALLOWED"),
    ):
        room.ask(BOB, **frame)
        assert room.heard(BOB, "ERROR")[-1]["code"] == code


def test_channels_that_look_alike(room):
    """A channel is compared as a name is: none can be made beside one that it is taken for, until that ends."""

    def codes(*channels):
        room.quiet()
        for channel in channels:
            room.ask(BOB, type="CREATE_CHANNEL", channel=channel)
        return [frame["code"] for frame in room.heard(BOB, "ERROR")]

    assert codes("#genera1", "#GENERAL", "#generaI", "#l0ve") == ["CHANNEL_EXISTS"] * 4
    room.ask(ANN, type="CREATE_CHANNEL", channel="#burn-1")
    assert codes("#bum-1", "#burn_l") == ["CHANNEL_EXISTS"] * 2
    assert codes("#burn-2") == []
    room.ask(ANN, type="LEAVE", channel="#burn-1")
    assert codes("#bum-1") == []


def test_clamped_callback():
    """AGENTCHAT_CB_MAX_DURATION_S clamps a callback, too."""
    room = Room(longest=10.0)
    ann = room.arrive("ann")
    room.say(ann, "#love", "@@cb:9999s@@late")
    room.quiet()
    room.turn(9)
    assert room.contents(ann) == []
    room.turn(2)
    assert room.contents(ann) == ["@@cb-fire@@late"]


def test_wake_fields(room):
    """1: wake DMs carry `to`, `ts`, `from_name` too."""
    room.say(ANN, "#love", "@@sleep:5s@@")
    room.quiet()
    room.turn(6)
    wake = room.heard(ANN, "MSG")[0]
    assert wake == {
        "type": "MSG",
        "from": "@server",
        "from_name": "Server",
        "to": ANN,
        "content": "@@wake@@",
        "ts": START + 105_000,
        "buffered": 0,
        "dropped": 0,
    }


def test_own_mention(room):
    """5: the sleeper's own echo is none."""
    room.say(ANN, "#love", "I am @ann @@sleep:5s@@")
    room.quiet()
    room.turn(6)
    assert room.heard(ANN, "MSG")[0]["buffered"] == 0
