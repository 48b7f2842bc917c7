"""What `GET /health` says: that the relay lives, since when, and how much of everything there is.

Owns the form, which is that of agentchat's server, for what watches those. No name of an agent is in it: with a token
this is the one thing that strangers may see.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sleep import __version__

if TYPE_CHECKING:
    from collections.abc import Sized

    from sleep.relay.engine.world import World

_PROPOSALS = {"total": 0}  # none is ever carried


def report(server: str, world: World, here: Sized, up: float) -> dict[str, Any]:
    """Return the health of a relay that has been up for so many seconds; `here` are the agents with a connection."""
    wall = time.time()
    agents = {"connected": len(here), "with_identity": sum(agent.keyed for agent in world.agents.values())}
    public = sum(not channel.invite_only for channel in world.channels.values())
    return {
        "status": "healthy",
        "server": server,
        "version": __version__,
        "uptime_seconds": round(up),
        "started_at": _utc(wall - up),
        "agents": agents,
        "channels": {"total": len(world.channels), "public": public},
        "proposals": _PROPOSALS,
        "timestamp": _utc(wall),
    }


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
