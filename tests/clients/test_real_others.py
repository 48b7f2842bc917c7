"""The real Gemini CLI, Qwen Code and Copilot CLI with our hooks: told, counted, journaled, and left as they were."""

from __future__ import annotations

import subprocess

import pytest

from sleep.documents import entries
from sleep.records import kinds
from tests.clients.driven import ASKED, MEMORY, OTHERS, PLANTED, SLEEPWAKE, SOUL, drive, planted, setup

pytestmark = pytest.mark.real
assert drive  # a fixture
PURPOSE = "PURPOSE-SENTINEL-5150"
ASK = "Split the staff module. Never touch src/billing.py, because it is audited."
HELPER = "write-crew, please."
DECIDED = "I decided to keep the roster in one file because the export reads it at once."
# Qwen Code asks its model by itself, after a turn, what it should remember.
OWN = {"name": "own", "match": {"any_contains": "## Existing memory files"}, "steps": [], "after": {"text": "ok"}}


def write(client, name):
    """Return a client's call that writes a file."""
    path = f"${{PROJECT}}/{name}"
    if client == "copilot":
        return {"name": "create", "input": {"path": path, "file_text": "x = 1\n"}}
    return {"name": "write_file", "input": {"file_path": path, "content": "x = 1\n"}}


def edit(client, name, old, new):
    """Return a client's call that edits a file; the old text has to stand there."""
    path = f"${{PROJECT}}/{name}"
    if client == "copilot":
        return {"name": "edit", "input": {"path": path, "old_str": old, "new_str": new}}
    given = {"file_path": path, "old_string": old, "new_string": new}
    if client == "gemini":
        return {"name": "replace", "input": {**given, "instruction": "Change it."}}
    return {"name": "edit", "input": given}


def read(client, name):
    """Return a client's call that reads a file: what was not read may not be edited."""
    path = f"${{PROJECT}}/{name}"
    if client == "copilot":
        return {"name": "view", "input": {"path": path}}
    return {"name": "read_file", "input": {"file_path": path}}


def delegate(client):
    """Return a client's call of a sub-agent, which is waited for."""
    if client == "copilot":
        given = {"description": "crew", "prompt": HELPER, "agent_type": "general-purpose", "name": "crew"}
        return {"name": "task", "input": {**given, "mode": "sync"}}
    if client == "gemini":
        return {"name": "invoke_agent", "input": {"agent_name": "generalist", "prompt": HELPER}}
    given = {"description": "crew", "prompt": HELPER, "subagent_type": "general-purpose"}
    return {"name": "agent", "input": {**given, "run_in_background": False}}


def lanes(*steps, others=()):
    """Return what the scripted model answers: the steps, and then the same for ever."""
    return [OWN, *others, {"name": "main", "steps": list(steps), "after": {"text": "ok"}}]


def helper(client):
    """Return the lane of the sub-agent: it writes a file and says so."""
    last = {"text": "The crew is there."}
    if client == "gemini":
        last = {
            "text": "Done.",
            "tools": [{"name": "complete_task", "input": {"result": {"response": "The crew is there."}}}],
        }
    steps = [{"text": "Inner words.", "tools": [write(client, "crew.py")]}, last]
    match = {"tool": "complete_task"} if client == "gemini" else {"any_contains": HELPER, "any_not_contains": ASK}
    return {"name": "sub", "match": match, "steps": steps}


