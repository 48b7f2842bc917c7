"""Our hooks in the settings of clients: put in, found, and taken out, with all else untouched."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sleep.clients import client_table as clients
from sleep.clients.installation import client_programs, hook_entries, install, settings_files

NAMES = tuple(clients.CLIENTS)
OTHERS = """{
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
    "model": "opus", "x": 1.50,
    "hooks": {
        "Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "echo other"}]}],
        "PreToolUse": [ {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]} ]
    }
}
"""
OLD = "/old/venv/bin/sleepwake hook stop"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Return our program at a path with a space, and no client on PATH."""
    path = tmp_path / "a venv" / "bin" / "sleepwake"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setattr(client_programs, "script", lambda: str(path))
    (tmp_path / "path").mkdir()
    git = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    os.symlink(git, tmp_path / "path" / "git")
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    return str(path)


@pytest.fixture
def facts(sleepwake, memory, script):
    """Return a function that runs a task of clients with `--json`, and returns what it printed."""
    assert memory
    assert script

    def facts(*words, code=0):
        ended, out, err = sleepwake(*words, "--json")
        assert (ended, err) == (code, ""), out + err
        return json.loads(out)

    return facts


def ours(client, path):
    """Return the events that a settings file has hooks of ours for, in its order."""
    return [one.event for one in hook_entries.own_hooks(clients.of(client), Path(path).read_text(encoding="utf-8"))]


def events(client):
    """Return the events that a client's settings shall have."""
    return [theirs for theirs, _ in clients.of(client).events]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", [None, "", "{}", "{\n}\n"], ids=["absent", "empty", "object", "lines"])
def test_into_nothing(facts, memory, script, name, before):
    """Into settings that are absent or empty goes one entry an event, absolute, quoted and with a timeout."""
    client = clients.of(name)
    path = Path(memory.base, client.project)
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_text(before, encoding="utf-8")
    (found,) = facts("clients.install", "--client", name)["clients"]
    assert (found["what"], found["path"]) == ("installed", str(path))
    assert ours(name, path) == events(name)
    for (_, ours_), one in zip(
        client.events, hook_entries.own_hooks(client, path.read_text(encoding="utf-8")), strict=True
    ):
        assert shlex.split(one.command) == [script, "hook", ours_]
        assert one.timeout == client.seconds(ours_) * client.unit
    assert json.loads(path.read_text(encoding="utf-8")).get("version") == dict(client.fresh).get("version")


@pytest.mark.parametrize("name", NAMES)
def test_beside_others_and_out_again(facts, memory, name):
    """Permissions and other tools' hooks keep their every byte, and taking ours out gives the very file back."""
    client = clients.of(name)
    text = OTHERS if client.nested else '{"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "echo other"}]}}'
    path = Path(memory.base, client.project)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    facts("clients.install", "--client", name)
    after = path.read_text(encoding="utf-8")
    assert sorted(ours(name, path)) == sorted(events(name))
    assert after.startswith(text[: text.index('"hooks"')])
    assert "echo other" in after
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Path(f"{path}.sleepwake-backup").read_text(encoding="utf-8") == text
    assert [one["what"] for one in facts("clients.uninstall", "--client", name)["clients"]] == ["removed"]
    assert path.read_text(encoding="utf-8") == text
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", NAMES)
def test_twice_is_once(facts, memory, name):
    """A second installation changes no byte and says so; taking out what is not there says that too."""
    facts("clients.install", "--client", name)
    path = Path(memory.base, clients.of(name).project)
    before = path.read_bytes()
    (found,) = facts("clients.install", "--client", name)["clients"]
    assert found["what"] == "same"
    assert path.read_bytes() == before
    facts("clients.uninstall", "--client", name)
    assert not path.exists()
    assert sorted(os.listdir(memory.base)) == ["memory"]
    assert [one["what"] for one in facts("clients.uninstall", "--client", name)["clients"]] == ["absent"]


