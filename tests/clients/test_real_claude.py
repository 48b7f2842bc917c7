"""The real Claude Code with our hooks: what reaches the model, what is booked, and what is left alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sleep.clients.hooks import client_output, journal_request
from tests.clients.conftest import Said
from tests.clients.driven import ASKED, KNOWN, MEMORY, PLANTED, SLEEPWAKE, SOUL, drive, planted, program, setup, write

pytestmark = pytest.mark.real
assert drive  # a fixture
ASK = "format: 1\njournal:\n  ask: once\n"
PLUGIN = Path(__file__).resolve().parents[2] / "plugin"


def test_the_context_reaches_the_model_at_every_start(drive):
    """At startup, after compaction and clear, on resume and in a fork the model is given the memory, within the cap."""
    done = drive(
        "claude",
        {
            "runs": [
                {"prompts": ["first question", "/compact keep decisions", "after compaction", "/clear", "after clear"]},
                {"prompt": "resumed", "resume": True},
                {"prompt": "forked", "resume": True, "args": ["--fork-session"]},
            ],
            "lanes": [{"name": "main", "steps": [{"text": f"answer {number}"} for number in range(7)]}],
        },
    ).wait()
    assert [one["source"] for one in done.hooks("SessionStart")] == ["startup", "compact", "clear", "resume", "fork"]
    answers = done.answers("SessionStart")
    assert len(answers) == 5
    requests = done.requests()
    for at, said in enumerate(answers):
        assert SOUL in Said(said).context
        assert client_output.size(Said(said).context) <= client_output.CAP
        assert SOUL in requests[at]
    assert len(requests) == 5
    ids = {one["session_id"] for one in done.hooks("SessionStart")}
    assert len(ids) == 3
    assert set(done.sessions()) == ids
    assert len(done.hooks("Stop")) == 5
    assert done.answers("Stop") == [""] * 5


def test_what_a_compaction_drops_is_told_again(drive):
    """A decision made before a compaction stands in the request after it, with its address, by our words alone."""
    decided = "I decided to use flock for the ledger because it needs no server."
    done = drive(
        "claude",
        {
            "runs": [{"prompts": ["Please make the ledger safe on NFS.", "/compact", "And what now?"]}],
            "lanes": [
                {
                    "name": "main",
                    "steps": [{"text": decided}, {"text": "Go on."}],
                }
            ],
        },
    ).wait()
    assert [one["source"] for one in done.hooks("SessionStart")] == ["startup", "compact"]
    before, after = (Said(one).context for one in done.answers("SessionStart"))
    section = after.partition("## This Session\n")[2].partition("\n\n## ")[0]
    assert "## This Session" not in before
    lines = [line for line in section.splitlines() if "flock for the ledger" in line]
    assert [line.partition(":")[0] for line in lines] == ["- Decision D-001"]
    assert lines[0].rpartition("[")[2].rstrip("]") in done.journals()
    assert "- Asked: Please make the ledger safe on NFS." in section
    asked, last = done.requests()
    assert lines[0] not in asked
    assert lines[0] in last
    ours = json.dumps(after.strip(), ensure_ascii=False)[1:-1]
    assert ours in last
    assert "flock" not in last.replace(ours, "")


def test_a_large_memory_is_bounded_by_us_and_not_by_the_client(drive):
    """With 60 KB of memory the model sees all that we said, which is under the cap, and no preview of the client's."""
    lines = "".join(f'- line {number}: "quoted", größer, 漢字\n' for number in range(1500))
    files = {**MEMORY, "memory/core/2.memory.md": f"# Memory\n\n{lines}"}
    done = drive(
        "claude", {"files": files, "runs": [{"prompt": "hi"}], "lanes": [{"name": "main", "steps": [{"text": "ho"}]}]}
    ).wait()
    (said,) = done.answers("SessionStart")
    text = Said(said).context
    assert client_output.CAP - 1500 < client_output.size(text) <= client_output.CAP
    assert SOUL in text
    assert json.dumps(text.strip(), ensure_ascii=False)[1:-1] in done.requests()[0]


