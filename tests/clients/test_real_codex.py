"""The real Codex with our hooks: what reaches the model, what is booked, and what is left alone."""

from __future__ import annotations

import re

import pytest

from tests.clients.driven import ASKED, KNOWN, MEMORY, PLANTED, SOUL, drive, patch, planted, setup

pytestmark = pytest.mark.real
assert drive  # a fixture


def said(text, **more):
    """Return a step that says a text."""
    return {"text": text, **more}


FULL = {"input_tokens": 250_000}  # what a step says that fills the window, so that Codex compacts before the next


def compacting(drive, prompts, *steps):
    """Drive one session over several runs, which compacts when a step has filled its window."""
    first, *others = prompts
    runs = [{"prompt": first}, *({"prompt": one, "resume": True} for one in others)]
    lane = {"name": "main", "steps": list(steps)}
    return drive(
        "codex",
        {"codex_config_top": "model_auto_compact_token_limit = 200000", "runs": runs, "lanes": [lane]},
    ).wait()


def test_the_context_reaches_the_model_at_every_start(drive):
    """At startup, on resume and after a compaction the model is given the memory, and each start is one session's."""
    steps = (said("one"), said("two", usage=FULL), said("three"), said("four"), said("five"))
    done = compacting(drive, ("first", "second", "third"), *steps)
    sources = [one["source"] for one in done.hooks("SessionStart")]
    assert sources[:2] == ["startup", "resume"]
    assert "compact" in sources
    assert len({one["session_id"] for one in done.hooks("SessionStart")}) == 1
    requests = done.requests()
    assert SOUL in requests[0]
    assert SOUL in requests[-1]
    (session,) = done.sessions().values()
    assert session["change_count"] == 0


def test_what_a_compaction_drops_is_told_again(drive):
    """A decision made before a compaction is told after it, with its address, and stands in the request."""
    decided = "I decided to use flock for the ledger because it needs no server."
    prompts = ("Please make the ledger safe on NFS.", "And the index too, please.")
    done = compacting(drive, prompts, said(decided, usage=FULL), said("A summary."), said("It is safe."))
    starts = [one["source"] for one in done.hooks("SessionStart")]
    assert "compact" in starts
    (line,) = re.findall(r"- Decision D-001: I decided to use flock for the ledger[^\\\n]*", done.requests()[-1])
    assert line.rpartition("[")[2].rstrip("]") in done.journals()


def test_the_context_reaches_the_model_after_clear_and_in_a_fork(drive):
    """In a terminal `/clear` begins another session that is told too, and so is a fork of a session."""
    ready = {"wait": "Ask Codex to do anything", "timeout": 30}
    done = drive(
        "codex",
        {
            "model": "gpt-6-sol",  # else this version asks first whether one does not want it
            "runs": [
                {
                    "tty": [
                        *({"wait": "OpenAI Codex", "timeout": 30}, ready, {"sleep": 2}),
                        *({"send": "first question", "enter": True}, {"wait": "Worked for", "timeout": 20}),
                        *({"send": "/clear", "enter": True}, {"sleep": 1}, ready, {"sleep": 1}),
                        *({"send": "second question", "enter": True}, {"wait": "Worked for", "timeout": 20}),
                        *({"sleep": 0.5}, {"send": "/quit", "enter": True}, {"wait_exit": 10}),
                    ]
                }
            ],
        },
    ).wait()
    cleared = next(one for one in done.hooks("SessionStart") if one["source"] == "clear")
    asked = [one for one in done.requests("*") if "second question" in one and "first question" not in one]
    assert SOUL in asked[0]
    forked = drive(
        "codex",
        {
            "files": {},
            "before": [],
            "runs": [{"prompt": "third question", "args": ["fork", cleared["session_id"]]}],
            "lanes": [{"name": "main", "steps": [said("forked")]}],
        },
        done.project,
        words=("--home", str(done.out / "home")),
    ).wait()
    (start,) = forked.hooks("SessionStart")
    assert start["source"] == "fork"
    assert start["session_id"] != cleared["session_id"]
    assert SOUL in forked.requests("*")[-1]
    assert {cleared["session_id"], start["session_id"]} <= set(forked.sessions())


def test_a_large_memory_is_bounded_by_us_and_not_by_the_client(drive):
    """With 60 KB of memory Codex cuts nothing out of what we said."""
    lines = "".join(f"- line {number}: größer, 漢字\n" for number in range(1500))
    files = {**MEMORY, "memory/core/2.memory.md": f"# Memory\n\n{lines}"}
    done = drive(
        "codex", {"files": files, "runs": [{"prompt": "hi"}], "lanes": [{"name": "main", "steps": [said("ho")]}]}
    ).wait()
    (request,) = done.requests()
    assert SOUL in request
    assert "Auto-loaded" in request
    assert "truncated" not in request[request.index("Auto-loaded") : request.index("Auto-loaded") + 12_000]