@pytest.mark.parametrize(
    "stop",
    [
        [{"hooks": [{"type": "command", "command": OLD}]}],
        [
            {"hooks": [{"type": "command", "command": OLD, "timeout": 5}]},
            {"hooks": [{"type": "command", "command": OLD}]},
        ],
        [{"matcher": "", "hooks": [{"type": "command", "command": "echo other"}, {"type": "command", "command": OLD}]}],
        [{"hooks": [{"type": "command", "command": "uvx sleepwake hook stop"}, {"type": "command", "command": OLD}]}],
        [{"hooks": "odd"}, "odd", {"hooks": [3, {"type": "command", "command": OLD}]}],
    ],
    ids=["one", "two", "shared", "two in one", "odd"],
)
def test_over_an_old_entry_of_ours(facts, memory, script, stop):
    """Old entries of ours are replaced by one, whatever their path and number, and what stands beside them stays."""
    path = Path(memory.base, ".claude/settings.json")
    path.parent.mkdir()
    old = {
        "hooks": {"Stop": stop, "Notification": [{"hooks": [{"type": "command", "command": "/o/sleepwake hook x"}]}]}
    }
    path.write_text(json.dumps(old), encoding="utf-8")
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert found["what"] == "updated"
    value = json.loads(path.read_text(encoding="utf-8"))
    commands = [one.command for one in hook_entries.own_hooks(clients.of("claude"), json.dumps(value))]
    assert sorted(ours("claude", path)) == sorted(events("claude"))
    assert all(shlex.split(line)[0] == script for line in commands)
    assert "Notification" not in value["hooks"]
    assert json.dumps(value).count("echo other") == json.dumps(stop).count("echo other")
    assert all(odd in value["hooks"]["Stop"] for odd in stop if odd in ("odd", {"hooks": "odd"}))


def test_another_tool_that_keeps_the_same_ledger_is_named_and_left(facts, memory):
    """The hooks of the older tool stay, and the person is told that they are there."""
    path = Path(memory.base, ".claude/settings.json")
    path.parent.mkdir()
    path.write_text(
        json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "npx agentcontext hook stop"}]}]}}),
        encoding="utf-8",
    )
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert any("npx agentcontext hook stop" in note for note in found["notes"])
    assert "npx agentcontext hook stop" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["// mine\n{}", "{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_what_cannot_be_kept_is_refused(facts, memory, text):
    """Settings with comments, or of another shape, are left as they are, and the snippet to paste is given."""
    path = Path(memory.base, ".claude/settings.json")
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    (found,) = facts("clients.install", "--client", "claude", code=1)["clients"]
    assert found["what"] == "refused"
    assert any("hook session-start" in note for note in found["notes"])
    assert path.read_text(encoding="utf-8") == text
    (found,) = facts("clients.uninstall", "--client", "claude", code=1)["clients"]
    assert found["what"] == "refused"


def test_hooks_that_are_null_are_none(facts, memory):
    """Settings with `"hooks": null` get ours like any others, twice is once, and the rest stays to the byte."""
    path = Path(memory.base, ".claude/settings.json")
    path.parent.mkdir()
    path.write_text('{"model":  "opus",\n "hooks": null, "x": 1.50}\n', encoding="utf-8")
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert found["what"] == "installed"
    assert sorted(ours("claude", path)) == sorted(events("claude"))
    text = path.read_text(encoding="utf-8")
    assert text.startswith('{"model":  "opus",\n "hooks": {')
    assert text.endswith(', "x": 1.50}\n')
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert found["what"] == "same"
    (found,) = facts("clients.uninstall", "--client", "claude")["clients"]
    assert path.read_text(encoding="utf-8") == '{"model":  "opus",\n "hooks": null, "x": 1.50}\n'


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    ["", "{}", "\n", '{"hooks":{}}', '{"hooks": {"Stop": []}, "x": 1.50}', '{"x": 1}\n', '{\n\t"hooks": null\n}'],
)
def test_what_was_empty_is_empty_again(facts, memory, name, text):
    """A person's own empty file, empty `hooks` or empty event is there again, to the byte, and no copy beside it."""
    path = Path(memory.base, clients.of(name).project)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    facts("clients.install", "--client", name)
    assert ours(name, path) == events(name) or "Stop" in text
    facts("clients.uninstall", "--client", name)
    assert path.read_text(encoding="utf-8") == text
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_changed_meanwhile_stays(facts, memory, name):
    """What a person changed since the installation stays, her empty hooks are there again, and the copy is gone."""
    path = Path(memory.base, clients.of(name).project)
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {"Stop": [], "Mine": []}, "x": 1.50}', encoding="utf-8")
    facts("clients.install", "--client", name)
    path.write_text(path.read_text(encoding="utf-8").replace("1.50", '1.50, "y": [ ]'), encoding="utf-8")
    (found,) = facts("clients.uninstall", "--client", name)["clients"]
    assert found["what"] == "removed"
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) == {"hooks": {"Stop": [], "Mine": []}, "x": 1.5, "y": []}
    assert '"x": 1.50, "y": [ ]' in text
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(("added", "left"), [("", None), (', "ui": {}', {"$version": 4, "ui": {}})])
def test_what_a_client_stamps_into_a_file_of_ours_keeps_it_no_longer(facts, memory, added, left):
    """Qwen Code writes its settings' version into the file that was made for our hooks: the file goes all the same."""
    facts("clients.install", "--client", "qwen")
    path = Path(memory.base, ".qwen/settings.json")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.rstrip().removesuffix("}").rstrip() + f', "$version": 4{added}}}\n', encoding="utf-8")
    (found,) = facts("clients.uninstall", "--client", "qwen")["clients"]
    assert found["what"] == "removed"
    assert (json.loads(path.read_text(encoding="utf-8")) if path.exists() else None) == left
    assert path.parent.exists() == (left is not None)


