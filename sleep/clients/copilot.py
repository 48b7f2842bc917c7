"""Copilot CLI: a file of hooks a tool, flat entries; names in Pascal case give the fields that the others have too.

It also runs the hooks of `.claude/settings.json` and `.claude/settings.local.json`, so that a project with ours there
needs none here. It names a session's transcript at a Stop alone, and no last message there; the Stop of a sub-agent
names the sub-agent as its session. Measured with 1.0.102.
"""

from __future__ import annotations

from sleep.clients.client_table import Client

CLIENT = Client(
    name="copilot",
    title="Copilot CLI",
    program="copilot",
    folder=".github/hooks",
    events=(
        ("SessionStart", "session-start"),
        ("subagentStart", "subagent-start"),
        ("Stop", "stop"),
        ("PreCompact", "pre-compact"),
        ("SessionEnd", "session-end"),
    ),
    project=".github/hooks/sleepwake.json",
    user=".copilot/hooks/sleepwake.json",
    variable="COPILOT_HOME",
    nested=False,
    command="bash",
    timeout="timeoutSec",
    fresh=(("version", 1),),
    trust="Hooks of a project run in a folder that Copilot CLI trusts; in a terminal it asks once.",
    tried="1.0.102",
    signs=((2, "/session-state/"),),
    says=(("source", "new"),),  # it gives no transcript then
    variables=("COPILOT_CLI",),
    is_bare=True,
    transcript="session-state/{}/events.jsonl",
    says_last=False,
    reads_agents=True,
    runs_hooks_of="claude",
    agent="../agents/consolidate.md",
)
