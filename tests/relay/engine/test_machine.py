"""What the requirement and its decided points say, one by one, on the engine alone."""

from __future__ import annotations

import pytest
from room import ANN, BOB, CAT, START, Room

from sleep.relay.engine.effects import Asleep, Awake, Buffered, Close, Departed, Gone, Relayed, Sent, Set, Unbuffered

WAKE = "@@wake@@"


def test_marker_only(room):
    """A message that is only a marker relays nothing and shows the agent as sleeping, in both frames, to the others."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    assert room.heard(ANN) == []
    changed, presence = room.heard(BOB)
    assert changed == {
        "type": "PRESENCE_CHANGED", "ts": START + 100_000, "agent_id": ANN, "name": "ann",
        "presence": "sleeping", "status_text": None,
    }  # fmt: skip
    assert presence == {"type": "PRESENCE", "ts": START + 100_000, "agent": ANN, "presence": "sleeping"}


def test_text_first(room):
    """The text is relayed without its marker before the sleep begins, its own echo included."""
    room.say(ANN, "#love", "good night @@sleep:30s@@")
    assert [frame["content"] for frame in room.heard(ANN)] == ["good night"]
    assert [frame["type"] for frame in room.heard(BOB)] == ["MSG", "PRESENCE_CHANGED", "PRESENCE"]


def test_wake_sequence(room):
    """On its time the sleeper gets the wake message, its buffer in order, and then the others see it online."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    for number in range(3):
        room.turn(1)
        room.say(BOB, ANN, f"dm {number}")
    room.quiet()
    room.turn(26.999)
    assert room.sent == []
    room.turn(0.001)
    wake, *rest = room.heard(ANN)
    assert wake == {
        "type": "MSG", "ts": START + 130_000, "from": "@server", "from_name": "Server", "to": ANN,
        "content": WAKE, "buffered": 3, "dropped": 0,
    }  # fmt: skip
    assert [(one["content"], one["ts"]) for one in rest] == [
        (f"dm {number}", START + 101_000 + 1000 * number) for number in range(3)
    ]
    assert [one["presence"] for one in room.heard(BOB)] == ["online", "online"]


def test_order_of_waking(room):
    """The wake message and the buffer go out before the presence does."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.quiet()
    room.turn(30)
    assert [(one, frame["type"]) for one, frame in room.sent][:3] == [
        (ANN, "MSG"),
        (ANN, "MSG"),
        (BOB, "PRESENCE_CHANGED"),
    ]


@pytest.mark.parametrize(
    ("mode", "kept"),
    [
        ("", ["hi @Ann", "dm", "@@cb-fire@@own"]),
        (":buffer", ["plain", "hi @Ann", "dm", "@@cb-fire@@own"]),
        (":drop", []),
    ],
)
def test_modes(room, mode, kept):
    """Default keeps direct messages, mentions and callbacks, buffer keeps all, drop nothing."""
    room.say(ANN, "#love", "@@cb:5s@@own")
    room.say(ANN, "#love", f"@@sleep:30s{mode}@@")
    room.say(BOB, "#love", "plain")
    room.say(BOB, "#love", "hi @Ann")
    room.say(BOB, ANN, "dm")
    room.turn(30)
    assert room.contents(ANN) == [WAKE, *kept]


def test_mentioned_elsewhere(room):
    """A mention reaches nobody who drops all or is not in the channel, and nobody twice, whoever else sleeps there."""
    dan, eve = room.arrive("dan"), room.arrive("eve")
    room.ask(dan, type="LEAVE", channel="#love")
    for agent, mode in ((ANN, ""), (CAT, ":drop"), (dan, ""), (eve, ":buffer")):
        room.say(agent, "#general", f"@@sleep:30s{mode}@@")
    room.quiet()
    room.say(BOB, "#love", "hey @ann @cat @dan @eve")
    room.turn(30)
    assert {agent: len(room.contents(agent)) - 1 for agent in (ANN, CAT, dan, eve)} == {ANN: 1, CAT: 0, dan: 0, eve: 1}


def test_silence(room):
    """A sleeper hears no joins, leaves, typing, presence, nicks or claims of others, and gets what it asks for."""
    room.say(ANN, "#love", "@@sleep:30s:buffer@@")
    dan = room.arrive("dan")
    room.ask(BOB, type="TYPING", channel="#love")
    room.ask(BOB, type="SET_PRESENCE", status="away")
    room.ask(BOB, type="SET_NICK", nick="bobby")
    room.ask(BOB, type="RESPONDING_TO", channel="#love", msg_id="m", started_at=1)
    room.say(BOB, "#love", "@@sleep:1s@@")
    room.depart(dan)
    assert room.heard(ANN) == []
    for frame in ({"type": "PING"}, {"type": "LIST_CHANNELS"}, {"type": "LIST_AGENTS", "channel": "#love"}):
        room.ask(ANN, **frame)
    assert [one["type"] for one in room.heard(ANN)] == ["PONG", "CHANNELS", "AGENTS"]


def test_does_not_wake(room):
    """PING, lists, TYPING, SET_PRESENCE, JOIN and LEAVE leave a sleeper asleep."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.quiet()
    room.ask(ANN, type="PING")
    room.ask(ANN, type="TYPING", channel="#love")
    room.ask(ANN, type="SET_PRESENCE", status="busy", status_text="dreaming")
    room.ask(ANN, type="LEAVE", channel="#love")
    room.ask(ANN, type="JOIN", channel="#love")
    assert [one["presence"] for one in room.heard(BOB, "PRESENCE_CHANGED")] == ["sleeping"]
    room.ask(BOB, type="LIST_AGENTS", channel="#love")
    ann = next(one for one in room.heard(BOB, "AGENTS")[0]["list"] if one["id"] == ANN)
    assert (ann["presence"], ann["status_text"], ann["wakes_at"]) == ("sleeping", "dreaming", START + 130_000)
    room.turn(30)
    assert room.contents(ANN) == [WAKE]
    assert room.heard(BOB, "PRESENCE")[-1]["presence"] == "online"


