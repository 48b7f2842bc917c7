"""Our MCP server in `.mcp.json`: put in where it is asked for, and out again, with all else untouched."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from sleep import extra_install
from sleep.mcp_server import stdio
from tests.clients.installation.test_install import facts, script

assert facts  # fixtures
assert script


@pytest.mark.parametrize(
    "before",
    [
        None,
        "",
        "{ }",
        '{"mcpServers": {}}',
        '{\n  "mcpServers": { },\n  "y": 2\n}',
        '{\n\t"mcpServers": {"other": {"command": "x"}},\n\t"y":  1.50\n}',
        '{"y": 1}\r\n',
    ],
)
def test_in_and_out_again(facts, memory, script, before):
    """The server is registered once, and taken out the file is as it was, to the byte, or gone if it was made so."""
    path = Path(memory.base, ".mcp.json")
    if before is not None:
        path.write_bytes(before.encode())
    words = ("clients.install", "--client", "claude", "--mcp")
    assert facts(*words, "--dry-run")["clients"][1]["what"] == "installed"
    assert path.exists() == (before is not None)
    assert [one["what"] for one in facts(*words)["clients"]] == ["installed", "installed"]
    servers = json.loads(path.read_text(encoding="utf-8"))["mcpServers"]
    assert servers["sleep"] == {"command": script, "args": ["mcp"]}
    assert [one["what"] for one in facts(*words)["clients"]] == ["same", "same"]
    facts("clients.uninstall", "--client", "claude")
    assert (path.read_bytes().decode() if path.exists() else None) == before
    assert list(path.parent.glob(".mcp.json?*")) == []


def test_what_a_person_added_since_stays(facts, memory):
    """With another member put in meanwhile, a person's empty servers come back, and the member stays."""
    path = Path(memory.base, ".mcp.json")
    path.write_text('{"mcpServers": {}}', encoding="utf-8")
    facts("clients.install", "--client", "claude", "--mcp")
    value = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**value, "y": 1}), encoding="utf-8")
    facts("clients.uninstall", "--client", "claude")
    assert json.loads(path.read_text(encoding="utf-8")) == {"mcpServers": {}, "y": 1}


@pytest.mark.parametrize("is_there", [True, False])
def test_a_server_that_cannot_start_is_said(facts, memory, monkeypatch, is_there):
    """Where the server's library is absent the command that brings it is told with the registration."""
    monkeypatch.setattr(stdio, "is_installed", lambda: is_there)
    notes = facts("clients.install", "--client", "claude", "--mcp")["notes"]
    assert any(extra_install.command("mcp") in note for note in notes) is not is_there
    assert not any(
        extra_install.command("mcp") in note for note in facts("clients.install", "--client", "claude")["notes"]
    )


def test_it_is_not_registered_unasked(facts, memory):
    """Without the flag no file of servers is made."""
    facts("clients.install", "--client", "claude")
    assert not Path(memory.base, ".mcp.json").exists()


@pytest.mark.parametrize("before", ['{"mcpServers": {"sleep": {"command": "theirs"}}}', "// mine\n{}", "[]"])
def test_what_is_anothers_is_left(facts, memory, before):
    """A server of another's that has our name, and a file that cannot be edited, stay as they are."""
    path = Path(memory.base, ".mcp.json")
    path.write_text(before, encoding="utf-8")
    found = facts("clients.install", "--client", "claude", "--mcp", code=1)["clients"]
    assert found[1]["what"] == "refused"
    facts("clients.uninstall", "--client", "claude")
    assert path.read_text(encoding="utf-8") == before


def test_others_are_told_the_command(facts, memory, script):
    """For Codex, and for the settings of a user, the command that registers it is said, and nothing is written."""
    (_, found) = facts("clients.install", "--client", "codex", "--mcp")["clients"]
    assert found["what"] == "left"
    assert f"codex mcp add sleep -- {shlex.quote(script)} mcp" in found["notes"][0]
    (_, found) = facts("clients.install", "--client", "claude", "--mcp", "--user")["clients"]
    assert "claude mcp add --scope user sleep" in found["notes"][0]
    assert not Path(memory.base, ".mcp.json").exists()


def test_a_path_of_this_machine_is_not_published(facts, memory):
    """In a project in git the file that others get has the program's name alone."""
    subprocess.run(["git", "init", "--quiet"], cwd=memory.base, check=True)
    facts("clients.install", "--client", "claude", "--mcp")
    text = Path(memory.base, ".mcp.json").read_text(encoding="utf-8")
    assert json.loads(text)["mcpServers"]["sleep"]["command"] == "sleepwake"
