"""Gemini CLI's transcript (`session-*.jsonl`): JSON lines, each a message, a patch of the whole (`$set`), or a rewind.

Owns what these lines mean. A message is written again, with its id, whenever something of it changes, and a patch may
repeat all of them: the last form of each counts, in the place of its first. What a person rewound is read all the same:
it happened. Sub-agents have files of their own.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate
from sleep.transcripts.events import UNREAD, Event, as_list, as_object, as_text, clip, message_text, records
from sleep.transcripts.formats import qwen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("write_file", "replace", "edit")
SIGNS = tuple(f'"{name}"'.encode() for name in EDITS)
_FIRST = re.compile(rb'\A(?:\xef\xbb\xbf)?\{[^\n]*"projectHash"[^\n]*\}\s*\n')
_PUT_IN = re.compile(
    r"\n?--- Content from referenced files ---.*\Z|\ASystem: Please continue\.\s*\Z",
    re.DOTALL,
)
# What the client says first, as a user: where it works, where it may also work, and what is there.
_PLACE = re.compile(
    r"\A<session_context>\nThis is the Gemini CLI\b(?s:.*?)\*\*Workspace Directories:\*\*\n {1,4}- (/[^\n]+)"
)
_UNDER_WAY = ("scheduled", "validating", "executing", "awaiting_approval")


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's: its first line is an object of its own."""
    first = _FIRST.match(head)
    return first is not None and b'"messages"' not in first[0]


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, once all lines are read; never raises for what a line holds."""
    messages: dict[str, list[Event]] = {}
    side = False
    for number, record in records(lines):
        if record is None:
            messages[f"line {number}"] = [UNREAD._replace(line=number)]
            continue
        side = side or record.get("kind") == "subagent"
        patched = [as_object(item) for item in as_list(as_object(record.get("$set")).get("messages"))]
        for place, message in enumerate([record, *patched] if "type" in record else patched):
            own = as_text(message.get("id")) or f"line {number}.{place}"
            before = messages.get(own)
            messages[own] = [
                event._replace(line=before[0].line if before else number) for event in events(message)
            ] or (before or [])
    for spoken in messages.values():
        yield from (event._replace(side=True) if side else event for event in spoken)


def events(message: dict[str, object]) -> Iterator[Event]:
    """Yield what a message says."""
    at = as_text(message.get("timestamp"))
    if message.get("type") == "user":
        text = message_text(message.get("displayContent")) or message_text(message.get("content"))
        if place := _PLACE.match(text.lstrip()):
            yield Event("", "root", path=place[1].rstrip(), at=at)
        if typed := boilerplate.strip(_PUT_IN.sub("", text)):
            yield Event("person", "prompt", typed, at=at)
    elif message.get("type") == "gemini":
        if text := message_text(message.get("content")).strip():
            yield Event("agent", "text", text, at=at)
        for call in map(as_object, as_list(message.get("toolCalls"))):
            yield from (event._replace(at=as_text(call.get("timestamp")) or at) for event in _call(call))


def _call(call: dict[str, object]) -> Iterator[Event]:
    """Yield a call and how it ended; of one that is under way, nothing: its message is written again."""
    status, number = call.get("status"), as_text(call.get("id"))
    if status in _UNDER_WAY:
        return
    side = bool(call.get("agentId"))
    yield qwen.call(as_text(call.get("name")), as_object(call.get("args")), number)._replace(side=side)
    answers = [as_object(as_object(part).get("functionResponse")) for part in as_list(call.get("result"))]
    error = next(filter(None, (qwen.failure(answer.get("response")) for answer in answers)), "")
    ok = status in (None, "success")
    shown = clip((error or as_text(call.get("resultDisplay"))).strip()) if status == "error" else ""
    yield Event("tool", "result", shown, id=number, ok=ok, side=side)
