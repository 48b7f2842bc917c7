"""The server itself: what the SDK asks, answered with what is offered.

Owns the one place that loads the SDK, and the border: a person's error and a command's become a tool's error with its
sentence and its hint, and nothing but the protocol reaches standard output. The SDK speaks both revisions of the
protocol: the handshake (to 2025-11-25) and the one without (2026-07-28).
"""

from __future__ import annotations

import json
import logging
import os
import signal
import traceback
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolResult,
    ErrorData,
    GetPromptResult,
    JSONRPCError,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceResult,
)

from sleep import __version__
from sleep.errors import SleepError
from sleep.mcp_server import advice, arguments, binding, children, prompts, text_form
from sleep.mcp_server import resources as reading
from sleep.mcp_server import tools as offered
from sleep.store import private

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.server.context import ServerRequestContext
    from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream
    from mcp.types import CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams

    from sleep.store.layout import Root

_LOG = logging.getLogger(__name__)
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
_PROBE = "server/discover"
_LISTED = 40_000  # characters of a list: Codex cuts the middle out of what is above 48,000


def run(root: str) -> None:
    """Serve one client until it goes away; `root` is the memory as it was named, "" for the one found from here."""
    anyio.run(_serve, root)


async def _serve(root: str) -> None:
    running = children.Children()
    for number in _ENDING:
        signal.signal(number, lambda _number, _frame: _leave(running))
    server = _server(_Answers(root, running))
    async with stdio_server() as (read, write):
        try:
            await _connected(server, read, write)
        except anyio.get_cancelled_exc_class():
            _leave(running)  # standard output is closed: nobody is there any more


def _leave(running: children.Children) -> None:
    running.end()
    os._exit(0)  # a thread waits for standard input, and would be waited for


async def _connected(
    server: Server[object],
    read: ContextReceiveStream[SessionMessage | Exception],
    write: ContextSendStream[SessionMessage],
) -> None:
    """Hand messages to the SDK until there are no more, but for two that it would not answer well.

    What is no message it drops, and the client would wait. And it takes who asks first what it is (`server/discover`)
    for one that never shakes hands: but a client on a slow machine asks, waits in vain, and shakes hands then.
    """
    async with write, anyio.create_task_group() as group:

        def begin() -> MemoryObjectSendStream[SessionMessage]:
            send, receive = anyio.create_memory_object_stream[SessionMessage](0)
            group.start_soon(server.run, receive, write.clone(), server.create_initialization_options())
            return send

        sends, asked = [begin()], set[str]()
        async for item in read:
            if isinstance(item, Exception):
                await write.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=_no_message(item))))
                continue
            method = getattr(item.message, "method", "")
            if method == "initialize" and asked == {_PROBE}:
                sends.append(begin())  # the one before may still be answering
            if getattr(item.message, "id", None) is not None:
                asked.add(method)
            await sends[-1].send(item)
        for send in sends:
            await send.aclose()


def _no_message(error: Exception) -> ErrorData:
    problems = error.errors() if hasattr(error, "errors") else []
    if not problems or any(problem.get("type") == "json_invalid" for problem in problems):
        return ErrorData(code=PARSE_ERROR, message="Parse error: this line is no JSON")
    return ErrorData(code=INVALID_REQUEST, message="Invalid Request: this line is no JSON-RPC 2.0 message")


def _server(answers: _Answers) -> Server[object]:
    return Server(
        "sleep",
        version=__version__,
        title="sleep: memory of this project",
        instructions=offered.INSTRUCTIONS,
        on_list_tools=answers.tools,
        on_call_tool=answers.call,
        on_list_resources=answers.resources,
        on_list_resource_templates=answers.templates,
        on_read_resource=answers.read,
        on_list_prompts=answers.prompts,
        on_get_prompt=answers.prompt,
    )


