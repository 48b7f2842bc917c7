"""Qwen Code: Claude Code's events in settings of its own; timeouts in milliseconds, as in the program it came from.

It says a prompt was submitted, an empty one, after every result of a tool. With a prompt on its command line, and where
no terminal is, it ends without a word. It writes the version of its settings into each file of them. Measured with
0.24.4.
"""

from __future__ import annotations

from sleep.clients.client_table import EVENTS, Client

CLIENT = Client(
    name="qwen",
    title="Qwen Code",
    program="qwen",
    folder=".qwen",
    events=EVENTS,
    project=".qwen/settings.json",
    user=".qwen/settings.json",
    unit=1000,
    trust="Hooks of a project run in a folder that Qwen Code trusts.",
    tried="0.24.4",
    prompt="UserPromptSubmit",
    signs=((4, "/chats/"),),
    once=("-p", "--prompt"),
    stamps=("$version",),
    variables=("QWEN_PROJECT_DIR",),
)
