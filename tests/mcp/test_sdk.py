"""The server under the SDK's own client, in both of its modes."""

from __future__ import annotations

import os
import sys

import pytest

from sleep.store import layout, lock
from tests.mcp.wire import SLEEPWAKE, is_alive, processes

pytestmark = pytest.mark.mcp
PATIENCE = 60
MODES = ["auto", "legacy"]


def client(folder, mode):
    """Return the SDK's client of a server over a memory."""
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  # an extra
    from mcp.client.stdio import stdio_client  # noqa: PLC0415  # the same

    parameters = StdioServerParameters(command=SLEEPWAKE, args=["mcp"], env=dict(os.environ), cwd=folder)
    # A server complains into a file; the SDK takes what standard error was when it was loaded, which may be none.
    wire = stdio_client(parameters, errlog=sys.__stderr__)
    return Client(wire, mode=mode, read_timeout_seconds=PATIENCE)


def run(main):
    """Run a coroutine function in an event loop of its own."""
    import anyio  # noqa: PLC0415  # comes with the extra

    return anyio.run(main)


def children():
    """Return the servers' children: processes whose parent is a child of this one."""
    found = processes()
    servers = {pid for pid, parent in found if parent == os.getpid()}
    return [pid for pid, parent in found if parent in servers]


@pytest.mark.parametrize("mode", MODES)
def test_everything_that_is_listed_can_be_used(project, mode):
    """Tools, resources, templates and prompts are listed, and one of each does what it says."""

    async def main():
        async with client(project, mode) as one:
            assert one.protocol_version == {"auto": "2026-07-28", "legacy": "2025-11-25"}[mode]
            tools = {tool.name: tool for tool in (await one.list_tools()).tools}
            assert tools["recall"].annotations.read_only_hint is True
            assert tools["decision_reverse"].annotations.read_only_hint is False
            assert tools["journal_add"].input_schema["required"] == ["kind", "text"]
            given = {"kind": "decision", "text": "Use flock", "why": "no server", "alternatives": ["a", "b"]}
            added = await one.call_tool("journal_add", given)
            assert added.content[0].text.startswith("D-001 [i1")
            assert not added.is_error
            assert added.structured_content is None
            found = await one.call_tool("recall", {"question": "why flock"})
            assert "no server" in found.content[0].text
            shown = await one.call_tool("decision_show", {"handle": "D-001"})
            assert "alternatives: a; b" in shown.content[0].text
            assert not (await one.call_tool("sleep", {})).is_error
            resources = {str(each.uri): each for each in (await one.list_resources()).resources}
            read = await one.read_resource("sleep://memory/hot/decisions.md")
            assert read.contents[0].mime_type == resources["sleep://memory/hot/decisions.md"].mime_type
            assert "Use flock" in read.contents[0].text
            assert len((await one.list_resource_templates()).resource_templates) == 3
            assert {each.name for each in (await one.list_prompts()).prompts} == {"wake", "sleep"}
            prompt = await one.get_prompt("wake", {"task": "the lock"})
            assert "'the lock'" in prompt.messages[0].content.text

    run(main)


@pytest.mark.parametrize("mode", MODES)
def test_errors_are_of_the_tool_or_of_the_protocol(project, mode):
    """What a model can mend is a tool's error; what no server has is an error of the protocol."""

    async def main():
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415  # an extra

        async with client(project, mode) as one:
            wrong = await one.call_tool("thread_resolve", {"handle": "T-7", "outcome": "done"})
            assert wrong.is_error
            assert "there is no thread T-7" in wrong.content[0].text
            for call in (
                one.call_tool("no_such", {}),
                one.read_resource("sleep://memory/sleep.yaml"),
                one.get_prompt("no_such"),
            ):
                with pytest.raises(MCPError) as raised:
                    await call
                assert raised.value.code == -32602

    run(main)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_is_given_up_ends_its_child(project, mode):
    """When the client gives a call up, the command behind it is dead, and the connection goes on."""

    async def main():
        import anyio  # noqa: PLC0415  # comes with the extra

        async with client(project, mode) as one:
            with lock.hold(layout.find_root(str(project)), "a test", 5.0):
                async with anyio.create_task_group() as group:
                    group.start_soon(one.call_tool, "journal_add", {"kind": "note", "text": "given up"})
                    with anyio.fail_after(PATIENCE):
                        while not (found := children()):  # noqa: ASYNC110  # other processes tell no event
                            await anyio.sleep(0.05)
                    group.cancel_scope.cancel()
                with anyio.fail_after(PATIENCE):
                    while is_alive(found[0]):  # noqa: ASYNC110  # same
                        await anyio.sleep(0.05)
            assert not (await one.call_tool("journal_add", {"kind": "note", "text": "kept"})).is_error

    run(main)
    written = "".join(path.read_text(encoding="utf-8") for path in (project / "journal").glob("*.md"))
    assert "kept" in written
    assert "given up" not in written


def test_two_clients_at_once_see_what_the_other_wrote(project):
    """Two clients of two revisions write at the same time, and each then finds both."""

    async def main():
        import anyio  # noqa: PLC0415  # comes with the extra

        async with client(project, "auto") as one, client(project, "legacy") as other:
            async with anyio.create_task_group() as group:
                for name, each in (("first", one), ("second", other)):
                    for at in range(4):
                        group.start_soon(each.call_tool, "thread_open", {"text": f"{name} {at}"})
            for each in (one, other):
                listed = (await each.call_tool("thread_list", {})).content[0].text
                assert all(f"says: {name} {at}" in listed for name in ("first", "second") for at in range(4))
                assert all(f"number: T-00{number}" in listed for number in range(1, 9))

    run(main)
