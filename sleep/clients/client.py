"""What there is to know about a client: its names for events, where its settings are, and the form of an entry there.

One value a client, in a module of its name; the registry names them. The names of events here are ours: `stop`,
`session-start`, `subagent-start`, `session-end`, `pre-compact`, `user-prompt-submit`.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

CLIENTS = {
    "claude": "sleep.clients.claude:CLIENT",
    "codex": "sleep.clients.codex:CLIENT",
    "gemini": "sleep.clients.gemini:CLIENT",
    "qwen": "sleep.clients.qwen:CLIENT",
    "copilot": "sleep.clients.copilot:CLIENT",
}

# The events of Claude Code, which others took over.
EVENTS = (
    ("SessionStart", "session-start"),
    ("SubagentStart", "subagent-start"),
    ("Stop", "stop"),
    ("PreCompact", "pre-compact"),
    ("SessionEnd", "session-end"),
)


class Client(NamedTuple):
    """A client.

    `program` is the command it is started with; `folder` what it keeps in a project; `events` pairs of its name and
    ours, in the order of a session. `project` and `user` are its settings files, relative to the project and to the
    home; `private` the project file that a person keeps to herself, "" for none; `variable` what moves the folder at
    home. `nested` tells whether an entry stands in a group; `command` is the field of the command, `timeout` that of
    the timeout, and `unit` how many of it make a second; `fresh` is what a new settings file holds besides. `older` are
    events that versions below `since` refuse to hear of. `trust` says what a person has to do before the hooks run.
    `tried` tells whether the real program runs in our tests. `prompt` is its name for `user-prompt-submit`, "" where
    what is said there reaches no model; an entry for it is written only where the memory is to speak to prompts.
    """

    name: str
    title: str
    program: str
    folder: str
    events: tuple[tuple[str, str], ...]
    project: str
    user: str
    private: str = ""
    variable: str = ""
    nested: bool = True
    command: str = "command"
    timeout: str = "timeout"
    unit: int = 1
    fresh: tuple[tuple[str, Any], ...] = ()
    older: tuple[str, ...] = ()
    since: tuple[int, ...] = ()
    trust: str = ""
    tried: bool = False
    prompt: str = ""


def of(name: str) -> Client:
    """Return a client by its name; KeyError for none."""
    module, _, attribute = CLIENTS[name].partition(":")
    found: Client = getattr(importlib.import_module(module), attribute)
    return found
