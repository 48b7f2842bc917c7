"""The criteria of markers of sleep in a chat, one test each.

What the engine decides is shown on the engine, with a clock that the test turns; over a socket the same rules have
their tests in `tests/relay/protocol/`. What only a server has is shown on one, and needs the extra: `pytest -m relay`.
"""

from __future__ import annotations

import http.client
import json
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from room import ANN, BOB, CAT, START, Room

from sleep.relay.configuration import resolve, rules

WAKE = "@@wake@@"
HAS_RELAY = bool(find_spec("websockets") and find_spec("cryptography"))
LIVE = pytest.mark.skipif(not HAS_RELAY, reason="needs the extra `relay`")


@pytest.fixture
def room():
    """Return a room with three agents, who have heard each other arrive."""
    made = Room()
    for name in ("ann", "bob", "cat"):
        made.arrive(name)
    made.quiet()
    return made


@pytest.fixture
def host():
    """Return a relay with its pages, on a free port."""
    from hosts import Hosted  # late: needs the extra  # noqa: PLC0415

    from sleep.dashboard.site import Site  # noqa: PLC0415  # same

    made = Hosted(site=Site("."))
    yield made
    made.stop()


@pytest.fixture
def sleeper(host):
    """Return an agent that sleeps for a minute on the relay, with one message that waits for it."""
    from peer import Peer  # late: as above  # noqa: PLC0415

    with Peer(host.url, "alice") as alice, Peer(host.url, "bob") as bob:
        alice.say("#love", "@@sleep:60s@@")
        alice.until_now()
        bob.say(alice.id, "are you there?")
        bob.until_now()
        yield alice


def _state(room, agent=ANN):
    return next(one for one in room.engine.observe()["agents"] if one["id"] == agent)["sleep"]


def test_5_1(room):
    """5.1: The marker is `@@sleep:Ns@@` with `:buffer` or `:drop`, and N may have decimals; in code it is text.

    Deviates: docs/relay.md
    """
    quoted = "say `@@sleep:5s@@` to sleep"
    room.say(ANN, "#love", quoted)
    assert (room.contents(BOB), _state(room)) == ([quoted], None)
    for agent, marker, mode in ((ANN, "2.5s", "default"), (BOB, "5s:buffer", "buffer"), (CAT, "5s:drop", "drop")):
        room.say(agent, "#love", f"@@sleep:{marker}@@")
        assert _state(room, agent)["mode"] == mode
    room.quiet()
    room.turn(2.499)
    assert room.contents(ANN) == []
    room.turn(0.001)
    assert room.contents(ANN) == [WAKE]


def test_5_2(room):
    """5.2: The marker is taken out of the message, and a message that is only a marker is not relayed."""
    room.say(ANN, "#love", "good night @@sleep:30s@@")
    room.say(CAT, "#love", "@@sleep:30s@@")
    assert room.contents(BOB) == ["good night"]


def test_5_3(room):
    """5.3: By default channel messages are dropped; DMs are buffered, and so are mentions in a channel."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    for to, text in (("#love", "to all"), ("#love", "hi @ann"), (ANN, "dm")):
        room.say(BOB, to, text)
    room.quiet()
    room.turn(30)
    assert room.contents(ANN) == [WAKE, "hi @ann", "dm"]


def test_5_4(room):
    """5.4: With `buffer` all messages are buffered, with `drop` none."""
    room.say(ANN, "#love", "@@sleep:30s:buffer@@")
    room.say(CAT, "#love", "@@sleep:30s:drop@@")
    for to in ("#love", ANN, CAT):
        room.say(BOB, to, f"for {to}")
    room.quiet()
    room.turn(30)
    assert room.contents(ANN) == [WAKE, "for #love", f"for {ANN}"]
    assert room.contents(CAT) == [WAKE]


def test_5_5(room):
    """5.5: At most 50 messages are buffered, and the oldest is dropped first."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    for number in range(60):
        room.say(BOB, ANN, f"dm {number}")
    room.quiet()
    room.turn(30)
    wake, *rest = room.heard(ANN, "MSG")
    assert (wake["buffered"], wake["dropped"]) == (50, 10)
    assert [one["content"] for one in rest] == [f"dm {number}" for number in range(10, 60)]


