"""Gemini CLI: events of its own names, timeouts in milliseconds, plain text dropped.

It announces a compression before every call of the model and does not wait at a session's end. What a hook says at a
start stands before the first prompt, in the prompt's own field too. Measured with 0.61.0.
"""

from __future__ import annotations

from sleep.clients.client_table import Client

CLIENT = Client(
    name="gemini",
    title="Gemini CLI",
    program="gemini",
    folder=".gemini",
    events=(
        ("SessionStart", "session-start"),
        ("AfterAgent", "stop"),
        ("PreCompress", "pre-compact"),
        ("SessionEnd", "session-end"),
    ),
    project=".gemini/settings.json",
    user=".gemini/settings.json",
    unit=1000,
    trust="Hooks of a project run in a folder that Gemini CLI trusts; it warns once about hooks that are new to it.",
    tried="0.61.0",
    prompt="BeforeAgent",
    signs=((3, "/chats/session-"),),
    variables=("GEMINI_PROJECT_DIR",),
    compacts_often=True,
)
