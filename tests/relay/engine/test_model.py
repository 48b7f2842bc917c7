"""The engine against a simple model of the requirement, under any sequence of events.

The model knows agents, who sleeps until when in which mode, and for each agent the list of what it must hear, in order.
What outlives the process goes through the real journal; `crash` ends the engine and takes up what that kept.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from pathlib import Path

from examples import share
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from model import CAP, PUBLIC, Known, Slept, copied, said
from room import START, Room

from sleep.relay.engine.effects import LASTING, Awake, Relayed, Sent
from sleep.relay.server.persistence import Journal

NAMES = ("ann", "bob", "cat", "dan")
KEYED = ("ann", "bob")
LONGEST, GRACE, RATE, CALLBACKS = 60.0, 20.0, 1.0, 3
WHO = st.sampled_from(NAMES)
SECONDS = st.sampled_from([0.0, 0.5, 2.0, 2.5, 7.0, 30.0, 1000.0])
RULES = {"public": PUBLIC, "buffer": CAP, "longest": LONGEST, "grace": GRACE, "rate": RATE, "callbacks": CALLBACKS}


class Machine(RuleBasedStateMachine):
    """The engine and the model, side by side."""

    @initialize()
    def begin(self):
        """Begin with everybody here."""
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Journal(str(Path(self.folder.name) / "relay.db"))
        self.room = Room(**RULES)
        self.agents, self.must, self.order = {}, defaultdict(list), 0
        self.paces, self.unsettled, self.said, self.missed = {}, [], 0, {}
        self.history = {channel: [] for channel in PUBLIC}
        for name in NAMES:
            self.arrive(name)
            self.same()

    def teardown(self):
        """End."""
        if hasattr(self, "journal"):
            self.journal.close()
            self.folder.cleanup()

    # --- the model's words ---------------------------------------------------------------------------------------

    def awake(self, channel, besides=None):
        """Return who is awake in a channel."""
        return [name for name, one in self.agents.items() if channel in one.rooms and not one.slept and name != besides]

    def peers(self, name):
        """Return who is awake and shares a channel with an agent."""
        mine = self.agents[name].rooms
        return [
            other for other, one in self.agents.items() if other != name and {*one.rooms} & {*mine} and not one.slept
        ]

    def tell(self, names, what):
        """Let agents that are here hear something."""
        for name in names:
            if self.agents[name].here:
                self.must[name].append(what)

    def announce(self, name):
        """Let the others see an agent's presence."""
        one = self.agents[name]
        shown = "sleeping" if one.slept else one.presence
        for kind in ("PRESENCE_CHANGED", "PRESENCE"):
            self.tell(self.peers(name), (kind, name, shown))

    def wake(self, name):
        """Wake an agent: the message, the buffer, the presence."""
        one = self.agents[name]
        slept, one.slept, one.presence = one.slept, None, "online"
        self.must[name] += [("wake", len(slept.held), slept.dropped), *slept.held]
        self.announce(name)

    def reach(self, name, what, kind):
        """Let something directed at an agent, mentioning it or said to its channel reach it."""
        one = self.agents[name]
        if not one.slept:
            self.tell([name], what)
        elif one.slept.mode == "buffer" or (one.slept.mode == "default" and kind != "channel"):
            one.slept.hold(what)

    def drop(self, name):
        """Forget an agent."""
        one = self.agents.pop(name)
        self.unsettled = [sent for sent in self.unsettled if sent.agent != f"@id-{name}"]
        for channel in one.rooms:
            self.tell(self.awake(channel), ("AGENT_LEFT", name, channel))
        if name in KEYED:
            self.paces[name] = one.spoke

    # --- events ----------------------------------------------------------------------------------------------------

    @rule(name=WHO)
    def arrive(self, name):
        """An agent comes, comes again on another connection, or comes back."""
        old = self.agents.get(name)
        if old and old.here and name not in KEYED:
            return
        self.must[name].append(("WELCOME",))
        if old is None:
            self.agents[name] = Known(rooms=[], spoke=self.paces.pop(name, float("-inf")))
        one = self.agents[name]
        if not one.here:  # what was due meanwhile is due now
            one.callbacks = {(max(when, self.room.mono), order): what for (when, order), what in one.callbacks.items()}
        one.here = True
        for channel in PUBLIC:
            if channel not in one.rooms:
                others = self.awake(channel, besides=name)
                self.tell(others, ("AGENT_JOINED", name, channel))
                self.tell(others, ("msg", "@server", channel, f"{name} came online"))
                one.rooms.append(channel)
        one.unsure += self.missed.get(name, [])
        self.must[name] += self.missed.pop(name, [])
        if one.slept:
            self.wake(name)
        elif one.presence != "online":
            one.presence = "online"
            self.announce(name)
        self.room.arrive(name, keyed=name in KEYED)

    @rule(name=WHO, kicked=st.booleans())
    def leave(self, name, kicked):
        """An agent's connection ends, or somebody ends it: its sleep ends with it, nobody hears a wake."""
        one = self.agents.get(name)
        if one and (one.here or kicked):
            if kicked and one.here:
                self.must[name].append(("KICKED",))
            self.drop(name)
        (self.room.kick if kicked else self.room.depart)(f"@id-{name}")

    @rule(name=WHO, to=st.sampled_from([*PUBLIC, "#nowhere", *(f"@{name}" for name in NAMES)]), text=st.booleans(),
          mention=st.sampled_from(["", *NAMES]), seconds=st.none() | SECONDS,
          mode=st.sampled_from(["", ":buffer", ":drop"]), callback=st.none() | SECONDS, wait=st.booleans())  # fmt: skip
    def say(self, name, to, text, mention, seconds, mode, callback, wait):
        """An agent says something, with or without markers, maybe too soon, maybe to nobody."""
        if wait:
            self.turn(RATE)
        self.said += 1
        words = f"words {self.said}{f' @{mention.upper()}' if mention else ''}" if text else ""
        marker = f" @@sleep:{seconds}s{mode}@@" if seconds is not None else ""
        cb = f" @@cb:{callback}s@@cb {self.said}" if callback is not None else ""
        if words or marker or cb:
            self.model_say(name, to, words, mention, seconds, mode[1:] or "default", callback)
            self.room.say(f"@id-{name}", to, words + marker + cb)

    @rule(name=WHO, mode=st.sampled_from(["", ":buffer", ":drop"]))
    def nap(self, name, mode):
        """An agent puts itself to sleep for some seconds, so that there are sleepers most of the time."""
        self.say(name, "#a", False, "", 7.0, mode, None, True)

    def model_say(self, name, to, words, mention, seconds, mode, callback):  # noqa: C901, PLR0912  # one message, top to bottom
        """Do in the model what a message does."""
        one, now = self.agents.get(name), self.room.mono
        if not one or not one.here:
            return
        if now - one.spoke < RATE:
            self.must[name].append(("ERROR", "RATE_LIMITED"))
            return
        one.spoke = now
        if one.slept:
            self.wake(name)
        if to.startswith("@") and to[1:] not in self.agents:
            self.must[name].append(("ERROR", "AGENT_NOT_FOUND"))
            return
        if to.startswith("#") and to not in one.rooms:
            self.must[name].append(("ERROR", "CHANNEL_NOT_FOUND" if to == "#nowhere" else "NOT_INVITED"))
            return
        if words:
            what = ("msg", name, to, words)
            if to.startswith("#"):
                self.history[to].append(what)
                for other in [o for o, known in self.agents.items() if to in known.rooms]:
                    self.reach(other, what, "mention" if other == mention else "channel")
            else:
                if to[1:] != name and to[1:] in KEYED and not self.agents[to[1:]].slept:
                    self.agents[to[1:]].unsure.append(what)
                self.reach(to[1:], what, "direct")
                if to[1:] != name:
                    self.must[name].append(what)
        if callback is not None:
            if len(one.callbacks) >= CALLBACKS:
                self.must[name].append(("ERROR", "NOT_ALLOWED"))
            else:
                self.order += 1
                one.callbacks[now + min(callback, LONGEST), self.order] = f"cb {self.said}"
        if seconds:
            one.slept = Slept(mode, now + min(seconds, LONGEST))
            self.order += 1
            self.announce(name)

    @rule(name=WHO, status=st.sampled_from(["away", "busy"]))
    def set_presence(self, name, status):
        """A sleeper that sets its presence goes on sleeping, and others go on seeing that."""
        one = self.agents.get(name)
        if one and one.here:
            one.presence = status
            self.announce(name)
        self.room.ask(f"@id-{name}", type="SET_PRESENCE", status=status)

    @rule(name=WHO, channel=st.sampled_from(PUBLIC), kind=st.sampled_from(["JOIN", "LEAVE", "PING", "TYPING"]))
    def ask(self, name, channel, kind):
        """What wakes nobody: the sleeper is answered, and the others hear of it if they are awake."""
        one = self.agents.get(name)
        if one and one.here:
            if kind == "PING":
                self.must[name].append(("PONG",))
            elif kind == "TYPING":
                if channel in one.rooms:
                    self.tell(self.awake(channel, besides=name), ("TYPING", name, channel))
                else:
                    self.must[name].append(("ERROR", "NOT_INVITED"))
            elif kind == "JOIN":
                if channel not in one.rooms:
                    self.tell(self.awake(channel, besides=name), ("AGENT_JOINED", name, channel))
                    one.rooms.append(channel)
                self.must[name] += [("JOINED", channel), *self.history[channel]]
            else:
                if channel in one.rooms:
                    one.rooms.remove(channel)
                    self.tell(self.awake(channel, besides=name), ("AGENT_LEFT", name, channel))
                self.must[name].append(("LEFT", channel))
        self.room.ask(f"@id-{name}", type=kind, channel=channel)

    @rule(seconds=st.sampled_from([0.0, 0.25, 0.5, 2.0, 7.0, 61.0]))
    def turn(self, seconds):
        """Time passes: everything due happens in its order, at its time and not before."""
        end = self.room.mono + seconds
        while True:
            due = [(one.slept.until, name, None) for name, one in self.agents.items() if one.slept and one.here]
            due += [
                (when, name, (when, order))
                for name, one in self.agents.items()
                if one.here
                for when, order in one.callbacks
            ]
            due += [(one.forget, name, "forget") for name, one in self.agents.items() if not one.here]
            first = min((one[0] for one in due), default=None)
            assert self.room.engine.next_deadline() == first or (
                first and abs(self.room.engine.next_deadline() - first) < 0.01
            )
            if first is None or first > end:
                break
            self.room.mono = max(self.room.mono, self.room.engine.next_deadline())
            self.room.take(self.room.engine.advance(self.room.now(), most=1))
            self.happened([one for one in due if one[0] <= first + 0.01])
        self.room.mono = end

    def happened(self, candidates):
        """Do in the model what the engine did: one of those that were due first, whichever the effects show."""
        heard, names = self.hear(), [one[1] for one in candidates]
        for _, name, what in candidates:
            must = {one: [*what] for one, what in self.must.items()}
            model = copied(self.agents), defaultdict(list, must), dict(self.paces)
            if what is None:
                self.wake(name)
            elif what == "forget":
                self.drop(name)
            else:
                payload = self.agents[name].callbacks.pop(what)
                self.reach(name, ("fire", payload), "direct")
            if {one: must for one, must in self.must.items() if must} == heard and self.matches():
                self.must.clear()
                return
            self.agents, self.must, self.paces = model
        raise AssertionError(f"nothing of what was due ({names}) explains {dict(heard)}")

    # --- what outlives the process ---------------------------------------------------------------------------------

    @rule()
    def arrives(self):
        """What was sent to those who woke is known to have arrived."""
        for awake in self.unsettled:
            self.journal.settle(awake)
        self.unsettled = []
        for one in self.agents.values():
            one.unsure.clear()
        self.journal.commit()

    @precondition(lambda self: self.agents)
    @rule()
    def crash(self):
        """The process ends: only keyed agents are still known, and only what was not known to have arrived."""
        path = self.journal._path
        self.journal.close()
        self.journal = Journal(path)
        kept = self.journal.read()
        unsettled = {one.agent[4:] for one in self.unsettled if isinstance(one, Awake)}
        self.unsettled = []
        room = Room(**RULES)
        room.mono, room.count = self.room.mono, self.room.count
        self.room, old = room, self.agents
        room.take(room.engine.restore(kept, room.now()))
        self.agents, self.paces = {}, {}
        for name, one in old.items():
            if name not in KEYED or not (one.slept or name in unsettled):
                self.crash_parked(name, one)
                if name in KEYED and one.unsure:
                    self.missed[name] = list(one.unsure)
                continue
            agent = room.engine.world.agents[f"@id-{name}"]
            held = [said(frame) for frame in agent.sleep.buffer.things()]
            if name not in unsettled:
                expected = one.unsure + one.slept.held
                dropped = one.slept.dropped + max(0, len(expected) - CAP)
                assert (held, agent.sleep.buffer.dropped) == (expected[-CAP:], dropped)
                assert [*agent.channels] == one.rooms
            slept = Slept(
                agent.sleep.mode,
                room.mono + (agent.sleep.wakes - room.now().wall) / 1000,
                held,
                agent.sleep.buffer.dropped,
            )
            due = max(slept.until, room.mono)
            self.agents[name] = Known(
                False, [*agent.channels], "online", slept, callbacks=one.callbacks, forget=due + GRACE
            )
        assert room.sent == []
        for name, missed in self.missed.items():
            assert [said(frame) for frame in room.engine.world.missed[f"@id-{name}"].things()] == missed
            room.engine.world.timers.cancel(("grace", f"@id-{name}"))
        assert len(room.engine.world.missed) == len(self.missed)

    def crash_parked(self, name, one):
        """Callbacks of a keyed agent that was awake wait for it; here they are given up, which must leave no trace."""
        parked = self.room.engine.world.parked.pop(f"@id-{name}", [])
        assert len(parked) == (len(one.callbacks) if name in KEYED else 0)
        self.room.engine.world.timers.cancel(("grace", f"@id-{name}"))
        if parked:
            self.journal._base.execute("DELETE FROM callbacks WHERE agent = ?", (f"@id-{name}",))

    # --- the two compared --------------------------------------------------------------------------------------------

    def hear(self):
        """Return and forget what the engine sent, agent by agent, as the model says it; keep what must last."""
        heard = defaultdict(list)
        for agent, frame in self.room.sent:
            heard[agent[4:]].append(said(frame))
        for effect in self.room.effects:
            if isinstance(effect, LASTING):
                self.journal.add(effect, json.dumps(effect.frame) if isinstance(effect, Relayed) else "")
            if isinstance(effect, (Awake, Sent)):
                self.unsettled.append(effect)
        self.journal.commit()
        self.room.quiet()
        return heard

    def matches(self):
        """Return whether both know the same agents with the same buffers."""
        world = self.room.engine.world
        if {f"@id-{name}" for name in self.agents} != set(world.agents):
            return False
        for name, one in self.agents.items():
            agent = world.agents[f"@id-{name}"]
            held = [said(frame) for frame in agent.sleep.buffer.things()] if agent.sleep else None
            if (held, agent.here) != (one.slept.held if one.slept else None, one.here):
                return False
        return True

    @invariant()
    def same(self):
        """Everybody heard what it must, in order; and who sleeps, how, and with what in its buffer is the same."""
        if not hasattr(self, "room"):
            return
        heard = self.hear()
        assert heard == {name: what for name, what in self.must.items() if what}
        self.must.clear()
        assert self.matches()
        world = self.room.engine.world
        buffers = [one.sleep.buffer for one in world.agents.values() if one.sleep]
        buffers += [*world.missed.values(), *(channel.history for channel in world.channels.values())]
        assert world.pool.used == sum(one.size for one in buffers)
        assert world.sleepers == sum(one.sleep is not None for one in world.agents.values())
        for name, one in self.agents.items():
            agent = world.agents[f"@id-{name}"]
            assert [*agent.channels] == one.rooms
            assert agent.visible_presence() == ("sleeping" if one.slept else one.presence)
            if one.slept:
                assert agent.sleep.mode == one.slept.mode
                assert len(agent.sleep.buffer) <= CAP
                assert agent.sleep.buffer.dropped == one.slept.dropped
                assert abs((agent.sleep.wakes - START) / 1000 - one.slept.until) < 0.01
            for channel in PUBLIC:
                group = world.channels[channel].asleep[one.slept.mode] if one.slept else world.channels[channel].awake
                assert (agent.id in group) == (channel in one.rooms)


TestEngine = Machine.TestCase
TestEngine.settings = settings(max_examples=share(60), stateful_step_count=40)