def test_5_6(room):
    """5.6: On wake comes the DM `@@wake@@` of `@server` with the count, then the buffer in order, then presence."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    for number in range(3):
        room.say(BOB, ANN, f"dm {number}")
    room.quiet()
    room.turn(30)
    order = [(one, frame["type"]) for one, frame in room.sent]
    assert order.index((BOB, "PRESENCE")) > max(at for at, one in enumerate(order) if one == (ANN, "MSG"))
    wake, *rest = room.heard(ANN, "MSG")
    asked = {"type": "MSG", "from": "@server", "content": WAKE, "buffered": 3}
    assert asked.items() <= wake.items()
    assert [one["content"] for one in rest] == ["dm 0", "dm 1", "dm 2"]


def test_5_7(room):
    """5.7: Channels are told `{type: PRESENCE, agent, presence: sleeping | online}`."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.turn(30)
    told = room.heard(BOB, "PRESENCE")
    assert [(one["agent"], one["presence"]) for one in told] == [(ANN, "sleeping"), (ANN, "online")]


def test_5_8(room):
    """5.8: The wake is scheduled in the queue of the callbacks."""
    waiting = len(room.engine.world.timers)
    room.say(ANN, "#love", "@@cb:20s@@look @@sleep:30s@@")
    assert len(room.engine.world.timers) == waiting + 2
    room.quiet()
    room.turn(30)
    assert room.contents(ANN) == [WAKE, "@@cb-fire@@look"]


def test_5_9(room):
    """5.9: Agents put only themselves to sleep."""
    room.say(BOB, ANN, "you are tired, @ann @@sleep:30s@@")
    assert (_state(room, ANN), _state(room, BOB)["mode"]) == (None, "default")


def test_5_10(room):
    """5.10: A duration above 3600 s is clamped, not refused."""
    room.say(ANN, "#love", "@@sleep:999999s@@")
    state = _state(room)
    assert state["wakes_at"] - state["since"] == 3_600_000


def test_5_11(room):
    """5.11: An agent has one sleep at a time; a new one replaces it."""
    room.say(ANN, "#love", "@@sleep:60s@@")
    room.say(ANN, "#love", "@@sleep:30s:buffer@@")
    room.quiet()
    assert (_state(room)["mode"], _state(room)["wakes_at"]) == ("buffer", START + 130_000)
    room.turn(60)
    assert room.contents(ANN) == [WAKE]


def test_5_12(room):
    """5.12: A disconnect ends the sleep and clears its buffer."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.depart(ANN)
    assert room.engine.observe()["asleep"] == 0
    room.quiet()
    room.turn(60)
    assert room.heard(ANN) == []


def test_5_13(room):
    """5.13: Who connects anew does not sleep; a second login of a key wakes it and gives it the buffer.

    Deviates: docs/relay.md
    """
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.depart(ANN)
    room.arrive("ann")
    assert (_state(room), room.contents(ANN)) == (None, [])
    eve = room.arrive("eve", keyed=True)
    room.say(eve, "#love", "@@sleep:30s@@")
    room.say(BOB, eve, "dm")
    room.quiet()
    room.arrive("eve", keyed=True)
    assert (_state(room, eve), room.contents(eve)) == (None, [WAKE, "dm"])


def test_5_14(room):
    """5.14: A sleeper stays in its channels."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.turn(30)
    assert room.heard(BOB, "AGENT_LEFT", "AGENT_JOINED", "LEFT", "JOINED") == []
    room.say(BOB, "#love", "welcome back")
    assert room.contents(ANN)[-1] == "welcome back"


