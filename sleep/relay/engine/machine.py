"""The relay without a network: events in, effects out.

Owns which rule an event falls under, and what is due. Refuses every clock, disk, network and chance: the time and new
ids come with the event, effects are values that somebody else carries out, in order.
"""

from __future__ import annotations

from heapq import nsmallest
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, assert_never

from sleep.redaction import secret_scan
from sleep.relay.engine import arrivals, floor, membership, names, requests, sleeps, talk, verification
from sleep.relay.engine.effects import Arrived, Asked, Buffered, Departed, Kicked, Overdue, Send, refuse
from sleep.relay.engine.world import Agent, Rules, World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sleep.relay.engine.effects import Archive, Effect, Event, Now
    from sleep.relay.engine.frames import Frame

    Rule = Callable[[World, Agent, Any, str, Now, list[Effect]], None]

_AMONG = 20  # timers that are looked at for each sleeper that is shown
_AGAIN = 1.0  # seconds until the node of a sleeper whose time is up is asked again
_TIMED = "its time was up"
_BATCH = 500  # timers that one call fires: what is written out waits for the last of them


class Engine:
    """Everything the relay decides.

    Where connections are on many nodes (`shared`) a sleeper whose time is up wakes when its node says so (`rouse`): on
    a dead one nobody would hear the wake.
    """

    def __init__(self, rules: Rules | None = None, *, shared: bool = False) -> None:
        self.rules = rules or Rules()
        self.world = World(self.rules)
        self._shared = shared

    def handle(self, event: Event, now: Now) -> list[Effect]:
        """Return what an event leads to; nothing, where an agent asks or departs that is not here."""
        out: list[Effect] = []
        world = self.world
        match event:
            case Asked():
                agent = world.agents.get(event.agent)
                if agent is not None and agent.here:
                    _RULES[type(event.request)](world, agent, event.request, event.ident, now, out)
            case Arrived():
                arrivals.arrive(world, event, now, out)
            case Departed():
                agent = world.agents.get(event.agent)
                if agent is not None and agent.here:
                    arrivals.depart(world, agent, now, out, cut=event.cut)
            case Kicked():
                arrivals.kick(world, event, now, out)
            case _:
                assert_never(event)
        return out

    def advance(self, now: Now, most: int = _BATCH) -> list[Effect]:
        """Return what is due, at most so many things of it; `next_deadline` says whether there is more."""
        out: list[Effect] = []
        world = self.world
        for _ in range(most):
            key = world.timers.pop(now.mono)
            if key is None:
                break
            kind, whose = key
            if kind == "sleep":
                self._end_sleep(world.agents[whose], now, out)
            elif kind == "callback":
                talk.fire(world, whose, now, out)
            elif kind == "grace":
                arrivals.expire(world, whose, now, out)
            elif kind == "verification":
                verification.expire(world, whose, now, out)
            else:
                membership.shut(world, world.channels[whose], out)
        return out

    def _end_sleep(self, agent: Agent, now: Now, out: list[Effect]) -> None:
        if self._shared and agent.sleep:
            self.world.timers.set(("sleep", agent.id), now.mono + _AGAIN)
            out.append(Overdue(agent.id, agent.sleep.ident))
        else:
            sleeps.wake(self.world, agent, _TIMED, now, out)

    def rouse(self, ident: str, sleep: str, now: Now) -> list[Effect]:
        """Return what the end of a sleep leads to, whose node says that it lives; nothing, where it is over."""
        out: list[Effect] = []
        agent = self.world.agents.get(ident)
        if agent is not None and agent.here and agent.sleep and agent.sleep.ident == sleep:
            sleeps.wake(self.world, agent, _TIMED, now, out)
        return out

    def next_deadline(self) -> float | None:
        """Return when `advance` has something to do, None for never."""
        return self.world.timers.next()

    def miss(self, agent: str, frames: Mapping[int, Frame], now: Now) -> None:
        """Have these messages, which may not have reached a keyed agent, ready for its next arrival, by number."""
        for number in sorted(frames):
            arrivals.miss(self.world, Buffered(agent, number), frames, now)

    def restore(self, past: Archive, now: Now) -> list[Effect]:
        """Take up what outlived the last process, before the first event."""
        out: list[Effect] = []
        arrivals.restore(self.world, past, now, out)
        return out

    def refusal(self, name: str, agent: str = "") -> str:
        """Return why an agent cannot have a name, "" if it can; "" as the agent is a new one."""
        return names.refusal(name) or _name_conflict(self.world, name, agent)

    def is_free(self, ident: str) -> bool:
        """Return whether a new id can be mistaken for no name or id that is known."""
        return self.world.holder(ident[1:]) is None

    def channels(self, now: Now) -> Frame:
        """Return the answer to LIST_CHANNELS, which needs no identity."""
        return membership.list_channels(self.world, now)

    def observe(self, most: int = 200) -> dict[str, Any]:
        """Return what may be seen of agents and channels; sizes and times, no message.

        At most so many agents, whose number has no part in the cost: those that wake next, and those that came last.
        """
        channels = [
            {
                "name": channel.name,
                "agents": len(channel),
                "invite_only": channel.invite_only,
                "messages": len(channel.history),
            }
            for channel in self.world.channels.values()
        ]
        world = self.world
        visible = {agent.id: agent for agent in _next_awake(world, (most + 1) // 2)}
        for agent in reversed(world.agents.values()):
            if len(visible) >= most:
                break
            visible[agent.id] = agent
        agents = [_describe(agent) for agent in visible.values()]
        counts = {"count": len(world.agents), "asleep": world.sleepers, "timers": len(world.timers)}
        return {"agents": agents, "channels": channels, **counts}


def _next_awake(world: World, most: int) -> list[Agent]:
    """Return who wakes next, first one first; behind very many callbacks not all of them are found."""
    due = islice(world.timers, most * _AMONG)
    here = islice((world.agents[whose] for kind, whose in due if kind == "sleep"), most)
    absent = (world.agents[ident] for ident in world.absent)
    return nsmallest(most, chain(here, absent), key=lambda agent: agent.sleep.wakes if agent.sleep else 0)


def _describe(agent: Agent) -> dict[str, Any]:
    sleep = agent.sleep
    return {
        "id": agent.id,
        "name": agent.name,
        "keyed": agent.keyed,
        "here": agent.here,
        "presence": agent.visible_presence(),
        "status_text": agent.status_text,
        "callbacks": len(agent.callbacks or ()),
        "sleep": sleep
        and {
            "mode": sleep.mode,
            "since": sleep.since,
            "wakes_at": sleep.wakes,
            "buffered": len(sleep.buffer),
            "kinds": _kinds(sleep.buffer.things()),
            "dropped": sleep.buffer.dropped,
        },
    }


def _kinds(frames: list[Frame]) -> dict[str, int]:
    """Return how many of them are direct messages, messages to a channel (mentions, by default), and own callbacks."""
    callbacks = sum("cb_id" in frame for frame in frames)
    channel = sum(frame["to"].startswith("#") and "cb_id" not in frame for frame in frames)
    return {"direct": len(frames) - channel - callbacks, "channel": channel, "callbacks": callbacks}


# --- what a request does ---------------------------------------------------------------------------------------------


def _invite(world: World, agent: Agent, request: requests.Invite, ident: str, now: Now, out: list[Effect]) -> None:
    guest = membership.invite(world, agent, request, now, out)
    if guest is None:
        return
    frame = {
        "type": "MSG",
        "ts": now.wall,
        "from": agent.id,
        "from_name": agent.name,
        "to": guest.id,
        "content": f"You have been invited to {request.channel}",
        "msg_id": ident,
        "verified": False,
    }
    sleeps.deliver(guest, frame, world.number_message(guest.id, frame, out), out)


def _set_presence(
    world: World, agent: Agent, request: requests.SetPresence, _ident: str, now: Now, out: list[Effect]
) -> None:
    """Change what others see; a sleeper goes on sleeping, and waking makes it online."""
    text = request.text and secret_scan.redact(request.text, world.rules.secrets)[0]
    agent.presence, agent.status_text = request.status, text
    membership.announce(world, agent, now, out)


def _typing(world: World, agent: Agent, request: requests.Typing, _ident: str, now: Now, out: list[Effect]) -> None:
    channel = membership.channel_of(world, agent, request.channel, now, out)
    if channel is not None:
        frame = {"type": "TYPING", "ts": now.wall, "from": agent.id, "from_name": agent.name, "channel": channel.name}
        out.append(Send(membership.others(channel, agent), frame))


def _set_nick(world: World, agent: Agent, request: requests.SetNick, _ident: str, now: Now, out: list[Effect]) -> None:
    if why := _name_conflict(world, request.nick, agent.id):
        refuse(agent.id, "INVALID_NAME", why, now, out)
    else:
        arrivals.rename(world, agent, request.nick, (agent.id, *membership.peers(world, agent)), now, out)


def _name_conflict(world: World, name: str, agent: str) -> str:
    holder = world.holder(name)
    return f"the name {name} is taken, or looks like one that is" if holder not in (None, agent) else ""


def _refuse_always(code: str, why: str) -> Rule:
    def rule(_world: World, agent: Agent, _request: Any, _ident: str, now: Now, out: list[Effect]) -> None:  # noqa: ANN401
        refuse(agent.id, code, why, now, out)

    return rule


_RULES: dict[type, Rule] = {
    requests.Say: talk.say,
    requests.Chunk: talk.carry,
    requests.VerifyRequest: verification.ask,
    requests.VerifyResponse: verification.answer,
    requests.Ping: lambda _w, agent, _r, _i, now, out: out.append(Send((agent.id,), {"type": "PONG", "ts": now.wall})),
    requests.Join: lambda world, agent, request, _i, now, out: membership.join(world, agent, request.channel, now, out),
    requests.Leave: lambda world, agent, request, _i, now, out: membership.leave(
        world, agent, request.channel, now, out
    ),
    requests.Create: lambda world, agent, request, _i, now, out: membership.create(world, agent, request, now, out),
    requests.Invite: _invite,
    requests.SetPresence: _set_presence,
    requests.ListChannels: lambda world, agent, _r, _i, now, out: out.append(
        Send((agent.id,), membership.list_channels(world, now))
    ),
    requests.ListAgents: lambda world, agent, request, _i, now, out: membership.list_agents(
        world, agent, request.channel, now, out
    ),
    requests.Typing: _typing,
    requests.SetNick: _set_nick,
    requests.Respond: lambda world, agent, request, _i, now, out: floor.claim(world, agent, request, now, out),
    requests.Identify: _refuse_always("INVALID_MSG", "Already identified"),
    requests.Verify: _refuse_always("INVALID_MSG", "Already identified"),
    requests.Kick: _refuse_always("NOT_ALLOWED", "not from here"),
}
