"""Messages as providers write them, read into one form: who speaks, what is said, what is called and answered.

Owns the four shapes (OpenAI chat, OpenAI Responses, Anthropic, Gemini) and telling them apart. Refuses to change a
message, and to raise for one that is odd: what it does not know is other text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CHAT, RESPONSES, ANTHROPIC, GEMINI = "openai", "responses", "anthropic", "gemini"
SHAPES = (CHAT, RESPONSES, ANTHROPIC, GEMINI)
ALTERNATING = frozenset({ANTHROPIC, GEMINI})
TEXT, CALL, RESULT, THOUGHT, MEDIUM = "text", "call", "result", "thought", "medium"
Message = dict[str, Any]

_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")
_MEDIA = ("image", "image_url", "input_image", "input_audio", "audio", "document", "file", "input_file")


class Part(NamedTuple):
    """A piece of a message: `kind`, its text, and the name of the tool (a call's) or the id (a result's)."""

    kind: str
    text: str
    name: str = ""


class Turn(NamedTuple):
    """A message as it is read.

    `role` is `system`, `user`, `assistant`, `tool` (nothing but results), or "" for none that is known. `calls` are
    pairs (id, name of the tool), `results` are ids; a shape without ids has names in their place. `item` is true for
    what a model put out in the shape of Responses, `reasons` for what must stay with what follows it.
    """

    role: str
    parts: tuple[Part, ...]
    calls: tuple[tuple[str, str], ...] = ()
    results: tuple[str, ...] = ()
    item: bool = False
    reasons: bool = False


def read_turn(message: Message) -> Turn:
    """Return a message as it is read."""
    content = message.get("content")
    role = message.get("role")
    speaker = _ROLES.get(role, "") if isinstance(role, str) else ""
    if type(content) is str and speaker in ("user", "assistant", "system") and len(message) == 2:  # noqa: PLR2004  # role and content
        return Turn(speaker, (Part(TEXT, content),) if content else ())
    item = _item(message, role) if "type" in message else None
    if item is not None:
        return item
    if speaker == "tool":
        return _tool_turn(message, role, content)
    more, named_calls = _tool_calls(message)
    is_item = speaker == "assistant" and message.get("type") == "message"
    if content is None and "parts" not in message:
        return Turn(speaker, tuple(more), tuple(named_calls), (), is_item)
    parts, calls, results = _blocks(message.get("parts", content))
    parts += more
    calls += named_calls
    if results and all(part.kind in (RESULT, MEDIUM) for part in parts):
        return Turn("tool", tuple(parts), tuple(calls), tuple(results))
    return Turn(speaker, tuple(parts), tuple(calls), tuple(results), item=is_item)


def _tool_turn(message: Message, role: object, content: object) -> Turn:
    """Read a message that answers a call."""
    tool = _text(message.get("name"))
    # Without an id the legacy form answers by name; a tool that says neither answers the call before it.
    call = _text(message.get("tool_call_id")) or (_named(tool) if role == "function" else "")
    return Turn("tool", (Part(RESULT, flatten(content), tool or call),), (), (call,) if call else ())


def _item(message: Message, role: object) -> Turn | None:
    """Read an item of the Responses shape, None for a message and for another thing with a type."""
    kind = message.get("type")
    if not isinstance(kind, str) or kind in ("message", role) or "parts" in message:
        return None
    call = _text(message.get("call_id")) or _text(message.get("id"))
    if kind == "reasoning":
        text = flatten(message.get("summary"))
        return Turn("assistant", (Part(THOUGHT, text),) if text else (), item=True, reasons=True)
    if kind.endswith("_call_output"):
        return Turn("tool", (Part(RESULT, flatten(message.get("output")), call),), results=(call,) if call else ())
    if kind.endswith("_call"):
        name = _text(message.get("name")) or kind.removesuffix("_call")
        text = next((flatten(message[key]) for key in ("arguments", "input", "action") if message.get(key)), "")
        # What the provider ran itself is answered in the item.
        ids = ((call, name),) if kind in ANSWERED or kind.startswith(("function", "custom")) else ()
        return Turn("assistant", (Part(CALL, text, name),), calls=ids, item=True)
    return None


ANSWERED = frozenset(
    {"function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call"}
)


def _tool_calls(message: Message) -> tuple[list[Part], list[tuple[str, str]]]:
    parts: list[Part] = []
    calls: list[tuple[str, str]] = []
    listed = message.get("tool_calls")
    if listed is None and "function_call" not in message:
        return parts, calls
    for call in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(call, dict):
            function = call.get("function") or call.get("custom")
            function = function if isinstance(function, dict) else call
            name = _text(function.get("name"))
            arguments = flatten(function.get("arguments") or function.get("args") or function.get("input") or "")
            parts.append(Part(CALL, arguments, name))
            calls.append((_text(call.get("id")), name))
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        name = _text(legacy.get("name"))
        parts.append(Part(CALL, flatten(legacy.get("arguments")), name))
        calls.append((_named(name), name))
    return parts, calls


_FUNCTIONS = frozenset({"functionCall", "function_call", "functionResponse", "function_response"})
_Blocks = tuple[list[Part], list[tuple[str, str]], list[str]]  # parts, calls and results of a content


def _blocks(content: object) -> _Blocks:
    read: _Blocks = ([], [], [])
    if not isinstance(content, (list, tuple)):
        text = flatten(content)
        return ([Part(TEXT, text)] if text else []), [], []
    for block in content:
        if not isinstance(block, dict):
            read[0].append(Part(TEXT, flatten(block)))
        elif not _read_function(block, read):
            _read_block(block, read)
    return read


def _read_function(block: Message, read: _Blocks) -> bool:
    """Take in a call or a result of Gemini's shape; return whether the block is one."""
    if _FUNCTIONS.isdisjoint(block):
        return False
    parts, calls, results = read
    function = block.get("functionCall") or block.get("function_call")
    response = block.get("functionResponse") or block.get("function_response")
    if isinstance(function, dict):
        name = _text(function.get("name"))
        parts.append(Part(CALL, flatten(function.get("args")), name))
        calls.append((_text(function.get("id")) or _named(name), name))
        return True
    if isinstance(response, dict):
        name = _text(response.get("name"))
        parts.append(Part(RESULT, flatten(response.get("response")), name))
        results.append(_text(response.get("id")) or _named(name))
        return True
    return False


