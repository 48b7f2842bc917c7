"""The floor: which agent answers a message, so that not all of them do.

Owns the claims. The earliest start wins, of equals the lesser id; who loses is told to yield. It is advice: nothing is
held back. A claim ends when its holder speaks in the channel, leaves it, or lets its time pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.relay.engine import membership
from sleep.relay.engine.effects import Send
from sleep.relay.engine.world import Claim

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Effect, Now
    from sleep.relay.engine.requests import Respond
    from sleep.relay.engine.world import Agent, World


def claim(world: World, agent: Agent, request: Respond, now: Now, out: list[Effect]) -> None:
    """Take the floor for a message, or be told to yield it."""
    channel = membership.channel_of(world, agent, request.channel, now, out)
    if channel is None:
        return
    for message in [ident for ident, current in channel.claims.items() if current.until <= now.mono]:
        del channel.claims[message]
    mine = Claim(agent.id, request.started, now.mono + world.rules.claim)
    current = channel.claims.get(request.message)
    if current and current.agent != agent.id:
        loser = max(current, mine, key=lambda contender: (contender.started, contender.agent))
        winner = world.agents[current.agent if loser is mine else agent.id]
        yielding = {
            "type": "YIELD",
            "ts": now.wall,
            "msg_id": request.message,
            "channel": channel.name,
            "holder": winner.id,
            "reason": f"{winner.name} is answering since before",
        }
        to = world.agents[loser.agent]
        if to.sleep is None or to is agent:
            out.append(Send((to.id,), yielding))
        if loser is mine:
            return
    channel.claims.pop(request.message, None)
    channel.claims[request.message] = mine
    if len(channel.claims) > world.rules.claims:
        del channel.claims[next(iter(channel.claims))]
    claimed = {
        "type": "FLOOR_CLAIMED",
        "ts": now.wall,
        "msg_id": request.message,
        "channel": channel.name,
        "holder": agent.id,
        "holder_name": agent.name,
        "started_at": request.started,
    }
    out.append(Send(membership.others(channel, agent), claimed))
