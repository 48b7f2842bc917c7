"""Codex's transcript (`rollout-*.jsonl`): JSON lines of `{timestamp, type, payload}`.

Owns what these lines mean. What stands in `response_item` is repeated in `event_msg`; only the first is read. A message
of
role user also carries what the client puts in (instructions of the project, the environment), told by its tags.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from sleep.transcripts.events import UNREAD, Event, checklist, clipped, fields, records, several, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "codex"
_PUT_IN = re.compile(r"^\s*(?:<[a-z][\w -]*>|# AGENTS\.md instructions\b|# Context from my IDE)")
_FILE = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
_FAILED = re.compile(
    r"(?:exited with code|Exit code:|\"exit_code\":) ?[1-9]|verification failed|^(?:error|failed)\b", re.IGNORECASE
)
_FRAME = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Exit code|Original token count|Process exited)[^\n]*\n)*(?:Output:\n)?"
)


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return any(sign in head for sign in (b'"session_meta"', b'"response_item"', b'"turn_context"'))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    root = ""
    for record in records(lines):
        if record is None:
            yield UNREAD
            continue
        item = fields(record.get("payload")) if "payload" in record else record
        if record.get("type") in ("session_meta", "turn_context") and not root and (root := words(item.get("cwd"))):
            yield Event("", "root", path=root)
        if record.get("type") == "compacted":
            yield Event("agent", "summary", words(item.get("message")), at=words(record.get("timestamp")))
        if record.get("type") not in ("response_item", "message", "function_call", "function_call_output"):
            continue
        for event in _item(item):
            yield event._replace(at=words(record.get("timestamp")))


def _item(item: dict[str, object]) -> Iterator[Event]:
    kind, call = item.get("type"), words(item.get("call_id")) or words(item.get("id"))
    if kind == "message":
        said = [words(fields(one).get("text")) for one in several(item.get("content"))]
        if item.get("role") == "assistant":
            yield from (Event("agent", "text", text.strip()) for text in said if text.strip())
        elif item.get("role") == "user":
            yield from (
                Event("person", "prompt", text.strip()) for text in said if text.strip() and not _PUT_IN.match(text)
            )
    elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
        yield from _call(words(item.get("name")), item, call)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        text = _output(item.get("output"))
        ok = not _FAILED.search(text[:400])
        yield Event("tool", "result", "" if ok else clipped(_FRAME.sub("", text).strip()), id=call, ok=ok)


def _call(name: str, item: dict[str, object], call: str) -> Iterator[Event]:
    raw = words(item.get("arguments")) or words(item.get("input"))
    given = _arguments(raw) or fields(item.get("action"))
    command = given.get("cmd") or given.get("command") or ""
    shell = command if isinstance(command, str) else " ".join(map(words, several(command)))
    patch = raw if name == "apply_patch" else shell
    if "*** Begin Patch" in patch:
        text = words(given.get("input")) or patch
        yield from (Event("agent", "edit", path=path, id=call) for path in _FILE.findall(text.replace("\\n", "\n")))
    elif name == "update_plan":
        steps = [fields(one) for one in several(given.get("plan"))]
        done = [(words(one.get("step")), one.get("status") == "completed") for one in steps]
        yield Event("agent", "tasks", checklist(done), id=call)
    elif shell:
        yield Event("agent", "run", shell, id=call)
    else:
        yield Event("agent", "call", name, id=call)


def _arguments(raw: str) -> dict[str, object]:
    try:
        return fields(json.loads(raw))
    except (ValueError, RecursionError):
        return {}


def _output(output: object) -> str:
    if isinstance(output, str):
        return words(_arguments(output).get("output")) or output
    return words(fields(output).get("content")) or "\n".join(words(fields(one).get("text")) for one in several(output))