class _Answers:
    """What the SDK calls, one method a request. What a revision wants besides, the SDK's results add."""

    def __init__(self, root: str, running: children.Children) -> None:
        self._root = os.path.abspath(root) if root else ""
        self._running = running

    async def tools(self, _context: object, _asked: object) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": [tool.wire for tool in offered.TOOLS.values()]})

    async def call(self, context: ServerRequestContext, asked: CallToolRequestParams) -> CallToolResult:
        tool = offered.TOOLS.get(asked.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {_clean(asked.name)[:80]}")
        try:
            return await self._called(tool, asked.arguments or {}, context.meta or {})
        except SleepError as error:
            return _result(advice.complaint(str(error)), is_error=True)
        except Exception as error:  # the border: whatever it is, it is our bug  # noqa: BLE001
            _LOG.error("%s failed: %s", tool.name, _clean(traceback.format_exc()))  # it quotes
            return _result(f"a bug of ours: {type(error).__name__}: {error}", is_error=True)

    async def _called(
        self, tool: offered.Tool, values: Mapping[str, object], meta: Mapping[str, object]
    ) -> CallToolResult:
        if not tool.words:
            checked = arguments.checked(tool, values)
            where = reading.root(self._root)
            return _result(await to_thread.run_sync(reading.recall, where, checked, abandon_on_cancel=True))
        asked = arguments.asked(tool, values)
        named = (f"--root={self._root}",) if self._root else ()
        session = binding.session(meta, self._where())
        outcome = await self._running.run(
            (*asked.words, *named), asked.text, tool.limit, reads=tool.reads, session=session
        )
        if outcome.code is None:
            return _result(
                f"{tool.name} took longer than {tool.limit:g} s and was ended; nothing is half done\nHint: `status`",
                is_error=True,
            )
        if outcome.code:
            complaint = outcome.complaint.strip() or outcome.out.strip() or f"{tool.name} ended with {outcome.code}"
            return _result(advice.complaint(complaint), is_error=True)
        if tool.is_facts:
            most = _LISTED if tool.name.endswith("_list") else 0
            return _result(text_form.render(json.loads(outcome.out), most=most))
        says = outcome.out.strip() or "done"
        return _result(advice.of_tools(says) if tool.reads else says)

    def _where(self) -> Root | None:
        try:
            return reading.root(self._root)
        except SleepError:
            return None  # the command says so better, and some need no memory

    async def resources(self, _context: object, _asked: object) -> ListResourcesResult:
        where = self._where()
        documents = reading.resources(where) if where else []
        return ListResourcesResult.model_validate({"resources": documents})

    async def templates(self, _context: object, _asked: object) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult.model_validate({"resourceTemplates": reading.templates()})

    async def read(self, _context: object, asked: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            text = reading.document(reading.root(self._root), asked.uri)
        except SleepError as error:
            raise _refused(str(error), uri=asked.uri) from None
        if text is None:
            raise _refused("Resource not found", uri=asked.uri)
        content = {"uri": asked.uri, "mimeType": reading.MARKDOWN, "text": _clean(text)}
        return ReadResourceResult.model_validate({"contents": [content]})

    async def prompts(self, _context: object, _asked: object) -> ListPromptsResult:
        return ListPromptsResult.model_validate({"prompts": [prompt.wire for prompt in prompts.PROMPTS.values()]})

    async def prompt(self, _context: object, asked: GetPromptRequestParams) -> GetPromptResult:
        if asked.name not in prompts.PROMPTS:
            raise _refused("Unknown prompt", name=asked.name)
        text = _clean(prompts.text(asked.name, asked.arguments or {}))
        says = prompts.PROMPTS[asked.name].says
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return GetPromptResult.model_validate({"description": says, "messages": [message]})


def _refused(message: str, **more: str) -> MCPError:
    known = {name: _clean(value) for name, value in more.items()}
    return MCPError(code=INVALID_PARAMS, message=_clean(message), data=known)


def _result(text: str, *, is_error: bool = False) -> CallToolResult:
    """Return a tool's result: text alone, for with structured content clients show the model nothing else."""
    content = [{"type": "text", "text": _clean(text)}]
    return CallToolResult.model_validate({"content": content, "isError": is_error})


def _clean(text: str) -> str:
    """Return text as a client gets it: without secrets and home directories, and UTF-8 throughout.

    A memory may hold a secret that was committed before a rule knew it, and an error quotes what it was given.
    """
    return private.clean(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
