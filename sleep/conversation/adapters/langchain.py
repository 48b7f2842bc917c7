"""LangChain: a middleware of agents that consolidates before a call of the model. Needs the extra `langchain`.

    agent = create_agent(model, tools, middleware=[Consolidation(MemoryConsolidator(max_tokens=100_000))])

Owns the translation there and back. Messages that stay are the same objects, with their ids and metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from sleep.conversation.consolidator import MemoryConsolidator
from sleep.conversation.summary import compatible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_core.messages import AnyMessage

    from sleep.conversation.consolidation import Report
    from sleep.conversation.messages.shapes import Message

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "function"}


class Consolidation(AgentMiddleware):  # type: ignore[misc]  # checked as if the extra were absent
    """Consolidates the agent's messages when they near the limit.

    Args:
        consolidator: who consolidates; default one with the default settings.
        system_prompt: the agent's prompt, which counts too.
        audit: takes the report of each consolidation.
    """

    def __init__(
        self,
        consolidator: MemoryConsolidator | None = None,
        *,
        system_prompt: str = "",
        audit: Callable[[Report], object] | None = None,
    ) -> None:
        super().__init__()
        self.consolidator = consolidator or MemoryConsolidator()
        self.system_prompt = system_prompt
        self._audit = audit

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ANN401, ARG002  # LangChain's signature
        """Return the messages that take the place of all, None where nothing is due."""
        messages = state["messages"]
        plain = [to_plain(message) for message in messages]
        outcome = self.consolidator.outcome_where_due(plain, self.system_prompt)
        if outcome is None:
            return None
        if self._audit is not None:
            self._audit(outcome.report)
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *back(outcome.messages, plain, messages)]}

    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ANN401  # LangChain's signature
        """Do the same for an asynchronous agent; nothing is waited for."""
        return self.before_model(state, runtime)


def to_plain(message: AnyMessage) -> Message:
    """Return a message of LangChain's as the consolidator reads it."""
    plain: Message = {"role": _ROLES.get(message.type, message.type), "content": message.content}
    if calls := getattr(message, "tool_calls", None):
        # Calls that stand in the content too, as Anthropic's do, are not said twice.
        plain["tool_calls"] = [{"id": call["id"], "name": call["name"], "args": call["args"]} for call in calls]
        if isinstance(message.content, list):
            plain["content"] = [block for block in message.content if not _is_call(block)]
    if message.type == "tool":
        plain |= {"tool_call_id": message.tool_call_id, "name": message.name or ""}
    return plain


def _is_call(block: object) -> bool:
    return isinstance(block, dict) and str(block.get("type")) in ("tool_use", "tool_call", "function_call")


def back(consolidated: Sequence[Message], plain: Sequence[Message], history: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return the consolidated messages as LangChain's: those that stay themselves, the others made."""
    same = {id(plain_message): message for plain_message, message in zip(plain, history, strict=True)}
    shift = len(history) - len(consolidated)  # what stays is at the end, message for message
    out: list[AnyMessage] = []
    for number, message in enumerate(consolidated):
        if id(message) in same:
            out.append(same[id(message)])
        elif compatible.HEADER in str(message["content"]):
            out.append(HumanMessage(content=message["content"]))
        else:
            out.append(_clipped(history[number + shift], message))
    return out


def _clipped(whole: Any, plain: Message) -> Any:  # noqa: ANN401  # a message of LangChain's
    """Return a message with the texts of its plain form, which are shorter."""
    update: dict[str, Any] = {"content": plain["content"]}
    if calls := plain.get("tool_calls"):
        update["tool_calls"] = [
            {**call, "args": short["args"]} for call, short in zip(whole.tool_calls, calls, strict=True)
        ]
    return whole.model_copy(update=update)
