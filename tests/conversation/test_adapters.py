"""The adapters, with the real frameworks; `pytest -m adapters` runs it, CI insists on it."""

# ruff: noqa: PLC0415  # each framework is loaded by the test that needs it

from __future__ import annotations

import asyncio
import importlib.util

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary.summary_text import HEADER

pytestmark = pytest.mark.adapters


def _needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


def _langchain_history(turns=12):
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    out = [HumanMessage("Rework billing. Never touch the ledger without asking me.")]
    for number in range(turns):
        calls = [{"id": f"c{number}-{part}", "name": "shell", "args": {"cmd": "ls"}} for part in range(2)]
        out.append(AIMessage("Decision: we keep Postgres." if number == 3 else "", tool_calls=calls))
        out += [ToolMessage(f"row {number} " * 200, tool_call_id=call["id"], name="shell") for call in calls]
    return [*out, AIMessage("Done so far."), HumanMessage("What is left?")]


@_needs("langchain")
def test_langchain_agent_goes_on_with_a_consolidated_history():
    """An agent of LangChain's answers from the summary and whole pairs, and the kept messages are the same objects."""
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from sleep.conversation.adapters.langchain import Consolidation

    given = _langchain_history()
    reports = []
    middleware = Consolidation(MemoryConsolidator(max_tokens=4_000), audit=reports.append)
    agent = create_agent(GenericFakeChatModel(messages=iter([AIMessage("Nothing.")])), [], middleware=[middleware])
    left = agent.invoke({"messages": given})["messages"]
    assert left[-1].content == "Nothing."
    said = [one for one in left if HEADER in str(one.content)]
    assert len(said) == 1
    assert "Decision: we keep Postgres." in str(said[0].content)
    assert "Never touch the ledger without asking me." in str(said[0].content)
    assert [one.content for one in left[-3:-1]] == [one.content for one in given[-2:]]
    called = {call["id"] for one in left if one.type == "ai" for call in one.tool_calls}
    assert {one.tool_call_id for one in left if one.type == "tool"} == called
    assert len(reports) == 1
    assert reports[0].fits


@_needs("langchain")
def test_langchain_messages_that_are_clipped_stay_what_they_are():
    """A long answer and a long call are shortened in place: same type, same ids, same calls."""
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    from sleep.conversation.adapters.langchain import Consolidation

    call = {"id": "c", "name": "write", "args": {"path": "a", "content": "row\n" * 20_000}}
    given = [*_langchain_history(), AIMessage("x " * 20_000, tool_calls=[call], id="a1")]
    given += [ToolMessage("ok", tool_call_id="c", name="write"), HumanMessage("And now?")]
    found = Consolidation(MemoryConsolidator(max_tokens=8_000)).before_model({"messages": given}, None)["messages"]
    short = next(one for one in found if getattr(one, "id", "") == "a1")
    assert (short.type, short.tool_calls[0]["id"], short.tool_calls[0]["args"]["path"]) == ("ai", "c", "a")
    assert "characters left out" in short.content
    assert "characters left out" in short.tool_calls[0]["args"]["content"]
    assert found[-1] is given[-1]