def test_patches_are_counted_once_a_turn_with_those_of_sub_agents(drive):
    """Files of a patch count each, also a sub-agent's, and the sub-agent is told where things are."""
    done = drive(
        "codex",
        {
            "runs": [{"prompt": "write and delegate"}],
            "lanes": [
                {
                    "name": "sub",
                    "match": {"is_subagent": True},
                    "steps": [{"content": [patch("*** Add File: s.md", "+one")]}, said("SUB-DONE")],
                },
                {
                    "name": "main",
                    "steps": [
                        {"content": [patch("*** Add File: a.md", "+one", "*** Add File: b.md", "+two")]},
                        {
                            "content": [
                                {
                                    "type": "tool_use",
                                    "namespace": "multi_agent_v1",
                                    "name": "spawn_agent",
                                    "input": {"message": "do the task"},
                                }
                            ]
                        },
                        {
                            "content": [
                                {
                                    "type": "tool_use",
                                    "namespace": "multi_agent_v1",
                                    "name": "wait_agent",
                                    "input": {"targets": [r"${re:agent_id\W+([0-9a-f-]+)}"], "timeout_ms": 10000},
                                }
                            ]
                        },
                        said("all done"),
                    ],
                },
            ],
        },
    ).wait()
    assert (done.project / "s.md").exists()
    assert KNOWN in done.requests("sub")[0]
    (session,) = done.sessions().values()
    assert session["session_id"] == done.hooks("Stop")[-1]["session_id"]
    assert (session["change_count"], session["score"]) == (3, 1)


def test_a_killed_client_is_caught_up_with_at_the_next_start(drive):
    """A Codex that was killed is booked and journaled by the next start."""
    done = drive(
        "codex",
        {
            "runs": [{"prompt": "Please use flock for the lock"}, {"prompt": "next"}],
            "lanes": [
                {
                    "name": "main",
                    "steps": [
                        {
                            "text": "I decided to use flock because it needs no server.",
                            "content": [patch("*** Add File: lock.py", "+x")],
                        },
                        {"tool": "exec_command", "input": {"cmd": "sleep 0.5; kill -9 $PPID"}},
                        said("second client"),
                    ],
                }
            ],
        },
    ).wait()
    killed, after = (one["session_id"] for one in done.hooks("SessionStart"))
    assert killed != after
    assert killed not in {one["session_id"] for one in done.hooks("Stop")}
    assert done.sessions()[killed]["change_count"] == 1
    assert killed in done.journals()


def test_hooks_that_nobody_trusted_do_not_run(drive):
    """Without trust Codex skips the hooks, as `clients.install` says: nothing is told and nothing is booked."""
    done = drive(
        "codex",
        {"trust": False, "runs": [{"prompt": "hi"}], "lanes": [{"name": "main", "steps": [said("ho")]}]},
    ).wait()
    assert SOUL not in "".join(done.requests())
    assert done.sessions() == {}


def test_without_a_memory_the_hooks_stay_silent(drive):
    """In a project that has no memory every hook is silent and leaves nothing behind, in the home neither."""
    done = drive(
        "codex",
        {
            "files": {},
            "before": setup("codex", memory=False),
            "runs": [{"prompt": "hi"}],
            "lanes": [{"name": "main", "steps": [{"content": [patch("*** Add File: a.txt", "+x")]}, said("ho")]}],
        },
    ).wait()
    assert done.report["files"]["added"] == ["a.txt"]
    assert done.home() == []


def test_a_prompt_is_given_what_the_memory_has_once_a_session(drive):
    """The passage stands in the request of the prompt that it is about, and is not given again when that is resumed."""
    done = drive(
        "codex",
        {
            **planted("codex", on=True),
            "runs": [{"prompt": "continue"}, {"prompt": ASKED, "resume": True}, {"prompt": ASKED, "resume": True}],
            "lanes": [{"name": "main", "steps": [said("one"), said("two"), said("three")]}],
        },
    ).wait()
    first, second, third = done.requests()
    assert PLANTED not in first
    assert second.count(PLANTED) == 1
    assert third.count(PLANTED) == 1


def test_no_prompt_is_given_anything_where_that_is_off(drive):
    """By default the model is not given the passage."""
    done = drive(
        "codex",
        {
            **planted("codex", on=False),
            "runs": [{"prompt": ASKED}],
            "lanes": [{"name": "main", "steps": [said("one")]}],
        },
    ).wait()
    assert not any(PLANTED in one for one in done.requests())


def test_a_stop_is_never_blocked(drive):
    """With `journal.ask: once` a turn with an edit ends as it would have: blocked, Codex would never end it."""
    files = {**MEMORY, "memory/sleep.yaml": "format: 1\njournal:\n  ask: once\n"}
    steps = [
        {"content": [patch("*** Add File: a.txt", "+x")]},
        said("The ledger takes flock now, and needs no server."),
    ]
    done = drive(
        "codex", {"files": files, "runs": [{"prompt": "go"}], "lanes": [{"name": "main", "steps": steps}]}
    ).wait()
    (session,) = done.sessions().values()
    assert session["change_count"] == 1
    assert len(done.requests()) == len(steps)
    assert not (done.project / ".git/sleepwake/asked").exists()
