"""Copilot CLI's transcript (`events.jsonl`): JSON lines of `{type, data, id, timestamp, parentId}`.

Owns what these lines mean. A prompt stands twice in its line, as it was typed (`content`) and with what the client adds
(`transformedContent`); the first is read. What hooks are given and say stands in lines of their own and is not read.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import UNREAD, Event, checklist, clipped, fields, records, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "copilot-cli"
EDITS = ("create", "edit", "str_replace", "insert", "apply_patch", "str_replace_editor")
SIGNS = (b'"tool.execution_start"', b'"tool.execution_complete"')
_EDITS = tuple(f'"{name}"'.encode() for name in EDITS)
_FAILED = re.compile(rb'"success"\s*:\s*false')
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


def matters(line: bytes) -> bool:
    """True if a line, which has one of the `SIGNS`, may hold an edit or say that a call failed."""
    return any(name in line for name in _EDITS) or bool(_FAILED.search(line))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    root = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        told = fields(record.get("data"))
        if not root and (root := words(fields(told.get("context")).get("cwd"))):
            yield Event("", "root", path=root, line=number)
        side = bool(told.get("parentToolCallId") or record.get("agentId"))
        for event in _events(record.get("type"), told):
            yield event._replace(at=words(record.get("timestamp")), side=side, line=number)


def _events(kind: object, told: dict[str, object]) -> Iterator[Event]:
    text = words(told.get("content")).strip()
    if kind == "user.message":
        text = boilerplate.without(text)
        if text and told.get("source") in (None, "", "user") and not told.get("isAutopilotContinuation"):
            yield Event("person", "prompt", text)
    elif kind == "assistant.message":
        if text:
            yield Event("agent", "text", text)
    elif kind == "tool.execution_start":
        given = told.get("arguments")
        name = words(told.get("toolName")) or words(told.get("name"))
        yield from _call(name, given, words(told.get("toolCallId")))
    elif kind == "tool.execution_complete":
        yield from _result(told, words(told.get("toolCallId")))
    elif kind == "session.compaction_complete":
        yield Event("agent", "summary", words(told.get("summaryContent")).strip())


def _call(name: str, raw: object, call: str) -> Iterator[Event]:
    given = fields(raw)
    path = words(given.get("path")) or words(given.get("file_path"))
    if name == "apply_patch":
        patch = words(raw) or next((words(one) for one in given.values() if patch_text.BEGIN in words(one)), "")
        yield from (Event("agent", "edit", path=one, id=call) for one in patch_text.files(patch) or (path,))
    elif name in EDITS and given.get("command") not in ("view", "undo_edit"):
        yield Event("agent", "edit", path=path, id=call)
    elif name in ("bash", "powershell", "shell"):
        yield Event("agent", "run", words(given.get("command")), id=call)
    elif name == "ask_user":
        yield Event("agent", "ask", words(given.get("question")), id=call)
    elif name == "update_todo":
        rows = [(what, mark in "xX") for mark, what in _BOX.findall(words(given.get("todos")))]
        yield Event("agent", "tasks", checklist(rows), id=call)
    elif name in ("exit_plan_mode", "task_complete"):
        kind = "plan" if name == "exit_plan_mode" else "text"
        yield Event("agent", kind, words(given.get("summary")), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _result(told: dict[str, object], call: str) -> Iterator[Event]:
    """Yield how a call ended; what a person answered by way of it is theirs."""
    ok = told.get("success") is not False
    result, error = fields(told.get("result")), fields(told.get("error"))
    if answer := _ANSWER.match(words(result.get("content"))):
        yield Event("person", "answer", words(result.get("content"))[answer.end() :].strip(), id=call)
    text = "" if ok else words(error.get("message")) or words(told.get("error")) or words(result.get("content"))
    refused = error.get("code") in ("rejected", "denied") or _REFUSED.search(text)
    yield Event("tool", "result", "" if refused else clipped(text.strip()), id=call, ok=ok)