def test_a_copy_is_all_that_is_left_of_a_file_that_is_gone(facts, memory):
    """Where the settings were deleted since the installation the copy of what was there before stays."""
    path = Path(memory.base, ".claude/settings.json")
    path.parent.mkdir()
    path.write_text('{"model": "opus"}', encoding="utf-8")
    facts("clients.install", "--client", "claude")
    path.unlink()
    assert [one["what"] for one in facts("clients.uninstall", "--client", "claude")["clients"]] == ["absent"]
    assert Path(f"{path}.sleepwake-backup").read_text(encoding="utf-8") == '{"model": "opus"}'


@pytest.mark.parametrize("name", [one for one in NAMES if clients.of(one).prompt])
def test_prompts_are_hooked_where_that_is_wanted(facts, memory, name):
    """The hook that costs every prompt a process is installed while `recall.inject` is on, and goes when it is off."""
    client = clients.of(name)
    path = Path(memory.base, client.project)
    facts("clients.install", "--client", name)
    assert client.prompt not in ours(name, path)
    Path(memory.settings).write_text("format: 1\nrecall:\n  inject: on\n", encoding="utf-8")
    (standing,) = [one for one in facts("clients.status")["clients"] if one["client"] == name]
    assert standing["hooks"] == "in place"
    assert any("recall.inject is on" in note for note in standing["notes"])
    (found,) = facts("clients.install", "--client", name)["clients"]
    assert found["what"] == "updated"
    assert client.prompt in ours(name, path)
    (standing,) = [one for one in facts("clients.status")["clients"] if one["client"] == name]
    assert standing["hooks"] == "in place"
    assert not any("recall.inject" in note for note in standing["notes"])
    Path(memory.settings).write_text("format: 1\n", encoding="utf-8")
    (standing,) = [one for one in facts("clients.status")["clients"] if one["client"] == name]
    assert any("recall.inject is off" in note for note in standing["notes"])
    facts("clients.install", "--client", name)
    assert client.prompt not in ours(name, path)


