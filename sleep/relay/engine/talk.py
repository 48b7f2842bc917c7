"""What an agent says: where it goes, what its markers do, and callbacks when they are due.

Owns the order of a message: its sender wakes, the text without its markers is relayed, its callbacks are set, and last
its sleep begins. A message that is refused does no more than wake its sender.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.redaction import secret_scan
from sleep.relay.engine import markers, membership, sleeps
from sleep.relay.engine.effects import Buffered, Send, Sent, Set, Unset, refuse
from sleep.relay.engine.frames import size
from sleep.relay.engine.world import Channel

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Effect, Now
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.markers import Callback
    from sleep.relay.engine.requests import Chunk, Say
    from sleep.relay.engine.world import Agent, World

_NAMES = 4000  # words that may name a secret: a value behind one takes up to 50 microseconds to judge
_NAME = ("key", "ken", "cret", "cred", "pass", "pwd")
_SHORTEST = re.compile(r"pw(?![a-z0-9])")
_SHORT = 3 * _NAMES // 2  # characters: no shorter text has so many


def say(world: World, agent: Agent, request: Say, ident: str, now: Now, out: list[Effect]) -> None:
    """Relay a message and do what its markers say."""
    asleep = " (you are not asleep)" if "@@sleep:" in request.content else ""
    if now.mono - agent.spoke < world.rules.rate:
        asleep = " (you are asleep as before)" if agent.sleep else asleep
        why = f"Rate limit exceeded ({world.rules.rate:g} s between messages): dropped{asleep}"
        refuse(agent.id, "RATE_LIMITED", why, now, out)
        return
    agent.spoke = now.mono
    if agent.sleep:
        sleeps.wake(world, agent, "it spoke", now, out)
    to = _target(world, agent, request, asleep, now, out)
    if to is None:
        return
    parsed = markers.parse(request.content, world.rules.callbacks)
    if _is_costly(parsed.text):
        why = f"more than {_NAMES} words in it may name a secret, too many to look behind each: dropped{asleep}"
        refuse(agent.id, "INVALID_MSG", why, now, out)
        return
    text = secret_scan.redact(parsed.text, world.rules.secrets)[0]
    if text or not parsed.marked:
        frame = _frame(agent, request, text, ident, now)
        if request.in_reply_to:
            frame["in_reply_to"] = secret_scan.redact(request.in_reply_to, world.rules.secrets)[0]
        _relay(world, agent, to, frame, out)
    if parsed.callbacks:
        _schedule(world, agent, parsed.callbacks, ident, now, out)
    if parsed.excess:
        most = world.rules.callbacks
        refuse(agent.id, "NOT_ALLOWED", f"a message may have {most} callbacks at most: those behind are lost", now, out)
    if parsed.sleep:
        sleeps.fall(world, agent, parsed.sleep, ident, now, out)


def carry(world: World, agent: Agent, request: Chunk, _ident: str, now: Now, out: list[Effect]) -> None:
    """Pass a piece of a file on, to who is awake; it changes nothing, so a node need not ask the others."""
    to = world.find(request.to)
    if to is None or not to.here:
        refuse(agent.id, "AGENT_NOT_FOUND", f"Agent {request.to} not found", now, out)
    elif to.sleep:
        why = f"Agent {request.to} is asleep: file chunks are not kept, send them when it is awake"
        refuse(agent.id, "NOT_ALLOWED", why, now, out)
    else:
        frame = {"type": "FILE_CHUNK", "ts": now.wall, "from": agent.id, "to": to.id, "content": request.content}
        out.append(Send((to.id,), frame))


def _frame(agent: Agent, request: Say, text: str, ident: str, now: Now) -> Frame:
    frame = {
        "type": "MSG",
        "ts": now.wall,
        "from": agent.id,
        "from_name": agent.name,
        "to": request.to,
        "content": text,
        "msg_id": ident,
        "verified": False,
    }
    if request.sig and text == request.content:
        frame["sig"] = request.sig
    return frame


def _is_costly(text: str) -> bool:
    """Return whether it would take long to look for secrets, while everybody else waits: behind each name it does."""
    if len(text) < _SHORT:
        return False
    low = text.lower()
    return sum(map(low.count, _NAME)) + len(_SHORTEST.findall(low)) > _NAMES


def _target(
    world: World, agent: Agent, request: Say, asleep: str, now: Now, out: list[Effect]
) -> Channel | Agent | None:
    if request.to.startswith("#"):
        return membership.channel_of(world, agent, request.to, now, out, asleep)
    to = world.find(request.to)
    if to is None:
        refuse(agent.id, "AGENT_NOT_FOUND", f"Agent {request.to} not found{asleep}", now, out)
    return to


def _relay(world: World, agent: Agent, to: Channel | Agent, frame: Frame, out: list[Effect]) -> None:
    if isinstance(to, Channel):
        to.release(agent)
        number = world.number_message(to.name, frame, out)
        to.history.push(number, size(frame), frame)
        out.append(Send(tuple(to.awake), frame))
        sleeps.overhear(world, to, frame, number, out)
        return
    frame["to"] = to.id
    number = world.number_message(to.id, frame, out)
    if to.sleep is None:
        out.append(Send((to.id, agent.id) if to is not agent else (agent.id,), frame))
        if to.keyed and to is not agent:
            out += (Buffered(to.id, number), Sent(to.id, number))
        return
    is_buffered = sleeps.deliver(to, frame, number, out)
    echo = {**frame, "recipient": "sleeping", "wakes_at": to.sleep.wakes, "buffered": is_buffered}
    out.append(Send((agent.id,), echo))


def _schedule(
    world: World, agent: Agent, callbacks: tuple[Callback, ...], ident: str, now: Now, out: list[Effect]
) -> None:
    rules = world.rules
    for count, callback in enumerate(callbacks):
        if len(callback.payload) > rules.payload:
            why = f"a callback's payload is longer than {rules.payload} characters"
            refuse(agent.id, "INVALID_MSG", why, now, out)
            continue
        if callback.channel and membership.channel_of(world, agent, callback.channel, now, out) is None:
            continue
        if len(agent.callbacks or ()) >= rules.callbacks:
            refuse(agent.id, "NOT_ALLOWED", f"{rules.callbacks} callbacks wait, which is the most", now, out)
            return
        seconds = min(callback.seconds, rules.longest)
        payload = secret_scan.redact(callback.payload, rules.secrets)[0]
        fires = now.wall + round(seconds * 1000)
        entry = Set(agent.id, f"cb_{ident}_{count}" if count else f"cb_{ident}", fires, callback.channel, payload)
        arm(world, agent, entry, now.mono + seconds)
        if agent.keyed:
            out.append(entry)


def arm(world: World, agent: Agent, entry: Set, when: float) -> None:
    """Set the timer of a callback."""
    if agent.callbacks is None:
        agent.callbacks = set()
    agent.callbacks.add(entry.ident)
    world.callbacks[entry.ident] = entry
    world.timers.set(("callback", entry.ident), when)


def disarm(world: World, agent: Agent) -> list[Set]:
    """Take an agent's callbacks out, and return them."""
    entries = [world.callbacks.pop(ident) for ident in sorted(agent.callbacks or ())]
    for entry in entries:
        world.timers.cancel(("callback", entry.ident))
    agent.callbacks = None
    return entries


def fire(world: World, ident: str, now: Now, out: list[Effect]) -> None:
    """Say what a callback has to say; in a channel only while its maker is a member."""
    entry = world.callbacks.pop(ident)
    agent = world.agents[entry.agent]
    if agent.callbacks is not None:
        agent.callbacks.discard(ident)
    frame = {
        "type": "MSG",
        "ts": now.wall,
        "from": "@server",
        "from_name": "server",
        "to": entry.channel or agent.id,
        "content": f"@@cb-fire@@{entry.payload}",
        "cb_id": ident,
        "cb_origin": agent.id,
    }
    if not entry.channel:
        sleeps.deliver(agent, frame, world.number_message(agent.id, frame, out) if agent.sleep else 0, out)
    elif entry.channel in agent.channels:
        channel = world.channels[entry.channel]
        number = world.number_message(agent.id, frame, out) if any(channel.asleep.values()) else 0
        out.append(Send(tuple(channel.awake), frame))
        sleeps.overhear(world, channel, frame, number, out, meant=agent)
    if agent.keyed:
        out.append(Unset(ident))
