"""What others see of an agent: its presence, and the two frames that announce a change.

Owns which presence may be asked for: `sleeping` is none of them, for only a marker puts an agent to sleep, and only its
own. Clients read `PRESENCE_CHANGED`; the requirement names `PRESENCE`; both go out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sleep.relay.engine.frames import Frame

ONLINE, SLEEPING = "online", "sleeping"
ASKED = frozenset({"online", "away", "busy", "offline", "listening"})
TEXT = 100  # characters of a status text


def frames(agent: str, name: str, presence: str, status_text: str | None, ts: int) -> tuple[Frame, Frame]:
    """Return the frames of a change of presence, for everybody who shares a channel."""
    return (
        {
            "type": "PRESENCE_CHANGED",
            "ts": ts,
            "agent_id": agent,
            "name": name,
            "presence": presence,
            "status_text": status_text,
        },
        {"type": "PRESENCE", "ts": ts, "agent": agent, "presence": presence},
    )
