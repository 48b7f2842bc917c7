"""What an agent is asked at a Stop: nothing by default, and with `journal.ask: once` to journal, once a session."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from sleep.clients import client_table
from sleep.clients.hooks import client_output, journal_request
from tests.clients.conftest import SAMPLES
from tests.clients.hooks.test_hook import errors, own

ON = "format: 1\njournal:\n  ask: once\n"
ANSWER = "The ledger takes flock now, with a timeout of thirty seconds, and all tests pass."


@pytest.fixture
def asking(memory):
    """Return a memory with journals where agents are asked."""
    own(memory)
    Path(memory.settings).write_text(ON, encoding="utf-8")
    return memory


@pytest.fixture
def stop(tmp_path, transcript):
    """Return a function that makes a real Stop of Claude Code's, with its transcript, and what else is given."""

    def stop(session="s-1", changes=5, **fields):
        folder = tmp_path / ".claude/projects/p"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        if not path.exists():
            path.write_bytes(Path(transcript(changes, "Write")).read_bytes())
        named = {"session_id": session, "transcript_path": str(path), "cwd": os.getcwd()}
        return {**SAMPLES["claude"]["Stop"], **named, **fields}

    return stop


def reason(said):
    """Return what a client is told to go on for."""
    answer = json.loads(said)
    assert len(said.splitlines()) == 1
    assert set(answer) == {"decision", "reason"}
    assert answer["decision"] == "block"
    return answer["reason"]


def marks(memory):
    """Return the marks of sessions that were asked."""
    folder = Path(memory.base, ".git/sleepwake", journal_request.FOLDER)
    return sorted(folder.iterdir()) if folder.exists() else []


def test_nothing_is_asked_by_default(memory, run, stop):
    """Where nobody set it, a Stop with edits says nothing and leaves no mark."""
    own(memory)
    assert run("stop", stop()) == ""
    assert marks(memory) == []


def test_without_journals_nobody_is_asked_for_an_entry(memory, run, stop, monkeypatch):
    """In a context folder that is no memory with journals a Stop asks for none, whatever the environment says."""
    own(memory)
    os.remove(memory.settings)
    monkeypatch.setenv("SLEEP_JOURNAL_ASK", "once")
    assert run("stop", stop()) == ""
    assert marks(memory) == []


def test_the_first_stop_asks_in_three_lines_and_the_next_ones_do_not(asking, run, stop, ledger):
    """A session with edits is asked at its first Stop alone, and each Stop is booked."""
    words = reason(run("stop", stop()))
    assert len(words.split("\n")) == 3
    assert "`sleepwake journal.add --kind decision" in words
    assert journal_request.ONCE in words
    assert run("stop", stop(stop_hook_active=True)) == ""
    assert run("stop", stop()) == ""
    assert len(marks(asking)) == 1
    assert ledger()["debt"] == 2
    assert errors(asking) == []


def test_each_session_is_asked(asking, run, stop):
    """What one session was asked keeps no other from it."""
    assert reason(run("stop", stop("one")))
    assert reason(run("stop", stop("two")))


