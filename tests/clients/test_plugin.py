"""The plugin for Claude Code: its hooks are those that are installed, and its words are commands that there are."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from dev import reference
from sleep import __version__
from sleep.clients import client_table as clients
from sleep.clients.installation import hook_entries
from sleep.documents import front_matter
from sleep.tasks import collection

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
PAGES = sorted(PLUGIN.rglob("*.md"))


def test_its_version_is_the_programs():
    """The plugin says the program's version."""
    assert json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))["version"] == __version__


def test_the_repository_is_a_marketplace_that_has_it():
    """The marketplace of the repository names the plugin by its name, with its own words and where it stands."""
    market = json.loads((PLUGIN.parent / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))
    (plugin,) = market["plugins"]
    assert (PLUGIN.parent / plugin["source"]).resolve() == PLUGIN
    assert {key: plugin[key] for key in ("name", "description")} == {
        key: manifest[key] for key in ("name", "description")
    }
    assert market["owner"] == manifest["author"]


def test_its_hooks_are_those_that_are_installed():
    """The same events with the same timeouts, each running the program that is found on PATH."""
    text = (PLUGIN / "hooks/hooks.json").read_text(encoding="utf-8")
    claude = clients.of("claude")
    found = hook_entries.own_hooks(claude, text)
    assert [one.event for one in found] == [theirs for theirs, _ in claude.events]
    for (_, ours), one in zip(claude.events, found, strict=True):
        assert one.command.endswith(f"exec sleepwake hook {ours}")
        assert one.timeout == clients.of("claude").seconds(ours)


def test_its_hooks_are_silent_where_the_program_is_not(tmp_path):
    """Without the program on PATH a hook's command prints nothing and exits with 0."""
    text = (PLUGIN / "hooks/hooks.json").read_text(encoding="utf-8")
    for one in hook_entries.own_hooks(clients.of("claude"), text):
        done = subprocess.run(
            ["/bin/sh", "-c", one.command], env={"PATH": str(tmp_path)}, capture_output=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PLUGIN).as_posix())
def test_its_words_are_commands_that_there_are(page):
    """Each `sleepwake X` that a page names is a task, and its options are the task's."""
    tasks = {*reference.names(), "hook", "snapshot"}
    for line in re.findall(r"`(sleepwake [^`]+)`|^(sleepwake .+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        words = "".join(line).split()
        assert words[1] in tasks, line
    for task in collection.every().values():
        known = {f"--{one.option}" for one in task.parameters}
        for line in re.findall(rf"sleepwake {re.escape(task.name)} ([^`\n]*)", page.read_text(encoding="utf-8")):
            assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= known, line


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "README.md"], ids=lambda page: page.stem)
def test_its_skills_and_agents_say_when_they_are_for(page):
    """A skill and an agent have a name, that of its folder or file, and a description that says when to use it."""
    fields = front_matter.read(page.read_text(encoding="utf-8")).fields
    assert fields["name"] == (page.parent.name if page.name == "SKILL.md" else page.stem)
    assert "Use " in str(fields["description"])
