"""Falling asleep, what reaches a sleeper, and waking.

Owns the sleep of an agent from its marker to its wake sequence: the wake message, what was buffered (oldest first),
then its presence to the others. An agent puts only itself to sleep and is never woken early but by its own doing.

Silence is total: a sleeper gets the answers to its own requests and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.relay.engine import frames, markers, membership
from sleep.relay.engine.effects import Awake, Buffered, Send, Unbuffered
from sleep.relay.engine.frames import size
from sleep.relay.engine.world import Sleep, describe_sleep

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Effect, Now
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.world import Agent, Channel, World


def fall(world: World, agent: Agent, marker: markers.Sleep, ident: str, now: Now, out: list[Effect]) -> None:
    """Put an agent that is awake to sleep; 0 seconds do nothing, and more than allowed are clamped."""
    seconds = min(marker.seconds, world.rules.longest)
    if seconds <= 0:
        return
    agent.sleep = Sleep(ident, marker.mode, now.wall, now.wall + round(seconds * 1000), world.buffer())
    world.sleepers += 1
    for name in agent.channels:
        channel = world.channels[name]
        del channel.awake[agent.id]
        channel.asleep[marker.mode][agent.id] = None
    world.timers.set(("sleep", agent.id), now.mono + seconds)
    membership.announce(world, agent, now, out)
    membership.note(agent, "slept", f"{seconds:g} s, {marker.mode}", now, out)
    if agent.keyed:
        out.append(describe_sleep(agent, agent.sleep))


def wake(world: World, agent: Agent, why: str, now: Now, out: list[Effect]) -> None:
    """Wake an agent that sleeps: the wake message, what was buffered, and then its presence."""
    sleep = agent.sleep
    if sleep is None:
        return
    agent.sleep = None
    world.sleepers -= 1
    agent.presence = frames.ONLINE
    world.timers.cancel(("sleep", agent.id))
    for name in agent.channels:
        channel = world.channels[name]
        del channel.asleep[sleep.mode][agent.id]
        channel.awake[agent.id] = None
    last, things = sleep.buffer.last(), sleep.buffer.empty()
    message = {
        "type": "MSG",
        "ts": now.wall,
        "from": "@server",
        "from_name": "Server",
        "to": agent.id,
        "content": "@@wake@@",
        "buffered": len(things),
        "dropped": sleep.buffer.dropped,
    }
    out.extend(Send((agent.id,), frame) for frame in (message, *things))
    if agent.keyed:
        out.append(Awake(agent.id, sleep.ident, last))
    membership.announce(world, agent, now, out)
    membership.note(agent, "woke", f"{why}, {len(things)} buffered, {sleep.buffer.dropped} dropped", now, out)


def overhear(
    world: World, channel: Channel, frame: Frame, number: int, out: list[Effect], meant: Agent | None = None
) -> None:
    """Let a message to a channel reach its sleepers as far as their modes have it; one agent may be meant anyway."""
    for ident in channel.asleep["buffer"]:
        hold(world.agents[ident], frame, number, out)
    dozing = channel.asleep["default"]
    if dozing:
        words = markers.mentions(frame["content"])
        agents = {agent.id: agent for word in words if (agent := world.find(f"@{word}"))}
        if meant:
            agents[meant.id] = meant
        for ident, agent in agents.items():
            if ident in dozing:
                hold(agent, frame, number, out)


def deliver(agent: Agent, frame: Frame, number: int, out: list[Effect]) -> bool:
    """Send a message to one agent, or buffer it while it sleeps; return whether it will ever get it."""
    if agent.sleep is None:
        out.append(Send((agent.id,), frame))
        return True
    if agent.sleep.mode == "drop":
        return False
    hold(agent, frame, number, out)
    return True


def hold(agent: Agent, frame: Frame, number: int, out: list[Effect]) -> None:
    """Buffer a message of this number for a sleeper."""
    if agent.sleep is None:
        return
    buffer = agent.sleep.buffer
    dropped = buffer.push(number, size(frame), frame)
    if agent.keyed:
        out.append(Buffered(agent.id, number))
        out.extend(Unbuffered(agent.id, entry.number, buffer.dropped) for entry in dropped)
