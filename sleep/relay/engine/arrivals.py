"""Who comes, who goes, and who may come back.

Owns arrivals, departures, and keyed sleepers that were cut off: by the end of the process, or, where `durable` says so,
by the end of their connection. They are waited for until some time after their sleep would have ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.relay.engine import frames, membership, sleeps, talk
from sleep.relay.engine.buffers import Buffer
from sleep.relay.engine.effects import Close, Gone, Send, Sent
from sleep.relay.engine.frames import size
from sleep.relay.engine.world import Agent, Sleep, describe_sleep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.relay.engine.effects import Archive, Arrived, Asleep, Buffered, Effect, Kicked, Now, Opened, Set
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.world import World

_SPOKE = 1000  # keyed agents that left a moment ago, whose pace is remembered


def arrive(world: World, event: Arrived, now: Now, out: list[Effect]) -> None:
    """Welcome an agent, put it into the public channels, and give it what it slept through."""
    agent = world.agents.get(event.agent)
    is_known = agent is not None
    if agent is None:
        agent = Agent(event.agent, event.name, event.keyed, spoke=world.spoke.pop(event.agent, float("-inf")))
        world.register(agent)
    agent.here = True
    world.absent.pop(agent.id, None)
    world.timers.cancel(("grace", agent.id))
    welcome = {"type": "WELCOME", "ts": now.wall, "agent_id": agent.id, "name": event.name}
    welcome |= {"server": world.rules.server, **({"motd": world.rules.motd} if world.rules.motd else {})}
    out.append(Send((agent.id,), welcome | ({"verified": False} if agent.keyed else {})))
    if agent.name != event.name:
        rename(world, agent, event.name, membership.peers(world, agent), now, out)
    for name in world.rules.public:
        if name not in agent.channels:
            _enter(world, agent, name, now, out)
    if missed := world.missed.pop(agent.id, None):
        last = missed.last()
        out.extend(Send((agent.id,), frame) for frame in missed.empty())
        out.append(Sent(agent.id, last))
    if agent.sleep:
        sleeps.wake(world, agent, "it came back", now, out)
    elif agent.presence != frames.ONLINE:
        agent.presence = frames.ONLINE
        membership.announce(world, agent, now, out)
    for entry in world.parked.pop(agent.id, ()):
        talk.arm(world, agent, entry, now.mono + max(0.0, (entry.fires - now.wall) / 1000))
    membership.note(agent, "joined", "again" if is_known else "", now, out)


def _enter(world: World, agent: Agent, name: str, now: Now, out: list[Effect]) -> None:
    channel = world.channels[name]
    notice = {
        "type": "MSG",
        "ts": now.wall,
        "from": "@server",
        "from_name": "Server",
        "to": name,
        "content": f"{agent.name} came online",
    }
    out.append(Send(membership.enter(world, agent, channel, now, out), notice))


def rename(world: World, agent: Agent, name: str, to: tuple[str, ...], now: Now, out: list[Effect]) -> None:
    """Give an agent another name, which is free, and say so."""
    changed = {"type": "NICK_CHANGED", "ts": now.wall, "agent_id": agent.id, "old_nick": agent.name, "new_nick": name}
    world.rename(agent, name)
    out.append(Send(to, changed))
    if agent.keyed and agent.sleep:
        out.append(describe_sleep(agent, agent.sleep))


def depart(world: World, agent: Agent, now: Now, out: list[Effect], *, cut: bool = False) -> None:
    """Let go of an agent whose connection ended."""
    if agent.keyed and agent.sleep and (cut or world.rules.durable):
        _wait_for(world, agent, agent.sleep.wakes, now, out)
        return
    _end(world, agent, now, out)
    membership.note(agent, "left", "", now, out)


def kick(world: World, event: Kicked, now: Now, out: list[Effect]) -> None:
    """End an agent's session, whatever state it is in."""
    agent = world.agents.get(event.agent)
    if agent is None:
        return
    if agent.here:
        out.append(Send((agent.id,), {"type": "KICKED", "ts": now.wall, "reason": event.reason}))
        out.append(Close(agent.id, 1000, event.reason))
    membership.note(agent, "kicked", event.reason, now, out)
    _end(world, agent, now, out)


def expire(world: World, ident: str, now: Now, out: list[Effect]) -> None:
    """Give up on somebody who did not come back."""
    agent = world.agents.get(ident)
    if agent is None:
        world.parked.pop(ident, None)
        if missed := world.missed.pop(ident, None):
            missed.empty()
        out.append(Gone(ident))
        return
    _end(world, agent, now, out)
    membership.note(agent, "left", "did not come back", now, out)


