"""Claude Code's transcript, 1.0 to 2.1: JSON lines of `type` user, assistant and bookkeeping.

Owns what these lines mean. A `role` of user is not a person: tool results, preambles of skills, injected context and
what a hook said come so too. One message of the model stands on several lines, a fork repeats its parent's lines with
their `uuid`s, and a compacted conversation goes on behind a summary that the model wrote. Versions 2.0.76 to 2.1.63
repeat what sub-agents did inside lines of `type` progress: of these, edits are read, and which of them failed. What a
person types while the model works is queued; what is taken out of the queue in the middle of a turn (`remove`) mostly
stands in no other line.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate
from sleep.transcripts.events import (
    UNREAD,
    Event,
    answers,
    as_list,
    as_object,
    as_text,
    checklist,
    clip,
    questions,
    records,
    text_of,
    todo_list,
)
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
SIGNS = (b'Edit"', b'"Write"', b'"is_error":true', b'"is_error": true')
# Lines with no key of the client's own: rare, so this is compiled when it is needed.
_LINE = rb'(?m)^(?:\xef\xbb\xbf)?[ \t]*\{\s*"type"\s*:\s*"(?:user|assistant)"'
_KEYS = (b'"parentUuid"', b'"isSidechain"', b'"file-history-snapshot"', b'"leafUuid"', b'"queue-operation"')
# A person's no, in the words of the versions; what they added to it follows `_ADDED`.
_NO = ("doesn't want to", "rejected", "declined")
_REJECTED = (
    *(f"{who} {no}" for who in ("The user", "User") for no in _NO),
    "[Request interrupted",
    "Interrupted by",
)
_ADDED = "the user said:"
# What a hook said: versions that do not mark it as their own begin it with the event, and " hook " follows.
_EVENTS = ("Stop", "Subagent", "Session", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "PostCompact")


class _Calls(NamedTuple):
    """What calls did that later lines go on from: the task list by number, and the ids of those that asked."""

    tasks: dict[str, tuple[str, bool]]
    asked: set[str]


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    if not any(sign in head for sign in _KEYS) and not re.search(_LINE, head):
        return False
    if b'"parts"' in head or b'"provenance"' in head:
        from sleep.transcripts.formats import qwen  # noqa: PLC0415  # late: the one client that writes the same keys

        return not qwen.sniff(head)
    return True


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, line by line; never raises for what a line holds."""
    seen: set[str] = set()
    edits: set[str] = set()
    calls = _Calls({}, set())
    waiting: list[str] = []
    dequeued: set[str] = set()
    root = ""
    for number, record in records(lines):
        if record is None:
            yield UNREAD._replace(line=number)
            continue
        kind, at = record.get("type"), as_text(record.get("timestamp"))
        if kind in ("user", "assistant") and not root and (root := as_text(record.get("cwd"))):
            yield Event("", "root", path=root, line=number)
        if kind == "queue-operation":
            events = _queued(record, waiting, dequeued)
        elif kind == "progress":
            events = _nested(record.get("data"), edits)
        else:
            events = _events(record, seen, calls)
        for event in events:
            if event.kind == "edit":
                edits.add(event.id)
            if event.kind == "prompt" and kind == "user" and event.text in dequeued:
                dequeued.remove(event.text)  # told when it was taken out of the queue
                continue
            yield event._replace(at=at, line=number)


def _events(record: dict[str, object], seen: set[str], calls: _Calls) -> Iterator[Event]:
    """Yield what a line of the conversation says, unless one with its `uuid` was read."""
    own = as_text(record.get("uuid"))
    if record.get("type") not in ("user", "assistant") or own in seen:
        return
    if own:
        seen.add(own)
    side = bool(record.get("isSidechain"))
    for event in _message(record, calls):
        yield event._replace(side=side)


def _queued(record: dict[str, object], waiting: list[str], dequeued: set[str]) -> Iterator[Event]:
    """Yield what the model got to see in the middle of a turn: the one that waited longest, when it is taken out.

    What is taken out for a turn of its own (`dequeue`) comes as a user's line, and so does a command; what goes back to
    the person (`popAll`) may be typed again.
    """
    operation = record.get("operation")
    if operation == "enqueue":
        waiting.append(as_text(record.get("content")))
    elif operation == "popAll":
        waiting.clear()
    elif operation in ("dequeue", "remove") and waiting:
        prompt = typed(waiting.pop(0))
        if operation == "remove" and prompt and not prompt.startswith("/"):
            dequeued.add(prompt)
            yield Event("person", "prompt", prompt)


def _nested(stored: object, seen: set[str]) -> Iterator[Event]:
    """Yield the edits of sub-agents inside a line of progress, each id once, and which calls failed."""
    left = [stored]
    while left:
        node = left.pop()
        if isinstance(node, list):
            left.extend(reversed(node))
        elif isinstance(node, dict) and node.get("type") == "tool_use":
            call, arguments = as_text(node.get("id")), as_object(node.get("input"))
            if node.get("name") in EDITS and not (call and call in seen):
                yield Event("agent", "edit", path=_path(arguments), id=call, side=True)
        elif isinstance(node, dict) and node.get("type") == "tool_result":
            if node.get("is_error"):
                yield Event("tool", "result", id=as_text(node.get("tool_use_id")), ok=False, side=True)
        elif isinstance(node, dict):
            left.extend(reversed(node.values()))