def test_early(room):
    """A message from a sleeper wakes it: the whole sequence, then the message, and no second wake later."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.quiet()
    room.turn(5)
    room.say(ANN, "#love", "changed my mind")
    assert room.contents(ANN) == [WAKE, "dm", "changed my mind"]
    room.turn(100)
    assert room.contents(ANN) == []


def test_again(room):
    """A marker in the message that wakes starts a new sleep, which replaces the old one."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.turn(10)
    room.say(ANN, "#love", "more @@sleep:60s@@")
    assert room.contents(ANN) == [WAKE, "more"]
    room.turn(59.9)
    assert room.contents(ANN) == []
    room.turn(0.1)
    assert room.contents(ANN) == [WAKE]


def test_cap(room):
    """Of more than 50 messages the newest 50 are kept, and the wake message says how many are gone."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    for number in range(53):
        room.say(BOB, ANN, f"dm {number}")
    room.turn(30)
    wake, *rest = room.heard(ANN)
    assert (wake["buffered"], wake["dropped"]) == (50, 3)
    assert [one["content"] for one in rest] == [f"dm {number}" for number in range(3, 53)]


def test_room():
    """Large messages fill a buffer by size too, and the newest is kept whatever its size."""
    room = Room(buffer_room=10_000)
    ann, bob = room.arrive("ann"), room.arrive("bob")
    room.say(ann, "#love", "@@sleep:30s@@")
    room.quiet()
    for size in (4000, 4000, 4000, 20_000):
        room.say(bob, ann, "x" * size)
    room.turn(30)
    wake, *rest = room.heard(ann, "MSG")
    assert (wake["buffered"], wake["dropped"], [len(one["content"]) for one in rest]) == (1, 3, [20_000])


def test_clamped(room):
    """A sleep is at most as long as allowed, and a longer one is clamped, not refused."""
    room.say(ANN, "#love", "@@sleep:99999999999999s@@")
    room.turn(3599)
    assert room.contents(ANN) == []
    room.turn(1)
    assert room.contents(ANN) == [WAKE]


def test_nothing(room):
    """`0s` is taken out and does nothing."""
    room.say(ANN, "#love", "@@sleep:0s@@")
    room.say(ANN, "#love", "hi @@sleep:0s@@")
    assert [one["content"] for one in room.heard(BOB)] == ["hi"]
    assert room.engine.next_deadline() is None


def test_only_itself(room):
    """A marker puts to sleep who said it, whatever it is said to."""
    room.say(ANN, BOB, "sleep now @@sleep:30s@@")
    room.say(CAT, "#love", "still there?")
    assert room.contents(BOB) == ["sleep now", "still there?"]
    assert room.contents(ANN) == ["sleep now"]


def test_echo(room):
    """The echo of a message to a sleeper says that it sleeps, until when, and whether it will ever get it."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, "@ANN", "dm")
    echo = room.heard(BOB, "MSG")[0]
    assert (echo["to"], echo["recipient"], echo["wakes_at"], echo["buffered"]) == (
        ANN,
        "sleeping",
        START + 130_000,
        True,
    )
    room.turn(30)
    assert "recipient" not in room.heard(ANN)[1]
    room.say(ANN, "#love", "@@sleep:30s:drop@@")
    room.say(BOB, ANN, "dm")
    assert room.heard(BOB, "MSG")[0]["buffered"] is False


