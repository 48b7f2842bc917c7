"""Claude Code: hooks in the `hooks` of its settings; a session's end has 1.5 s unless the entry says more.

Loads the settings of the folder it was started in, not those of the repository's top. Versions before 2.1 refuse a
whole file for one event they do not know. Measured with 2.1.329.
"""

from __future__ import annotations

from sleep.clients.client_table import EVENTS, Client

CLIENT = Client(
    name="claude",
    title="Claude Code",
    program="claude",
    folder=".claude",
    events=EVENTS,
    project=".claude/settings.json",
    private=".claude/settings.local.json",
    user=".claude/settings.json",
    variable="CLAUDE_CONFIG_DIR",
    older=("SubagentStart",),
    since=(2, 1),
    trust="It loads the settings of the folder it is started in, none from a folder above. In a terminal it asks once "
    "whether you trust the folder; hooks run after that.",
    tried="2.1.329",
    prompt="UserPromptSubmit",
    signs=((5, "/projects/"),),
    variables=("CLAUDE_PROJECT_DIR", "CLAUDECODE"),
    project_variable="CLAUDE_PROJECT_DIR",
    goes_on=True,
    pages=("CLAUDE.md", ".claude/CLAUDE.md"),
    reads_agents=True,
    has_plugin=True,
    mcp_file=".mcp.json",
)
