"""The server under the real Claude Code, the real Codex, and the inspector's command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.driven import HOME, SLEEPWAKE, drive, setup
from tests.mcp.wire import PATIENCE

pytestmark = [pytest.mark.real, pytest.mark.mcp]
assert drive  # a fixture
INSPECTOR = Path(os.environ.get("E2E_INSPECTOR") or HOME / "inspector/node_modules/.bin/mcp-inspector")
NODE = INSPECTOR.parent / "node"
DECISION = {
    "kind": "decision",
    "text": "Use flock for the lock",
    "why": "it needs no server",
    "alternatives": ["a file with a pid"],
    "confidence": "high",
}
CALLS = (
    ("wake", {"task": "locks", "budget": 2000}),
    ("journal_add", DECISION),
    ("recall", {"question": "why flock for the lock"}),
    ("decision_show", {"handle": "D-99"}),
)
SAID = ("Your journal is journal/instance-1.md", "D-001 [i1", "it needs no server", "there is no decision D-99")


def added(client):
    """Return the command that adds the server to a client, as a person types it."""
    words = {
        "claude": ["${CLAUDE}", "mcp", "add", "sleep", "--scope", "project"],
        "codex": ["${CODEX}", "mcp", "add", "sleep"],
    }
    return [*words[client], "--", SLEEPWAKE, "mcp"]


def start(client):
    """Return what is run before a session: a memory with hooks and the server."""
    return [*setup(client)[:-1], added(client), *setup(client)[-1:]]


def test_claude_code_uses_the_tools(drive):
    """Results and errors reach the model as they are, entries are the session's, also after `/clear`, and all ends."""
    done = drive(
        "claude",
        {
            "before": start("claude"),
            "args": ["--allowedTools", "mcp__sleep", "--mcp-config", ".mcp.json"],
            "runs": [{"prompts": ["begin", "/clear", "again"]}],
            "lanes": [
                {
                    "name": "main",
                    "steps": [
                        *({"tool": f"mcp__sleep__{name}", "input": given} for name, given in CALLS),
                        {"text": "done"},
                        {"tool": "mcp__sleep__journal_add", "input": {"kind": "insight", "text": "AFTER-CLEAR holds"}},
                        {"text": "done again"},
                    ],
                }
            ],
        },
    ).wait()
    results = [one for one in _results(done) if one["type"] == "tool_result"]
    assert [bool(one.get("is_error")) for one in results] == [False, False, False, True]
    for one, said in zip(results, SAID, strict=True):
        assert said in json.dumps(one["content"], ensure_ascii=False)
    first, second = (one["session_id"] for one in done.hooks("SessionStart"))
    journals = [path.read_text(encoding="utf-8") for path in sorted((done.project / "journal").glob("*.md"))]
    assert ["Use flock" in text for text in journals if f"sessions: [{first}]" in text] == [True]
    assert ["AFTER-CLEAR" in text for text in journals if f"sessions: [{second}]" in text] == [True]
    log = (done.out / "debug-0.log").read_text(encoding="utf-8")
    assert 'MCP server "sleep": Successfully connected' in log
    assert "process exited cleanly" in log


def _results(done):
    """Return the blocks of the messages that the model was sent before the first answer in words."""
    path = sorted((done.out / "requests").glob("*-main.json"))[len(CALLS)]
    messages = json.loads(path.read_text(encoding="utf-8"))["body"]["messages"]
    return [block for one in messages if isinstance(one["content"], list) for block in one["content"]]


def test_codex_uses_the_tools(drive):
    """Results and errors reach the model as they are, and the entries are the session's, which each call names."""
    wait = {"tool": "exec_command", "input": {"cmd": "sleep 6"}}  # it does not wait for its servers
    calls = ({"type": "tool_use", "namespace": "mcp__sleep", "name": name, "input": given} for name, given in CALLS)
    steps = [wait, *({"content": [one]} for one in calls), {"text": "done"}]
    done = drive(
        "codex",
        {"before": start("codex"), "runs": [{"prompt": "begin"}], "lanes": [{"name": "main", "steps": steps}]},
    ).wait()
    path = max((done.out / "requests").glob("*-main.json"))
    sent = json.loads(path.read_text(encoding="utf-8"))["body"]["input"]
    outputs = [json.dumps(one["output"], ensure_ascii=False) for one in sent if one["type"] == "function_call_output"]
    for output, said in zip(outputs[1:], SAID, strict=True):
        assert said in output
    (session,) = {one["session_id"] for one in done.hooks("SessionStart")}
    text = (done.project / "journal/instance-1.md").read_text(encoding="utf-8")
    assert f"sessions: [{session}]" in text
    assert "Use flock" in text


@pytest.fixture
def inspect(project):
    """Return a function that runs the inspector and returns (exit code, its JSON)."""
    if not INSPECTOR.exists():
        what = f"!!! no inspector at {INSPECTOR} (see docs/mcp.md): what it would show is NOT shown"
        (pytest.fail if os.environ.get("E2E_INSPECTOR") else pytest.skip)(what)
    path = os.pathsep.join((str(NODE.parent), os.environ["PATH"]))

    def run(method, *words):
        done = subprocess.run(
            [str(INSPECTOR), "--cli", SLEEPWAKE, "mcp", "--method", method, *words],
            cwd=project,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.returncode, json.loads(done.stdout)

    assert shutil.which("node", path=path)
    return run


def test_the_inspector_finds_nothing_wrong(inspect):
    """The inspector lists everything, calls a tool, gets its error, reads a resource and a prompt."""
    code, found = inspect("tools/list")
    assert code == 0
    assert {"recall", "trace", "wake", "journal_add", "debt"} <= {one["name"] for one in found["tools"]}
    code, found = inspect("tools/call", "--tool-name", "thread_open", "--tool-arg", "text=a thread")
    assert (code, found["isError"]) == (0, False)
    assert found["content"][0]["text"].startswith("T-001 [i1")
    code, found = inspect("tools/call", "--tool-name", "thread_show", "--tool-arg", "handle=T-9")
    assert code != 0
    assert "there is no thread T-9" in found["content"][0]["text"]
    code, found = inspect("resources/list")
    uris = [one["uri"] for one in found["resources"]]
    code, found = inspect("resources/read", "--uri", uris[0])
    assert (code, found["contents"][0]["mimeType"]) == (0, "text/markdown")
    code, found = inspect("resources/templates/list")
    assert (code, len(found["resourceTemplates"])) == (0, 3)
    code, found = inspect("prompts/get", "--prompt-name", "wake", "--prompt-args", "task=the lock")
    assert (code, "'the lock'" in found["messages"][0]["content"]["text"]) == (0, True)
