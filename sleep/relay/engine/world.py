"""What the relay knows: agents, channels, who sleeps, what waits. Plain state, changed by the rules beside it.

Owns the shapes, the register of names, and the numbering of messages. Refuses to decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sleep.relay.engine import frames, names
from sleep.relay.engine.buffers import Buffer, Pool
from sleep.relay.engine.effects import Asleep, Opened, Relayed
from sleep.relay.engine.timers import Timers

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Effect, Set
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.markers import Mode

PUBLIC = ("#general", "#engineering", "#pull-requests", "#help", "#love", "#agents", "#discovery", "#bounties")
TimerKey = tuple[str, str]  # what is due (sleep, callback, grace, channel, verification), and whose


@dataclass(frozen=True, slots=True)
class Rules:
    """What a relay allows; sizes in characters, times in seconds."""

    server: str = "sleepwake"
    motd: str = ""
    public: tuple[str, ...] = PUBLIC
    longest: float = 3600.0
    buffer: int = 50
    buffer_room: int = 4 * 2**20
    callbacks: int = 50
    payload: int = 500
    rate: float = 1.0
    history: int = 200
    history_room: int = 4 * 2**20
    pool: int = 256 * 2**20  # of all buffers and histories together; above it each has its share
    share: int = 64 * 2**10
    missed: int = 10_000
    channels: int = 500
    guests: int = 200
    claims: int = 100
    claim: float = 45.0
    verification: float = 30.0
    verifications: int = 1000
    own_verifications: int = 10
    durable: bool = False
    grace: float = 300.0
    absent: int = 1000
    secrets: tuple[str, ...] = ()


class Sleep(NamedTuple):
    """A sleep under way; `since` and `wakes` are for people, in milliseconds of the epoch."""

    ident: str
    mode: Mode
    since: int
    wakes: int
    buffer: Buffer[Frame]


@dataclass(slots=True, eq=False)
class Agent:
    """An agent that is here, or a keyed one that slept when it was cut off and may come back."""

    id: str
    name: str
    keyed: bool
    here: bool = True
    presence: str = frames.ONLINE
    status_text: str | None = None
    sleep: Sleep | None = None
    spoke: float = float("-inf")
    channels: dict[str, None] = field(default_factory=dict)
    callbacks: set[str] | None = None  # made when there is one: of 100,000 sleepers few have any

    def visible_presence(self) -> str:
        """Return the presence that others see."""
        return frames.SLEEPING if self.sleep else self.presence


class Claim(NamedTuple):
    """Who answers a message, and since when by its own clock."""

    agent: str
    started: int
    until: float


class Verification(NamedTuple):
    """An agent asked another one, by the name that stands in `target`, to sign a nonce."""

    asker: str
    agent: str
    target: str
    nonce: str


@dataclass(slots=True, eq=False)
class Channel:
    """A channel: who is in it, awake or asleep by mode, and what was said. Dictionaries are ordered sets of ids."""

    name: str
    history: Buffer[Frame]
    public: bool = True
    invite_only: bool = False
    guests: dict[str, None] = field(default_factory=dict)
    awake: dict[str, None] = field(default_factory=dict)
    asleep: dict[Mode, dict[str, None]] = field(default_factory=lambda: {"default": {}, "buffer": {}, "drop": {}})
    claims: dict[str, Claim] = field(default_factory=dict)

    def members(self) -> list[str]:
        """Return everybody in it."""
        return [ident for group in (self.awake, *self.asleep.values()) for ident in group]

    def release(self, agent: Agent) -> None:
        """End an agent's claims."""
        for message in [ident for ident, claim in self.claims.items() if claim.agent == agent.id]:
            del self.claims[message]

    def __len__(self) -> int:
        return len(self.awake) + sum(map(len, self.asleep.values()))