@pytest.mark.parametrize("client", OTHERS)
def test_a_session_is_told_counted_and_journaled(drive, client):
    """Edits that took count once, a sub-agent's too; rule, answer, decision and files are on record and told later."""
    steps = [
        {"text": "I write it.", "tools": [write(client, "roster.py")]},
        {"text": "I read it.", "tools": [read(client, "roster.py")]},
        {"text": "I change it.", "tools": [edit(client, "roster.py", "x = 1", "x = 2")]},
        {"text": "And that.", "tools": [edit(client, "roster.py", "nowhere", "x = 3")]},
        {"text": "A helper writes the crew.", "tools": [delegate(client)]},
        {"text": "Both halves are there. Should the roster keep the old table names?"},
        {"text": DECIDED},
    ]
    script = {
        "files": {**MEMORY, "main.md": f"# Staff\n\n{PURPOSE}: the staff of the quarry.\n"},
        "runs": [
            {"prompt": ASK},
            {"prompt": "Yes, keep the old names.", "resume": True},
            {"prompt": "Where did we leave the staff?", "before": [[SLEEPWAKE, "sleep"]]},
        ],
        "lanes": lanes(*steps, others=[helper(client)]),
    }
    done = drive(client, script).wait()
    assert [run["exit"] for run in done.report["runs"]] == [0, 0, 0], done.report["runs"]
    session, later = dict.fromkeys(run["session_id"] for run in done.report["runs"])
    requests = done.requests()
    assert SOUL in requests[0]
    # Gemini tells no start of a sub-agent, Qwen gives what is said there to agents that ask for it in their own prompt.
    assert any(PURPOSE in request for request in done.requests("sub")) == (client == "copilot")
    texts = [path.read_text(encoding="utf-8") for path in sorted((done.project / "journal").glob("*.md"))]
    own = [entry for text in texts if session in text.partition("\n---\n")[0] for entry in entries.read(text)]
    told = [(one.kind, one.title, one.field("why"), one.field("source")) for one in own if kinds.is_record(one.kind)]
    # Copilot writes its transcript behind its hooks: whether the question is there when the first run ends is chance.
    asked = ("question", "Should the roster keep the old table names?", "", "agent")
    assert asked in told or client == "copilot"
    assert [one for one in told if one != asked] == [
        ("constraint", "Never touch src/billing.py.", "it is audited.", "person"),
        ("decision", "Should the roster keep the old table names? Yes, keep the old names.", "", "person"),
        ("decision", "I decided to keep the roster in one file.", "the export reads it at once.", "agent"),
    ]
    files = "; ".join(entry.field("files") for entry in own if entry.field("files"))
    assert files in ("roster.py (2); crew.py", "crew.py; roster.py (2)")
    assert "Inner words" not in done.journals()
    history = done.ledger()["history"][0]["sessions"]
    assert [(one["session_id"], one["change_count"], one["score"]) for one in history] == [(session, 3, 1)]
    late = {None, steps[-2]["text"]} if client == "copilot" else set()  # it writes its transcript behind its hooks
    assert history[0]["last_assistant_message"] in {DECIDED, *late}
    assert set(done.sessions()) == {later}
    for words in ("Never touch src/billing.py", "Yes, keep the old names", "keep the roster in one file"):
        assert words in requests[-1], words


@pytest.mark.parametrize("client", OTHERS)
def test_nothing_of_ours_is_left(drive, client):
    """Taken out after a session, the hooks leave the project as it was but for the memory, and nothing at home."""
    seen = "git status --porcelain --ignored; cat .git/info/exclude 2>&1 || true"
    _, install, commit = setup(client)
    script = {
        "before": [[SLEEPWAKE, "init"], commit, seen, install],
        "runs": [{"prompt": "hi"}],
        "lanes": lanes(),
        "after": [[SLEEPWAKE, "clients.status"], [SLEEPWAKE, "clients.uninstall", "--client", client], seen],
    }
    done = drive(client, script).wait()
    said = [one["stdout"] for one in done.report["commands"]]
    assert any(line.split()[0] == client and " in place " in line for line in said[-3].splitlines() if line.strip())
    kept = [line for line in said[-1].splitlines() if "memory/state" not in line]
    assert kept == said[2].splitlines()
    assert done.home() == []


@pytest.mark.parametrize("client", [one for one in OTHERS if one != "copilot"])  # there it would reach no model
def test_a_prompt_is_given_what_the_memory_has(drive, client):
    """The passage stands in the request of the prompt that asks for it, a session's first and a later one."""
    runs = [{"prompt": ASKED}, {"prompt": "continue"}, {"prompt": ASKED, "resume": True}]
    done = drive(client, {**planted(client, on=True), "runs": runs, "lanes": lanes()}).wait()
    assert [PLANTED in request for request in done.requests()] == [True, False, True]


def test_copilot_runs_the_hooks_of_claude_code(drive):
    """With ours in Claude Code's settings it needs none of its own, and each runs once."""
    script = {
        "before": setup("claude"),
        "runs": [{"prompt": "hi"}, {"prompt": "hi"}],
        "lanes": lanes({"tools": [write("copilot", "a.py")]}),
    }
    done = drive("copilot", script).wait()
    assert done.requests()[0].count(SOUL) == 1
    first, *others = (run["session_id"] for run in done.report["runs"])
    assert done.sessions()[first]["change_count"] == 1  # by the next start, where the end came before the transcript
    assert set(done.sessions()) <= {first, *others}
    listed = subprocess.run(["git", "ls-files"], cwd=done.project, capture_output=True, text=True, check=True)
    assert ".github" not in listed.stdout
