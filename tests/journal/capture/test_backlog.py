"""Backlog: transcripts of the past, each an instance of its own, in order of time."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest
from talk import Talk

from sleep.debt import sessions, timestamps
from sleep.errors import UsageError
from sleep.journal import writer
from sleep.journal.capture import backlog, session_digest
from sleep.store import context as contexts

OLD, NEW = (datetime(2026, month, 1, 9, 0, tzinfo=UTC) for month in (3, 7))
IDS = ("0b9f2ac6-3b6f-43e6-adef-53ac7aaf5b03", "1af268c9-3b6f-43e6-adef-53ac7aaf5b03")


@pytest.fixture
def folder(tmp_path):
    """Return a client's folder with two sessions, a sub-agent's file, and what is no transcript."""
    client = tmp_path / "projects" / "-srv-app"
    Talk(client / f"{IDS[0]}.jsonl", IDS[0], begins=NEW).work("the cache")
    Talk(client / f"{IDS[1]}.jsonl", IDS[1], begins=OLD).work("the queue")
    Talk(client / IDS[0] / "subagents" / "agent-7.jsonl", IDS[0]).work("the inner lock")
    Talk(client / "empty.jsonl", "empty").prompt("hi")
    (client / "notes.md").write_text("# Notes\n\nNothing.\n")
    (client / "list.json").write_text("[]\n")
    return client.parent


def take_in(scene, *given, **options):
    """Take transcripts in."""
    return list(
        backlog.capture_transcripts(
            scene.place, scene.now(), backlog.find_transcripts([str(one) for one in given]), **options
        )
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(folder):
    """In a folder of transcripts a pipe, and a link to a device, are none; the others are found."""
    os.mkfifo(folder / "pipe.jsonl")
    os.symlink(os.devnull, folder / "device.jsonl")
    assert backlog.survey([str(folder)]) == backlog.survey([str(folder / "-srv-app")])
    with pytest.raises(UsageError, match="no regular file"):
        next(session_digest.read(str(folder / "pipe.jsonl")))


def test_each_session_becomes_a_closed_instance_in_order_of_time(scene, folder):
    """The older session has the lower number; both journals are closed, and say when the sessions were."""
    done = take_in(scene, folder)
    assert [(one.session, one.path) for one in done if one.path] == [
        (IDS[1], "journal/instance-1.md"),
        (IDS[0], "journal/instance-2.md"),
    ]
    journal = scene.view.journal("journal/instance-1.md")
    assert journal.sealed
    assert journal.when == "1 March 2026"
    assert journal.fields["client"] == "claude-code"
    assert writer.open_path(scene.view) is None
    assert not [path for path in scene.view.journals if "inner lock" in scene.text(path)]


def test_a_sub_agent_is_no_session_of_its_own(scene, tmp_path):
    """A sub-agent's file of Gemini CLI, which has no name of its own, becomes no instance: its parent tells it."""
    inner = {"sessionId": IDS[1], "projectHash": "7", "startTime": "2026-11-23T12:42:13.368Z", "kind": "subagent"}
    said = {"id": "u", "timestamp": "2026-11-23T12:42:14Z", "type": "user", "content": [{"text": "Write the crew."}]}
    for kind, number in (("subagent", 1), ("main", 0)):
        path = tmp_path / "chats" / IDS[0] / f"{IDS[number]}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = {**inner, "sessionId": IDS[number], "kind": kind}
        path.write_text("".join(json.dumps(line) + "\n" for line in (head, said)), encoding="utf-8")
    assert [one.session for one in backlog.find_transcripts([str(tmp_path)])] == [IDS[0]]


def test_twice_is_once(scene, folder):
    """A second time nothing is new; what has grown becomes an instance that continues the first."""
    take_in(scene, folder)
    before = scene.owned()
    assert {one.why for one in take_in(scene, folder)} == {"nothing is new", "it holds nothing worth keeping"}
    assert scene.owned() == before
    grown = Talk(folder / "-srv-app" / f"{IDS[1]}.jsonl", IDS[1], begins=NEW)
    grown.lines = 900
    grown.prompt("Write the release notes of the queue.")
    path = next(one.path for one in take_in(scene, folder) if one.path)
    assert scene.view.journal(path).fields["continues"] == 1


