"""Qwen Code's transcript (`chat.jsonl`): JSON lines with `uuid`, `provenance`, and a `message` of `parts`.

Owns what these lines mean. A prompt stands in its line twice, for the model with what hooks added to it and as it was
typed (`displayText`); the second is read. What a tool returned stands in a line of `type` tool_result of its own.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate
from sleep.transcripts.events import UNREAD, Event, checklist, clipped, fields, records, said, several, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "qwen-code"
EDITS = ("write_file", "edit", "replace", "notebook_edit")
SIGNS = (b'"functionCall"', b'"toolCallResult"', b'"functionResponse"')
_EDITS = tuple(f'"{name}"'.encode() for name in EDITS)
_FAILED = re.compile(rb'"status"\s*:\s*"(?:error|cancelled)"|"error"\s*:')
_LINE = re.compile(rb'"message"\s*:\s*\{\s*"role"\s*:\s*"\w+"\s*,\s*"parts"|"provenance"\s*:\s*"[a-z_]+"')
_OWN = ("notification", "cron", "agent_launch_prompt", "goal_runtime")  # `subtype` of what the client says as a user


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return b'"parentUuid"' in head and bool(_LINE.search(head))


def matters(line: bytes) -> bool:
    """True if a line, which has one of the `SIGNS`, may hold an edit or say that a call failed."""
    return any(name in line for name in _EDITS) or bool(_FAILED.search(line))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    seen: set[str] = set()
    root = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        own = words(record.get("uuid"))
        if own and own in seen:
            continue
        seen.add(own)
        if (where := words(record.get("cwd"))) and not root:
            root = where
            yield Event("", "root", path=where, line=number)
        at, side = words(record.get("timestamp")), bool(record.get("isSidechain"))
        for event in _events(record):
            yield event._replace(at=at, side=side, line=number)


def _events(record: dict[str, object]) -> Iterator[Event]:
    kind, payload = record.get("type"), fields(record.get("systemPayload"))
    parts = [fields(one) for one in several(fields(record.get("message")).get("parts"))]
    if kind == "user":
        of_person = record.get("provenance") in (None, "real_user") and record.get("subtype") not in _OWN
        text = words(payload.get("displayText")) or said(parts)
        if of_person and (typed := boilerplate.without(text)):
            yield Event("person", "prompt", typed)
    elif kind == "assistant":
        for part in parts:
            if (text := words(part.get("text")).strip()) and not part.get("thought"):
                yield Event("agent", "text", text)
            if called := fields(part.get("functionCall")):
                yield call(words(called.get("name")), fields(called.get("args")), words(called.get("id")))
    elif kind == "tool_result":
        yield from _results(parts, fields(record.get("toolCallResult")))
    elif kind == "system" and record.get("subtype") == "chat_compression":
        first = next(iter(several(payload.get("compressedHistory"))), None)
        if text := said(fields(first).get("parts")).strip():
            yield Event("agent", "summary", text)


def _results(parts: list[dict[str, object]], told: dict[str, object]) -> Iterator[Event]:
    """Yield what calls gave back; a line has one, and says beside it how it ended."""
    answers = [fields(part.get("functionResponse")) for part in parts if "functionResponse" in part]
    for answer in answers or [{"id": told.get("callId")}]:
        status = told.get("status") if len(answers) <= 1 else None
        error = failure(answer.get("response"))
        ok = status in (None, "success") and not error
        shown = "" if status == "cancelled" else clipped(error.strip())
        yield Event("tool", "result", shown, id=words(answer.get("id")) or words(told.get("callId")), ok=ok)


def failure(response: object) -> str:
    """Return the error in a function's response, "" where it has none."""
    error = fields(response).get("error")
    return words(error) or words(fields(error).get("message")) or ("failed" if error else "")


def call(name: str, given: dict[str, object], number: str) -> Event:
    """Return what a call of one of the tools means, whose names Gemini CLI and Qwen Code share."""
    path = words(given.get("file_path")) or words(given.get("notebook_path")) or words(given.get("absolute_path"))
    if name in EDITS:
        return Event("agent", "edit", path=path, id=number)
    if name == "run_shell_command":
        return Event("agent", "run", words(given.get("command")), id=number)
    if name == "exit_plan_mode":
        return Event("agent", "plan", words(given.get("plan")), id=number)
    if name in ("todo_write", "write_todos"):
        listed = [fields(one) for one in several(given.get("todos"))]
        done = [
            (words(one.get("content")) or words(one.get("description")), one.get("status") == "completed")
            for one in listed
            if one.get("status") != "cancelled"
        ]
        return Event("agent", "tasks", checklist(done), id=number)
    if name in ("ask_user", "ask_user_question"):
        asked = [words(fields(one).get("question")) for one in several(given.get("questions"))]
        return Event("agent", "ask", "\n".join(filter(None, asked)), id=number)
    return Event("agent", "call", name, path=path, id=number)