@_needs("pydantic_ai")
def test_pydantic_ai_messages_that_are_clipped_stay_what_they_are():
    """A long answer, call and prompt are shortened in place, with their ids."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

    from sleep.conversation.adapters.pydantic_ai import processor

    call = ToolCallPart("write", {"path": "a", "content": "row\n" * 20_000}, tool_call_id="c")
    talk = [
        message
        for number in range(8)
        for message in (ModelRequest([UserPromptPart(f"part {number}?")]), ModelResponse([TextPart("Fine. " * 90)]))
    ]
    given = [*talk, ModelRequest([UserPromptPart("Look:\n" + "y " * 20_000)])]
    given += [ModelResponse([TextPart("x " * 20_000), call])]
    given += [ModelRequest([ToolReturnPart("write", "ok", tool_call_id="c")]), ModelResponse([TextPart("Done.")])]
    found = processor(MemoryConsolidator(max_tokens=8_000))(given)
    answer = found[-3]
    assert answer.parts[1].tool_call_id == "c"
    assert (answer.parts[1].args["path"], "left out" in answer.parts[1].args["content"]) == ("a", True)
    assert "characters left out" in answer.parts[0].content
    assert found[-1] is given[-1]
    assert len(str(found)) < 60_000


@_needs("langchain")
def test_langchain_is_left_alone_below_the_threshold():
    """Below the threshold the middleware changes nothing, and its own result is not consolidated again."""
    from sleep.conversation.adapters.langchain import Consolidation

    middleware = Consolidation(MemoryConsolidator(max_tokens=4_000))
    assert middleware.before_model({"messages": _langchain_history(1)}, None) is None
    once = middleware.before_model({"messages": _langchain_history()}, None)["messages"][1:]
    assert middleware.before_model({"messages": once}, None) is None


def _pydantic_history(turns=12, row="row "):
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

    out = [
        ModelRequest(parts=[SystemPromptPart("Be brief."), UserPromptPart("Rework billing. Never touch the ledger.")])
    ]
    for number in range(turns):
        out.append(
            ModelResponse(
                parts=[
                    TextPart("Decision: we keep Postgres." if number == 3 else "Going on."),
                    ToolCallPart("shell", {"cmd": "ls"}, tool_call_id=f"a{number}"),
                    ToolCallPart("shell", {"cmd": "ls"}, tool_call_id=f"b{number}"),
                ]
            )
        )
        returned = [ToolReturnPart("shell", f"{row}{number} " * 200, tool_call_id=f"{one}{number}") for one in "ab"]
        out.append(ModelRequest(parts=returned))
    return [
        *out,
        ModelResponse(parts=[TextPart("Done so far.")]),
        ModelRequest(parts=[UserPromptPart("What is left?")]),
    ]


@_needs("pydantic_ai")
@pytest.mark.parametrize("max_tokens", [4_000, 1_000])
def test_pydantic_ai_sends_a_consolidated_history(max_tokens):
    """An agent of Pydantic AI's sends summary, system prompt and whole pairs; results that are too long are clipped."""
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import ProcessHistory
    from pydantic_ai.messages import ModelResponse, SystemPromptPart, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from sleep.conversation.adapters.pydantic_ai import processor

    seen = []

    def answer(messages, _settings):
        seen.append(messages)
        return ModelResponse(parts=[TextPart("Nothing.")])

    reports = []
    own = processor(MemoryConsolidator(max_tokens=max_tokens), audit=reports.append)
    agent = Agent(FunctionModel(answer), capabilities=[ProcessHistory(own)])
    done = asyncio.run(agent.run("And now?", message_history=_pydantic_history()))
    assert done.output == "Nothing."
    parts = [part for message in seen[0] for part in message.parts]
    assert sum(HEADER in str(getattr(part, "content", "")) for part in parts) == 1
    assert [part.content for part in parts if isinstance(part, SystemPromptPart)] == ["Be brief."]
    called = [part.tool_call_id for part in parts if isinstance(part, ToolCallPart)]
    assert called == [part.tool_call_id for part in parts if isinstance(part, ToolReturnPart)]
    assert len(reports) == 1
    assert reports[0].tokens_after < reports[0].tokens_before


@_needs("agents")
def test_openai_agents_session_keeps_a_consolidated_history():
    """A session of the OpenAI Agents SDK holds a summary and whole pairs, and a run goes on from it."""
    from agents import Agent, Runner, SQLiteSession
    from agents.models.interface import Model

    from sleep.conversation.adapters.openai_agents import ConsolidatingSession

    items = [{"role": "user", "content": "Rework billing. Never touch the ledger."}]
    for number in range(12):
        items.append({"type": "function_call", "call_id": f"c{number}", "name": "shell", "arguments": "{}"})
        items.append({"type": "function_call_output", "call_id": f"c{number}", "output": f"row {number} " * 200})
    items.append({"role": "assistant", "content": "Decision: we keep Postgres."})
    items += [{"role": "user", "content": f"Look at part {number}"} for number in range(5)]
    seen = []

    class Said(Model):
        async def get_response(self, system_instructions, input, *args, **named):  # noqa: A002
            from agents.items import ModelResponse
            from agents.usage import Usage
            from openai.types.responses import ResponseOutputMessage, ResponseOutputText

            seen.append(input)
            text = ResponseOutputText(annotations=[], text="Nothing.", type="output_text")
            said = ResponseOutputMessage(id="m1", content=[text], role="assistant", status="completed", type="message")
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *args, **named):
            raise NotImplementedError

    async def run():
        from agents import RunConfig

        session = ConsolidatingSession(SQLiteSession("one"), MemoryConsolidator(max_tokens=3_000))
        await session.add_items(items)
        agent, config = Agent(name="a", model=Said()), RunConfig(tracing_disabled=True)
        done = await Runner.run(agent, "And now?", session=session, run_config=config)
        left = await session.get_items()
        await session.pop_item()
        assert len(await session.get_items()) == len(left) - 1
        await session.clear_session()
        assert await session.get_items() == []
        return done.final_output, left

    said, left = asyncio.run(run())
    assert said == "Nothing."
    assert sum(HEADER in str(one) for one in left) == 1
    assert "Decision: we keep Postgres." in str(seen[0][0])
    assert len(seen[0]) < len(items)
    assert {one["call_id"] for one in left if one.get("type") == "function_call"} == {
        one["call_id"] for one in left if one.get("type") == "function_call_output"
    }
