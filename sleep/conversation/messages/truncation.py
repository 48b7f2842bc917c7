"""Clipping: results, what calls were given, and what was said, to head and end, so that what is kept fits.

Owns the cut and the sign that takes the place of what was cut. Refuses to touch thoughts, which providers sign,
summaries, and the system's messages unless they are asked for by name. A text that was clipped to a size is not
clipped again to the same size.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sleep.conversation.messages import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Message

RESULTS, CALLS, SPEECH, SYSTEM = "results", "calls", "speech", "system"  # what of a message is clipped
# Characters that a clipped text has at the least.
LEAST = {RESULTS: 240, CALLS: 1_000, SPEECH: 1_000, SYSTEM: 1_000}
_HEADER = "[Session context consolidated]"
_SIGN = "\n[… {} characters left out …]\n"
_ROOM = 40  # characters of the sign
_LEAST_EACH = 200  # characters of each of two texts that share a room
_TOKEN = 4  # characters of a token, about
_END = 0.4  # of a clipped text, its end: that is where errors stand


def truncate(whole: str, limit: int) -> str:
    """Return a text's head and end in at most `limit` characters, with how much was left out between them."""
    if len(whole) <= limit:
        return whole
    room = max(0, limit - _ROOM)
    end = int(room * _END)
    head = room - end
    head = _unsplit(whole, head)
    last = _unsplit(whole, len(whole) - end)
    return f"{whole[:head]}{_SIGN.format(last - head)}{whole[last:]}"


def share(first: str, second: str, room: int, count: Counter) -> tuple[str, str]:
    """Return two texts within so many tokens, head and end of each where both have no room word for word."""
    if count(first) + count(second) <= room:
        return first, second
    each = max(_LEAST_EACH, room * _TOKEN // (2 if first and second else 1))
    return truncate(first, each), truncate(second, each)


def _unsplit(whole: str, at: int) -> int:
    """Return the offset, one later where it would part the halves of a surrogate pair."""
    return at + 1 if 0 < at < len(whole) and "\ud800" <= whole[at - 1] <= "\udbff" else at


def texts(message: Message, scope: str) -> list[str]:
    """Return the texts of a message that stand in a scope, each string by itself."""
    own: list[str] = []

    def note(content: str) -> str:
        own.append(content)
        return content

    _walk(message, note, scope)
    return own


def truncate_texts(message: Message, limit: int, scope: str) -> Message:
    """Return a message whose texts in a scope have at most `limit` characters; the same object if they have."""
    changed = []

    def shorten(content: str) -> str:
        short = truncate(content, limit)
        if short is not content:
            changed.append(content)
        return short

    shorter = _walk(message, shorten, scope)
    return shorter if changed else message


def limit_for(sizes: Sequence[int], room: int, least: int) -> int:
    """Return the length that, where texts of these lengths are cut to it, leaves them within `room` characters."""
    rest = room
    ordered = sorted(sizes)
    for number, size in enumerate(ordered):
        share = rest // (len(ordered) - number)
        if size > share:
            return max(share, least)
        rest -= size
    return max(ordered, default=least)


def _walk(message: Message, change: Any, scope: str) -> Message:  # noqa: ANN401  # a function from text to text
    """Return a copy of a message in which the strings of a scope are changed."""
    kind, role = message.get("type"), message.get("role")
    if isinstance(kind, str) and kind.endswith(("_call", "_call_output")):
        return _walk_item(message, change, scope)
    if role in ("tool", "function") and "parts" not in message:
        return {**message, "content": _deep(message.get("content"), change)} if scope == RESULTS else message
    if (role in ("system", "developer")) != (scope == SYSTEM):
        return message
    return _walk_content(message, change, SPEECH if scope == SYSTEM else scope)


def _walk_content(message: Message, change: Any, scope: str) -> Message:  # noqa: ANN401  # as above
    """Return a copy of a message in which the strings of a scope are changed, in its content and its calls."""
    field = "parts" if "parts" in message else "content"
    blocks, calls = message.get(field), message.get("tool_calls")
    if isinstance(blocks, (list, tuple)):
        message = {**message, field: [_block(block, change, scope) for block in blocks]}
    elif isinstance(blocks, str) and scope == SPEECH:
        message = {**message, field: _shorten_speech(blocks, change)}
    if scope == CALLS and isinstance(calls, (list, tuple)):
        message = {**message, "tool_calls": [_call(call, change) for call in calls]}
    return message


def _walk_item(message: Message, change: Any, scope: str) -> Message:  # noqa: ANN401  # as above
    """Return a copy of a call or a result in the shape of Responses."""
    if not message["type"].endswith("_output"):
        return _arguments(message, change) if scope == CALLS else message
    return {**message, "output": _deep(message.get("output"), change)} if scope == RESULTS else message


def _block(block: Any, change: Any, scope: str) -> Any:  # noqa: ANN401  # a block of any shape
    if not isinstance(block, dict):
        return block
    if scope == RESULTS:
        return _result(block, change)
    if scope == CALLS:
        call = next((key for key in ("functionCall", "function_call") if isinstance(block.get(key), dict)), "")
        is_use = isinstance(block.get("type"), str) and block["type"].endswith("tool_use")
        return (
            {**block, call: _arguments(block[call], change)} if call else _arguments(block, change) if is_use else block
        )
    is_said = block.get("type") in (None, "text", "input_text", "output_text") and block.get("thought") is not True
    return (
        {**block, "text": _shorten_speech(block["text"], change)}
        if is_said and isinstance(block.get("text"), str)
        else block
    )


def _result(block: dict[str, Any], change: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
    for key in ("functionResponse", "function_response"):
        if isinstance(block.get(key), dict):
            response = block[key]
            return {**block, key: {**response, "response": _deep(response.get("response"), change)}}
    return {**block, "content": _deep(block.get("content"), change)} if "tool_use_id" in block else block


def _shorten_speech(text: str, change: Any) -> str:  # noqa: ANN401  # as above
    """Return what was said, changed; a summary is not: it fits by itself."""
    changed: str = text if text.startswith(_HEADER) else change(text)
    return changed


def _call(call: Any, change: Any) -> Any:  # noqa: ANN401  # a call of any shape
    if not isinstance(call, dict):
        return call
    inner = next((key for key in ("function", "custom") if isinstance(call.get(key), dict)), "")
    return {**call, inner: _arguments(call[inner], change)} if inner else _arguments(call, change)


def _arguments(call: dict[str, Any], change: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
    """Return a call whose arguments are changed: the strings in them, also where they are written as JSON."""
    field = next((key for key in ("arguments", "args", "input") if key in call), "")
    value = call.get(field)
    if field != "arguments" and not (isinstance(value, str) and value.startswith("{")):
        return {**call, field: _deep(value, change)} if field else call
    try:
        read = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return call
    changed = _deep(read, change)
    if changed == read:
        return call
    return {**call, field: json.dumps(changed, ensure_ascii=False) if isinstance(value, str) else changed}


def _deep(value: Any, change: Any) -> Any:  # noqa: ANN401  # what a tool returned
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        if shapes.is_media(value):
            return value
        # The names of types and files are not what was said.
        return {key: inner if key in ("type", "id", "name") else _deep(inner, change) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_deep(inner, change) for inner in value]
    return value