def test_departed(room):
    """A disconnect ends the sleep and its buffer; who comes back starts anew."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.say(BOB, ANN, "dm")
    room.depart(ANN)
    room.quiet()
    room.turn(100)
    assert room.sent == []
    room.say(BOB, ANN, "dm")
    assert room.heard(BOB)[0]["code"] == "AGENT_NOT_FOUND"
    room.arrive("ann")
    assert room.contents(ANN) == []


def test_displaced():
    """A keyed sleeper that proves itself on another connection wakes there, with its buffer."""
    room = Room()
    ann, bob = room.arrive("ann", keyed=True), room.arrive("bob")
    room.say(ann, "#love", "@@sleep:30s@@")
    room.say(bob, ann, "dm")
    room.quiet()
    room.arrive("ann", keyed=True)
    assert [one.get("content", one["type"]) for one in room.heard(ann)] == ["WELCOME", WAKE, "dm"]
    assert [one["presence"] for one in room.heard(bob)] == ["online", "online"]
    room.turn(100)
    assert room.sent == []


def test_kicked(room):
    """A sleeper can be thrown out, and its sleep ends with it."""
    room.say(ANN, "#love", "@@sleep:30s@@")
    room.quiet()
    room.kick(ANN)
    assert [one["type"] for one in room.heard(ANN)] == ["KICKED"]
    assert Close(ANN, 1000, "enough") in room.effects
    assert room.engine.next_deadline() is None
    assert [one["type"] for one in room.heard(BOB)] == ["AGENT_LEFT", "AGENT_LEFT"]


def test_rate():
    """A message that comes too soon is dropped unread; who sleeps, or wanted to, is told whether it is asleep."""
    room = Room(rate=1.0)
    ann, bob = room.arrive("ann"), room.arrive("bob")
    room.quiet()
    room.say(ann, "#love", "one")
    room.turn(0.5)
    room.say(ann, "#love", "two")
    assert room.heard(ann, "ERROR")[0]["message"].endswith("): dropped")
    room.say(ann, "#love", "two @@sleep:5s@@")
    refused = room.heard(ann, "ERROR")[0]
    assert refused["code"] == "RATE_LIMITED"
    assert "not asleep" in refused["message"]
    assert room.contents(bob) == ["one"]
    room.turn(0.5)
    room.say(ann, "#love", "@@sleep:5s@@")
    room.say(ann, "#love", "three")
    assert "asleep as before" in room.heard(ann, "ERROR")[0]["message"]
    room.turn(5)
    assert room.contents(ann) == [WAKE]


def test_pace_survives():
    """Leaving and coming back does not make a keyed agent quicker."""
    room = Room(rate=1.0)
    ann = room.arrive("ann", keyed=True)
    room.say(ann, "#love", "one")
    room.depart(ann)
    room.arrive("ann", keyed=True)
    room.say(ann, "#love", "two")
    assert [one["code"] for one in room.heard(ann, "ERROR")] == ["RATE_LIMITED"]


def test_refused(room):
    """A message that goes nowhere does nothing but wake its sender."""
    room.say(ANN, "#nowhere", "@@sleep:5s@@ @@cb:1s@@x")
    room.say(ANN, "@nobody", "@@sleep:5s@@")
    assert [(one["code"], one["message"]) for one in room.heard(ANN)] == [
        ("CHANNEL_NOT_FOUND", "Channel #nowhere not found (you are not asleep)"),
        ("AGENT_NOT_FOUND", "Agent @nobody not found (you are not asleep)"),
    ]
    assert room.engine.next_deadline() is None


def test_lasting():
    """Of a keyed sleeper everything is kept until it has arrived; of another only what was said."""
    room = Room(buffer=1)
    ann, bob = room.arrive("ann", keyed=True), room.arrive("bob")
    room.say(ann, "#love", "@@sleep:30s@@")
    room.say(bob, ann, "one")
    room.say(bob, ann, "two")
    room.turn(30)
    room.say(ann, "#love", "@@cb:5s@@x")
    room.depart(ann)
    kinds = [type(one) for one in room.lasting()]
    assert kinds == [Asleep, Relayed, Buffered, Relayed, Buffered, Unbuffered, Awake, Set, Gone]
    room.say(bob, "#love", "@@cb:5s@@x @@sleep:6s@@")
    room.turn(9)
    assert [type(one) for one in room.lasting()] == [Relayed]  # the callback, for it was buffered


def test_unsure():
    """What a keyed agent was told directly is kept too until it has arrived; what it told itself is not."""
    room = Room()
    ann, bob = room.arrive("ann", keyed=True), room.arrive("bob")
    room.say(bob, ann, "dm")
    room.say(ann, ann, "note")
    assert [type(one) for one in room.lasting()] == [Relayed, Buffered, Sent, Relayed]


def test_durable():
    """With durable sleep a keyed sleeper that was cut off is waited for, and gets everything when it is back."""
    room = Room(durable=True, grace=60.0)
    ann, bob = room.arrive("ann", keyed=True), room.arrive("bob")
    room.say(ann, "#love", "@@cb:5s@@own @@sleep:30s@@")
    room.depart(ann)
    room.say(bob, "@ann", "dm")
    room.turn(40)
    assert room.heard(bob, "AGENT_LEFT") == []
    assert room.engine.refusal("ann")
    room.quiet()
    room.arrive("ann", keyed=True)
    room.turn(0)
    assert room.contents(ann) == [WAKE, "dm", "@@cb-fire@@own"]
    room.say(ann, "#love", "@@sleep:30s@@")
    room.depart(ann)
    room.turn(30 + 60)
    assert len(room.heard(bob, "AGENT_LEFT")) == 2
    assert not room.engine.refusal("ann")
    assert len(room.engine.world.timers) == 0


def test_absent_bound():
    """Only so many are waited for; the longest gone is given up first."""
    room = Room(durable=True, absent=2)
    for name in ("ann", "bob", "cat"):
        agent = room.arrive(name, keyed=True)
        room.say(agent, "#love", "@@sleep:30s@@")
        room.depart(agent)
    assert list(room.engine.world.agents) == ["@id-bob", "@id-cat"]


def test_observed(room):
    """What is seen from outside says who sleeps until when with how much buffered, and no word of a message."""
    room.say(ANN, "#love", "@@sleep:30s:buffer@@")
    room.say(BOB, "#love", "private words")
    seen = room.engine.observe()
    ann = next(one for one in seen["agents"] if one["id"] == ANN)
    assert ann["sleep"] == {
        "mode": "buffer", "since": START + 100_000, "wakes_at": START + 130_000, "buffered": 1, "dropped": 0,
            "kinds": {"direct": 0, "channel": 1, "callbacks": 0},
    }  # fmt: skip
    assert "private words" not in str(seen)


def test_observed_of_many(room):
    """Of very many agents those are seen that wake next and those that came last; all are counted."""
    agents = [room.arrive(f"one-{number}", keyed=number == 7) for number in range(60)]
    for number, agent in enumerate(agents[:30]):
        room.say(agent, "#love", f"@@cb:1s@@x @@sleep:{50 - number}s@@")
    room.take(room.engine.handle(Departed(agents[7], cut=True), room.now()))
    seen = room.engine.observe(20)
    assert (seen["count"], seen["asleep"]) == (len(room.engine.world.agents), 30)
    shown = [one["id"] for one in seen["agents"]]
    assert shown[:10] == agents[29:19:-1]
    assert shown[10:] == agents[:-11:-1]
    whole = room.engine.observe(1000)["agents"]
    assert sorted(one["id"] for one in whole) == sorted(room.engine.world.agents)
    assert [one["id"] for one in whole[:30]] == agents[29::-1]


def test_what_a_buffer_holds(room):
    """What waits for a sleeper is seen as what it is: direct messages, mentions, messages to a channel, callbacks."""
    room.say(ANN, "#love", "@@cb:1s@@a @@sleep:60s@@")
    room.say(CAT, "#love", "@@sleep:60s:buffer@@")
    for to, text in ((ANN, "one"), (ANN, "two"), ("#love", "hey @ann"), ("#love", "all of you"), (CAT, "three")):
        room.say(BOB, to, text)
    room.turn(2)
    kinds = {agent["id"]: (agent["sleep"] or {}).get("kinds") for agent in room.engine.observe()["agents"]}
    assert kinds[ANN] == {"direct": 2, "channel": 1, "callbacks": 1}
    assert kinds[CAT] == {"direct": 1, "channel": 2, "callbacks": 0}
    assert kinds[BOB] is None
