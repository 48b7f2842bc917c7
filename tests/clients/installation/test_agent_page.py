"""The agent that consolidates in a client's folder of agents: put in where asked, and out again."""

from __future__ import annotations

from pathlib import Path

import pytest

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


@pytest.mark.parametrize("client", ["claude", "gemini"])
def test_in_and_out_again(facts, memory, client):
    """The agent is put in once; taken out, nothing of it is left, not its folders either."""
    path = Path(memory.base, f".{client}/agents/consolidate.md")
    words = ("clients.install", "--client", client, "--agent", "--no-notes")
    assert _what(facts(*words, "--dry-run"))[1] == "installed"
    assert not path.exists()
    assert _what(facts(*words))[1] == "installed"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\nname: consolidate\n")
    assert ("\ntools: " in text) == (client == "claude")
    assert _what(facts(*words))[1] == "same"
    found = facts("clients.uninstall", "--client", client)
    assert {"what": "removed", "path": str(path)}.items() <= found["clients"][-1].items()
    assert not Path(memory.base, f".{client}").exists()


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


def test_a_client_without_agents_is_told(facts):
    """For a client of which no folder of agents is known that is said."""
    found = facts("clients.install", "--client", "codex", "--agent")["clients"][1]
    assert found["what"] == "left"
    assert "no folder of agents" in found["notes"][0]


def test_at_home(facts, hermetic):
    """With `--user` the page is in the client's folder at home."""
    facts(*WORDS, "--user")
    assert (hermetic / ".claude/agents/consolidate.md").exists()
    facts("clients.uninstall", "--client", "claude", "--user")
    assert not (hermetic / ".claude/agents").exists()