def test_a_plugin_leaves_the_hook_of_prompts_to_the_settings(facts, memory, hermetic):
    """With the plugin on, the one hook that it has not is installed where `recall.inject` is on, and no other."""
    home = hermetic / ".claude"
    home.mkdir()
    (home / "settings.json").write_text('{"enabledPlugins": {"sleepwake@here": true}}', encoding="utf-8")
    Path(memory.settings).write_text("format: 1\nrecall:\n  inject: on\n", encoding="utf-8")
    facts("clients.install", "--client", "claude")
    assert ours("claude", Path(memory.base, ".claude/settings.json")) == ["UserPromptSubmit"]
    (standing,) = [one for one in facts("clients.status")["clients"] if one["client"] == "claude"]
    assert (standing["hooks"], [note for note in standing["notes"] if "twice" in note]) == ("plugin", [])


def test_how_it_stands_is_told_in_words(facts, memory, sleepwake):
    """`clients.status` names the program and the project, has a row for each client, and below them what to know."""
    facts("clients.install", "--client", "codex")
    Path(memory.settings).write_text("format: 1\nrecall:\n  inject: on\n", encoding="utf-8")
    code, out, _ = sleepwake("clients.status")
    assert (code, f"project     {memory.base}\n" in out) == (0, True)
    assert [line.split()[0] for line in out.splitlines() if "  tried with " in line] == list(NAMES)
    assert "codex: recall.inject is on, and the hook for it is not installed: sleepwake clients.install" in out


def test_a_dry_run_writes_nothing(facts, memory):
    """With --dry-run what would be done is said, and no file appears."""
    (found,) = facts("clients.install", "--client", "codex", "--dry-run")["clients"]
    assert found["what"] == "installed"
    assert os.listdir(memory.base) == ["memory"]


def test_the_settings_of_the_user(facts, memory, hermetic, monkeypatch, tmp_path):
    """With --user the settings at home are written, or those in the folder that the client's variable names."""
    facts("clients.install", "--client", "claude", "--client", "codex", "--user")
    assert ours("claude", hermetic / ".claude/settings.json") == events("claude")
    assert ours("codex", hermetic / ".codex/hooks.json") == events("codex")
    assert os.listdir(memory.base) == ["memory"]
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))
    facts("clients.install", "--client", "codex", "--user")
    assert ours("codex", tmp_path / "elsewhere/hooks.json") == events("codex")


def test_links_are_followed_inside_and_refused_outside(facts, memory, tmp_path):
    """Settings that are a link are written through when it stays inside the project, and refused when it leads out."""
    folder = Path(memory.base, ".claude")
    folder.mkdir()
    Path(memory.base, "mine.json").write_text("{}", encoding="utf-8")
    (folder / "settings.json").symlink_to(Path(memory.base, "mine.json"))
    facts("clients.install", "--client", "claude")
    assert (folder / "settings.json").is_symlink()
    assert ours("claude", Path(memory.base, "mine.json")) == events("claude")
    (tmp_path / "out.json").write_text("{}", encoding="utf-8")
    (folder / "settings.json").unlink()
    (folder / "settings.json").symlink_to(tmp_path / "out.json")
    (found,) = facts("clients.install", "--client", "claude", code=1)["clients"]
    assert found["what"] == "refused"
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == "{}"
    assert (
        not (folder / "settings.json.sleepwake-backup").exists()
        or (folder / "settings.json.sleepwake-backup").is_file()
    )


def test_an_old_client_is_asked_nothing_that_it_does_not_know(facts, memory, tmp_path):
    """A Claude Code before 2.1 refuses a file for one unknown event: it is left out, and the person told."""
    program = tmp_path / "path" / "claude"
    program.write_text("#!/bin/sh\necho '2.0.76 (Claude Code)'\n", encoding="utf-8")
    program.chmod(0o755)
    (found,) = facts("clients.install")["clients"]
    assert "SubagentStart" not in ours("claude", found["path"])
    assert any("2.0.76" in note for note in found["notes"])


