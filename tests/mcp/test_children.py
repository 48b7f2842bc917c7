"""Commands that the server runs: bounded in time, for the session that is meant, and never left behind."""

from __future__ import annotations

import pytest

from sleep.store import layout, lock
from tests.mcp.wire import is_alive

pytestmark = pytest.mark.mcp


def run(words, text="", limit=60.0, **options):
    """Run a command as the server does."""
    import anyio  # noqa: PLC0415  # comes with the extra

    from sleep.mcp_server.children import Children  # noqa: PLC0415  # needs it

    async def main():
        return await Children().run(words, text, limit, reads=False, **options)

    return anyio.run(main)


def test_a_command_that_takes_too_long_is_ended(project, monkeypatch):
    """At its limit a command is ended with its whole group, and there is no exit code."""
    monkeypatch.chdir(project)
    import anyio  # noqa: PLC0415  # comes with the extra

    started, opened = [], anyio.open_process

    async def noted(*words, **options):
        started.append(await opened(*words, **options))
        return started[-1]

    monkeypatch.setattr(anyio, "open_process", noted)
    with lock.hold(layout.find_root(str(project)), "a test", 5.0):
        said = run(("journal.add", "--text=-"), "never written", limit=2.0)
    assert said.code is None
    (process,) = started
    assert not is_alive(process.pid)
    assert "never written" not in "".join(path.read_text() for path in (project / "journal").glob("*.md"))


def test_a_command_gets_its_text_and_its_session(project, monkeypatch):
    """Standard input and the session reach the command, and what it says comes back, or why it could not."""
    monkeypatch.chdir(project)
    said = run(("journal.add", "--kind=note", "--text=-"), "größer 漢字", session="01a1ff79-a7dc")
    assert (said.code, said.complaint) == (0, "")
    assert said.out.startswith("[i1")
    text = (project / "journal/instance-1.md").read_text(encoding="utf-8")
    assert "sessions: [01a1ff79-a7dc]" in text
    assert "größer 漢字" in text
    said = run(("thread.show", "--handle=T-9"))
    assert said.code == 2
    assert said.complaint.startswith("there is no thread T-9\nHint: ")


def test_the_session_that_a_call_names_is_the_one_it_writes_to(serve, project):
    """Two calls that name two sessions write into two journals, though one server took both."""
    wire = serve()
    wire.hello()
    for name in ("first", "second"):
        meta = {"x-codex-turn-metadata": {"session_id": f"session-{name}"}}
        given = {"kind": "insight", "text": f"of the {name}"}
        answer = wire.ask("tools/call", {"name": "journal_add", "arguments": given, "_meta": meta})
        assert not answer["result"]["isError"]
    journals = [path.read_text(encoding="utf-8") for path in sorted((project / "journal").glob("*.md"))]
    assert [f"sessions: [session-{name}]" in text for name, text in zip(("first", "second"), journals, strict=True)]
    assert [f"of the {name}" in text for name, text in zip(("first", "second"), journals, strict=True)] == [True, True]


def test_a_call_that_fails_by_our_fault_is_said_to_be_ours(monkeypatch, capsys):
    """A bug becomes a tool's error without a stack trace, and the server goes on."""
    import anyio  # noqa: PLC0415  # comes with the extra

    from sleep.mcp_server import children, server  # noqa: PLC0415  # needs the extra

    def broken(*_words):
        raise RuntimeError("deliberate")

    monkeypatch.setattr(server.reading, "recall", broken)
    monkeypatch.setattr(server.reading, "root", lambda _named: None)

    class Asked:
        name = "recall"
        arguments = {"question": "why"}  # noqa: RUF012  # never changed

    class Context:
        meta = None

    async def main():
        return await server._Answers("", children.Children()).call(Context(), Asked())

    result = anyio.run(main)
    assert result.is_error
    assert result.content[0].text == "a bug of ours: RuntimeError: deliberate"
    assert capsys.readouterr().out == ""
