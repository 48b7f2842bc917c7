"""The agent that consolidates in a client's folder of agents: put in where asked, and out again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sleep.clients import client_table
from sleep.clients.installation import agent_page
from tests.clients.installation.test_install import facts, script

assert facts  # fixtures
assert script

PLUGIN = Path(__file__).resolve().parents[3] / "plugin/agents/consolidate.md"
WORDS = ("clients.install", "--client", "claude", "--agent")


def _what(found):
    return [one["what"] for one in found["clients"]]


def test_its_words_are_the_plugins():
    """The page that is shipped with the program is the plugin's, to the byte."""
    assert Path(agent_page.__file__).with_name(agent_page.NAME).read_bytes() == PLUGIN.read_bytes()


PAGES = {
    "claude": ".claude/agents/consolidate.md",
    "codex": ".codex/agents/consolidate.toml",
    "gemini": ".gemini/agents/consolidate.md",
    "qwen": ".qwen/agents/consolidate.md",
    "copilot": ".github/agents/consolidate.md",
}


@pytest.mark.parametrize("client", PAGES)
def test_in_and_out_again(facts, memory, client):
    """The agent is put in once, for every client; taken out, nothing of it is left, not its folders either."""
    path = Path(memory.base, PAGES[client])
    words = ("clients.install", "--client", client, "--agent", "--no-notes")
    assert _what(facts(*words, "--dry-run"))[1] == "installed"
    assert not path.exists()
    assert _what(facts(*words))[1] == "installed"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\nname: consolidate\n" if path.suffix == ".md" else 'name = "consolidate"\n')
    assert ("\ntools: " in text) == (client == "claude")
    assert _what(facts(*words))[1] == "same"
    found = facts("clients.uninstall", "--client", client)
    assert {"what": "removed", "path": str(path)}.items() <= found["clients"][-1].items()
    assert not Path(memory.base, PAGES[client].partition("/")[0]).exists()


def test_as_toml():
    """Where a client wants TOML, that says what the page says."""
    page = agent_page.page(client_table.of("claude"))
    _, head, body = page.split("---\n", 2)
    fields = tomllib.loads(agent_page.page(client_table.of("codex")))
    assert f"description: {fields['description']}\n" in head
    assert fields == {**fields, "name": "consolidate", "developer_instructions": body.lstrip()}


def test_one_page_for_two(facts, memory):
    """Copilot CLI reads Claude Code's page of the project too: beside that it needs none."""
    found = facts("clients.install", "--client", "claude", "--client", "copilot", "--agent", "--no-notes")["clients"]
    assert [one["what"] for one in found] == ["installed", "same", "installed", "same"]
    assert found[3]["path"] == str(Path(memory.base, PAGES["claude"]))
    assert not Path(memory.base, ".github").exists()
    facts("clients.uninstall")
    assert not Path(memory.base, ".claude").exists()


def test_a_page_of_another_that_cannot_be_read(facts, memory):
    """Where the page that two read is no file, both are refused, and the rest is done and told."""
    Path(memory.base, PAGES["claude"]).mkdir(parents=True)
    found = facts(*WORDS, "--client", "copilot", "--no-notes", code=1)
    assert _what(found) == ["installed", "same", "refused", "refused"]


def test_it_is_not_installed_unasked(facts, memory):
    """Without the flag no page is made."""
    facts("clients.install", "--client", "claude")
    assert not Path(memory.base, ".claude/agents").exists()


@pytest.mark.parametrize("text", ["mine\n", "You consolidate the memory of this project. In haste.\n"])
def test_what_is_anothers_is_left(facts, memory, text):
    """A page of another's by that name, or ours that somebody edited, is neither written over nor removed."""
    path = Path(memory.base, ".claude/agents/consolidate.md")
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    assert _what(facts(*WORDS))[1] == "left"
    facts("clients.uninstall", "--client", "claude")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("client", PAGES)
def test_at_home(facts, hermetic, client):
    """With `--user` the page is in the client's folder at home."""
    path = hermetic / PAGES[client].replace(".github", ".copilot")
    facts("clients.install", "--client", client, "--agent", "--user")
    assert path.exists()
    facts("clients.uninstall", "--client", client, "--user")
    assert not path.parent.exists()
