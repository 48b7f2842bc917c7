"""Codex's transcript (`rollout-*.jsonl`): JSON lines of `{timestamp, type, payload}`.

Owns what these lines mean. What stands in `response_item` is repeated in `event_msg`; only the first is read. A message
of role user also carries what the client puts in (instructions of the project, the environment), told by its tags. A
patch is an edit of each file in it; all of them have the id of the one call. Before September 2025 the items stand
bare behind a first line `{id, timestamp, instructions}`, which alone has a time; the folder stands in the environment.
"""

from __future__ import annotations

import json
import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import (
    UNREAD,
    Event,
    as_list,
    as_object,
    as_text,
    between,
    clip,
    message_text,
    records,
    text_of,
    todo_list,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PUT_IN = re.compile(r"^\s*(?:<[a-z][\w -]*>|# AGENTS\.md instructions\b|# Context from my IDE)")
SIGNS = (b"*** Begin Patch", b'_call_output"')
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_KINDS = ("response_item", "message", *_CALLS, *_OUTPUTS)  # the first versions wrote items bare
# The first line of a session before September 2025, and a line that only it has.
_BARE = re.compile(rb'\A\W{0,8}\{(?:"(?:id|timestamp)": ?"[^"]{1,80}", ?){2}"(?:instructions|git)":')
_STATE = re.compile(rb'"record_type": ?"state"')
_FOLDER = (("<cwd>", "</cwd>"), ("Current working directory:", "\n"))  # in the environment
_FAILED = re.compile(
    r"(?:exited with code|Exit code:|\"exit_code\":) ?-?[1-9]|verification failed|^(?:error|failed)\b", re.IGNORECASE
)
_TOOK = re.compile(r"(?:exited with code|Exit code:|\"exit_code\":) ?0|\bSuccess\b", re.IGNORECASE)
_ERROR = re.compile(r"error|failed", re.IGNORECASE)
_REFUSED = re.compile(r"^(?:[\w ]{1,40} )?(?:rejected|aborted|denied|cancell?ed) by (?:the )?user\b", re.IGNORECASE)
_HEAD = 400  # characters of an output that say how it ended
_FRAME = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Exit code|Original token count|Process exited)[^\n]*\n)*(?:Output:\n)?"
)


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    if any(sign in head for sign in (b'"session_meta"', b'"response_item"', b'"turn_context"')):
        return True
    return bool(_BARE.match(head) or _STATE.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    root = start = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        start = as_text(record.get("timestamp")) if "instructions" in record and "type" not in record else start
        at = as_text(record.get("timestamp")) or start
        item = as_object(record.get("payload")) if "payload" in record else record
        if not root and (root := _root(record, item)):
            yield Event("", "root", path=root, line=number)
        if record.get("type") == "compacted":
            yield Event("agent", "summary", as_text(item.get("message")), at=at, line=number)
        if record.get("type") not in _KINDS:
            continue
        for event in _item(item):
            yield event._replace(at=at, line=number)


def _root(record: dict[str, object], item: dict[str, object]) -> str:
    """Return the folder that a line says the agent works in, "" where it says none."""
    if record.get("type") in ("session_meta", "turn_context"):
        return as_text(item.get("cwd"))
    text = message_text(item.get("content")) if item.get("role") == "user" else ""
    if not text.lstrip().startswith("<environment_context>"):
        return ""
    return next(filter(None, (between(text, *marks) for marks in _FOLDER)), "")


def _item(item: dict[str, object]) -> Iterator[Event]:
    kind, call = item.get("type"), text_of(item, "call_id", "id")
    if kind == "message":
        parts = [as_text(as_object(part).get("text")).strip() for part in as_list(item.get("content"))]
        if item.get("role") == "assistant":
            yield from (Event("agent", "text", text) for text in parts if text)
        elif item.get("role") == "user":
            typed = (boilerplate.strip(text) for text in parts if not _PUT_IN.match(text))
            yield from (Event("person", "prompt", text) for text in typed if text)
    elif kind in _CALLS:
        yield from _call(as_text(item.get("name")), item, call, is_own=kind == "custom_tool_call")
    elif kind in _OUTPUTS:
        yield _result(item.get("output"), call, is_own=kind == "custom_tool_call_output")


def _result(output: object, call: str, *, is_own: bool) -> Event:
    """Return how a call ended. A tool of the client's own, a patch above all, says in words that it failed."""
    fields = _arguments(output) if isinstance(output, str) else as_object(output)
    text = text_of(fields, "output", "content") or message_text(output)
    head = text[:_HEAD]
    code = as_object(fields.get("metadata")).get("exit_code")
    broke = bool(_FAILED.search(head)) or (is_own and not _TOOK.search(head) and bool(_ERROR.search(head)))
    broke = bool(code) if code is not None else broke or fields.get("success") is False
    refused = bool(_REFUSED.search(head))
    shown = clip(_FRAME.sub("", text).strip()) if broke and not refused else ""
    return Event("tool", "result", shown, id=call, ok=not broke and not refused)


def _call(name: str, item: dict[str, object], call: str, *, is_own: bool) -> Iterator[Event]:
    raw = text_of(item, "arguments", "input")
    arguments = _arguments(raw) or as_object(item.get("action"))
    command = arguments.get("cmd") or arguments.get("command") or ""
    shell = command if isinstance(command, str) else " ".join(map(as_text, as_list(command)))
    patch = as_text(arguments.get("input")) or raw if is_own or name == "apply_patch" else shell
    if patch_text.BEGIN in patch and (name == "apply_patch" or "apply_patch" in patch):
        yield from patch_text.edits(patch, call)
    elif name == "update_plan":
        yield Event("agent", "tasks", todo_list(arguments.get("plan"), "step"), id=call)
    elif shell:
        yield Event("agent", "run", shell, id=call)
    else:
        yield Event("agent", "call", name, id=call)


def _arguments(raw: str) -> dict[str, object]:
    try:
        return as_object(json.loads(raw))
    except (ValueError, RecursionError):
        return {}
