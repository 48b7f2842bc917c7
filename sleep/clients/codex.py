"""Codex: hooks in a file of their own, of Claude Code's shape; a session's end has 3 s at the most.

Skips a hook that was not trusted, without a word; trust is for the exact command, so a changed one is asked for again.
Measured with 0.169.0.
"""

from __future__ import annotations

from sleep.clients.client_table import EVENTS, Client

CLIENT = Client(
    name="codex",
    title="Codex",
    program="codex",
    folder=".codex",
    events=EVENTS,
    project=".codex/hooks.json",
    user=".codex/hooks.json",
    variable="CODEX_HOME",
    trust="Codex runs no hook before you trust it, and skips it without a word: start codex in this folder, look at "
    "these with /hooks, and trust them. Trust is for the exact command; if the command changes, Codex asks again.",
    tried="0.169.0",
    prompt="UserPromptSubmit",
    signs=((1, "/rollout-"),),
    says=(("turn_id", ""),),
    limits=(("session-end", 3),),
    reads_agents=True,
    agent="agents/consolidate.toml",
)
