"""All that an engine knows, as JSON and back: behind a snapshot the log can be cut.

Owns the form. What comes back goes on as if it had read the log from its beginning: the order of everything is kept,
and a frame that stands in several places is one frame again. Derived things (names, sizes, counts) are made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sleep.relay.engine.buffers import Buffer, Entry
from sleep.relay.engine.effects import Set
from sleep.relay.engine.world import Agent, Channel, Claim, Rules, Sleep, Verification, World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.relay.engine.frames import Frame

Plain = dict[str, Any]


class Frames:
    """Frames by number, each once."""

    def __init__(self, frames: Sequence[Frame] = ()) -> None:
        self.all = list(frames)
        self._numbers: dict[int, int] = {}

    def put(self, frame: Frame) -> int:
        """Return the number of a frame."""
        number = self._numbers.setdefault(id(frame), len(self.all))
        if number == len(self.all):
            self.all.append(frame)
        return number


def dump(world: World, frames: Frames) -> Plain:
    """Return a world; its frames go into `frames`."""
    return {
        "number": world.number,
        "agents": [_agent(agent, frames) for agent in world.agents.values()],
        "channels": [_channel(channel, frames) for channel in world.channels.values()],
        "timers": world.timers.dump(),
        "callbacks": list(world.callbacks.values()),
        "verifications": list(world.verifications.items()),
        "parked": [(agent, list(entries)) for agent, entries in world.parked.items()],
        "missed": [(agent, _buffer(missed, frames)) for agent, missed in world.missed.items()],
        "absent": list(world.absent),
        "spoke": list(world.spoke.items()),
    }


def load(rules: Rules, snapshot: Plain, frames: Frames) -> World:
    """Return the world that was taken."""
    world = World(rules)
    world.number = snapshot["number"]
    world.channels.clear()
    for channel in snapshot["channels"]:
        _add_channel(world, channel, frames)
    for agent in snapshot["agents"]:
        _add_agent(world, agent, frames)
    world.sleepers = sum(agent.sleep is not None for agent in world.agents.values())
    count, heap = snapshot["timers"]
    world.timers.load(count, [(when, nth, (kind, whose)) for when, nth, (kind, whose) in heap])
    world.callbacks = {entry.ident: entry for entry in map(Set._make, snapshot["callbacks"])}
    world.verifications = {name: Verification._make(entry) for name, entry in snapshot["verifications"]}
    world.parked = {agent: [Set._make(fields) for fields in entries] for agent, entries in snapshot["parked"]}
    for agent, missed in snapshot["missed"]:
        world.missed[agent] = Buffer(rules.missed, rules.buffer_room, world.pool, missed["dropped"])
        _fill(world.missed[agent], missed, frames)
    world.absent = dict.fromkeys(snapshot["absent"])
    world.spoke = dict(snapshot["spoke"])
    return world


def _buffer(buffer: Buffer[Frame], frames: Frames) -> Plain:
    entries = [(entry.number, entry.size, frames.put(entry.thing)) for entry in buffer.dump()]
    return {"held": entries, "dropped": buffer.dropped}


def _fill(buffer: Buffer[Frame], snapshot: Plain, frames: Frames) -> None:
    buffer.load([Entry(number, size, frames.all[frame]) for number, size, frame in snapshot["held"]])
    buffer.dropped = snapshot["dropped"]


def _agent(agent: Agent, frames: Frames) -> Plain:
    sleep = agent.sleep
    return {
        "id": agent.id,
        "name": agent.name,
        "keyed": agent.keyed,
        "here": agent.here,
        "presence": agent.presence,
        "status_text": agent.status_text,
        "spoke": agent.spoke,
        "channels": list(agent.channels),
        "callbacks": None if agent.callbacks is None else sorted(agent.callbacks),
        "sleep": sleep and {**sleep._asdict(), "buffer": _buffer(sleep.buffer, frames)},
    }


def _add_agent(world: World, snapshot: Plain, frames: Frames) -> None:
    values = dict(snapshot)
    if sleep := values["sleep"]:
        buffer = world.buffer()
        _fill(buffer, sleep["buffer"], frames)
        values["sleep"] = Sleep(**{**sleep, "buffer": buffer})
    values["channels"] = dict.fromkeys(values["channels"])
    values["callbacks"] = None if values["callbacks"] is None else set(values["callbacks"])
    world.register(Agent(**values))


def _channel(channel: Channel, frames: Frames) -> Plain:
    return {
        "name": channel.name,
        "public": channel.public,
        "invite_only": channel.invite_only,
        "history": _buffer(channel.history, frames),
        "guests": list(channel.guests),
        "awake": list(channel.awake),
        "asleep": {mode: list(group) for mode, group in channel.asleep.items()},
        "claims": list(channel.claims.items()),
    }


def _add_channel(world: World, snapshot: Plain, frames: Frames) -> None:
    channel = world.open(snapshot["name"], public=snapshot["public"], invite_only=snapshot["invite_only"])
    _fill(channel.history, snapshot["history"], frames)
    channel.guests = dict.fromkeys(snapshot["guests"])
    channel.awake = dict.fromkeys(snapshot["awake"])
    for mode, group in channel.asleep.items():
        group.update(dict.fromkeys(snapshot["asleep"][mode]))
    channel.claims = {message: Claim._make(claim) for message, claim in snapshot["claims"]}
