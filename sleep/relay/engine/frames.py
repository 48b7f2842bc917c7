"""Frames: what becomes one JSON object on the wire.

Owns the type, the frames that more than one rule sends, and which presence may be asked for: `sleeping` is none of
them, for only a marker puts an agent to sleep, and only its own. A frame that went out is never changed.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]
DISPLACED = "displaced by another connection of this agent"  # why such a session is closed
ONLINE, SLEEPING = "online", "sleeping"
STATUSES = frozenset({"online", "away", "busy", "offline", "listening"})
STATUS_TEXT = 100  # characters
_FORM = 200  # characters that a frame counts for beside its content


def error(code: str, message: str, ts: int) -> Frame:
    """Return the frame of a refusal; `ts` is in milliseconds of the epoch."""
    return {"type": "ERROR", "ts": ts, "code": code, "message": message}


def displaced(address: str, ts: int) -> Frame:
    """Return the frame for a session that another connection of the same agent, from an address, takes the place of."""
    reason = "another connection proved to be this agent"
    return {"type": "SESSION_DISPLACED", "ts": ts, "reason": reason, "new_ip": address}


def size(frame: Frame) -> int:
    """Return what a frame counts for in a buffer, in characters."""
    return len(frame["content"]) + _FORM


def presence(agent: str, name: str, status: str, status_text: str | None, ts: int) -> tuple[Frame, Frame]:
    """Return the frames of a change: clients read `PRESENCE_CHANGED`, the requirement names `PRESENCE`."""
    return (
        {
            "type": "PRESENCE_CHANGED",
            "ts": ts,
            "agent_id": agent,
            "name": name,
            "presence": status,
            "status_text": status_text,
        },
        {"type": "PRESENCE", "ts": ts, "agent": agent, "presence": status},
    )