def _end(world: World, agent: Agent, now: Now, out: list[Effect]) -> None:
    """Let go of an agent: its sleep, its callbacks, its channels and its name."""
    world.timers.cancel(("sleep", agent.id))
    world.timers.cancel(("grace", agent.id))
    talk.disarm(world, agent)
    world.parked.pop(agent.id, None)
    for name in tuple(agent.channels):
        membership.remove_member(world, agent, world.channels[name], now, out)
    world.forget(agent)
    if agent.sleep:
        world.sleepers -= 1
        agent.sleep.buffer.empty()
    if agent.keyed:
        world.spoke[agent.id] = agent.spoke
        if len(world.spoke) > _SPOKE:
            del world.spoke[next(iter(world.spoke))]
        out.append(Gone(agent.id))


def _wait_for(world: World, agent: Agent, wakes: int, now: Now, out: list[Effect]) -> None:
    agent.here = False
    world.timers.cancel(("sleep", agent.id))
    if parked := talk.disarm(world, agent):
        world.parked[agent.id] = parked
    delay = min(max(0.0, (wakes - now.wall) / 1000), world.rules.longest)
    world.timers.set(("grace", agent.id), now.mono + delay + world.rules.grace)
    world.absent[agent.id] = None
    if len(world.absent) > world.rules.absent:
        expire(world, next(iter(world.absent)), now, out)


# --- after the end of a process ---------------------------------------------------------------------------------------


def restore(world: World, past: Archive, now: Now, out: list[Effect]) -> None:
    """Take up what outlived the last process: history, and keyed agents that may come back. None of them is here."""
    for channel in past.channels:
        _reopen(world, channel, now)
    messages = {message.number: message.frame for message in past.messages}
    world.number = max(messages, default=world.number)
    for message in past.messages:
        if message.target in world.channels:
            world.channels[message.target].history.push(message.number, size(message.frame), message.frame)
    for sleeper in past.asleep:
        _lay_down(world, sleeper, now, out)
    for pending in past.buffered:
        _refill(world, pending, messages, now)
    for entry in past.callbacks:
        _park(world, entry, now)


def _reopen(world: World, opened: Opened, now: Now) -> None:
    if opened.channel not in world.channels:
        channel = world.open(opened.channel, public=False, invite_only=opened.invite_only)
        channel.guests.update(dict.fromkeys(opened.guests))
        world.timers.set(("channel", opened.channel), now.mono + world.rules.longest + world.rules.grace)


def _lay_down(world: World, sleeper: Asleep, now: Now, out: list[Effect]) -> None:
    sleep = Sleep(sleeper.ident, sleeper.mode, sleeper.since, sleeper.wakes, world.buffer(sleeper.dropped))
    agent = Agent(sleeper.agent, sleeper.name, keyed=True, sleep=sleep)
    world.register(agent)
    world.sleepers += 1
    for name in sleeper.channels:
        if name in world.channels:
            agent.channels[name] = None
            world.channels[name].asleep[sleeper.mode][agent.id] = None
    _wait_for(world, agent, sleeper.wakes, now, out)


def _refill(world: World, entry: Buffered, messages: dict[int, Frame], now: Now) -> None:
    agent, frame = world.agents.get(entry.agent), messages.get(entry.number)
    if frame is None:
        return
    if agent is not None and agent.sleep:
        agent.sleep.buffer.push(entry.number, size(frame), frame)
        return
    miss(world, entry, messages, now)


def miss(world: World, entry: Buffered, messages: Mapping[int, Frame], now: Now) -> None:
    """Keep a message that may not have reached an agent until it comes."""
    frame = messages[entry.number]
    if entry.agent not in world.missed:
        rules = world.rules
        world.missed[entry.agent] = Buffer(rules.missed, rules.buffer_room, world.pool)
        _forget_later(world, entry.agent, now)
    world.missed[entry.agent].push(entry.number, size(frame), frame)


def _park(world: World, entry: Set, now: Now) -> None:
    world.parked.setdefault(entry.agent, []).append(entry)
    _forget_later(world, entry.agent, now)


def _forget_later(world: World, agent: str, now: Now) -> None:
    if agent not in world.agents and ("grace", agent) not in world.timers:
        world.timers.set(("grace", agent), now.mono + world.rules.longest + world.rules.grace)
