"""SWE-agent's trajectory (`.traj`): one JSON document with `trajectory`, or with `history` alone.

Owns what its steps mean, as far as a prompt, thoughts, commands, edits and errors can be told. A step has no id: one is
made of its number and its length, so that a file that is saved again has the same.
"""

from __future__ import annotations

import json
import re

from sleep.transcripts import boilerplate
from sleep.transcripts.events import UNREAD, Event, as_list, as_object, as_text, between, clip, document, message_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("edit", "create", "insert", "append", "str_replace_editor")
_ISSUES = (("<pr_description>", "</pr_description>"), ("\nISSUE:", "\nINSTRUCTIONS:"))
_FAILED = re.compile(
    r"\s*(?:Your (?:proposed )?edit (?:has introduced|was not applied|failed)|(?i:error)\b"
    r"|No replacement was performed|Invalid `|Text not found|Usage:|Traceback \(most recent call last\))"
)


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like a trajectory."""
    steps = b'"trajectory"' in head and (b'"action"' in head or b'"observation"' in head)
    return steps or (b'"history"' in head and b'"role"' in head and (b'"agent"' in head or b'"message_type"' in head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened; never raises for what the document holds."""
    value = document(lines)
    whole = as_object(value)
    history = [as_object(message) for message in as_list(whole.get("history"))]
    steps = [as_object(step) for step in as_list(whole.get("trajectory"))] or list(_steps(history))
    if value != {} and not history and not steps:
        yield UNREAD
    asked = (message for message in history if message.get("role") == "user" and not message.get("is_demo"))
    prompt = message_text(next(asked, {}).get("content"))
    issue = next(filter(None, (between(prompt, *marks) for marks in _ISSUES)), prompt)
    if typed := boilerplate.strip(issue):
        yield Event("person", "prompt", typed)
    root = ""
    for number, step in enumerate(steps):
        state = _state(step.get("state"))
        if not root and (root := as_text(state.get("working_dir"))):
            yield Event("", "root", path=root)
        yield from _step(number, step, as_text(state.get("open_file")))


def _steps(history: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield the steps of a history: each message of the agent's, with what came back on it."""
    for message, answer in zip(history, [*history[1:], {}], strict=False):
        if message.get("role") == "assistant" and not message.get("is_demo"):
            back = answer if answer.get("role") in ("tool", "user") else {}
            thought = message.get("thought") or message.get("content")
            yield {**message, "thought": message_text(thought), "observation": message_text(back.get("content"))}


def _state(state: object) -> dict[str, object]:
    """Return the state after a step, which some versions write as a string."""
    try:
        return as_object(json.loads(state) if isinstance(state, str) else state)
    except (ValueError, RecursionError):
        return {}


def _step(number: int, step: dict[str, object], opened: str) -> Iterator[Event]:
    action, seen = as_text(step.get("action")).strip(), as_text(step.get("observation"))
    call = f"step-{number}.{len(action)}.{len(seen)}"
    if thought := as_text(step.get("thought")).strip():
        yield Event("agent", "text", thought)
    first, _, rest = action.partition(" ")
    arguments = rest.split("\n", 1)[0].split(" ")
    if first not in EDITS or arguments[:1] in (["view"], ["undo_edit"]):
        if action:
            yield Event("agent", "run", action, id=call)
    else:
        named = arguments[1:2] if first == "str_replace_editor" else arguments[:1] if first == "create" else [opened]
        yield Event("agent", "edit", path="".join(named).strip("'\""), id=call)
    ok = not _FAILED.match(seen)
    yield Event("tool", "result", "" if ok else clip(seen.strip()), id=call, ok=ok)
