"""Copilot CLI: a file of hooks a tool, flat entries; names in Pascal case give the fields that the others have too.

It also runs the hooks of `.claude/settings.json` and `.claude/settings.local.json`, so that a project with ours there
needs none here. It names a session's transcript at a Stop alone. Measured with 1.0.102; the program itself does not run
in our tests.
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
    signs=((2, "/session-state/"),),
    says=(("source", "new"),),  # it gives no transcript then
    variables=("COPILOT_CLI",),
    is_bare=True,
    transcript="session-state/{}/events.jsonl",
    reads_agents=True,
    runs_hooks_of="claude",
)