def _read_block(block: Message, read: _Blocks) -> None:
    """Take in a block that has a type, or a text."""
    parts, calls, results = read
    kind = block.get("type")
    if kind in _THOUGHTS or block.get("thought") is True:
        parts.append(Part(THOUGHT, flatten(block.get("thinking") or block.get("text"))))
    elif isinstance(kind, str) and kind.endswith("tool_use"):
        name = _text(block.get("name"))
        parts.append(Part(CALL, flatten(block.get("input")), name))
        calls.append((_text(block.get("id")), name))
    elif "tool_use_id" in block:
        answer = _text(block.get("tool_use_id"))
        inside = _listed(block.get("content"))
        parts.append(Part(RESULT, flatten(block.get("content")), answer))
        parts.extend(Part(MEDIUM, "") for inner in inside if isinstance(inner, dict) and is_media(inner))
        results.append(answer)
    elif is_media(block):
        parts.append(Part(MEDIUM, ""))
    else:
        text = block.get("text", block.get("refusal"))
        parts.append(Part(TEXT, flatten(text if text is not None else block)))


def is_media(block: Message) -> bool:
    """Return whether a block is a picture, a sound or a file, whose characters are no text."""
    return block.get("type") in _MEDIA or "inlineData" in block or "inline_data" in block or "fileData" in block


def flatten(value: object) -> str:  # noqa: PLR0911  # a case a line
    """Return the text of a value: of blocks their texts, line by line; of other structures their JSON-like form."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return "\n".join(filter(None, map(flatten, value)))
    if isinstance(value, dict):
        if is_media(value):
            return ""
        if isinstance(value.get("text"), str):
            return str(value["text"])
        if len(value) == 1 and isinstance(only := next(iter(value.values())), str):
            return only  # Gemini wraps what a tool printed in an object of one field
        return "\n".join(f"{key}: {flatten(inner)}" for key, inner in value.items())
    return str(value)


def detect(messages: Sequence[Message], carriers: Sequence[Message] = ()) -> str:
    """Return the shape of a history: that of the first message that tells for sure, else of the first that hints.

    `carriers` are those of a summary: their form tells what a history was of which little is left.
    """
    sure = next(filter(None, map(_sure, messages)), "")
    return sure or next(filter(None, map(_hint, (*carriers[:1], *messages))), CHAT)


def _sure(message: Message) -> str:  # a case a line
    kind = message.get("type")
    if isinstance(message.get("parts"), (list, tuple)):
        return GEMINI
    if message.get("tool_calls") or message.get("role") in ("tool", "function"):
        return CHAT
    if isinstance(kind, str) and (kind in ("message", "reasoning") or "_call" in kind):
        return RESPONSES
    content = message.get("content")
    return _shape_of(content) if isinstance(content, (list, tuple)) else ""


def _shape_of(content: Sequence[object]) -> str:
    """Return the shape that the types of blocks tell for sure."""
    kinds = [str(block.get("type")) for block in content if isinstance(block, dict)]
    if any(kind.startswith(("input_", "output_")) for kind in kinds):
        return RESPONSES
    if any(kind.startswith(("image_url", "input_audio")) for kind in kinds):
        return CHAT
    return ANTHROPIC if any(kind.endswith(("tool_use", "tool_result", "thinking")) for kind in kinds) else ""


def _hint(message: Message) -> str:
    content = message.get("content")
    if isinstance(content, (list, tuple)):
        return ANTHROPIC
    is_carrier = isinstance(content, str) and content.startswith("[Session context consolidated]")
    return CHAT if is_carrier else ""


def user_message(text: str, of_shape: str) -> Message:
    """Return a user's message with a text, in a shape; the form also tells the shape to who reads it again."""
    if of_shape == GEMINI:
        return {"role": "user", "parts": [{"text": text}]}
    if of_shape == ANTHROPIC:
        return {"role": "user", "content": [{"type": "text", "text": text}]}
    if of_shape == RESPONSES:
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return {"role": "user", "content": text}


def with_text_before(text: str, message: Message, of_shape: str) -> Message:
    """Return a user's message with a text put before what it says."""
    field = "parts" if of_shape == GEMINI else "content"
    old = message.get(field)
    if isinstance(old, (list, tuple)):
        blocks = list(old)
    elif old:
        blocks = [{"text": flatten(old)} if of_shape == GEMINI else {"type": "text", "text": flatten(old)}]
    else:
        blocks = []
    # Results come first in a message of Anthropic's; elsewhere the order is free.
    first = 0
    while first < len(blocks) and isinstance(blocks[first], dict) and "tool_use_id" in blocks[first]:
        first += 1
    mine = user_message(text, of_shape)[field]
    return {**message, field: [*blocks[:first], *mine, *blocks[first:]]}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _named(name: str) -> str:
    """Return what stands for the id of a call where the shape has none."""
    return f"name:{name}" if name else ""
