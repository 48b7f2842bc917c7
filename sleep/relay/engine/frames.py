"""Frames: what becomes one JSON object on the wire.

Owns the type, and the frames that more than one rule sends. A frame that went out is never changed.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]
DISPLACED = "displaced by another connection of this agent"  # why such a session is closed
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