def test_edits_are_counted_once_a_turn_with_those_of_sub_agents(drive):
    """Writes, edits, one that failed, and those of sub-agents in the foreground and the background make one count."""
    agent = {"description": "d", "prompt": "task", "subagent_type": "helper"}
    done = drive(
        "claude",
        {
            "files": {
                **MEMORY,
                ".claude/agents/helper.md": "---\nname: helper\ndescription: h\ntools: Read, Write\n---\nYou help.\n",
            },
            "runs": [{"prompts": ["write, edit and delegate", "and in the background"]}],
            "lanes": [
                {
                    "name": "sub",
                    "match": {"is_subagent": True},
                    "steps": [
                        {"tools": [write("s1.md")]},
                        {"text": "SUB-1"},
                        {"tools": [write("s2.md")]},
                        {"text": "SUB-2"},
                    ],
                },
                {
                    "name": "main",
                    "steps": [
                        {"tools": [write("a.txt", "one\n")]},
                        {
                            "tool": "Edit",
                            "input": {"file_path": "${PROJECT}/a.txt", "old_string": "one", "new_string": "two"},
                        },
                        {
                            "tool": "Edit",
                            "input": {"file_path": "${PROJECT}/a.txt", "old_string": "nowhere", "new_string": "x"},
                        },
                        {"tool": "Agent", "input": {**agent, "run_in_background": False}},
                        {"text": "first turn done"},
                        {"tool": "Agent", "input": {**agent, "run_in_background": True}},
                        {"text": "waiting"},
                        {"text": "all done"},
                    ],
                },
            ],
        },
    ).wait()
    assert (done.project / "s1.md").exists()
    assert (done.project / "s2.md").exists()
    assert len(done.hooks("SubagentStart")) == 2
    for said in done.answers("SubagentStart"):
        assert KNOWN in Said(said).context
        assert SOUL not in Said(said).context
    first, *_ = done.requests("sub")
    assert KNOWN in first
    (session,) = done.sessions().values()
    assert (session["change_count"], session["score"]) == (4, 2)
    assert session["last_assistant_message"] == done.hooks("Stop")[-1]["last_assistant_message"]
    assert len(done.hooks("Stop")) >= 2
    (told,) = [line for line in done.journals().splitlines() if line.startswith("- files:")]
    assert all(name in told for name in ("a.txt", "s1.md", "s2.md"))
    assert str(done.project) not in done.journals()


def test_a_killed_client_is_caught_up_with_at_the_next_start(drive):
    """A client that was killed leaves no Stop and no SessionEnd; the next start books its edit and journals it."""
    done = drive(
        "claude",
        {
            "args": ["--allowedTools", "Bash"],
            "runs": [{"prompt": "Please use flock for the lock"}, {"prompt": "next"}],
            "lanes": [
                {
                    "name": "main",
                    "steps": [
                        {"text": "I decided to use flock because it needs no server.", "tools": [write("lock.py")]},
                        {"tool": "Bash", "input": {"command": "sleep 0.5; kill -9 $PPID", "description": "end"}},
                        {"text": "second client"},
                    ],
                }
            ],
        },
    ).wait()
    assert done.report["runs"][0]["exit"] == -9
    killed, after = (one["session_id"] for one in done.hooks("SessionStart"))
    assert {one["session_id"] for one in done.hooks("Stop")} == {after}
    sessions = done.sessions()
    assert (sessions[killed]["change_count"], sessions[killed]["score"]) == (1, 1)
    assert sessions[after]["score"] == 0
    assert killed in done.journals()
    assert "flock" in done.journals()
    assert any("sleep.attend done" in line for line in done.log())


