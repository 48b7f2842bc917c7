"""Which session a call belongs to: a client keeps its server over many of them.

Owns asking, in this order: `SLEEP_SESSION`, what the call itself says (Codex), the session that our hooks saw last in
the client's process, and what the environment said when the server was started: after Claude Code's `/clear` that is
past.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep import settings
from sleep.debt import liveness, sessions
from sleep.store import context as contexts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.layout import Root

_CODEX = "x-codex-turn-metadata"
_KNOWN = 30  # sessions that are looked at: those that were heard of last
_NAME = re.compile(r"[\w.:-]{1,200}")


def session(meta: Mapping[str, object], where: Root | None) -> str:
    """Return the session of a call, "" where nothing tells; `meta` is the call's `_meta`."""
    named = settings.environment().get("SLEEP_SESSION", "")
    return named or _session_of_turn(meta) or (_seen(where) if where else "") or settings.session() or ""


def _session_of_turn(meta: Mapping[str, object]) -> str:
    turn = meta.get(_CODEX)
    name = turn.get("session_id") if isinstance(turn, dict) else None
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


def _seen(where: Root) -> str:
    """Return the session that began last in the process that started this server."""
    client = liveness.client_process()
    known = sessions.newest(contexts.of(where), _KNOWN) if client[0] else []
    mine = [session for session in known if (session.pid, session.pid_started) == client and session.ended_at is None]
    return max(mine, key=lambda session: session.started_at).session_id if mine else ""
