"""Copilot CLI's transcript (`events.jsonl`): JSON lines of `{type, data, id, timestamp, parentId}`.

Owns what these lines mean. A prompt stands twice in its line, as it was typed (`content`) and with what the client adds
(`transformedContent`); the first is read. What hooks are given and say stands in lines of their own and is not read.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import UNREAD, Event, as_object, as_text, checklist, clip, records, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("create", "edit", "str_replace", "insert", "apply_patch", "str_replace_editor")
SIGNS = (*(f'"{name}"'.encode() for name in EDITS), b'"success":false', b'"success": false')
_LINE = re.compile(
    rb'"type"\s*:\s*"(?:session\.start|assistant\.message|assistant\.turn_start|tool\.execution_start|user\.message)"'
)
_ANSWER = re.compile(r"^User (?:selected|responded|answered)(?: with)?:\s*")
_REFUSED = re.compile(
    r"\b(?:rejected|denied|declined) by (?:the )?user\b|\buser (?:rejected|denied|declined)\b", re.IGNORECASE
)
_BOX = re.compile(r"^[ \t]*[-*] \[([ xX])\](.*)$", re.MULTILINE)


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return bool(_LINE.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    root = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        data = as_object(record.get("data"))
        if not root and (root := as_text(as_object(data.get("context")).get("cwd"))):
            yield Event("", "root", path=root, line=number)
        side = bool(data.get("parentToolCallId") or record.get("agentId"))
        for event in _events(record.get("type"), data):
            yield event._replace(at=as_text(record.get("timestamp")), side=side, line=number)


def _events(kind: object, data: dict[str, object]) -> Iterator[Event]:
    text = as_text(data.get("content")).strip()
    if kind == "user.message":
        text = boilerplate.strip(text)
        if text and data.get("source") in (None, "", "user") and not data.get("isAutopilotContinuation"):
            yield Event("person", "prompt", text)
    elif kind == "assistant.message":
        if text:
            yield Event("agent", "text", text)
    elif kind == "tool.execution_start":
        arguments = data.get("arguments")
        name = text_of(data, "toolName", "name")
        yield from _call(name, arguments, as_text(data.get("toolCallId")))
    elif kind == "tool.execution_complete":
        yield from _result(data, as_text(data.get("toolCallId")))
    elif kind == "session.compaction_complete":
        yield Event("agent", "summary", as_text(data.get("summaryContent")).strip())


def _call(name: str, raw: object, call: str) -> Iterator[Event]:
    arguments = as_object(raw)
    path = text_of(arguments, "path", "file_path")
    if name == "apply_patch":
        patch = as_text(raw) or next(
            (as_text(value) for value in arguments.values() if patch_text.BEGIN in as_text(value)), ""
        )
        yield from patch_text.edits(patch, call, path)
    elif name in EDITS and arguments.get("command") not in ("view", "undo_edit"):
        yield Event("agent", "edit", path=path, id=call)
    elif name in ("bash", "powershell", "shell"):
        yield Event("agent", "run", as_text(arguments.get("command")), id=call)
    elif name == "ask_user":
        yield Event("agent", "ask", as_text(arguments.get("question")), id=call)
    elif name == "update_todo":
        rows = [(what, mark in "xX") for mark, what in _BOX.findall(as_text(arguments.get("todos")))]
        yield Event("agent", "tasks", checklist(rows), id=call)
    elif name in ("exit_plan_mode", "task_complete"):
        kind = "plan" if name == "exit_plan_mode" else "text"
        yield Event("agent", kind, as_text(arguments.get("summary")), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _result(data: dict[str, object], call: str) -> Iterator[Event]:
    """Yield how a call ended; what a person answered by way of it is theirs."""
    ok = data.get("success") is not False
    result, error = as_object(data.get("result")), as_object(data.get("error"))
    if answer := _ANSWER.match(as_text(result.get("content"))):
        yield Event("person", "answer", as_text(result.get("content"))[answer.end() :].strip(), id=call)
    text = "" if ok else as_text(error.get("message")) or as_text(data.get("error")) or as_text(result.get("content"))
    refused = error.get("code") in ("rejected", "denied") or _REFUSED.search(text)
    yield Event("tool", "result", "" if refused else clip(text.strip()), id=call, ok=ok)
