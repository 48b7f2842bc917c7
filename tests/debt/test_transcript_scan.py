"""Reading a session's transcript on: each call once, whatever becomes of the files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sleep.debt import sessions, transcript_scan
from sleep.debt.sessions import Known


def scan(desk, path, session="a", counts=None, **options):
    """Scan a session's transcript, with what was counted before."""
    known = Known(session, transcript_path=path, counts=counts or {})
    return transcript_scan.scan(desk.context, known, desk.settings, desk.now, **options)


def test_only_what_is_new_is_read(desk, edit, monkeypatch):
    """A second scan begins where the first one stopped, and one that finds nothing new opens no file."""
    path = desk.edits("a", 3)
    first = scan(desk, path)
    desk.append(path, edit(call="x"))
    read = []
    honest = transcript_scan._chunks
    monkeypatch.setattr(
        transcript_scan, "_chunks", lambda file, start, end: read.append(start) or honest(file, start, end)
    )
    second = scan(desk, path, counts=first.counts)
    assert (first.total, second.total) == (3, 4)
    assert read == [len(edit(call="a-0")) * 3]
    third = scan(desk, path, counts=second.counts)
    assert (third.total, len(read)) == (second.total, 1)


@pytest.mark.parametrize("cut", range(1, 400, 37))
def test_wherever_a_look_falls_the_total_is_the_same(desk, edit, cut):
    """A transcript that is looked at while it is half written is counted as if it had been read at once."""
    text = edit(call="a") + edit(call="b", failed=True) + edit("Edit", "c") + edit()
    first = scan(desk, desk.transcript("a.jsonl", text[:cut]))
    path = desk.transcript("a.jsonl", text[:cut])
    desk.append(path, text[cut:])
    second = scan(desk, path, counts=first.counts)
    assert (second.total, second.is_pending) == (3, False)
    assert first.is_pending == (not text[:cut].endswith("\n") and cut < len(text)) or first.total


def test_a_file_written_anew(desk, edit):
    """A file that was replaced is read from its beginning; what the old one had counts on by its ids."""
    path = desk.transcript("a.jsonl", edit(call="a") + edit(call="b") + edit() + edit())
    first = scan(desk, path)
    assert first.total == 4
    desk.transcript("a.jsonl", edit(call="b") + edit(call="c") + edit())
    assert scan(desk, path, counts=first.counts).total == 4  # a, b, c, and one that has no id
    os.unlink(path)
    assert scan(desk, path, counts=first.counts).total == 4


def test_rewritten_in_place_and_longer(desk, edit):
    """A file that has other words where the last count ended is another file, long as it may be."""
    path = desk.transcript("a.jsonl", edit("Write") * 3)
    first = scan(desk, path)
    desk.transcript("a.jsonl", edit("Edit") * 9)
    assert scan(desk, path, counts=first.counts).total == 9


def test_sub_agents_belong_to_their_session(desk, edit):
    """Edits of sub-agents count for the session that they belong to, each once, also when they come later."""
    path = desk.transcript("s.jsonl", edit(call="a"))
    agents = Path(path).parent / "s" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-1.jsonl").write_text(edit(call="b") + edit(call="a"))
    (agents / "notes.jsonl").write_text(edit(call="z"))
    first = scan(desk, path)
    assert first.total == 2
    (agents / "agent-2.jsonl").write_text(edit(call="c"))
    second = scan(desk, path, counts=first.counts)
    assert (second.total, sorted(map(os.path.basename, second.counts))) == (
        3,
        ["agent-1.jsonl", "agent-2.jsonl", "s.jsonl"],
    )
    known = Known("a", transcript_path=path, counts=second.counts)
    assert not transcript_scan.has_grown(known, desk.settings)
    (agents / "agent-3.jsonl").write_text(edit(call="d"))
    assert transcript_scan.has_grown(known, desk.settings)


ID = "5456d5b5-aaa9-4766-b71e-6931f482fa5b"


@pytest.mark.parametrize(
    ("session", "inner"),
    [
        (f"chats/{ID}.jsonl", f"subagents/{ID}/agent-general-purpose-call_1.jsonl"),  # Qwen Code
        ("chats/session-2026-11-23T12-42-5456d5b5.jsonl", f"chats/{ID}/0b5fcc15.jsonl"),  # Gemini CLI
        (f"{ID}/{ID}.jsonl", f"{ID}/subagents/0b5fcc15.jsonl"),  # Cursor
    ],
)
def test_where_other_clients_keep_their_sub_agents(desk, edit, session, inner):
    """Sub-agents of some clients have their files elsewhere; another session's are not this one's."""
    top = Path(desk.transcript("x.jsonl", "")).parent / "client"
    for name, call in (
        (session, "a"),
        (inner, "b"),
        (inner.replace(ID, ID.replace("54", "99")), "c"),
        (f"{inner}.meta.json", "d"),
    ):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(edit(call=call))
    assert scan(desk, str(top / session)).total == 2


def test_the_rollouts_of_sub_agents(tmp_path):
    """Codex' sub-agents have rollouts of the session's day or the next; no fork and no other's is among them."""
    own = tmp_path / "23" / f"rollout-2026-11-23T12-00-00-{ID}.jsonl"
    spawned = f'{{"parent_thread_id":"x","session_id":"{ID}"}}\n'
    of_today = tmp_path / "23" / "rollout-2026-11-23T13-00-00-a.jsonl"
    of_tomorrow = tmp_path / "24" / "rollout-2026-11-24T01-00-00-b.jsonl"
    texts = {
        own: f'{{"session_id":"{ID}"}}\n',
        of_today: spawned,
        tmp_path / "23" / "rollout-2026-11-23T11-00-00-c.jsonl": spawned,  # before it
        tmp_path / "23" / "rollout-2026-11-23T14-00-00-fork.jsonl": f'{{"session_id":"{ID}"}}\n',
        tmp_path / "23" / "rollout-2026-11-23T15-00-00-d.jsonl": spawned.replace(ID, ID.replace("54", "99")),
        of_tomorrow: spawned,
        tmp_path / "25" / "rollout-2026-11-25T01-00-00-e.jsonl": spawned,
    }
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert transcript_scan.files_of(str(own)) == [str(own), str(of_today), str(of_tomorrow)]


