"""What each provider accepts as a history: roles, calls with their results, something said in each message.

Owns the rules, as strict as the strictest reading of the providers' documents (OpenAI chat completions and Responses,
Anthropic messages, Gemini contents), so that what passes here is accepted there. Refuses to mend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import ANTHROPIC, GEMINI, RESPONSES, RESULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Message, Turn

_ROLES = {
    "openai": ("system", "developer", "user", "assistant", "tool", "function"),
    "responses": ("system", "developer", "user", "assistant"),
    "anthropic": ("user", "assistant"),
    "gemini": ("user", "model", "function"),
}


def faults(messages: Sequence[Message], shape: str = "auto", *, pending: bool = True) -> list[str]:
    """Return what a provider would refuse, each as `index: what`; empty for a history that is accepted.

    With `pending`, calls of the last answer may still be without results: they are being made.
    """
    shape = shapes.detect(messages) if shape == "auto" else shape
    turns = [shapes.read_turn(message) for message in messages]
    problems = [*_unknown_roles(messages, shape), *_empty_messages(messages, turns, shape), *_roles(messages, shape)]
    problems += _late_results(messages, shape)
    problems += _near(turns, pending=pending) if shape != RESPONSES else _anywhere(turns, pending=pending)
    if shape == RESPONSES:
        problems += _reasoned(turns)
    return sorted(problems, key=lambda fault: int(fault.partition(":")[0]))


def _empty_messages(messages: Sequence[Message], turns: Sequence[Turn], shape: str) -> Iterator[str]:
    """Yield messages that say nothing."""
    for index, (message, turn) in enumerate(zip(messages, turns, strict=True)):
        if _is_item(message, shape) or turn.calls or turn.role == "tool":
            continue
        last = index == len(messages) - 1 and turn.role == "assistant"  # it may be continued
        if last:
            continue
        if not any(part.text.strip() or part.kind != shapes.TEXT for part in turn.parts):
            yield f"{index}: says nothing"
        if shape == ANTHROPIC and isinstance(message.get("content"), list):
            yield from (f"{index}: a block of text is empty" for block in message["content"] if _is_empty(block))


def _late_results(messages: Sequence[Message], shape: str) -> Iterator[str]:
    """Yield messages of Anthropic's shape in which results stand behind other blocks: they come first."""
    for index, message in enumerate(messages):
        content = message.get("content")
        if shape == ANTHROPIC and isinstance(content, list):
            kinds = [isinstance(block, dict) and "tool_use_id" in block for block in content]
            if kinds != sorted(kinds, reverse=True):
                yield f"{index}: a result stands behind what is none"


def _is_item(message: Message, shape: str) -> bool:
    """Return whether this is an item of the Responses shape that has no role."""
    return shape == RESPONSES and message.get("type") not in (None, "message")


def _unknown_roles(messages: Sequence[Message], shape: str) -> Iterator[str]:
    """Yield messages with a role that the provider does not know."""
    for index, message in enumerate(messages):
        if not _is_item(message, shape) and message.get("role") not in _ROLES[shape]:
            yield f"{index}: the role is {message.get('role')!r}"


def _is_empty(block: object) -> bool:
    """Return whether a block is a text that says nothing."""
    return isinstance(block, dict) and block.get("type") == "text" and not str(block.get("text", "")).strip()


def _roles(messages: Sequence[Message], shape: str) -> Iterator[str]:
    """Yield where roles do not alternate, for providers that want that, and a beginning that is no user's."""
    if shape not in (ANTHROPIC, GEMINI):
        return
    roles = ["user" if message.get("role") == "function" else message.get("role") for message in messages]
    if roles and roles[0] != "user":
        yield f"0: begins with {roles[0]!r}"
    for index in range(1, len(roles)):
        if roles[index] == roles[index - 1]:
            yield f"{index}: {roles[index]!r} twice in a row"


def _near(turns: Sequence[Turn], *, pending: bool) -> Iterator[str]:
    """Yield calls and results that do not meet in the messages right after the call."""
    index = 0
    while index < len(turns):
        turn = turns[index]
        if turn.results:
            yield f"{index}: results without a call: {', '.join(turn.results)}"
        if not turn.calls:
            index += 1
            continue
        calls = [call for call, _ in turn.calls]
        results, at = _answers(turns, index + 1, calls)
        if sorted(results) != sorted(calls) and not (pending and at >= len(turns) and set(results) <= set(calls)):
            yield f"{index}: called {', '.join(calls)}, answered {', '.join(results) or 'nothing'}"
        for later in range(index + 1, at):
            first = next((part.kind for part in turns[later].parts), "")
            if first != RESULT:
                yield f"{later}: results do not come first"
        index = max(at, index + 1)


def _answers(turns: Sequence[Turn], at: int, calls: Sequence[str]) -> tuple[list[str], int]:
    """Return the results from a turn on until they answer these calls, and the index behind them."""
    results: list[str] = []
    while at < len(turns) and turns[at].results:
        results += turns[at].results
        at += 1
        if set(results) >= set(calls):
            break
    return results, at


def _anywhere(turns: Sequence[Turn], *, pending: bool) -> Iterator[str]:
    """Yield items of calls and results that are not one to one, the call before its result."""
    calls: dict[str, int] = {}
    for index, turn in enumerate(turns):
        for call, _ in turn.calls:
            if call in calls:
                yield f"{index}: the call {call} is there twice"
            calls[call] = index
        for result in turn.results:
            if result not in calls:
                yield f"{index}: a result without a call: {result}"
            calls.pop(result, None)
    end = len(turns)
    while end and (turns[end - 1].item or turns[end - 1].role == "tool"):
        end -= 1
    for call, index in calls.items():
        if not pending or index < end:
            yield f"{index}: the call {call} is not answered"


def _reasoned(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield reasoning that nothing of the same answer follows."""
    for index, turn in enumerate(turns[:-1]):
        if turn.reasons and not turns[index + 1].item:
            yield f"{index}: reasoning without what it led to"
