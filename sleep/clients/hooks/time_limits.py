"""How long a hook may take: what the installed entry says, and how much of it what runs inside may use.

One table for both sides, so that a hook ends by itself before its client ends it.
"""

from __future__ import annotations

SECONDS = {
    "session-start": 120,
    "subagent-start": 15,
    "user-prompt-submit": 15,
    "stop": 30,
    "pre-compact": 60,
    "session-end": 30,
}
_OWN = {("codex", "session-end"): 3}  # the most that Codex grants
_SHARE = 0.75


def seconds(client: str, event: str) -> int:
    """Return the timeout that a client's entry for an event says."""
    return _OWN.get((client, event), SECONDS[event])


def usable(client: str, event: str) -> float:
    """Return the seconds that a hook of this event may use in all."""
    return seconds(client, event) * _SHARE