def test_a_file_that_is_gone_has_not_grown(desk):
    """A transcript that somebody removed holds nothing that is not counted."""
    known = Known("a", transcript_path=str(desk.home / "gone.jsonl"))
    assert not transcript_scan.has_grown(known, desk.settings)


def test_a_sub_agent_that_still_writes(desk, edit):
    """While a sub-agent's file is torn the session is pending."""
    path = desk.transcript("s.jsonl", edit(call="a"))
    agents = Path(path).parent / "s" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-1.jsonl").write_text(edit(call="b") + '{"type":')
    assert scan(desk, path).is_pending


def test_a_fork_counts_its_own(desk, edit):
    """A fork repeats its parent's calls, and counts only those that came after; the parent keeps its own."""
    parent = edit(call="a") + edit(call="b")
    desk.stop("parent", desk.transcript("p.jsonl", parent))
    fork = desk.transcript("f.jsonl", parent + edit(call="c"))
    desk.stop("fork", fork)
    assert desk.records() == [("fork", 1, 1), ("parent", 2, 1)]
    desk.append(fork, edit(call="d"))
    desk.stop("fork", fork)
    desk.stop("parent", desk.transcript("p.jsonl", parent + edit(call="e")))
    assert desk.records() == [("parent", 3, 1), ("fork", 2, 1)]


def test_a_parent_that_is_counted_after_its_fork(desk, edit):
    """What the fork has counted, the parent does not count again."""
    parent = edit(call="a") + edit(call="b")
    desk.stop("fork", desk.transcript("f.jsonl", parent + edit(call="c")))
    desk.stop("parent", desk.transcript("p.jsonl", parent + edit(call="d")))
    assert [one[1] for one in desk.records()] == [1, 3]


def test_a_file_that_no_reader_knows(desk):
    """A file of an unknown form is pending while it may be young, and then scores 0 and says why."""
    path = desk.transcript("a.jsonl", "something else entirely\n" * 50)
    assert desk.stop("a", path).score is None
    desk.tick(61)
    (record,) = desk.catch_up()
    assert (record.score, record.skipped) == (0, "no reader knows a.jsonl")


def test_a_file_that_is_empty(desk, edit):
    """An empty transcript scores 0, and what is written to it later is counted, whether or not a stop says so."""
    path = desk.transcript("a.jsonl", "")
    record = desk.stop("a", path)
    assert (record.change_count, record.score, record.skipped) == (0, 0, "")
    desk.append(path, edit(call="one"))
    desk.tick(4000)
    (record,) = desk.catch_up()
    assert (record.change_count, record.score) == (1, 1)


def test_a_file_that_is_missing(desk):
    """No transcript, a folder and a name that no file can have are pending."""
    folder = desk.home / "folder.jsonl"
    folder.mkdir()
    for path in ("", str(desk.home / "none"), str(folder), "a\0b", "x" * 5000):
        found = scan(desk, path)
        assert (found.is_pending, found.total) == (True, 0)


def test_a_file_that_grows_while_it_is_read(desk, edit, monkeypatch):
    """What is written while a file is read is read too, and one that never stops growing is pending."""
    path = desk.edits("a", 2)
    honest, more = transcript_scan._chunks, [3]

    def chunks(file, start, end):
        if more[0]:
            more[0] -= 1
            desk.append(path, edit(call=f"new-{more[0]}"))
        return honest(file, start, end)

    monkeypatch.setattr(transcript_scan, "_chunks", chunks)
    assert scan(desk, path).is_pending
    more[0] = 2
    found = scan(desk, desk.edits("b", 2))
    path = desk.edits("c", 2)
    more[0] = 1
    found = scan(desk, path)
    assert (found.total, found.is_pending) == (3, False)


def test_counts_of_another_form_are_made_again(desk):
    """What cannot be read of an earlier count is counted again."""
    path = desk.edits("a", 3)
    for counts in ({path: None}, {path: {}}, {path: {"count": {"client": "x"}}}, {path: [1]}):
        assert scan(desk, path, counts=counts).total == 3


def test_counts_of_an_older_program_hold(desk):
    """What an older program counted stays a session's own, though the transcript is gone: a fork does not count it."""
    path = desk.edits("a", 3)
    desk.stop("a", path)
    known = sessions.read(desk.context, "a")
    count = known.counts[path]["count"]
    for part in ("held", "tail"):
        count[part] |= {"main": count[part].pop("calls"), "side": {}, "loose_side": 0, "said": {}}
    sessions.put(desk.context, known._replace(counts={path: {**known.counts[path], "count": count}}))
    fork = desk.transcript("f.jsonl", Path(path).read_text(encoding="utf-8"))
    os.remove(path)
    desk.stop("a", path)
    desk.stop("fork", fork)
    assert sorted(desk.records()) == [("a", 3, 1), ("fork", 0, 0)]


def test_counts_survive_the_disk(desk):
    """What was counted is kept with the session, as it was."""
    path = desk.edits("a", 3)
    desk.stop("a", path)
    assert transcript_scan.total(sessions.read(desk.context, "a").counts, path) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    """A transcript that is a pipe has no files to count, and does not hang the hook."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert not transcript_scan._look(str(tmp_path / "pipe.jsonl"), {}, 50, 0.0, patient=False).entry
