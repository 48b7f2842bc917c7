"""What each hook does and says, from the outside: the requirement's cases."""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from sleep.clients.hooks import client_output, hook, hook_child, hook_run, log, session_end
from sleep.debt import book, liveness, sessions, storage
from tests.clients.conftest import EVENTS

MESSAGE = "I refactored the lock."


def errors(memory):
    """Return the log's errors."""
    path = Path(log.path(memory))
    return (
        [line for line in path.read_text(encoding="utf-8").splitlines() if " ERROR " in line] if path.exists() else []
    )


def own(memory):
    """Make of the context folder a memory with journals: settings, and git around it."""
    Path(memory.settings).write_text("format: 1\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", memory.base], check=True)


@pytest.fixture
def child_calls(monkeypatch):
    """Return the list of commands that hooks would have run as children."""
    calls = []

    def run(words, folder, limit):
        calls.append((list(words), folder, limit))
        return 0, "{}"

    monkeypatch.setattr(hook_child, "run", run)
    return calls


@pytest.mark.parametrize(("client", "once", "children"), [("qwen", True, 1), ("qwen", False, 0), ("claude", True, 0)])
def test_a_client_that_ends_without_a_word_is_journaled_at_its_stop(
    memory, run, child_calls, monkeypatch, tmp_path, client, once, children
):
    """Qwen Code that was asked one thing never says that it ends: its Stop journals, and no other client's does."""
    own(memory)
    monkeypatch.setattr(liveness, "answers_once", lambda _pid, _options: once)
    transcript = tmp_path / f".{client}/projects/p/chats/s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}\n", encoding="utf-8")
    assert run("stop", {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": str(transcript)}) == ""
    assert [words[:2] for words, _, _ in child_calls] == [["journal.capture", "--session=s1"]] * children
    assert errors(memory) == []


def test_a_stop_books_the_session_and_says_nothing(memory, run, ledger):
    """A stop whose transcript is missing leaves one pending session with the values given, and no word."""
    given = {"session_id": "sess-abc", "transcript_path": "/nowhere/x.jsonl", "last_assistant_message": MESSAGE}
    assert run("stop", given) == ""
    (session,) = ledger()["sessions"]
    assert session["session_id"] == "sess-abc"
    assert session["transcript_path"] == "/nowhere/x.jsonl"
    assert session["last_assistant_message"] == MESSAGE
    assert session["score"] is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", session["stopped_at"])
    assert errors(memory) == []


def test_a_stop_waits_shortly_for_the_ledger_and_loses_no_edit(memory, run, ledger, transcript, monkeypatch):
    """A stop that cannot have the ledger's lock gives up soon and says so, and the next one books it all."""
    assert hook_run._PATIENCE <= 5
    monkeypatch.setattr(hook_run, "_PATIENCE", 0.1)
    given = {"session_id": "s", "transcript_path": transcript(5, "Write"), "last_assistant_message": MESSAGE}
    with open(os.path.join(memory.state, storage.LOCK), "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert run("stop", given) == ""
    assert len(errors(memory)) == 1
    assert "waited 0.1 s" in errors(memory)[0]
    run("stop", given)
    assert [(one["change_count"], one["last_assistant_message"]) for one in ledger()["sessions"]] == [(5, MESSAGE)]


def test_a_session_that_stops_twice_counts_once(run, ledger, transcript, memory):
    """The same id twice is one session, the second values stand, and the newest session is first."""
    path = transcript(5, "Write")
    for session, message in (("one", "first"), ("one", "second"), ("two", "other")):
        run("stop", {"session_id": session, "transcript_path": path, "last_assistant_message": message})
    found = ledger()
    assert [one["session_id"] for one in found["sessions"]] == ["two", "one"]
    assert found["sessions"][1]["last_assistant_message"] == "second"
    assert found["sessions"][1]["change_count"] == 5
    assert errors(memory) == []


def test_a_stop_that_an_earlier_stop_hook_made_is_booked_too(run, ledger, transcript):
    """`stop_hook_active` changes nothing of what is booked, and such a stop is never blocked, so none can go round."""
    given = {
        "session_id": "s",
        "transcript_path": transcript(4, "Edit"),
        "stop_hook_active": True,
        "hook_event_name": "Stop",
    }
    assert run("stop", given) == ""
    assert ledger()["debt"] == 2


@pytest.mark.parametrize("event", EVENTS)
def test_nothing_happens_where_there_is_no_context(tmp_path, monkeypatch, run, event):
    """Without a context folder every hook is silent and writes nothing."""
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    assert run(event, {"session_id": "s", "cwd": str(bare)}) == ""
    assert list(bare.iterdir()) == []


@pytest.mark.parametrize("event", EVENTS)
def test_nothing_happens_when_hooks_are_off(memory, monkeypatch, run, event):
    """With `SLEEP_OFF=1` every hook is silent and writes nothing."""
    monkeypatch.setenv("SLEEP_OFF", "1")
    assert run(event, {"session_id": "s", "hook_event_name": "X"}) == ""
    assert os.listdir(memory.state) == []


def test_a_session_start_scores_what_is_pending_and_prints_the_snapshot(memory, run, ledger, transcript):
    """A session of score null is scored at the next start, a scored one left alone, and the snapshot is plain text."""
    path = transcript(5, "Write")
    scored = {
        "session_id": "b",
        "transcript_path": path,
        "stopped_at": "2026-01-01T00:00:00.000Z",
        "change_count": 1,
        "score": 1,
    }
    pending = {**scored, "session_id": "a", "change_count": None, "score": None}
    Path(memory.ledger).write_text(json.dumps({"debt": 1, "sessions": [pending, scored]}), encoding="utf-8")
    said = run("session-start", {"session_id": "new"})
    assert "Test soul." in said
    assert not said.startswith("{")
    scores = {one["session_id"]: one["score"] for one in ledger()["sessions"]}
    assert (ledger()["debt"], scores) == (3, {"a": 2, "b": 1})
    assert errors(memory) == []


@pytest.mark.parametrize(
    ("total", "says", "says_not"),
    [(10, "CRITICAL: CONSOLIDATION REQUIRED", "elevated"), (8, "8/10", "CRITICAL"), (5, "Test soul.", "5/10 (")],
)
def test_a_session_start_says_how_much_debt_there_is(run, debt, total, says, says_not):
    """At 10 the directive comes before the snapshot, at 8 a softer note, at 5 neither."""
    debt(total)
    said = run("session-start", {"session_id": "s"})
    assert says in said
    assert says_not not in said
    assert "Test soul." in said[said.index(says) :]


def test_the_directive_is_in_the_clients_form_too(run, debt):
    """With the name of the event the answer is JSON, directive first."""
    debt(12)
    said = run("session-start", {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"})
    assert said.context.startswith(">>> CRITICAL: CONSOLIDATION REQUIRED <<<")
    assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_copilot_has_a_form_of_its_own(run, monkeypatch):
    """Copilot, told by its variable or by its words, gets the text without the name of the event."""
    assert set(
        json.loads(run("session-start", {"session_id": "s", "hook_event_name": "SessionStart", "source": "new"}))
    ) == {"additionalContext"}
    monkeypatch.setenv("COPILOT_CLI", "1")
    assert set(json.loads(run("session-start", {"session_id": "s", "hook_event_name": "SessionStart"}))) == {
        "additionalContext"
    }
    assert set(json.loads(run("subagent-start", {"sessionId": "s"}))) == {"additionalContext"}


def test_what_copilot_does_not_say_is_read(run, ledger, tmp_path, monkeypatch):
    """Its Stop says no last message: it is read from the transcript's end, and a sub-agent's is no session's."""
    path = tmp_path / ".copilot/session-state/s1/events.jsonl"
    path.parent.mkdir(parents=True)
    last = {"type": "assistant.message", "data": {"content": MESSAGE}}
    inner = {"type": "assistant.message", "agentId": "a1", "data": {"content": "Inner."}}
    start = {"type": "session.start", "data": {"context": {"cwd": "/p"}, "pad": "x" * 70_000}}
    path.write_text("".join(json.dumps(line) + "\n" for line in (start, last, inner)), encoding="utf-8")
    given = {"hook_event_name": "Stop", "transcript_path": str(path), "stop_reason": "end_turn"}
    run("stop", {**given, "session_id": "a1", "agent_id": "a1", "parent_agent_id": "s1"})
    run("stop", {**given, "session_id": "s1"})
    told = [(one["session_id"], one["last_assistant_message"]) for one in ledger()["sessions"]]
    assert told == [("s1", MESSAGE)]
    later = json.dumps({"type": "assistant.message", "data": {"content": "It is there."}})
    grown = f"{path.read_text(encoding='utf-8')}{later}\n"  # while the hook runs, as the client's does
    monkeypatch.setattr(session_end, "_capture", lambda _call: path.write_text(grown, encoding="utf-8"))
    run("session-end", {**given, "hook_event_name": "SessionEnd", "session_id": "s1", "reason": "complete"})
    told = [(one["session_id"], one["last_assistant_message"]) for one in ledger()["sessions"]]
    assert told == [("s1", "It is there.")]


def test_a_sub_agent_is_told_where_things_are(memory, run):
    """A sub-agent's start is one JSON line with tasks and knowledge, without the soul, also when no event is named."""
    Path(memory.state, "task.md").write_text("---\nstatus: active\n---\n# T\n", encoding="utf-8")
    said = run("subagent-start", {"session_id": "s", "agent_type": "Explore"})
    assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "SubagentStart"
    assert "task" in said.context
    assert "Test soul." not in said.context


def test_what_is_said_has_a_cap(memory, run, debt):
    """However much memory there is, the answer stays below what clients cut, and the directive is whole."""
    debt(11)
    Path(memory.folder, "core/2.memory.md").write_text(
        "# Memory\n\n" + "Ein Satz über Größe 漢字 🌙.\n" * 3000, encoding="utf-8"
    )
    for given in ({"session_id": "s"}, {"session_id": "s", "hook_event_name": "SessionStart"}):
        said = run("session-start", given)
        text = said.context if said.startswith("{") else said.rstrip("\n")
        assert client_output.size(text) <= client_output.CAP
        assert text.startswith(">>> CRITICAL: CONSOLIDATION REQUIRED <<<")
        assert "Test soul." in text


def test_every_source_of_a_start_gets_the_context(run):
    """Startup, resume, clear, compact and fork are told alike."""
    said = {
        source: run("session-start", {"session_id": "s", "hook_event_name": "SessionStart", "source": source}).context
        for source in ("startup", "resume", "clear", "compact", "fork")
    }
    assert len(set(said.values())) == 1
    assert "Test soul." in said["compact"]


def test_a_broken_settings_file_costs_the_session_nothing(memory, run, debt):
    """A slip in sleep.yaml is logged, the defaults are used, and the context is given."""
    Path(memory.settings).write_text("debt:\n  must: many\n", encoding="utf-8")
    debt(10)
    assert "CRITICAL" in run("session-start", {"session_id": "s"})
    assert any("debt.must" in line for line in errors(memory))


def test_settings_are_heard(memory, run, debt):
    """A threshold of sleep.yaml changes what a start says."""
    Path(memory.settings).write_text("format: 1\ndebt:\n  must: 4\n", encoding="utf-8")
    debt(4)
    assert "CRITICAL" in run("session-start", {"session_id": "s"})
    assert errors(memory) == []


def test_one_part_that_fails_costs_the_others_nothing(memory, run, monkeypatch, debt):
    """When counting, sleeping and the ledger fail, the snapshot is still given, and each failure is logged."""
    debt(10)

    def fail(*_args, **_kwargs):
        raise RuntimeError("broken")

    for name in ("record_start", "catch_up", "read"):
        monkeypatch.setattr(book, name, fail)
    assert "Test soul." in run("session-start", {"session_id": "s"})
    assert len(errors(memory)) >= 3


def test_the_snapshot_that_fails_costs_the_directive_nothing(run, monkeypatch, debt):
    """When the snapshot cannot be built, the directive still comes through."""
    debt(10)
    monkeypatch.setattr("sleep.wake.snapshot.build.snapshot", lambda *_: 1 / 0)
    assert run("session-start", {"session_id": "s"}).startswith(">>> CRITICAL")


def test_the_end_of_a_session_is_booked_and_journaled(memory, run, ledger, transcript, child_calls):
    """A session that ends without a stop is booked, and its digest is asked for, in the memory's folder."""
    own(memory)
    path = transcript(5, "Write")
    given = {"session_id": "s-1", "transcript_path": path, "reason": "other", "hook_event_name": "SessionEnd"}
    assert run("session-end", given) == ""
    assert ledger()["debt"] == 2
    assert sessions.read(memory, "s-1").reason == "other"
    ((words, folder, limit),) = child_calls
    assert words[:2] == ["journal.capture", "--session=s-1"]
    assert folder == memory.base
    assert 0 < limit < 30


def test_a_transcript_that_no_reader_knows_is_not_pending_for_ever(memory, run, ledger, tmp_path):
    """Hooks say nothing of it and go on; the next start scores the session 0 and says why."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"type":"session","version":3}\n' * 9, encoding="utf-8")
    given = {"session_id": "s1", "transcript_path": str(path)}
    assert run("stop", {**given, "hook_event_name": "Stop"}) == ""
    assert run("session-end", {**given, "hook_event_name": "SessionEnd", "reason": "exit"}) == ""
    run("session-start", {"hook_event_name": "SessionStart", "session_id": "s2", "source": "startup"})
    (session,) = ledger()["sessions"]
    assert (session["session_id"], session["score"], session["skipped"]) == ("s1", 0, "no reader knows x.jsonl")


def test_no_journal_is_asked_for_where_there_is_none(memory, run, transcript, child_calls, monkeypatch):
    """Without sleep.yaml, without anything new, or switched off, a session's end starts no child."""
    given = {"session_id": "s", "transcript_path": transcript(5, "Write"), "reason": "other"}
    run("session-end", given)
    own(memory)
    run("session-end", {**given, "transcript_path": "/nowhere.jsonl", "session_id": "t"})
    monkeypatch.setenv("SLEEP_JOURNAL_AUTO", "false")
    run("session-end", given)
    assert child_calls == []


def test_an_odd_id_reaches_no_command_line(memory, run, transcript, child_calls):
    """An id that is a path or an option is given to a child as a plain word of ours."""
    own(memory)
    run("session-end", {"session_id": "../x\n--root=/", "transcript_path": transcript(1, "Write"), "reason": "other"})
    ((words, _, _),) = child_calls
    assert re.fullmatch(r"--session=odd-[0-9a-f]+", words[1])


def test_a_compaction_is_noted_and_journaled(memory, run, transcript, child_calls):
    """Before a compaction the session is journaled, and the length of its transcript is kept."""
    own(memory)
    path = transcript(3, "Write")
    given = {"session_id": "s", "transcript_path": path, "hook_event_name": "PreCompact", "trigger": "auto"}
    assert run("pre-compact", given) == ""
    assert sessions.read(memory, "s").compacted == os.path.getsize(path)
    assert [words for words, _, _ in child_calls] == [
        ["journal.capture", "--session=s", "--reason=compact", f"--root={memory.base}"]
    ]


def test_a_compaction_of_a_session_that_nobody_saw_begin(memory, run, transcript):
    """Where nothing is journaled, what is compacted first of all has a start and a transcript all the same."""
    path = transcript(1, "Write")
    run("pre-compact", {"session_id": "s", "transcript_path": path, "hook_event_name": "PreCompact"})
    known = sessions.read(memory, "s")
    assert (known.transcript_path, known.compacted) == (path, os.path.getsize(path))
    assert known.started_at


def test_a_client_that_announces_compactions_all_the_time_is_cheap(memory, run, tmp_path, child_calls):
    """Gemini's PreCompress asks for a digest only once the transcript has grown by much."""
    own(memory)
    path = tmp_path / "session-1.jsonl"
    given = {"session_id": "g", "transcript_path": str(path), "hook_event_name": "PreCompress"}
    for size, calls in ((1000, 0), (300_000, 1), (350_000, 1), (520_000, 2)):
        path.write_bytes(b"x" * size)
        run("pre-compact", given)
        assert len(child_calls) == calls


def test_a_prompt_opens_a_session_that_nobody_saw_begin(memory, run):
    """A prompt makes an unknown session known; an empty one, which is a tool's result, does not."""
    run("user-prompt-submit", {"session_id": "a", "prompt": "", "hook_event_name": "UserPromptSubmit"})
    assert sessions.read(memory, "a") is None
    run("user-prompt-submit", {"session_id": "a", "prompt": "do it", "hook_event_name": "UserPromptSubmit"})
    assert sessions.read(memory, "a").session_id == "a"


def test_a_sub_agents_stop_is_ignored(memory, run):
    """A sub-agent's stop books nothing: what it did is counted with its session."""
    assert run("subagent-stop", {"session_id": "a", "hook_event_name": "SubagentStop"}) == ""
    assert not os.path.exists(memory.ledger)


def test_an_unknown_event_is_no_error(run, capfd):
    """A name that is no event exits with 0 and says on standard error what would be right."""
    assert run("stopp", {"session_id": "s"}) == ""
    assert "session-start" in capfd.readouterr().err


def test_the_context_is_found_by_what_the_client_says(memory, run, tmp_path, monkeypatch):
    """Where the hook runs elsewhere, the folder that the client names leads to the memory, then its project's."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert "Test soul." in run("session-start", {"session_id": "s", "cwd": memory.base})
    assert run("session-start", {"session_id": "s", "cwd": "/nowhere"}) == ""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", memory.base)
    assert "Test soul." in run("session-start", {"session_id": "s", "cwd": "/nowhere"})


def test_a_named_root_is_the_only_one(memory, run, tmp_path, monkeypatch):
    """`SLEEP_ROOT` decides, and what it names without a memory is silent."""
    monkeypatch.setenv("SLEEP_ROOT", str(tmp_path))
    assert run("session-start", {"session_id": "s", "cwd": memory.base}) == ""
    monkeypatch.setenv("SLEEP_ROOT", memory.base)
    assert "Test soul." in run("session-start", {"session_id": "s"})


@pytest.mark.parametrize("event", ["stop", "session-start", "session-end", "user-prompt-submit", "pre-compact"])
@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b'{"session_id": "s1", ', "is no JSON (21 bytes: "),
        (b'["s1"]', "is JSON of a list (would be right: an object)"),
    ],
)
def test_broken_words_of_a_client_are_an_error_that_is_seen(memory, monkeypatch, event, said, why):
    """What a client says that is no object is logged as an error, with where it breaks and none of its words."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said)))
    assert hook.main([event]) == 0
    error = log.last_error(memory)
    assert f" {event} ERROR what the client said {why}" in error
    assert "s1" not in error


def test_nothing_said_is_no_error(memory, monkeypatch):
    """A hook that is run by hand is told nothing, and that is no fault of a client."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    assert hook.main(["stop"]) == 0
    assert log.last_error(memory) == ""
