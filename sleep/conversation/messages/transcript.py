"""Transcripts of clients as messages of a provider's shape.

Owns what their lines mean. Claude Code's become messages of Anthropic's shape (one message of the model stands on
several lines), and so do Copilot CLI's events and OpenCode's messages with their parts; Codex's items stay items of
Responses; Gemini's and Qwen's become contents. What a client notes beside the conversation is left out, and what
sub-agents said among themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import ANTHROPIC, GEMINI, RESPONSES
from sleep.transcripts.events import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.conversation.messages.shapes import Message


def _claude(lines: Iterable[dict[str, Any]]) -> list[Message]:
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
        if role in ("user", "assistant"):
            _say(messages, role, blocks)
    return messages


def _blocks(content: object) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)


def _is_empty(block: object) -> bool:
    return not isinstance(block, dict) or (block.get("type") == "text" and not as_text(block.get("text")).strip())


def _codex(lines: Iterable[dict[str, Any]]) -> list[Message]:
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


def _gemini(lines: Iterable[dict[str, Any]]) -> list[Message]:
    """Read Gemini CLI's messages: of one document, or of lines in which the last form of a message counts."""
    known: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(lines):
        patched = as_object(line.get("$set")).get("messages")
        for place, message in enumerate(map(as_object, [line, *as_list(line.get("messages")), *as_list(patched)])):
            if message.get("type") in ("user", "gemini"):
                known[as_text(message.get("id")) or f"{number}.{place}"] = message
    messages: list[Message] = []
    for message in known.values():
        text = shapes.flatten(message.get("content"))
        parts: list[Any] = [{"text": text}] if text.strip() else []
        answers: list[Any] = []
        for call in map(as_object, as_list(message.get("toolCalls"))):
            name, identity = as_text(call.get("name")), as_text(call.get("id"))
            parts.append({"functionCall": {"name": name, "args": as_object(call.get("args")), "id": identity}})
            result = [part for part in as_list(call.get("result")) if isinstance(part, dict)]
            shown = {"output": as_text(call.get("resultDisplay"))}
            answers += result or [{"functionResponse": {"name": name, "id": identity, "response": shown}}]
        _say(messages, "model" if message["type"] == "gemini" else "user", parts, "parts")
        _say(messages, "user", answers, "parts")
    return messages


def _qwen(lines: Iterable[dict[str, Any]]) -> list[Message]:
    """Read Qwen Code's lines: each has a message of parts."""
    messages: list[Message] = []
    seen: set[str] = set()
    for line in lines:
        own = as_text(line.get("uuid"))
        role = {"user": "user", "tool_result": "user", "assistant": "model"}.get(as_text(line.get("type")), "")
        if not role or line.get("isSidechain") or own in seen:
            continue
        seen.update({own} - {""})
        parts = [part for part in as_list(as_object(line.get("message")).get("parts")) if isinstance(part, dict)]
        _say(messages, role, [part for part in parts if part.get("text", "-").strip()], "parts")
    return messages


def _copilot(lines: Iterable[dict[str, Any]]) -> list[Message]:
    """Read Copilot CLI's events: what was typed, spoken, called and answered."""
    messages: list[Message] = []
    for line in lines:
        data = as_object(line.get("data"))
        if data.get("parentToolCallId") or line.get("agentId"):
            continue
        text = as_text(data.get("content"))
        spoken = [{"type": "text", "text": text}] if text.strip() else []
        kind = line.get("type")
        if kind == "user.message":
            _say(messages, "user", spoken)
        elif kind == "assistant.message":
            calls = [
                {"type": "tool_use", "id": as_text(call.get("toolCallId")), "name": as_text(call.get("name")),
                 "input": call.get("arguments") or {}}
                for call in map(as_object, as_list(data.get("toolRequests")))
            ]  # fmt: skip
            _say(messages, "assistant", [*spoken, *calls])
        elif kind == "tool.execution_complete":
            failed = as_object(data.get("error")).get("message") or data.get("error")
            printed = as_object(data.get("result")).get("content") or failed or ""
            _say(messages, "user", [_result(as_text(data.get("toolCallId")), printed)])
    return messages


def _opencode(documents: Iterable[dict[str, Any]]) -> list[Message]:
    """Read OpenCode's exports, and the lines that it prints: messages of parts, in which a call bears its result."""
    messages: list[Message] = []
    listed = (message for document in documents for message in as_list(document.get("messages")) or [document])
    for message in map(as_object, listed):
        info = as_object(message.get("info")) or message
        role = as_text(info.get("role")) or ("assistant" if "part" in message else "")
        if role not in ("user", "assistant"):
            continue
        parts = list(map(as_object, as_list(message.get("parts")) or [message.get("part")]))
        blocks = [block for part in parts if (block := _opencode_block(part))]
        _say(messages, role, [block for block, _ in blocks])
        _say(messages, "user", [answer for _, answer in blocks if answer])
    return messages


def _opencode_block(part: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return what a part says or calls, and what answers it; None for one that is neither, or not ended."""
    text, state = as_text(part.get("text")), as_object(part.get("state"))
    if part.get("type") == "text" and text.strip() and not (part.get("ignored") or part.get("synthetic")):
        return {"type": "text", "text": text}, {}
    if part.get("type") != "tool" or state.get("status") not in ("completed", "error"):
        return None
    call = as_text(part.get("callID")) or as_text(part.get("id"))
    use = {"type": "tool_use", "id": call, "name": as_text(part.get("tool")), "input": as_object(state.get("input"))}
    return use, _result(call, state.get("output") or state.get("error") or "")


def _result(call: str, printed: object) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": shapes.flatten(printed)}


def _say(messages: list[Message], role: str, blocks: list[Any], field: str = "content") -> None:
    """Add blocks to what a role says; to its message where it has just spoken: providers want roles in turn.

    Results come first in a message of Anthropic's, also where a person typed between them.
    """
    if blocks and messages and messages[-1]["role"] == role:
        messages[-1][field] = sorted([*messages[-1][field], *blocks], key=lambda block: "tool_use_id" not in block)
    elif blocks:
        messages.append({"role": role, field: blocks})


READERS: dict[str, tuple[Callable[[Iterable[dict[str, Any]]], list[Message]], str]] = {
    "claude-code": (_claude, ANTHROPIC),
    "codex": (_codex, RESPONSES),
    "gemini": (_gemini, GEMINI),
    "qwen-code": (_qwen, GEMINI),
    "copilot-cli": (_copilot, ANTHROPIC),
    "opencode": (_opencode, ANTHROPIC),
}


def pair(messages: list[Message]) -> list[Message]:
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
