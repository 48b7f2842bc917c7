"""A command's complaint as a model reads it that has tools and no shell.

Owns which commands of an advice are tools, and how much of a long complaint is told: its sentence and its advice.
"""

from __future__ import annotations

import re

from sleep.mcp_server.tools import TOOLS

_LONGEST = 4_000  # characters of a complaint
_COMMAND = re.compile(r"sleepwake ([a-z]+(?:\.[a-z]+)?)(?![\w.])((?: --[a-z]+)*)")
_ADVICE = re.compile(r"(?m)^(?:Hint:|due ).*$")
_NAMES = {tool.words[0]: tool.name for tool in TOOLS.values() if tool.words} | {
    "recall": "recall",
    "sleep.resume": "sleep",  # it begins with finishing what was interrupted
}


def of_tools(text: str) -> str:
    """Return a command's words with the tools in its advice (`question_list` with all) for the commands they are."""
    return _ADVICE.sub(lambda line: _COMMAND.sub(_tool, line[0]), text)


def complaint(text: str) -> str:
    """Return a complaint: of a long one the beginning, which says what is wrong, and the end, which says what helps."""
    words = of_tools(text)
    half = _LONGEST // 2
    return words if len(words) <= _LONGEST else f"{words[:half]}\n[...]\n{words[-half:]}"


def _tool(command: re.Match[str]) -> str:
    name = _NAMES.get(command[1])
    if name is None:
        return command[0]
    options = " and ".join(command[2].replace("--", "").split())
    return f"`{name}`{f' with {options}' if options else ''}"