def test_5_15(room):
    """5.15: A message of the sleeper wakes it early, unless it comes too soon: flush, presence, and no second wake.

    Deviates: docs/relay.md
    """
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.quiet()
    room.say(ANN, "#love", "I am back")
    assert room.contents(ANN) == [WAKE, "dm", "I am back"]
    assert [one["presence"] for one in room.heard(BOB, "PRESENCE")] == ["online"]
    room.turn(60)
    assert room.contents(ANN) == []
    slow = Room(rate=1.0)
    slow.arrive("ann")
    for text in ("@@sleep:30s@@", "I am back"):
        slow.say(ANN, "#love", text)
    assert _state(slow)["mode"] == "default"
    slow.turn(1)
    slow.say(ANN, "#love", "I am back")
    assert _state(slow) is None


def test_5_16(room):
    """5.16: Nothing else wakes it early."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    away = {"type": "SET_PRESENCE", "status": "away"}
    for frame in ({"type": "PING"}, {"type": "LIST_CHANNELS"}, {"type": "TYPING", "channel": "#love"}, away):
        room.ask(ANN, **frame)
    room.say(BOB, ANN, "wake up, @ann")
    room.turn(29)
    assert _state(room)["buffered"] == 1


def test_5_17(room):
    """5.17: The state of a sleeper has id, agentId, wakeAt, mode, dmBuffer, createdAt.

    Deviates: docs/names.md
    """
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    state = _state(room)
    assert (state["mode"], state["since"], state["wakes_at"]) == ("default", START + 100_000, START + 130_000)
    assert (state["buffered"], state["dropped"]) == (1, 0)


@LIVE
@pytest.mark.relay
def test_5_18(host, sleeper):
    """5.18: The dashboard shows the sleeper, a countdown, the time of waking, the DMs buffered, and a feed."""
    with urllib.request.urlopen(f"http://127.0.0.1:{host.port}/events") as stream:
        lines = iter(stream.readline, b"")
        seen = next(json.loads(line[6:]) for line in lines if line.startswith(b"data: ") and b'"agents"' in line)
    state = next(one for one in seen["agents"] if one["id"] == sleeper.id)["sleep"]
    assert (state["buffered"], state["kinds"]["direct"]) == (1, 1)
    assert state["wakes_at"] - state["since"] == 60_000
    script = (Path(__file__).parents[2] / "sleep/dashboard/static/app.js").read_text(encoding="utf-8")
    for words in ("wakes in ${", "fell asleep", "woke up", "DM", "buffered"):
        assert words in script


@LIVE
@pytest.mark.relay
def test_5_19(host, sleeper):
    """5.19: The dashboard cannot put an agent to sleep or wake it."""
    for verb in ("POST", "PUT", "DELETE"):
        line = http.client.HTTPConnection("127.0.0.1", host.port)
        line.request(verb, "/", body=b"{}")
        assert line.getresponse().status == 405
        line.close()
    assert host.call(host.server.engine.observe)["asleep"] == 1


@LIVE
@pytest.mark.relay
def test_5_20(host, sleeper):
    """5.20: The kill switch of an admin works on sleepers."""
    from peer import Peer  # late: needs the extra  # noqa: PLC0415

    with Peer(host.url) as admin:
        admin.send(type="ADMIN_KICK", agent_id="alice", admin_key=host.server.admin, reason="enough")
        admin.expect("ADMIN_RESULT")
    frames, code, reason = sleeper.ended()
    assert (frames[-1]["type"], code, reason) == ("KICKED", 1000, "enough")


def test_5_21():
    """5.21: AGENTCHAT_SLEEP_MAX_BUFFER is 50 and AGENTCHAT_CB_MAX_DURATION_S is 3600, unless they are set."""
    default = rules(resolve({}))
    assert (default.buffer, default.longest) == (50, 3600.0)
    made = rules(resolve({"AGENTCHAT_SLEEP_MAX_BUFFER": "3", "AGENTCHAT_CB_MAX_DURATION_S": "2"}))
    assert (made.buffer, made.longest) == (3, 2.0)
    page = (Path(__file__).parents[2] / "docs/configuration.md").read_text(encoding="utf-8")
    assert "AGENTCHAT_SLEEP_MAX_BUFFER" in page
    assert "AGENTCHAT_CB_MAX_DURATION_S" in page
