"""Files of messages: JSON, JSON lines, and what clients write down, as messages of a provider's shape.

Owns the shapes. Claude Code's lines become messages of Anthropic's shape (one message of the model stands on several
lines), Codex's items stay items of Responses, Gemini's become contents. What a client notes beside the conversation
is left out, and so are calls that were never answered, and the other way round: a provider would refuse them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import ANTHROPIC, CHAT, GEMINI, RESPONSES
from sleep.errors import DocumentError
from sleep.transcripts import readers
from sleep.transcripts.events import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.conversation.messages.shapes import Message

FORMATS = ("auto", "json", "jsonl", "claude-code", "codex", "gemini")
_WRAPPED = ("messages", "history", "input", "contents", "trajectory")  # the fields under which objects hold a history


class Record(NamedTuple):
    """A history read from a file: its messages, their shape, the format, and how many lines could not be read."""

    messages: list[Message]
    shape: str
    format: str
    unread: int = 0


def read(content: bytes, form: str = "auto", where: str = "") -> Record:
    """Return the history that a file holds.

    Raises:
        DocumentError: it holds none that is known.
    """
    if form not in FORMATS:
        raise DocumentError(f"there is no format {form!r} ({', '.join(FORMATS)} would be right)", where=where)
    if form == "auto":
        form = readers.sniff(content[: readers.HEAD])
        form = form if form in FORMATS else _form(content)
    if form in ("claude-code", "codex"):
        return _read_client(content, form)
    return _require_messages(_read_lines(content) if form == "jsonl" else _read_json(content, form, where), where)


def _read_client(content: bytes, form: str) -> Record:
    objects = _objects(content)
    lines = [line for line in objects if line is not None]
    unread = len(objects) - len(lines)
    if form == "claude-code":
        return Record(_pair(_claude(lines)), ANTHROPIC, form, unread)
    return Record(_pair(_codex(lines)), RESPONSES, form, unread)


def _read_lines(content: bytes) -> Record:
    objects = _objects(content)
    lines = [line for line in objects if line is not None]
    values: list[Any] = [line["message"] if isinstance(line.get("message"), dict) else line for line in lines]
    history = [message for message in values if _is_message(message)]
    return Record(history, shapes.detect(history), "jsonl", len(objects) - len(history))


def _read_json(content: bytes, form: str, where: str) -> Record:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"is no JSON ({error})", where=where) from None
    if form == "gemini" or (isinstance(value, dict) and "sessionId" in value and "messages" in value):
        return Record(_pair(_gemini(as_list(as_object(value).get("messages")))), GEMINI, "gemini")
    items = _messages_in(value)
    history = [value for value in items if isinstance(value, dict) and _is_message(value)]
    return Record(history, shapes.detect(history), form, len(items) - len(history))


def _objects(content: bytes) -> list[dict[str, Any] | None]:
    """Return the objects of JSON lines, None for a line that is none; two on one line are both read."""
    objects: list[dict[str, Any] | None] = []
    decoder = json.JSONDecoder()
    for line in content.decode("utf-8", "replace").removeprefix("\ufeff").split("\n"):
        text, at = line.strip(), 0
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                objects.append(None)
                break
            objects.append(value if isinstance(value, dict) else None)
            at += len(text[at:]) - len(text[at:].lstrip(", \t\r"))
    return objects


def _form(content: bytes) -> str:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return "jsonl"
    return "json"


def _require_messages(record: Record, where: str) -> Record:
    if not record.messages:
        raise DocumentError(
            "holds no messages (objects with `role` and `content`, or items, would be right)", where=where
        )
    return record


def _messages_in(value: object) -> list[object]:
    if isinstance(value, dict):
        inner = next((value[key] for key in _WRAPPED if isinstance(value.get(key), list)), None)
        return inner if inner is not None else [value]
    return value if isinstance(value, list) else []


def _is_message(value: dict[str, Any]) -> bool:
    return "role" in value or value.get("type") == "reasoning" or "_call" in as_text(value.get("type"))


# --- clients ---------------------------------------------------------------------------------------------------------


def _claude(lines: Iterable[dict[str, object]]) -> list[Message]:
    messages: list[Message] = []
    uuids: set[str] = set()
    for line in lines:
        uuid = as_text(line.get("uuid"))
        if line.get("type") not in ("user", "assistant") or line.get("isSidechain") or uuid in uuids:
            continue
        uuids.update({uuid} - {""})
        message = as_object(line.get("message"))
        role, content = as_text(message.get("role")) or as_text(line.get("type")), message.get("content")
        blocks = [block for block in _blocks(content) if not _is_empty(block)]
        if not blocks or role not in ("user", "assistant"):
            continue
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks  # also two answers with nothing between: the provider wants one message
        else:
            messages.append({"role": role, "content": blocks})
    return messages


def _blocks(content: object) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)


def _is_empty(block: object) -> bool:
    return not isinstance(block, dict) or (block.get("type") == "text" and not as_text(block.get("text")).strip())


def _codex(lines: Iterable[dict[str, object]]) -> list[Message]:
    messages: list[Message] = []
    for line in lines:
        item = as_object(line.get("payload")) if "payload" in line else line
        kind = as_text(item.get("type"))
        if line.get("type") not in ("response_item", "message", "reasoning", "function_call", "function_call_output"):
            continue
        if (
            (kind == "message" and item.get("content"))
            or kind == "reasoning"
            or kind in shapes.ANSWERED
            or kind.endswith("_call_output")
        ):
            messages.append(dict(item))
    return messages


def _gemini(lines: Iterable[object]) -> list[Message]:
    messages: list[Message] = []
    for line in map(as_object, lines):
        role = {"user": "user", "gemini": "model"}.get(as_text(line.get("type")), "")
        if not role:
            continue
        text = shapes.flatten(line.get("content"))
        parts: list[Any] = [{"text": text}] if text.strip() else []
        answers: list[Any] = []
        for call in map(as_object, as_list(line.get("toolCalls"))):
            name, identity = as_text(call.get("name")), as_text(call.get("id"))
            parts.append({"functionCall": {"name": name, "args": as_object(call.get("args")), "id": identity}})
            result = [part for part in as_list(call.get("result")) if isinstance(part, dict)]
            answers += result or [
                {
                    "functionResponse": {
                        "name": name,
                        "id": identity,
                        "response": {"output": as_text(call.get("resultDisplay"))},
                    }
                }
            ]
        for own, content in ((role, parts), ("user", answers)):
            if content and messages and messages[-1]["role"] == own:
                messages[-1]["parts"] += content
            elif content:
                messages.append({"role": own, "parts": content})
    return messages


def _pair(messages: list[Message]) -> list[Message]:
    """Return messages without calls that nothing answers at once, and results without a call; none is left empty."""
    while True:
        unpaired = _unpaired([shapes.read_turn(message) for message in messages])
        if not unpaired and (not messages or _is_beginning(messages[0])):
            return messages
        if not unpaired:  # what a client left of a conversation begins in the middle
            messages[0] = {}
        for index, calls in unpaired:
            if messages[index]:
                messages[index] = _without(messages[index], calls)
        messages = _join(
            [message for message in messages if message and message.get("content", message.get("parts", True))]
        )


def _is_beginning(message: Message) -> bool:
    return message.get("role") in ("user", "system", "developer") or "type" in message


def _unpaired(turns: list[shapes.Turn]) -> list[tuple[int, frozenset[str]]]:
    """Return the indexes of turns with calls that nothing answers at once or results without a call, and those."""
    unpaired: list[tuple[int, frozenset[str]]] = []
    for index, turn in enumerate(turns):
        if turn.calls:
            answers = _answers(turns, index)
            unpaired.append((index, frozenset(call for call, _ in turn.calls if call not in answers)))
        results = frozenset(result for result in turn.results if not _has_call(turns, index, result))
        unpaired.append((index, results))
    return [(index, calls) for index, calls in unpaired if calls]


def _answers(turns: list[shapes.Turn], index: int) -> set[str]:
    if turns[index].item:
        return {result for turn in turns[index + 1 :] for result in turn.results}
    return set(turns[index + 1].results) if index + 1 < len(turns) else set()


def _has_call(turns: list[shapes.Turn], index: int, result: str) -> bool:
    if turns[index].role == "tool" and not turns[index].parts[0].kind:
        return False
    before = turns[:index] if any(turn.item for turn in turns[:index]) else turns[max(0, index - 1) : index]
    return any(call == result for turn in before for call, _ in turn.calls)


def _without(message: Message, unpaired: frozenset[str]) -> Message:
    field = next((key for key in ("parts", "content") if isinstance(message.get(key), list)), "")
    if not field or message.get("type") not in (None, "message"):
        return {}
    blocks = []
    for block in message[field]:
        turn = shapes.read_turn({"role": message["role"], field: [block]})
        if unpaired.isdisjoint((*turn.results, *(call for call, _ in turn.calls))):
            blocks.append(block)
    return {**message, field: blocks}


def _join(messages: list[Message]) -> list[Message]:
    """Return messages in which roles alternate where they did before something between was left out."""
    out: list[Message] = []
    for message in messages:
        field = "parts" if "parts" in message else "content"
        same = out and out[-1].get("role") == message.get("role") and "type" not in message
        if same and isinstance(out[-1].get(field), list) and isinstance(message.get(field), list):
            out[-1] = {**out[-1], field: [*out[-1][field], *message[field]]}
        else:
            out.append(message)
    return out


__all__ = ["CHAT", "FORMATS", "Record", "read"]