def test_the_command_is_one_that_runs_here(asking, run, stop, monkeypatch):
    """Off PATH the request names the program by its path, quoted."""
    monkeypatch.setattr("sys.argv", ["/srv/my tools/sleepwake"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert "`'/srv/my tools/sleepwake' journal.add" in reason(run("stop", stop()))


def test_a_stop_that_a_hook_made_is_never_blocked(asking, run, stop):
    """With `stop_hook_active`, or without a word on it, no Stop is blocked, and none is spent."""
    assert run("stop", stop(stop_hook_active=True)) == ""
    silent = stop()
    del silent["stop_hook_active"]
    assert run("stop", silent) == ""
    assert marks(asking) == []
    assert reason(run("stop", stop()))


@pytest.mark.parametrize("fields", [{"agent_id": "a1"}, {"agent_transcript_path": "/x/agent-a1.jsonl"}])
def test_a_sub_agent_is_never_asked(asking, run, stop, fields):
    """Neither a Stop that names an agent nor a sub-agent's own asks anything."""
    assert run("stop", stop(**fields)) == ""
    assert run("subagent-stop", stop(**fields)) == ""
    assert marks(asking) == []


def test_a_turn_whose_sub_agents_still_run_is_not_over(asking, run, stop):
    """While a sub-agent runs in the background nothing is asked; a program that runs there does not matter."""
    tasks = SAMPLES["claude"]["Stop:background"]["background_tasks"]
    assert run("stop", stop(background_tasks=tasks)) == ""
    assert reason(run("stop", stop(background_tasks=[{"id": "b", "type": "shell", "status": "running"}])))


@pytest.mark.parametrize(("message", "asks"), [("Done.", False), ("", False), (ANSWER, True), (None, False)])
def test_a_session_without_edits_is_asked_if_it_said_something(asking, run, stop, message, asks):
    """Without an edit, a last message of more than a few words is work; less is none, and spends nothing."""
    said = run("stop", stop(changes=0, last_assistant_message=message))
    assert bool(said) is asks
    assert len(marks(asking)) == asks
    assert errors(asking) == []


def test_who_journaled_is_not_asked(asking, run, stop, sleepwake, monkeypatch):
    """A session with an entry of its own is not asked; another's entry does not count."""
    monkeypatch.setenv("SLEEP_SESSION", "s-1")
    assert sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "no server")[0] == 0
    assert run("stop", stop()) == ""
    assert reason(run("stop", stop("s-2")))


def test_what_was_taken_from_the_transcript_is_no_entry_of_its_own(asking, run, stop, sleepwake, monkeypatch):
    """Tones, and entries that a capture wrote, do not keep the agent from being asked."""
    monkeypatch.setenv("SLEEP_SESSION", "s-1")
    noticed = ("--standing", "noticed", "--quotation", "We keep flock", "--transcript", "s-1:3")
    assert sleepwake("journal.add", "--kind", "decision", "--text", "Keep flock", *noticed)[0] == 0
    assert sleepwake("journal.add", "--kind", "tone", "--text", "calm")[0] == 0
    assert reason(run("stop", stop()))


def test_of_two_hooks_at_once_one_asks(asking, run, stop, monkeypatch):
    """Where another hook of the same Stop was faster, as with the plugin beside installed hooks, this one is silent."""
    assert reason(run("stop", stop()))
    (mark,) = marks(asking)
    mark.unlink()

    def work(_call, _record):
        mark.touch()
        return True

    monkeypatch.setattr(journal_request, "has_work", work)
    assert run("stop", stop()) == ""
    assert errors(asking) == []


@pytest.mark.parametrize("before", [0, (1 << 20) - 90, 1 << 20])
def test_a_fork_and_another_worktree_know_that_it_was_asked(asking, run, stop, before):
    """A session in whose transcript the request stands is not asked, whatever its id and wherever the mark is."""
    given = stop("fork")
    feedback = {"type": "user", "isMeta": True, "message": {"role": "user", "content": f"x ({journal_request.ONCE})"}}
    path = Path(given["transcript_path"])
    path.write_bytes(path.read_bytes().ljust(before) + json.dumps(feedback).encode() + b"\n")
    assert run("stop", given) == ""


def test_a_crash_after_the_mark_does_not_ask_again(asking, run, stop, monkeypatch):
    """The mark is there before anything is said: whoever dies between the two has asked."""

    def die(_text):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(client_output, "blocked", die)
        assert run("stop", stop()) == ""
    assert len(marks(asking)) == 1
    assert run("stop", stop()) == ""


def test_a_mark_that_cannot_be_written_asks_nothing(asking, run, stop):
    """Where no mark can be written nothing is asked, the Stop is booked, and the log says why."""
    place = Path(asking.base, ".git/sleepwake")
    place.mkdir()
    (place / journal_request.FOLDER).write_text("in the way", encoding="utf-8")
    assert run("stop", stop()) == ""
    assert any(journal_request.FOLDER in line or "Error" in line for line in errors(asking))


def test_old_marks_go(asking, run, stop):
    """A mark of sixty days ago goes when another is written."""
    run("stop", stop("old"))
    (old,) = marks(asking)
    os.utime(old, (time.time() - 61 * 86_400,) * 2)
    assert reason(run("stop", stop("new")))
    assert old not in marks(asking)


def test_nothing_is_asked_without_a_transcript_or_a_journal(memory, run, stop, monkeypatch):
    """A transcript that is missing, or a folder that is no memory of ours, leaves the Stop as it is."""
    monkeypatch.setenv("SLEEP_JOURNAL_ASK", "once")
    assert run("stop", stop()) == ""
    assert errors(memory) == []
    own(memory)
    assert run("stop", stop(transcript_path="/srv/.claude/projects/p/none.jsonl")) == ""
    assert marks(memory) == []


def test_hooks_that_are_off_ask_nothing(asking, run, stop, monkeypatch):
    """With `SLEEP_OFF=1` nothing is asked."""
    monkeypatch.setenv("SLEEP_OFF", "1")
    assert run("stop", stop()) == ""
    assert marks(asking) == []


STOPS = [
    (client, name)
    for client, events in SAMPLES.items()
    for name in events
    if client != "claude" and name.partition(":")[0] in ("Stop", "AfterAgent", "SubagentStop")
]


@pytest.mark.parametrize(("client", "name"), STOPS)
@pytest.mark.parametrize("variables", [{}, {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/p"}])
def test_no_other_client_is_ever_blocked(asking, run, tmp_path, transcript, monkeypatch, client, name, variables):
    """Codex, Gemini, Qwen and Copilot get no block, also when they were started from within Claude Code."""
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    given = {**SAMPLES[client][name]}
    path = tmp_path / given["transcript_path"].lstrip("/")
    path.parent.mkdir(parents=True)
    path.write_bytes(Path(transcript(9, "Write")).read_bytes())
    said = {"last_assistant_message": ANSWER, "prompt_response": ANSWER, "stop_hook_active": False}
    assert run("stop", {**given, **said, "transcript_path": str(path)}) == ""
    assert marks(asking) == []


def test_only_claude_code_can_go_on():
    """Of all clients one row says that a Stop may be blocked."""
    assert [name for name in client_table.CLIENTS if client_table.of(name).goes_on] == ["claude"]
    assert not client_table.UNKNOWN.goes_on


def test_the_page_shows_the_request_as_it_is():
    """The words in docs/capture.md are those that an agent is given."""
    page = Path(__file__).resolve().parents[3] / "docs/capture.md"
    assert journal_request.REQUEST.format(call=journal_request.CALL) in page.read_text(encoding="utf-8")