def test_hooks_that_are_switched_off_stay_silent(drive):
    """With `disableAllHooks` nothing runs and nothing is written, and with `SLEEP_OFF` the hooks say nothing."""
    done = drive(
        "claude",
        {
            "files": {**MEMORY, ".claude/settings.local.json": {"disableAllHooks": True}},
            "runs": [{"prompt": "hi"}],
            "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "ho"}]}],
        },
    ).wait()
    assert SOUL not in "".join(done.requests())
    assert done.sessions() == {}
    assert not (done.project / "memory/state").exists()
    done = drive(
        "claude",
        {
            "env": {"SLEEP_OFF": "1"},
            "runs": [{"prompt": "hi"}],
            "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "ho"}]}],
        },
    ).wait()
    assert done.answers("SessionStart") == [""]
    assert done.sessions() == {}


def test_without_a_memory_the_hooks_stay_silent(drive):
    """In a project that has no memory every hook answers nothing, exits with 0 and leaves nothing behind."""
    done = drive(
        "claude",
        {
            "files": {},
            "before": setup("claude", memory=False),
            "runs": [{"prompts": ["hi", "/compact", "again"]}],
            "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "ho"}, {"text": "ho"}]}],
        },
    ).wait()
    assert done.answers("SessionStart") == ["", ""]
    assert done.answers("Stop") == ["", ""]
    assert done.report["files"]["added"] == ["a.txt"]
    assert done.home() == []


def test_nothing_is_written_outside_the_memory(drive):
    """After a session with an edit the project has our files in memory and journal alone, and the home none of ours."""
    done = drive(
        "claude",
        {
            "runs": [{"prompts": ["Please remember: we use flock", "/clear", "more"]}],
            "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "noted"}, {"text": "ho"}]}],
        },
    ).wait()
    added = [
        path for path in done.report["files"]["added"] if not path.startswith(("memory/state/.", "journal/instance-"))
    ]
    assert added == ["a.txt"]
    assert done.report["files"]["changed"] == []
    assert done.report["files"]["removed"] == []
    assert done.home() == []
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=done.project, capture_output=True, text=True, check=True
    )
    assert all(line.split()[1].startswith(("a.txt", "journal/")) for line in status.stdout.splitlines())


def test_two_clients_at_once_on_one_memory_lose_nothing(drive, tmp_path):
    """Claude Code and Codex, at work at the same time in one project, are both booked whole."""
    from tests.clients.driven import patch  # noqa: PLC0415

    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)
    first = drive(
        "claude",
        {
            "before": setup("claude", "codex"),
            "runs": [{"prompt": "begin"}],
            "lanes": [{"name": "main", "steps": [{"text": "begun"}]}],
        },
        project,
    ).wait()
    both = [
        drive(
            "claude",
            {
                "files": {},
                "before": [],
                "runs": [{"prompts": ["one", "two", "three"]}],
                "lanes": [
                    {
                        "name": "main",
                        "steps": [
                            step
                            for n in range(3)
                            for step in ({"tools": [write(f"c{n}.txt")], "delay": 0.3}, {"text": "ok"})
                        ],
                    }
                ],
            },
            project,
        ),
        drive(
            "codex",
            {
                "files": {},
                "before": [],
                "runs": [{"prompt": "one"}, {"prompt": "two", "resume": True}],
                "lanes": [
                    {
                        "name": "main",
                        "steps": [
                            step
                            for n in range(2)
                            for step in (
                                {"content": [patch(f"*** Add File: x{n}.txt", "+x")], "delay": 0.3},
                                {"text": "ok"},
                            )
                        ],
                    }
                ],
            },
            project,
        ),
    ]
    claude, codex = (one.wait() for one in both)
    sessions = codex.sessions()
    (first_id,) = {one["session_id"] for one in first.hooks("Stop")}
    (claude_id,) = {one["session_id"] for one in claude.hooks("Stop")}
    (codex_id,) = {one["session_id"] for one in codex.hooks("Stop")}
    assert set(sessions) == {first_id, claude_id, codex_id}
    assert (sessions[claude_id]["change_count"], sessions[codex_id]["change_count"]) == (3, 2)


