"""Channels: joining, leaving, listing, and who shares one with whom.

Owns membership. An agent that falls asleep stays a member. A channel that is not public ends with its last member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.relay.engine import frames
from sleep.relay.engine.effects import Noted, Send, Shut, refuse
from sleep.relay.engine.world import Channel, describe_channel, describe_sleep

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Doing, Effect, Now
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.requests import Create, Invite
    from sleep.relay.engine.world import Agent, World


def channel_of(world: World, agent: Agent, name: str, now: Now, out: list[Effect], remark: str = "") -> Channel | None:
    """Return a channel that the agent is in; None after telling it that it is not, or that there is no such channel.

    A remark stands behind that.
    """
    channel = world.channels.get(name)
    if channel is not None and name in agent.channels:
        return channel
    code, why = ("NOT_INVITED", f"Not a member of {name}") if channel is not None else _missing(name)
    refuse(agent.id, code, why + remark, now, out)
    return None


def _missing(name: str) -> tuple[str, str]:
    return "CHANNEL_NOT_FOUND", f"Channel {name} not found"


def peers(world: World, agent: Agent) -> tuple[str, ...]:
    """Return everybody else who is awake and shares a channel with an agent, once each."""
    idents: dict[str, None] = {}
    for name in agent.channels:
        idents |= world.channels[name].awake
    idents.pop(agent.id, None)
    return tuple(idents)


def others(channel: Channel, agent: Agent) -> tuple[str, ...]:
    """Return everybody else who is awake in a channel."""
    return tuple(member for member in channel.awake if member != agent.id)


def enter(world: World, agent: Agent, channel: Channel, now: Now, out: list[Effect]) -> tuple[str, ...]:
    """Make an agent a member, and tell the others; return those that were told."""
    to = tuple(channel.awake)
    joined = {
        "type": "AGENT_JOINED",
        "ts": now.wall,
        "channel": channel.name,
        "agent": agent.id,
        "name": agent.name,
        "verified": False,
    }
    out.append(Send(to, joined))
    agent.channels[channel.name] = None
    group = channel.asleep[agent.sleep.mode] if agent.sleep else channel.awake
    group[agent.id] = None
    _note(agent, out)
    world.timers.cancel(("channel", channel.name))
    return to


def join(world: World, agent: Agent, name: str, now: Now, out: list[Effect]) -> None:
    """Join a channel, or join again; either way the members and the history come back."""
    channel = world.channels.get(name)
    if channel is None:
        refuse(agent.id, *_missing(name), now, out)
        return
    if name not in agent.channels:
        if channel.invite_only and agent.id not in channel.guests:
            refuse(agent.id, "NOT_INVITED", f"Channel {name} is invite-only", now, out)
            return
        enter(world, agent, channel, now, out)
    out.append(Send((agent.id,), _joined_frame(world, channel, now)))
    out.extend(Send((agent.id,), {**frame, "replay": True}) for frame in channel.history.things())


def _joined_frame(world: World, channel: Channel, now: Now) -> Frame:
    members = [world.agents[member] for member in channel.members()]
    agents = [{"id": member.id, "name": member.name, "verified": False} for member in members]
    return {"type": "JOINED", "ts": now.wall, "channel": channel.name, "agents": agents}


def leave(world: World, agent: Agent, name: str, now: Now, out: list[Effect]) -> None:
    """Leave a channel; one where the agent is not gets the same answer."""
    if channel := world.channels.get(name):
        remove_member(world, agent, channel, now, out)
    out.append(Send((agent.id,), {"type": "LEFT", "ts": now.wall, "channel": name}))


def remove_member(world: World, agent: Agent, channel: Channel, now: Now, out: list[Effect]) -> None:
    """End a membership, and tell the others."""
    if channel.name not in agent.channels:
        return
    del agent.channels[channel.name]
    for group in (channel.awake, *channel.asleep.values()):
        group.pop(agent.id, None)
    channel.release(agent)
    frame = {"type": "AGENT_LEFT", "ts": now.wall, "channel": channel.name, "agent": agent.id, "name": agent.name}
    out.append(Send(tuple(channel.awake), frame))
    _note(agent, out)
    if not len(channel):
        shut(world, channel, out)


def shut(world: World, channel: Channel, out: list[Effect]) -> None:
    """End a channel that nobody is in, unless it is public."""
    if not channel.public and not len(channel):
        world.timers.cancel(("channel", channel.name))
        world.close(channel.name)
        channel.history.empty()
        out.append(Shut(channel.name))


def create(world: World, agent: Agent, request: Create, now: Now, out: list[Effect]) -> None:
    """Make a channel and put its maker in."""
    if other := world.channel_like(request.channel):
        why = "already exists" if other == request.channel else "looks like one that exists"
        refuse(agent.id, "CHANNEL_EXISTS", f"Channel {request.channel} {why}", now, out)
        return
    if len(world.channels) >= world.rules.channels:
        refuse(agent.id, "NOT_ALLOWED", f"there are {world.rules.channels} channels, which is the most", now, out)
        return
    channel = world.open(request.channel, public=False, invite_only=request.invite_only)
    channel.guests[agent.id] = None
    out.append(describe_channel(channel))
    enter(world, agent, channel, now, out)
    out.append(Send((agent.id,), _joined_frame(world, channel, now)))


def invite(world: World, agent: Agent, request: Invite, now: Now, out: list[Effect]) -> Agent | None:
    """Let an agent into a channel; return it if it is to be told."""
    channel = channel_of(world, agent, request.channel, now, out)
    if channel is None:
        return None
    guest = world.find(request.agent if request.agent.startswith("@") else f"@{request.agent}")
    if guest is None:
        refuse(agent.id, "AGENT_NOT_FOUND", f"Agent {request.agent} not found", now, out)
        return None
    if channel.public or guest.id in channel.guests:
        return guest
    if len(channel.guests) >= world.rules.guests:
        refuse(agent.id, "NOT_ALLOWED", f"{world.rules.guests} are invited, which is the most", now, out)
        return None
    channel.guests[guest.id] = None
    out.append(describe_channel(channel))
    return guest


def list_channels(world: World, now: Now) -> Frame:
    """Return the list of channels, those that need an invitation left out."""
    rows = [
        {"name": channel.name, "agents": len(channel)} for channel in world.channels.values() if not channel.invite_only
    ]
    return {"type": "CHANNELS", "ts": now.wall, "list": rows}


def list_agents(world: World, agent: Agent, name: str, now: Now, out: list[Effect]) -> None:
    """Tell who is in a channel; only its members see an invite-only one."""
    channel = world.channels.get(name)
    if channel is None or (channel.invite_only and name not in agent.channels):
        refuse(agent.id, *_missing(name), now, out)
        return
    rows = [_row(world.agents[member]) for member in channel.members()]
    out.append(Send((agent.id,), {"type": "AGENTS", "ts": now.wall, "channel": name, "list": rows}))


def _row(agent: Agent) -> Frame:
    row = {"id": agent.id, "name": agent.name, "presence": agent.visible_presence(), "status_text": agent.status_text}
    return row | {"verified": False} | ({"wakes_at": agent.sleep.wakes} if agent.sleep else {})


def announce(world: World, agent: Agent, now: Now, out: list[Effect]) -> None:
    """Tell everybody who shares a channel what presence an agent has now."""
    to = peers(world, agent)
    announced = frames.presence(agent.id, agent.name, agent.visible_presence(), agent.status_text, now.wall)
    out.extend(Send(to, frame) for frame in announced)


def note(agent: Agent, doing: Doing, detail: str, now: Now, out: list[Effect]) -> None:
    """Put something into the feed of activity."""
    out.append(Noted(now.wall, agent.id, agent.name, doing, detail))


def _note(agent: Agent, out: list[Effect]) -> None:
    """Keep in which channels a keyed sleeper is."""
    if agent.keyed and agent.sleep:
        out.append(describe_sleep(agent, agent.sleep))