def test_without_names_those_that_are_there(facts, memory):
    """Without --client the clients that the project knows are taken, and Claude Code where it knows none."""
    assert [one["client"] for one in facts("clients.install", "--dry-run")["clients"]] == ["claude"]
    for folder in (".codex", ".gemini"):
        Path(memory.base, folder).mkdir()
    assert [one["client"] for one in facts("clients.install", "--dry-run")["clients"]] == ["codex", "gemini"]
    named = facts("clients.install", "--dry-run", "--client", "qwen,claude", "--client", "qwen")["clients"]
    assert [one["client"] for one in named] == ["qwen", "claude"]


def test_what_is_no_client_is_said(sleepwake, memory, script):
    """An unknown client, or two places at once, is a mistake in the words."""
    assert memory
    assert script
    code, _, err = sleepwake("clients.install", "--client", "cloud")
    assert code == 2
    assert "claude, codex, gemini, qwen, copilot" in err
    assert sleepwake("clients.install", "--user", "--project")[0] == 2


def test_a_plugin_makes_hooks_needless(facts, memory, hermetic):
    """Where our plugin is switched on nothing is written, for each hook would run twice."""
    (hermetic / ".claude").mkdir()
    (hermetic / ".claude/settings.json").write_text('{"enabledPlugins": {"sleepwake@here": true}}', encoding="utf-8")
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert (found["what"], found["path"], "sleepwake@here" in found["notes"][0]) == ("same", "", True)
    assert os.listdir(memory.base) == ["memory"]
    assert facts("clients.status")["clients"][0]["hooks"] == "plugin"


def test_a_client_that_runs_anothers_hooks_needs_none(facts, memory):
    """Copilot runs the hooks of Claude Code's settings, so that with ours there it gets no file of its own."""
    facts("clients.install", "--client", "claude")
    (found,) = facts("clients.install", "--client", "copilot")["clients"]
    assert (found["what"], found["path"]) == ("same", str(Path(memory.base, ".claude/settings.json")))
    assert not Path(memory.base, ".github").exists()
    status = {one["client"]: one for one in facts("clients.status")["clients"]}["copilot"]
    assert (status["hooks"], status["files"]) == ("in place", [found["path"]])
    assert status["notes"] == ["it runs the hooks of .claude/settings.json"]


def test_hooks_in_the_private_file_are_run_too(facts, private):
    """Copilot runs those of Claude Code's private file as well, where ours are if the program lies below the home."""
    facts("clients.install", "--client", "claude")
    (found,) = facts("clients.install", "--client", "copilot")["clients"]
    assert (found["what"], Path(found["path"]).name) == ("same", "settings.local.json")
    status = {one["client"]: one for one in facts("clients.status")["clients"]}["copilot"]
    assert (status["hooks"], status["notes"]) == ("in place", ["it runs the hooks of .claude/settings.local.json"])
    assert not (private.base / ".github").exists()


def test_the_settings_at_home_go_where_the_client_moved_them(facts, memory, monkeypatch, tmp_path):
    """`COPILOT_HOME` moves Copilot's folder, and the file of hooks stands in its own folder there."""
    assert memory
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path / "state"))
    (found,) = facts("clients.install", "--client", "copilot", "--user")["clients"]
    assert found["path"] == str(tmp_path / "state/hooks/sleepwake.json")
    assert ours("copilot", found["path"]) == events("copilot")


def test_hooks_of_its_own_beside_anothers_are_told_and_taken_out(facts, memory):
    """Where Copilot has its own hooks and those of Claude Code's settings, status says twice, and install mends it."""
    facts("clients.install", "--client", "copilot")
    facts("clients.install", "--client", "claude")
    status = {one["client"]: one for one in facts("clients.status")["clients"]}["copilot"]
    assert status["hooks"] == "duplicate"
    assert any("each runs twice" in note for note in status["notes"])
    (found,) = facts("clients.install", "--client", "copilot")["clients"]
    assert found["what"] == "updated"
    assert not Path(memory.base, ".github").exists()
    assert {one["client"]: one["hooks"] for one in facts("clients.status")["clients"]}["copilot"] == "in place"


