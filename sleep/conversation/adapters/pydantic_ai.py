"""Pydantic AI: a history processor that consolidates. Needs the extra `pydantic-ai`.

    agent = Agent(model, capabilities=[ProcessHistory(processor(MemoryConsolidator(max_tokens=100_000)))])

Owns the translation there and back. A request may hold several results and a prompt, so it is read as a message of
Anthropic's shape. Messages that stay are the same objects; system prompts of those that go move to the summary's
request.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic_ai.messages import (
    ModelMessage,  # Pydantic AI reads the processor's annotations when it runs
    ModelRequest,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from sleep.conversation.consolidator import MemoryConsolidator
from sleep.conversation.messages import shapes
from sleep.conversation.summary import summary_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.conversation.consolidation import Report
    from sleep.conversation.messages.shapes import Message


def processor(
    consolidator: MemoryConsolidator | None = None,
    *,
    system_prompt: str = "",
    audit: Callable[[Report], object] | None = None,
) -> Callable[[list[ModelMessage]], list[ModelMessage]]:
    """Return a function from a history to the history to send, for `ProcessHistory`."""
    own = consolidator or MemoryConsolidator()

    def process(history: list[ModelMessage]) -> list[ModelMessage]:
        plain = [to_plain(message) for message in history]
        outcome = own.outcome_where_due(plain, system_prompt)
        if outcome is None:
            return history
        if audit is not None:
            audit(outcome.report)
        return back(outcome.messages, plain, history)

    return process


def to_plain(message: ModelMessage) -> Message:
    """Return a message of Pydantic AI's as the consolidator reads it."""
    blocks = [block for part in message.parts if (block := _block(part)) is not None]
    return {"role": "assistant" if message.kind == "response" else "user", "content": blocks}


def _block(part: Any) -> dict[str, Any] | None:  # noqa: ANN401  # a part of any kind
    if isinstance(part, ToolCallPart):
        return {"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": part.args}
    if isinstance(part, ToolReturnPart) or (isinstance(part, RetryPromptPart) and part.tool_name):
        result = part.model_response_str() if isinstance(part, ToolReturnPart) else part.model_response()
        return {"type": "tool_result", "tool_use_id": part.tool_call_id, "content": result}
    if isinstance(part, ThinkingPart):
        return {"type": "thinking", "thinking": part.content}
    if isinstance(part, (TextPart, SystemPromptPart, RetryPromptPart)):
        words = part.content if isinstance(part.content, str) else shapes.flatten(part.content)
        return {"type": "text", "text": words}
    if isinstance(part, UserPromptPart):
        several = [part.content] if isinstance(part.content, str) else part.content
        texts = [getattr(content, "content", content) for content in several]
        return {"type": "text", "text": "\n".join(text for text in texts if isinstance(text, str))}
    return None


def back(
    consolidated: Sequence[Message], plain: Sequence[Message], history: Sequence[ModelMessage]
) -> list[ModelMessage]:
    """Return the consolidated messages as Pydantic AI's: those that stay themselves, the others made."""
    same = {id(plain_message): message for plain_message, message in zip(plain, history, strict=True)}
    stays = {id(message) for message in consolidated}
    prompts = [
        part
        for plain_message, message in zip(plain, history, strict=True)
        if id(plain_message) not in stays
        for part in message.parts
        if isinstance(part, SystemPromptPart)
    ]
    shift = len(history) - len(consolidated)  # what stays is at the end, message for message
    out: list[ModelMessage] = []
    for number, message in enumerate(consolidated):
        if id(message) in same:
            out.append(same[id(message)])
        elif number:
            out.append(_clipped(history[number + shift], message))
        else:
            out.append(_summary(message, history[shift] if len(message["content"]) > 1 else None, prompts))
    return out


def _summary(plain: Message, into: Any, prompts: list[SystemPromptPart]) -> ModelRequest:  # noqa: ANN401  # a request, or None
    """Return the request that carries the summary, and what the request says that it was put into."""
    text = next(block["text"] for block in plain["content"] if block.get("type") == "text")
    rest = [] if into is None else list(_clipped(into, plain).parts)
    results = [part for part in rest if isinstance(part, ToolReturnPart)]
    others = [part for part in rest if not isinstance(part, ToolReturnPart)]
    parts = [*prompts, *results, UserPromptPart(text), *others]
    return ModelRequest(parts=parts, instructions=getattr(into, "instructions", None))


def _clipped(message: Any, plain: Message) -> Any:  # noqa: ANN401  # a message of Pydantic AI's
    """Return a message whose texts are those of its plain form, which are shorter; the summary in it is not its own."""
    blocks = iter([block for block in plain["content"] if not summary_text.is_summary(block.get("text", ""))])
    parts = [part if _block(part) is None else _shorter(part, next(blocks)) for part in message.parts]
    return replace(message, parts=parts)


def _shorter(part: Any, block: dict[str, Any]) -> Any:  # noqa: ANN401  # a part of any kind
    """Return a part with the text of a block where that is shorter."""
    if isinstance(part, ToolReturnPart):
        is_shorter = len(block["content"]) < len(part.model_response_str())
        return replace(part, content=block["content"]) if is_shorter else part
    if isinstance(part, ToolCallPart):
        return replace(part, args=block["input"]) if block["input"] != part.args else part
    text = getattr(part, "content", None)
    is_shorter = isinstance(text, str) and "text" in block and len(block["text"]) < len(text)
    return replace(part, content=block["text"]) if is_shorter else part