def test_a_session_that_lives_is_left_to_its_own_end(scene, folder, monkeypatch):
    """Neither the session that asks nor one that a hook knows to run is taken in."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", IDS[0])
    sessions.update(contexts.of(scene.place.root), IDS[1], started_at=timestamps.iso(1.8e9))
    assert [one.why for one in take_in(scene, folder)][:2] == ["it still lives", "it still lives"]
    assert scene.view.journals == ()


def test_what_is_taken_in_is_remembered_for_sessions_that_a_hook_knows(scene, folder):
    """A session that was missed is not missed any more; one that nobody knows gets no file."""
    context = contexts.of(scene.place.root)
    path = folder / "-srv-app" / f"{IDS[0]}.jsonl"
    sessions.update(context, IDS[0], transcript_path=str(path), ended_at="2026-07-01T10:00:00.000Z")
    assert sessions.missed(context, 2e9)
    take_in(scene, folder)
    assert sessions.missed(context, 2e9) == []
    assert [one.session_id for one in sessions.all(context)] == [IDS[0]]


def test_what_cannot_be_read_keeps_no_other_from_being_read(scene, folder, monkeypatch):
    """A file that goes away meanwhile is told with its reason; the others are taken in."""
    found = backlog.find_transcripts([str(folder)])
    (folder / "-srv-app" / f"{IDS[1]}.jsonl").unlink()
    done = list(backlog.capture_transcripts(scene.place, scene.now(), found))
    assert "no such file" in next(one.why for one in done if one.session == IDS[1])
    assert [one.session for one in done if one.path] == [IDS[0]]


def test_progress_goes_to_the_end(scene, folder):
    """What is told is bytes, never goes back, and ends with all of them."""
    told = []
    take_in(scene, folder, notice=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_a_dry_run_writes_nothing(scene, folder):
    """A rehearsal tells the entries and changes nothing."""
    before = scene.owned()
    assert any(one.drafts for one in take_in(scene, folder, dry_run=True))
    assert scene.owned() == before


def session(tmp_path, name, first):
    """Return whose session a file with this first line is."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(first) + "\n")
    (found,) = backlog.find_transcripts([str(path)])
    return found.session


def test_a_session_is_told_by_the_files_name(tmp_path):
    """The id in the name counts; a name that begins like the id inside, or a folder of that name, leads to it."""
    claude = {"type": "user", "parentUuid": None, "sessionId": IDS[0], "message": {"content": "x"}}
    assert session(tmp_path, f"{IDS[1]}.jsonl", claude) == IDS[1]
    assert session(tmp_path, "session-2026-11-21T07-12-0b9f2ac6.jsonl", claude) == IDS[0]
    assert session(tmp_path, f"{IDS[0]}/events.jsonl", claude) == IDS[0]
    assert session(tmp_path, "slice-2.jsonl", claude) == f"slice-2.{IDS[0]}"
    codex = {"type": "session_meta", "payload": {"id": IDS[0], "cwd": "/p"}}
    assert session(tmp_path, f"rollout-2026-11-21T07-08-19-{IDS[0]}.jsonl", codex) == IDS[0]


def test_files_of_one_name_are_of_several_sessions(tmp_path):
    """Where neither the name nor what stands inside tells, the place does; of two copies the longer is read."""
    aider = "# aider chat started at 2026-01-01 10:00:00\n\n#### fix it\n\nDone.\n"
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "history.md").write_text(aider)
        (tmp_path / name / f"{IDS[0]}.jsonl").write_text('{"parentUuid": null}\n' * (1 + (name == "b")))
    found = backlog.find_transcripts([str(tmp_path)])
    assert len({one.session for one in found}) == 3
    assert [one.path for one in found if one.session == IDS[0]] == [str(tmp_path / "b" / f"{IDS[0]}.jsonl")]


def test_what_is_not_there_is_named(tmp_path):
    """A path that leads nowhere is refused by name."""
    with pytest.raises(UsageError, match="nowhere"):
        backlog.find_transcripts([str(tmp_path / "nowhere")])


def test_a_history_in_markdown_is_dated_by_its_title(scene, tmp_path):
    """SpecStory's and Aider's files stand in the order of the times in them, and their journals have that day."""
    (tmp_path / "a.md").write_text(
        "<!-- Generated by SpecStory -->\n\n# 2025-07-20 00:45:12Z\n\n_**User**_\n\nPlan the queue of the importer\n\n"
        "_**Agent (m)**_\n\nI decided to keep plain files because nothing else reads them.\n"
    )
    (tmp_path / "b.md").write_text(
        "# aider chat started at 2025-01-02 03:04:05\n\n#### Never touch the folder vendor/\n\nThe lock is held now.\n"
    )
    done = take_in(scene, tmp_path)
    assert [one.transcript[-4:] for one in done] == ["b.md", "a.md"]
    days = [scene.view.journal(one.path).when for one in done]
    assert days == ["2 January 2025", "20 July 2025"]


def test_a_session_of_cursor_is_dated_and_has_its_sub_agents_edits(scene, tmp_path):
    """The first prompt dates it; a sub-agent's file is no session, and what it edited is the session's."""
    top = tmp_path / "agent-transcripts" / IDS[0]
    asked = "<timestamp>Sunday, Sep 20, 2026, 12:31 AM (UTC+3)</timestamp><user_query>Never push to main</user_query>"

    def line(role, *blocks):
        return json.dumps({"role": role, "message": {"content": list(blocks)}}) + "\n"

    inner = line("assistant", {"type": "tool_use", "name": "Write", "input": {"path": "queue.py"}})
    (top / "subagents").mkdir(parents=True)
    (top / f"{IDS[0]}.jsonl").write_text(
        line("user", {"type": "text", "text": asked})
        + line("assistant", {"type": "text", "text": "The queue holds its lock now, and its tests pass."})
    )
    (top / "subagents" / f"{IDS[1]}.jsonl").write_text(inner)
    (done,) = take_in(scene, tmp_path)
    assert (done.session, scene.view.journal(done.path).when) == (IDS[0], "19 September 2026")
    assert "queue.py" in scene.text(done.path)
    assert scene.view.journal(done.path).fields["client"] == "cursor"
