"""What the page of agents shows of what the relay lets be seen: sleepers first.

Pure. Owns the order, and the form of the stream's events. The relay itself chooses which of very many agents are seen.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def state(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state without its time: counts, and the agents, who wakes next first, then the others by name."""
    return {
        "server": view["server"],
        "connections": view["connections"],
        "journal": view["journal"],
        "count": view["count"],
        "asleep": view["asleep"],
        "agents": sorted(view["agents"], key=_order),
    }


def event(name: str, value: object) -> bytes:
    """Return a server-sent event; JSON has no line break in it, so one line of data is enough."""
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n".encode()


def _order(agent: Mapping[str, Any]) -> tuple[float, str]:
    sleep = agent["sleep"]
    return (sleep["wakes_at"] if sleep else float("inf"), agent["name"].lower())
