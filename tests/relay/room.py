"""What tests of the relay share: an engine with a clock that tests turn, and who hears what of its effects."""

from __future__ import annotations

import json

from sleep.relay.engine.effects import LASTING, Arrived, Asked, Departed, Kicked, Now, Send
from sleep.relay.engine.machine import Engine
from sleep.relay.engine.requests import read
from sleep.relay.engine.world import Rules

START = 1_795_000_000_000
ANN, BOB, CAT = "@id-ann", "@id-bob", "@id-cat"  # in the fixture `room`


class Room:
    """An engine, a clock, and a list of (agent, frame) of everything that was sent, in order."""

    def __init__(self, **rules):
        self.engine = Engine(Rules(**{"public": ("#general", "#love"), "rate": 0.0, **rules}))
        self.mono, self.sent, self.effects, self.count = 100.0, [], [], 0

    def now(self):
        """Return the moment that the clock shows."""
        return Now(self.mono, START + round(self.mono * 1000))

    def take(self, effects):
        """Note effects."""
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Send):
                assert len(set(effect.to)) == len(effect.to)
                self.sent += [(one, effect.frame) for one in effect.to]
        return effects

    def arrive(self, name, *, keyed=False):
        """Let an agent come; return its id."""
        self.take(self.engine.handle(Arrived(f"@id-{name}", name, keyed), self.now()))
        return f"@id-{name}"

    def depart(self, agent):
        """End an agent's connection."""
        self.take(self.engine.handle(Departed(agent), self.now()))

    def kick(self, agent):
        """Throw an agent out."""
        self.take(self.engine.handle(Kicked(agent, "enough"), self.now()))

    def ask(self, agent, /, **frame):
        """Send a request."""
        self.count += 1
        self.take(self.engine.handle(Asked(agent, read(json.dumps(frame)), f"m{self.count}"), self.now()))

    def say(self, agent, to, content, /, **more):
        """Send a message."""
        self.ask(agent, type="MSG", to=to, content=content, **more)

    def turn(self, seconds):
        """Let time pass, everything due in its own time."""
        end = self.mono + seconds
        while (due := self.engine.next_deadline()) is not None and due <= end:
            self.mono = max(self.mono, due)
            self.take(self.engine.advance(self.now()))
        self.mono = end

    def heard(self, agent, *kinds):
        """Return and forget what an agent heard; `kinds` are the types that matter, all if there are none."""
        mine = [frame for one, frame in self.sent if one == agent]
        self.sent = [(one, frame) for one, frame in self.sent if one != agent]
        return [frame for frame in mine if not kinds or frame["type"] in kinds]

    def contents(self, agent):
        """Return and forget the messages that an agent heard."""
        return [frame["content"] for frame in self.heard(agent, "MSG")]

    def lasting(self, *kinds):
        """Return and forget the effects that must last."""
        found = [one for one in self.effects if isinstance(one, kinds or LASTING)]
        self.effects = []
        return found

    def quiet(self):
        """Forget what was heard so far."""
        self.sent, self.effects = [], []
