"""Cursor's transcript (`agent-transcripts/SESSION/SESSION.jsonl`): JSON lines of `{role, message: {content: [...]}}`.

Owns what these lines mean. What a person typed stands between `<user_query>`, with the time before it and what the
editor adds around it; what follows a prompt has its time. Calls have no ids and mostly no results: an edit is taken for
one that took. A thought that is kept from the transcript leaves `[REDACTED]`.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import (
    UNREAD,
    Event,
    as_list,
    as_object,
    as_text,
    between,
    checklist,
    clip,
    message_text,
    records,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("Write", "StrReplace", "Delete", "EditNotebook")
SIGNS = (
    *(f'"{name}"'.encode() for name in EDITS),
    *(patch_text.BEGIN.encode(), b'"is_error":true', b'"is_error": true'),
)
_LINE = re.compile(rb'(?m)^(?:\xef\xbb\xbf)?[ \t]*\{\s*"role"\s*:\s*"(?:user|assistant)"\s*,\s*"message"\s*:')
_QUERY = ("<user_query>", "</user_query>")
_TIME = ("<timestamp>", "</timestamp>")
_AROUND = re.compile(r"<(timestamp|[a-z]+(?:_[a-z]+)+)>.*?(?:</\1>|\Z)", re.DOTALL)  # `<attached_files>...`
# `Sunday, Sep 20, 2026, 12:31 AM (UTC+3)`, not `2026-09-20`.
_CLOCK = re.compile(
    r"([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d)\s([AP])M"
    r"(?: \(UTC([+-]\d{1,2})?(?::(\d\d))?\))?"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NOON = 12
_SECRET = "[REDACTED]"  # noqa: S105  # what stands for a thought


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return bool(_LINE.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    at = ""
    tasks: dict[str, tuple[str, bool]] = {}
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        content = as_object(record.get("message")).get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)
        if record.get("role") == "user":
            at = _time(between(message_text(content), *_TIME)) or at
        for block in map(as_object, blocks):
            for event in _events(record.get("role"), block, tasks):
                yield event._replace(at=at, line=number)


def _events(role: object, block: dict[str, object], tasks: dict[str, tuple[str, bool]]) -> Iterator[Event]:
    kind, text = block.get("type"), as_text(block.get("text"))
    if kind == "text" and role == "user":
        typed = between(text, *_QUERY) or _AROUND.sub("", text)
        if typed := boilerplate.strip(typed):
            yield Event("person", "prompt", typed)
    elif kind == "text" and role == "assistant":
        if text := text.replace(_SECRET, "").strip():
            yield Event("agent", "text", text)
    elif kind == "tool_use":
        yield from _call(as_text(block.get("name")), block.get("input"), as_text(block.get("id")), tasks)
    elif kind == "tool_result":
        ok = not block.get("is_error")
        shown = "" if ok else clip(message_text(block.get("content")).strip())
        yield Event("tool", "result", shown, id=as_text(block.get("tool_use_id")), ok=ok)


def _call(name: str, raw: object, call: str, tasks: dict[str, tuple[str, bool]]) -> Iterator[Event]:
    arguments = as_object(raw)
    path = text_of(arguments, "path", "target_notebook")
    if name in EDITS:
        yield Event("agent", "edit", path=path, id=call)
    elif name == "ApplyPatch":
        patch = as_text(raw) or text_of(arguments, "patch", "input")
        yield from patch_text.edits(patch, call, path)
    elif name == "Shell":
        yield Event("agent", "run", as_text(arguments.get("command")), id=call)
    elif name == "CreatePlan":
        # That the call went well says nothing: the plan is shown, and nobody has read it.
        yield Event("agent", "plan", as_text(arguments.get("plan")), ok=False)
    elif name == "AskQuestion":
        asked = [text_of(as_object(item), "prompt", "question") for item in as_list(arguments.get("questions"))]
        yield Event("agent", "ask", "\n".join(filter(None, asked)), id=call)
    elif name == "TodoWrite":
        _list(arguments, tasks)
        yield Event("agent", "tasks", checklist(tasks.values()), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _list(arguments: dict[str, object], tasks: dict[str, tuple[str, bool]]) -> None:
    """Keep the task list: a call gives it whole, or what changes in it (`merge`)."""
    if not arguments.get("merge"):
        tasks.clear()
    for item in map(as_object, as_list(arguments.get("todos"))):
        number = as_text(item.get("id")) or str(len(tasks))
        what, done = tasks.get(number, ("", False))
        status = item.get("status")
        is_done = status in ("completed", "cancelled") if status else done
        tasks[number] = (as_text(item.get("content")) or what, is_done)


def _time(text: str) -> str:
    """Return a time as Cursor writes it as ISO 8601 has it, "" for none."""
    when = _CLOCK.search(text)
    if not when or when[1] not in _MONTHS:
        return ""
    month, hour = _MONTHS.index(when[1]) + 1, int(when[4]) % _NOON + _NOON * (when[6] == "P")
    zone = int(when[7] or 0)
    offset = f"{'-' if (when[7] or '').startswith('-') else '+'}{abs(zone):02d}:{when[8] or '00'}"
    return f"{when[3]}-{month:02d}-{int(when[2]):02d}T{hour:02d}:{when[5]}:00{offset}"