def test_the_plugin_is_what_the_client_takes_for_one(tmp_path):
    """`claude plugin validate --strict` accepts the plugin."""
    done = subprocess.run(
        [program("claude"), "plugin", "validate", "--strict", str(PLUGIN)],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "dumb"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("hook session-start", "sleepwake:recall", "sleepwake:sleep", "sleepwake:consolidate"):
        assert part in done.stdout


def test_the_plugin_does_what_installed_hooks_do(drive, tmp_path):
    """With the plugin alone the memory reaches the model and the turn is booked; without our program it is silent."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in (
        "git",
        "sh",
        "bash",
        "env",
        "date",
        "cat",
        "mv",
        "grep",
        "unshare",
        "ip",
        "mkdir",
        "mount",
        "python3",
        "sleep",
    ):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    script = {
        "before": setup(),
        "runs": [{"prompt": "hi"}],
        "args": ["--plugin-dir", str(PLUGIN)],
        "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "ho"}]}],
    }
    done = drive("claude", script, path=f"{Path(SLEEPWAKE).parent}:{os.environ['PATH']}").wait()
    assert SOUL in done.requests()[0]
    (session,) = done.sessions().values()
    assert session["change_count"] == 1
    done = drive("claude", script, path=str(tools)).wait()
    assert done.answers("SessionStart") == [""]
    assert done.sessions() == {}


def test_the_plugin_installs_from_the_repository(drive):
    """The repository is a marketplace: added and installed offline, the plugin tells, books, and is in the status."""
    client = program("claude")
    script = {
        "before": [
            *setup(),
            [client, "plugin", "marketplace", "add", str(PLUGIN.parent)],
            [client, "plugin", "install", "sleepwake@sleepwake"],
        ],
        "runs": [{"prompt": "hi"}],
        "lanes": [{"name": "main", "steps": [{"tools": [write("a.txt")]}, {"text": "ho"}]}],
        "expect": [{"type": "command", "argv": [SLEEPWAKE, "clients.status"], "contains": "sleepwake@sleepwake"}],
    }
    done = drive("claude", script, path=f"{Path(SLEEPWAKE).parent}:{os.environ['PATH']}").wait()
    assert SOUL in done.requests()[0]
    (session,) = done.sessions().values()
    assert session["change_count"] == 1


def test_a_prompt_is_given_what_the_memory_has_once_a_session(drive):
    """The passage stands in the request of the prompt that it is about, not in the first one's, and is given once."""
    done = drive(
        "claude",
        {
            **planted("claude", on=True),
            "runs": [{"prompts": ["continue", ASKED, ASKED, "/compact", ASKED]}],
            "lanes": [{"name": "main", "steps": [{"text": f"answer {number}"} for number in range(5)]}],
        },
    ).wait()
    answers = done.answers("UserPromptSubmit")
    assert [PLANTED in one for one in answers][:3] == [False, True, False]
    assert PLANTED in answers[-1]
    requests = done.requests()
    assert PLANTED not in requests[0]
    assert PLANTED in requests[1]
    assert requests[2].count(PLANTED) == requests[1].count(PLANTED)
    assert PLANTED in requests[-1]


def test_no_prompt_is_given_anything_where_that_is_off(drive):
    """By default no hook runs at a prompt, and the model is not given the passage."""
    done = drive(
        "claude",
        {
            **planted("claude", on=False),
            "runs": [{"prompt": ASKED}],
            "lanes": [{"name": "main", "steps": [{"text": "answer"}]}],
        },
    ).wait()
    assert done.answers("UserPromptSubmit") == []
    assert not any(PLANTED in one for one in done.requests())


def test_an_agent_is_asked_once_to_journal_and_the_next_session_is_told(drive):
    """The first Stop after an edit asks, the agent journals with the command it was given, and nobody asks again.

    Not at the next Stop, not on resume, not in a fork; the next session's snapshot tells what was journaled.
    """
    decided = "Keep the ledger lock on flock"
    words = f'journal.add --kind decision --text "{decided}" --why "it needs no server"'
    lanes = [
        {"tools": [write("a.txt")]},
        {"text": "The lock is in."},
        {"tools": [{"name": "Bash", "input": {"command": f"{SLEEPWAKE} {words}", "description": "journal"}}]},
        *({"text": f"The lock is in, and this is answer {number} of the session."} for number in range(4)),
    ]
    done = drive(
        "claude",
        {
            "files": {**MEMORY, "memory/sleep.yaml": ASK},
            "runs": [
                {"prompts": ["Make the ledger safe.", "And now the tests, please."]},
                {"prompt": "resumed", "resume": True},
                {"prompt": "forked", "resume": True, "args": ["--fork-session"]},
                {"prompt": "What was decided about the ledger?"},
            ],
            "args": ["--allowedTools", "Bash", "Write"],
            "lanes": [{"name": "main", "steps": lanes}],
        },
        path=_without_ours(),
    ).wait()
    answers = done.answers("Stop")
    asked = [json.loads(one) for one in answers if one]
    assert [one["decision"] for one in asked] == ["block"]
    assert answers[0]
    assert f"`{SLEEPWAKE} journal.add" in asked[0]["reason"]
    assert len(asked[0]["reason"].split("\n")) == 3
    assert [one["stop_hook_active"] for one in done.hooks("Stop")][:3] == [False, True, False]
    assert f"## Decision: {decided}" in done.journals()
    requests = done.requests()
    assert journal_request.ONCE not in requests[1]
    assert journal_request.ONCE in requests[2]
    told = Said(done.answers("SessionStart")[-1]).context
    assert decided in told
    assert journal_request.ONCE not in told


def test_an_agent_is_not_asked_while_it_waits_nor_are_its_sub_agents(drive):
    """A turn that waits for a sub-agent is not asked, the first that waits for nobody is."""
    agent = {"description": "d", "prompt": "task", "subagent_type": "helper", "run_in_background": True}
    helper = "---\nname: helper\ndescription: helps\n---\nYou help.\n"
    lanes = [
        {
            "name": "sub",
            "match": {"is_subagent": True},
            "steps": [{"tools": [write("b.txt")], "delay": 1.0}, {"text": "sub done"}],
        },
        {
            "name": "main",
            "steps": [{"tools": [{"name": "Agent", "input": agent}]}],
            "after": {"text": "The ledger takes flock now, with no server, and all tests pass."},
        },
    ]
    files = {**MEMORY, ".claude/agents/helper.md": helper, "memory/sleep.yaml": ASK}
    script = {"files": files, "runs": [{"prompts": ["go", "next", "and next"]}], "lanes": lanes}
    done = drive("claude", script).wait()
    stops, answers = done.hooks("Stop"), done.answers("Stop")
    asked = [at for at, answer in enumerate(answers) if answer]
    assert len(stops) == len(answers)
    assert len(asked) == 1
    assert not stops[asked[0]]["stop_hook_active"]
    assert not any(one["type"] == "subagent" for one in stops[asked[0]]["background_tasks"])
    assert not any(done.answers("SubagentStop"))


def test_a_client_that_was_killed_when_it_was_asked_is_not_asked_again(drive):
    """The session goes on, and in a fork, without a second request."""
    killing = {"command": "sleep 0.5; kill -9 $PPID", "description": "end"}
    after = {"text": "The ledger takes flock now, with no server, and all tests pass."}
    steps = [{"tools": [write("a.txt")]}, after, {"tool": "Bash", "input": killing}]
    done = drive(
        "claude",
        {
            "files": {**MEMORY, "memory/sleep.yaml": ASK},
            "args": ["--allowedTools", "Bash"],
            "runs": [
                {"prompt": "Make the ledger safe."},
                {"prompt": "resumed", "resume": True},
                {"prompt": "forked", "resume": True, "args": ["--fork-session"]},
            ],
            "lanes": [{"name": "main", "steps": steps, "after": after}],
        },
    ).wait()
    assert done.report["runs"][0]["exit"] == -9
    assert [bool(answer) for answer in done.answers("Stop")] == [True, False, False]
    assert len({one["session_id"] for one in done.hooks("Stop")}) == 2


def _without_ours():
    """Return PATH without the folder of our program: an agent has to be told where it is."""
    own = str(Path(SLEEPWAKE).parent)
    return os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if folder != own)