class World:
    """Everything a relay knows."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.agents: dict[str, Agent] = {}
        self.channels: dict[str, Channel] = {}
        self.timers: Timers[TimerKey] = Timers()
        self.callbacks: dict[str, Set] = {}
        self.verifications: dict[str, Verification] = {}  # under way, by the name of the request
        self.parked: dict[str, list[Set]] = {}  # callbacks of keyed agents that are not here
        self.missed: dict[str, Buffer[Frame]] = {}  # what may never have reached keyed agents
        self.absent: dict[str, None] = {}  # keyed agents that are not here and may come back, longest gone first
        self.pool = Pool(rules.pool, rules.share)
        self.spoke: dict[str, float] = {}  # when keyed agents that left spoke last: coming back is no way to be quicker
        self.number = 0
        self.sleepers = 0  # agents that sleep, those that are not here included
        self._names: dict[str, str] = {}
        self._channel_looks: dict[str, str] = {}
        for name in rules.public:
            self.open(name)

    def open(self, name: str, *, public: bool = True, invite_only: bool = False) -> Channel:
        """Make a channel."""
        self._channel_looks[names.skeleton(name)] = name
        history: Buffer[Frame] = Buffer(self.rules.history, self.rules.history_room, self.pool)
        self.channels[name] = Channel(name, history, public=public, invite_only=invite_only)
        return self.channels[name]

    def close(self, name: str) -> None:
        """Make a channel unknown."""
        self.channels.pop(name, None)
        if self._channel_looks.get(names.skeleton(name)) == name:  # an older journal may have two that look alike
            del self._channel_looks[names.skeleton(name)]

    def channel_like(self, name: str) -> str | None:
        """Return the channel that this is or is confused with."""
        return name if name in self.channels else self._channel_looks.get(names.skeleton(name))

    def buffer(self, dropped: int = 0) -> Buffer[Frame]:
        """Make the buffer of a sleeper."""
        return Buffer(self.rules.buffer, self.rules.buffer_room, self.pool, dropped)

    def holder(self, name: str) -> str | None:
        """Return whose name or id this is or is confused with."""
        return self._names.get(names.skeleton(name))

    def register(self, agent: Agent) -> None:
        """Make an agent known by its id and its name."""
        self.agents[agent.id] = agent
        self._names[names.skeleton(agent.id[1:])] = agent.id
        self._names[names.skeleton(agent.name)] = agent.id

    def rename(self, agent: Agent, name: str) -> None:
        """Give an agent another name; the old one is free."""
        self._names.pop(names.skeleton(agent.name), None)
        agent.name = name
        self.register(agent)

    def forget(self, agent: Agent) -> None:
        """Make an agent unknown."""
        self.agents.pop(agent.id, None)
        self.absent.pop(agent.id, None)
        self._names.pop(names.skeleton(agent.name), None)
        self._names.pop(names.skeleton(agent.id[1:]), None)

    def find(self, target: str) -> Agent | None:
        """Return the agent that `@id` or `@name` means, in any case; None for nobody. Look-alikes mean nobody."""
        if agent := self.agents.get(target):
            return agent
        word = names.fold(target[1:])
        agent = self.agents.get(self.holder(word) or "")
        return agent if agent and word in (names.fold(agent.name), agent.id[1:]) else None

    def number_message(self, target: str, frame: Frame, out: list[Effect]) -> int:
        """Number a message."""
        self.number += 1
        out.append(Relayed(self.number, target, frame))
        return self.number


def describe_sleep(agent: Agent, sleep: Sleep) -> Asleep:
    """Return what a journal keeps of a sleep."""
    return Asleep(
        agent.id,
        sleep.ident,
        agent.name,
        sleep.mode,
        sleep.since,
        sleep.wakes,
        sleep.buffer.dropped,
        (*agent.channels,),
    )


def describe_channel(channel: Channel) -> Opened:
    """Return what a journal keeps of a channel that is not public."""
    return Opened(channel.name, channel.invite_only, (*channel.guests,))
