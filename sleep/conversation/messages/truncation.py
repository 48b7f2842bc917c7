"""Clipping: tool results to their head and end, so that what is kept fits.

Owns the cut and what takes the place of what was cut. Refuses to touch what people and agents said, and calls. A
result that was clipped to a size is not clipped again to the same size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sleep.conversation.messages import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.shapes import Message

LEAST = 240  # characters that a clipped result has at the least
_SIGN = "\n[… {} characters left out …]\n"
_ROOM = 40  # characters of the sign
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


def _unsplit(whole: str, at: int) -> int:
    """Return the offset, one later where it would part the halves of a surrogate pair."""
    return at + 1 if 0 < at < len(whole) and "\ud800" <= whole[at - 1] <= "\udbff" else at


def result_texts(message: Message) -> list[str]:
    """Return the texts of a message's tool results, each string by itself."""
    texts: list[str] = []

    def note(content: str) -> str:
        texts.append(content)
        return content

    _walk(message, note)
    return texts


def truncate_results(message: Message, limit: int) -> Message:
    """Return a message whose tool results have strings of at most `limit` characters; the same object if they have."""
    changed = []

    def shorten(content: str) -> str:
        short = truncate(content, limit)
        if short is not content:
            changed.append(content)
        return short

    shorter = _walk(message, shorten)
    return shorter if changed else message


def limit_for(sizes: Sequence[int], room: int) -> int:
    """Return the length that, where texts of these lengths are cut to it, leaves them within `room` characters."""
    rest = room
    ordered = sorted(sizes)
    for number, size in enumerate(ordered):
        share = rest // (len(ordered) - number)
        if size > share:
            return max(share, LEAST)
        rest -= size
    return max(ordered, default=LEAST)


def _walk(message: Message, change: Any) -> Message:  # noqa: ANN401  # a function from text to text
    """Return a copy of a message in which the strings of tool results are changed."""
    kind = message.get("type")
    if isinstance(kind, str) and kind.endswith("_call_output"):
        return {**message, "output": _deep(message.get("output"), change)}
    if message.get("role") in ("tool", "function") and "parts" not in message:
        return {**message, "content": _deep(message.get("content"), change)}
    field = "parts" if "parts" in message else "content"
    blocks = message.get(field)
    if not isinstance(blocks, (list, tuple)):
        return message
    return {**message, field: [_block(block, change) for block in blocks]}


def _block(block: Any, change: Any) -> Any:  # noqa: ANN401  # a block of any shape
    if not isinstance(block, dict):
        return block
    for key in ("functionResponse", "function_response"):
        if isinstance(block.get(key), dict):
            response = block[key]
            return {**block, key: {**response, "response": _deep(response.get("response"), change)}}
    if "tool_use_id" in block:
        return {**block, "content": _deep(block.get("content"), change)}
    return block


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