def test_the_trust_step_is_explained(sleepwake, memory, script):
    """Codex skips a hook that nobody trusted, and the person is told how to trust it."""
    assert memory
    assert script
    _, out, _ = sleepwake("clients.install", "--client", "codex")
    assert "/hooks" in out
    assert "trust" in out


class Private:
    """A project in git; its program lies anywhere."""

    def __init__(self, base):
        self.base = Path(base)
        self.git("init", "--quiet")

    def git(self, *words):
        """Run git in the project."""
        return subprocess.run(["git", *words], cwd=self.base, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def private(memory, script):
    """Return such a project."""
    assert script
    return Private(memory.base)


def test_no_path_of_a_machine_goes_into_what_is_shared(facts, private):
    """In git the path of a program goes into Claude Code's private file, ignored, and leaves the shared one."""
    shared = private.base / ".claude/settings.json"
    shared.parent.mkdir()
    shared.write_text(
        json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": OLD}]}]}}), encoding="utf-8"
    )
    (found,) = facts("clients.install", "--client", "claude")["clients"]
    assert found["path"].endswith("settings.local.json")
    assert ours("claude", found["path"]) == events("claude")
    assert "hooks" not in json.loads(shared.read_text(encoding="utf-8"))
    listed = private.git("status", "--porcelain", "--untracked-files=all")
    assert "settings.local.json" not in listed
    assert "backup" not in listed
    assert facts("clients.install", "--client", "claude")["clients"][0]["what"] == "same"


PORTABLE = "command -v sleepwake >/dev/null 2>&1 || exit 0; exec sleepwake hook "


def commands(name, path):
    """Return the command lines of ours in a settings file."""
    text = Path(path).read_text(encoding="utf-8")
    return [hook.command for hook in hook_entries.own_hooks(clients.of(name), text)]


def test_a_file_of_ours_alone_is_ignored_and_a_tracked_one_names_no_path(facts, private):
    """Without a private file git is told to ignore the file, and one that it tracks runs what PATH has."""
    facts("clients.install", "--client", "codex")
    assert "hooks.json" not in private.git("status", "--porcelain", "--untracked-files=all")
    facts("clients.uninstall", "--client", "codex")
    assert not (private.base / ".git/info/exclude").exists()
    (private.base / ".gemini").mkdir()
    (private.base / ".gemini/settings.json").write_text("{}", encoding="utf-8")
    private.git("add", ".gemini/settings.json")
    (found,) = facts("clients.install", "--client", "gemini")["clients"]
    assert found["what"] == "installed"
    assert any("on PATH" in note for note in found["notes"])
    lines = commands("gemini", private.base / ".gemini/settings.json")
    assert lines == [f"{PORTABLE}{event}" for _, event in clients.of("gemini").events]
    assert "/.gemini/settings.json\n" not in (private.base / ".git/info/exclude").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_what_another_person_committed_is_mended(facts, private, name):
    """A path of a colleague's machine in a committed file goes out of it when somebody else installs the hooks."""
    client = clients.of(name)
    facts("clients.install", "--client", name, "--shared")
    shared = private.base / client.project
    text = shared.read_text(encoding="utf-8").replace(PORTABLE.replace('"', '\\"'), "/opt/ann/bin/sleepwake hook ")
    shared.write_text(text, encoding="utf-8")
    private.git("add", client.project)
    facts("clients.install", "--client", name)
    assert "/opt/ann" not in shared.read_text(encoding="utf-8")
    (standing,) = [each for each in facts("clients.status")["clients"] if each["client"] == name]
    assert standing["hooks"] == "in place"


@pytest.mark.parametrize("name", NAMES)
def test_hooks_for_all_are_the_same_for_everybody(facts, private, monkeypatch, name):
    """With --shared the files that others get run what PATH has, and a second person's installation changes nothing."""
    client = clients.of(name)
    facts("clients.install", "--client", name)
    (found,) = facts("clients.install", "--client", name, "--shared")["clients"]
    assert (found["what"], found["path"]) == ("updated", str(private.base / client.project))
    assert all(line.startswith(PORTABLE) for line in commands(name, found["path"]))
    assert f"?? {client.project}\n" in private.git("status", "--porcelain", "--untracked-files=all")
    monkeypatch.setattr(client_programs, "script", lambda: "/opt/bob/bin/sleepwake")
    (found,) = facts("clients.install", "--client", name)["clients"]
    assert (found["what"], found["path"]) == ("same", str(private.base / client.project))
    (standing,) = [each for each in facts("clients.status")["clients"] if each["client"] == name]
    assert standing["hooks"] == "in place"


def test_hooks_for_all_are_silent_without_the_program(facts, private, tmp_path):
    """Where no program is on PATH a hook that others get ends well and says nothing, and the status says so."""
    facts("clients.install", "--client", "claude", "--shared")
    for line in commands("claude", private.base / ".claude/settings.json"):
        ended = subprocess.run(["/bin/sh", "-c", line], env={"PATH": "/nowhere"}, capture_output=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert hook_entries.SILENT in facts("clients.status")["clients"][0]["notes"]
    (tmp_path / "path/sleepwake").symlink_to("/bin/true")
    assert hook_entries.SILENT not in facts("clients.status")["clients"][0]["notes"]


def test_hooks_for_all_and_those_of_a_home_exclude_each_other(facts, sleepwake):
    """What is for everybody cannot be the settings of one person's home: that is a mistake in the words."""
    assert facts
    code, _, err = sleepwake("clients.install", "--user", "--shared")
    assert (code, "--user and --shared exclude each other" in err) == (2, True)


def test_the_plugin_and_hooks_for_all_run_the_same_commands():
    """The plugin's hooks and those that others get are the same command lines."""
    path = Path(__file__).parents[3] / "plugin/hooks/hooks.json"
    assert commands("claude", path) == [f"{PORTABLE}{event}" for _, event in clients.of("claude").events]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_git_was_told_to_ignore_is_taken_back(facts, private, newline):
    """After an uninstall git's own list of what to ignore has a person's lines alone, to the byte."""
    exclude = private.base / ".git/info/exclude"
    exclude.parent.mkdir()
    mine = f"# mine{newline}/.gemini/settings.json{newline}*.log"
    exclude.write_bytes(mine.encode())
    (private.base / ".qwen").mkdir()
    (private.base / ".qwen/settings.json").write_text("{}", encoding="utf-8")
    for name in ("codex", "gemini", "qwen"):
        facts("clients.install", "--client", name)
    text = exclude.read_bytes().decode()
    assert text.startswith(mine)
    assert text.count("/.gemini/settings.json") == 1
    assert text.count(newline) == text.count("\n")
    assert private.git("status", "--porcelain", "--untracked-files=all", "--", ".codex", ".gemini", ".qwen") == ""
    exclude.write_bytes(f"{text}/later{newline}".encode())
    for name in ("codex", "gemini", "qwen"):
        facts("clients.uninstall", "--client", name)
    assert exclude.read_bytes().decode() == f"{mine}{newline}/later{newline}"
    assert private.git("status", "--porcelain", "--untracked-files=all", "--", ".qwen") == "?? .qwen/settings.json\n"


@pytest.mark.parametrize(
    ("client", "ways"),
    [
        ("codex", (("--client", "codex"), ("--client", "codex", "--user"))),
        ("claude", (("--client", "claude"), ("--client", "claude", "--shared"))),
        ("copilot", (("--client", "copilot"), ("--client", "claude"))),
    ],
)
def test_the_status_names_the_command_that_leaves_each_hook_once(facts, memory, client, ways):
    """Where each hook would run twice a note has a command, after which each runs once."""
    base = Path(memory.base)
    subprocess.run(["git", "init", "--quiet"], cwd=base, check=True)
    private = base / ".claude/settings.local.json"
    for way in ways:
        text = private.read_text(encoding="utf-8") if private.exists() else ""
        facts("clients.install", *way)
    if client == "claude":  # a colleague's came by a pull
        private.write_text(text, encoding="utf-8")
    found = {one["client"]: one for one in facts("clients.status")["clients"]}[client]
    (note,) = [note for note in found["notes"] if "sleepwake clients." in note]
    assert (found["hooks"], "twice" in note or "more than once" in note) == ("duplicate", True)
    facts(*note.rpartition(": sleepwake ")[2].split())
    assert {one["client"]: one["hooks"] for one in facts("clients.status")["clients"]}[client] == "in place"


def test_no_copy_is_left_for_git_add(facts, memory, script):
    """The copy of a person's settings is no untracked file of hers, and after an uninstall nothing tells of it."""
    assert script
    base = Path(memory.base)
    subprocess.run(["git", "init", "--quiet"], cwd=base, check=True)
    (base / ".git/info").mkdir()
    (base / ".git/info/exclude").write_text("*.log\n", encoding="utf-8")
    for name, file in (("claude", ".claude/settings.local.json"), ("codex", ".codex/hooks.json")):
        path = base / file
        path.parent.mkdir()
        path.write_text('{"hooks": {}}', encoding="utf-8")
        facts("clients.install", "--client", name)
        assert Path(f"{path}.sleepwake-backup").exists()
    listed = subprocess.run(["git", "add", "--all", "--dry-run"], cwd=base, capture_output=True, text=True, check=True)
    assert listed.stdout == "add 'memory/core/0.soul.md'\n"
    facts("clients.uninstall", "--client", "claude", "--client", "codex")
    assert (base / ".git/info/exclude").read_text(encoding="utf-8") == "*.log\n"
    assert [path.name for path in base.rglob("*sleepwake*")] == []


def test_the_status_says_how_it_stands(facts, memory, script, run, monkeypatch):
    """Status tells in place, outdated, duplicate and absent apart, names a program that is gone, and the last hook."""
    for name in ("claude", "codex", "gemini"):
        facts("clients.install", "--client", name)
    facts("clients.install", "--client", "codex", "--user")
    path = Path(memory.base, ".gemini/settings.json")
    path.write_text(path.read_text(encoding="utf-8").replace("30000", "5000"), encoding="utf-8")
    run("session-start", {"session_id": "s", "transcript_path": "/h/.claude/projects/p/s.jsonl", "source": "startup"})
    found = {one["client"]: one for one in facts("clients.status")["clients"]}
    assert {name: one["hooks"] for name, one in found.items()} == {
        "claude": "in place",
        "codex": "duplicate",
        "gemini": "outdated",
        "qwen": "absent",
        "copilot": "in place",
    }
    assert found["claude"]["last"].startswith("20")
    assert found["qwen"]["support"] == f"tried with {clients.of('qwen').tried}"
    Path(script).unlink()
    assert any("is gone" in note for note in facts("clients.status")["clients"][0]["notes"])
    monkeypatch.setattr(client_programs, "script", lambda: "/other/sleepwake")
    assert facts("clients.status")["clients"][0]["hooks"] == "outdated"


def test_it_is_the_installed_program_that_hooks_run():
    """The program is found as an absolute path, beside the interpreter that runs this."""
    found = client_programs.script()
    assert os.path.isabs(found)
    assert os.path.dirname(found) == os.path.dirname(sys.executable)
    assert settings_files.here("/", found).project == "/"
    assert install.BACKUP


def test_the_words_of_a_dry_run_are_of_what_would_be_done(facts, memory, sleepwake):
    """A dry run says first that it is one, and of no file that it is installed or removed."""
    words = ("--client", "claude", "--mcp", "--agent", "--dry-run")
    code, out, _ = sleepwake("clients.install", *words)
    assert (code, out.startswith("dry run: nothing is written\n")) == (0, True)
    assert out.count("would be installed") >= 3
    facts("clients.install", "--client", "claude", "--mcp", "--agent")
    words = ("--client", "claude", "--dry-run")
    code, out, _ = sleepwake("clients.uninstall", *words)
    assert out.count("would be removed") >= 3
    assert "is gone" not in out
    assert "would go" in out