def _message(record: dict[str, object], calls: _Calls) -> Iterator[Event]:
    content = as_object(record.get("message")).get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)
    for block in map(as_object, blocks):
        kind = block.get("type")
        if kind == "text" and record["type"] == "assistant":
            text = as_text(block.get("text")).strip()
            if text not in boilerplate.NO_ANSWERS and not record.get("isApiErrorMessage"):
                yield Event("agent", "text", text)
        elif kind == "text":
            yield from _prompt(as_text(block.get("text")), record)
        elif kind == "tool_use":
            yield from _call(as_text(block.get("name")), as_object(block.get("input")), as_text(block.get("id")), calls)
        elif kind == "tool_result":
            yield from _result(block, record, calls.asked)


def _prompt(text: str, record: dict[str, object]) -> Iterator[Event]:
    """Yield what a person typed: a prompt, or a command with its arguments."""
    if record.get("isCompactSummary"):
        yield Event("agent", "summary", boilerplate.summary(text))
        return
    origin = as_text(as_object(record.get("origin")).get("kind")) or "human"
    if record.get("isMeta") or origin != "human" or record.get("promptSource") == "system":
        return
    if prompt := typed(text):
        yield Event("person", "prompt", prompt)


def typed(text: str) -> str:
    """Return what a person typed of a message's text: without what the client put in, commands with their arguments.

    "" for what a hook said.
    """
    if _is_of_hook(text):
        return ""
    return "\n\n".join(part for part in (boilerplate.command(text), boilerplate.strip(text)) if part)


def _is_of_hook(text: str) -> bool:
    """True for what a hook said: `Stop hook feedback: ...`, `PreToolUse:Write hook error: ...`."""
    head = text.lstrip()[:160]
    return head.startswith(_EVENTS) and " hook " in head.partition("\n")[0]


def _path(arguments: dict[str, object]) -> str:
    return text_of(arguments, "file_path", "notebook_path")


def _call(name: str, arguments: dict[str, object], call: str, calls: _Calls) -> Iterator[Event]:
    path = _path(arguments)
    if name in EDITS:
        yield Event("agent", "edit", path=path, id=call)
    elif name == "Bash":
        yield Event("agent", "run", as_text(arguments.get("command")), id=call)
    elif name == "ExitPlanMode":
        yield Event("agent", "plan", as_text(arguments.get("plan")), id=call)
    elif name == "AskUserQuestion":
        calls.asked.add(call)
        yield Event("agent", "ask", questions(arguments.get("questions")), id=call)
    elif name == "TodoWrite":
        yield Event("agent", "tasks", todo_list(arguments.get("todos"), "content"), id=call)
    elif name in ("TaskCreate", "TaskUpdate"):
        _task(arguments, calls.tasks)
        yield Event("agent", "tasks", checklist(calls.tasks.values()), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _task(arguments: dict[str, object], tasks: dict[str, tuple[str, bool]]) -> None:
    """Keep the task list: tasks are numbered from 1 as they are created."""
    number = as_text(arguments.get("taskId"))
    if not number:
        tasks[str(len(tasks) + 1)] = (as_text(arguments.get("subject")), False)
    elif number in tasks:
        status = arguments.get("status")
        what, done = tasks[number]
        tasks[number] = (
            as_text(arguments.get("subject")) or what,
            status in ("completed", "deleted") if status else done,
        )


def _result(block: dict[str, object], record: dict[str, object], asked: set[str]) -> Iterator[Event]:
    """Yield a tool's result; what a person said by way of it is theirs.

    `asked` are the ids of calls whose results a person answers, which may stand only in what the model is told.
    """
    call, ok = as_text(block.get("tool_use_id")), not block.get("is_error")
    known = as_object(as_object(record.get("toolUseResult")).get("answers"))
    seen = answers(_text(block.get("content"))) if ok and call in asked and not known else ()
    for question, answer in ((question, as_text(answer)) for question, answer in (*known.items(), *seen)):
        if answer:
            yield Event("person", "answer", answer, id=call, asked=as_text(question))
    text = "" if ok else _text(block.get("content"))
    if text.startswith(_REJECTED) or _is_of_hook(text):
        _, refused, added = text.partition(_ADDED)
        if refused:
            yield Event("person", "answer", added.strip(), id=call)
        text = ""  # nothing broke: a person or a hook said no
    if record.get("toolDenialKind") or text.lstrip().startswith("<tool_use_error>"):
        text = ""  # nor here: the client asked for leave, or did not take the call
    yield Event("tool", "result", clip(text.strip()), id=call, ok=ok)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(as_text(as_object(part).get("text")) for part in as_list(content))
