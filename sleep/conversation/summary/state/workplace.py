"""Where an agent works, as a client says it in a person's place: the project's rules, and folder, shell and day.

Owns telling such messages, which of them stay as they are beside the system's, and a line for what goes. Refuses to
take rules out of them: they are whole, or in the file that has them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.conversation.messages import counters
from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary.fact import clipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Turn

RULES, ENVIRONMENT = "project rules", "environment"
_LINE = 240  # characters of a line
_FORMS = {
    RULES: re.compile(
        r"\s*# AGENTS\.md instructions(?: for ([^\n]{1,300}))?\n\s*<INSTRUCTIONS>.*</INSTRUCTIONS>\s*", re.DOTALL
    ),
    ENVIRONMENT: re.compile(r"\s*<environment_context>(.*)</environment_context>\s*", re.DOTALL),
}
_BEGINS = ("# AGENTS.md instructions", "<environment_context>")
_FIELD = re.compile(r"<([a-z_]{1,40})>([^<>\n]{1,200})</\1>")


def with_standing(turns: list[Turn], end: int, most: float, count: Counter) -> list[Turn]:
    """Return turns in which the last messages before `end` that say where the agent works count as the system's.

    That is so where they take at most so many tokens.
    """
    last = {kind: at for at, turn in enumerate(turns[:end]) if turn.role == "user" for kind in _kinds(turn)}
    if not last or counters.count_turns([turns[at] for at in set(last.values())], count) > most:
        return turns
    return [turn._replace(role="system") if at in last.values() else turn for at, turn in enumerate(turns)]


def lines(removed: Sequence[Turn], stays: Sequence[Turn]) -> dict[str, str]:
    """Return what is told of such messages that go, by kind, where none of the kind stays."""
    there = {kind for turn in stays for kind in _kinds(turn)}
    return {kind: text for turn in removed for kind, text in _kinds(turn).items() if kind not in there}


def _kinds(turn: Turn) -> dict[str, str]:
    """Return what a message says of where the agent works, a line by kind; nothing of one that says anything else."""
    if turn.role not in ("user", "system") or not turn.parts or not turn.parts[0].text.lstrip().startswith(_BEGINS):
        return {}
    kinds: dict[str, str] = {}
    for part in turn.parts:
        kind, match = next(
            ((kind, match) for kind, form in _FORMS.items() if (match := form.fullmatch(part.text))), ("", None)
        )
        if part.kind != TEXT or match is None:
            return {}
        kinds[kind] = _line(kind, match[1] or "")
    return kinds


def _line(kind: str, inside: str) -> str:
    if kind == RULES:
        return f"AGENTS.md{' in ' * bool(inside)}{inside.strip()} (not here any more: read it again)"
    return clipped("; ".join(f"{name} {value.strip()}" for name, value in _FIELD.findall(inside)), _LINE)
