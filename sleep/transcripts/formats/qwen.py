"""Qwen Code's transcript (`chat.jsonl`): JSON lines with `uuid`, `provenance`, and a `message` of `parts`.

Owns what these lines mean. A prompt stands in its line twice, for the model with what hooks added to it and as it was
typed (`displayText`); the second is read. What a tool returned stands in a line of `type` tool_result of its own.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate
from sleep.transcripts.events import (
    UNREAD,
    Event,
    as_list,
    as_object,
    as_text,
    clip,
    message_text,
    questions,
    records,
    text_of,
    todo_list,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("write_file", "edit", "replace", "notebook_edit")
SIGNS = (*(f'"{name}"'.encode() for name in EDITS), b'"error"', b'"cancelled"')
_LINE = re.compile(rb'"message"\s*:\s*\{\s*"role"\s*:\s*"\w+"\s*,\s*"parts"|"provenance"\s*:\s*"[a-z_]+"')
_OWN = ("notification", "cron", "agent_launch_prompt", "goal_runtime")  # `subtype` of what the client says as a user


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return b'"parentUuid"' in head and bool(_LINE.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    seen: set[str] = set()
    root = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        own = as_text(record.get("uuid"))
        if own and own in seen:
            continue
        seen.add(own)
        if (where := as_text(record.get("cwd"))) and not root:
            root = where
            yield Event("", "root", path=where, line=number)
        at, side = as_text(record.get("timestamp")), bool(record.get("isSidechain"))
        for event in _events(record):
            yield event._replace(at=at, side=side, line=number)


def _events(record: dict[str, object]) -> Iterator[Event]:
    kind, payload = record.get("type"), as_object(record.get("systemPayload"))
    parts = [as_object(part) for part in as_list(as_object(record.get("message")).get("parts"))]
    if kind == "user":
        of_person = record.get("provenance") in (None, "real_user") and record.get("subtype") not in _OWN
        text = as_text(payload.get("displayText")) or message_text(parts)
        if of_person and (typed := boilerplate.strip(text)):
            yield Event("person", "prompt", typed)
    elif kind == "assistant":
        yield from _answer(parts)
    elif kind == "tool_result":
        yield from _results(parts, as_object(record.get("toolCallResult")))
    elif kind == "system" and record.get("subtype") == "chat_compression":
        first = next(iter(as_list(payload.get("compressedHistory"))), None)
        if text := message_text(as_object(first).get("parts")).strip():
            yield Event("agent", "summary", text)


def _answer(parts: list[dict[str, object]]) -> Iterator[Event]:
    """Yield what the model said and called, without its thoughts."""
    for part in parts:
        if (text := as_text(part.get("text")).strip()) and not part.get("thought"):
            yield Event("agent", "text", text)
        if called := as_object(part.get("functionCall")):
            yield call(as_text(called.get("name")), as_object(called.get("args")), as_text(called.get("id")))


def _results(parts: list[dict[str, object]], outcome: dict[str, object]) -> Iterator[Event]:
    """Yield what calls gave back; a line has one, and says beside it how it ended."""
    answers = [as_object(part.get("functionResponse")) for part in parts if "functionResponse" in part]
    for answer in answers or [{"id": outcome.get("callId")}]:
        status = outcome.get("status") if len(answers) <= 1 else None
        error = failure(answer.get("response"))
        ok = status in (None, "success") and not error
        shown = "" if status == "cancelled" else clip(error.strip())
        yield Event("tool", "result", shown, id=as_text(answer.get("id")) or as_text(outcome.get("callId")), ok=ok)


def failure(response: object) -> str:
    """Return the error in a function's response, "" where it has none."""
    error = as_object(response).get("error")
    return as_text(error) or as_text(as_object(error).get("message")) or ("failed" if error else "")


def call(name: str, arguments: dict[str, object], number: str) -> Event:
    """Return what a call of one of the tools means, whose names Gemini CLI and Qwen Code share."""
    path = text_of(arguments, "file_path", "notebook_path", "absolute_path")
    if name in EDITS:
        return Event("agent", "edit", path=path, id=number)
    if name == "run_shell_command":
        return Event("agent", "run", as_text(arguments.get("command")), id=number)
    if name == "exit_plan_mode":
        return Event("agent", "plan", as_text(arguments.get("plan")), id=number)
    if name in ("todo_write", "write_todos"):
        return Event("agent", "tasks", todo_list(arguments.get("todos"), "content", "description"), id=number)
    if name in ("ask_user", "ask_user_question"):
        return Event("agent", "ask", questions(arguments.get("questions")), id=number)
    return Event("agent", "call", name, path=path, id=number)
