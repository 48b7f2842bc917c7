"""What is known of sessions: kept by file, read without an error, forgotten when it is long over."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sleep.debt import sessions, timestamps
from sleep.debt.sessions import Known
from sleep.errors import UsageError


def files(desk):
    """Return the names of the files of sessions."""
    return sorted(name for name in os.listdir(os.path.join(desk.context.state, sessions.FOLDER)))


def test_what_is_written_is_read(desk):
    """A session comes back as it was written, with keys of others."""
    known = sessions.update(
        desk.context,
        "a",
        client="claude",
        transcript_path="/x/ü.jsonl",
        pid=7,
        pid_started="b:1:2",
        ended_at="2026-11-21T10:00:00.000Z",
        counts={"/x": {"size": 3}},
        settled=4,
        settled_at="then",
        digested={"size": 5, "lines": 2},
        foreign=("x", "y"),
        more={"theirs": 1},
    )
    assert sessions.read(desk.context, "a") == known
    assert sessions.all(desk.context) == [known]
    assert sessions.read(desk.context, "b") is None


def test_update_changes_what_is_named(desk):
    """An update changes its fields and leaves the others; a field that there is not is a mistake of ours."""
    desk.open("a", "/x")
    sessions.update(desk.context, "a", digested={"size": 9})
    assert (desk.known("a").transcript_path, desk.known("a").digested) == ("/x", {"size": 9})
    with pytest.raises(ValueError, match="bogus"):
        sessions.update(desk.context, "a", bogus=1)


def test_opening(desk):
    """A start keeps when a session began; another one makes it live again and names the client's new process."""
    desk.open("a", "/x", source="startup", pid=1, pid_started="s1")
    began = desk.known("a").started_at
    desk.end("a", "/x")
    assert desk.known("a").ended_at
    desk.open("a", "/y", source="resume", pid=2, pid_started="s2")
    known = desk.known("a")
    assert (known.started_at, known.ended_at, known.transcript_path) == (began, None, "/y")
    assert (known.source, known.pid, known.pid_started) == ("resume", 2, "s2")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"session_id": 7}', b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_cannot_be_read(desk, content):
    """A file of a session that cannot be read counts as none, is reported, and is set aside before it is written."""
    path = desk.edits("a", 3)
    desk.stop("a", path)
    (name,) = files(desk)
    file = Path(desk.context.state, sessions.FOLDER, name)
    file.write_bytes(content)
    assert sessions.read(desk.context, "a") is None
    assert sessions.troubles(desk.context) == [str(file)]
    assert desk.catch_up() == []
    desk.stop("a", path)
    assert desk.records() == [("a", 3, 1)]
    (kept,) = sessions.troubles(desk.context)
    assert ".corrupt-" in kept
    assert Path(kept).read_bytes() == content


def test_wrong_types_inside(desk):
    """Fields of another type are as if they were not there."""
    desk.stop("a", "")
    (name,) = files(desk)
    file = Path(desk.context.state, sessions.FOLDER, name)
    wrong = {"session_id": "a", "counts": [], "settled": 3, "digested": "x", "pid": "y", "foreign": 1, "ended_at": 2}
    file.write_text(json.dumps(wrong))
    assert sessions.read(desk.context, "a") == Known("a")
    file.write_text(json.dumps({"session_id": "a", "settled": {"changes": -1, "words": 2, "at": None}}))
    assert sessions.read(desk.context, "a").settled == 0


def test_an_id_is_given():
    """A session without an id is refused; one in letters, digits and -_.: stays as it is."""
    for empty in ("", "  \n"):
        with pytest.raises(UsageError):
            sessions.safe(empty)
    assert sessions.safe(" 0b9f2ac6-1.2_x:Y ") == "0b9f2ac6-1.2_x:Y"
    assert sessions.safe("a\nb") == sessions.safe("a\nb ") != sessions.safe("a b")


def test_who_lives(desk, monkeypatch):
    """A session that ended does not live; else its process tells, else whether its transcript is young."""
    path = desk.edits("a", 1)
    known = Known("a", transcript_path=path, pid=1, pid_started="s", started_at=timestamps.iso(desk.now))
    for told in (True, False):
        monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_, told=told: told)
        assert sessions.is_living(known, desk.now) is told
        assert not sessions.is_living(known._replace(ended_at="x"), desk.now)
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: None)
    assert sessions.is_living(known, desk.now + 1700)
    assert not sessions.is_living(known, desk.now + 1900)
    desk.age(path, 10_000)
    assert sessions.is_living(known, desk.now)  # it began just now
    assert not sessions.is_living(known._replace(transcript_path="/none", started_at=""), desk.now)


def test_missed(desk):
    """A session is missed when it is over and its transcript has more than was digested; the one that starts is not."""
    path = desk.edits("a", 2)
    desk.open("a", path)
    assert sessions.missed(desk.context, desk.now) == []
    desk.end("a", path)
    assert [one.session_id for one in sessions.missed(desk.context, desk.now)] == ["a"]
    assert sessions.missed(desk.context, desk.now, but="a") == []
    sessions.update(desk.context, "a", digested={"size": os.path.getsize(path)})
    assert sessions.missed(desk.context, desk.now) == []
    desk.open("a", path)
    desk.append(path, "{}\n")
    desk.end("a", path)
    assert len(sessions.missed(desk.context, desk.now)) == 1


def test_what_is_over_is_not_opened_again(desk, monkeypatch):
    """Once a session is over, counted and digested, a start need not open its file; a resume brings it back."""
    path = desk.edits("a", 2)
    desk.end("a", path)
    sessions.update(desk.context, "a", digested={"size": os.path.getsize(path)})
    assert [name.endswith(".over.json") for name in files(desk)] == [True]
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "_read", None)
        assert desk.catch_up() == []
        assert sessions.missed(desk.context, desk.now) == []
    assert [one.session_id for one in sessions.all(desk.context)] == ["a"]
    desk.open("a", path)
    assert [name.endswith(".over.json") for name in files(desk)] == [False]
    assert desk.known("a").digested


def test_sweeping(desk):
    """Files are forgotten after 60 days, or once their session is over and its transcript is gone; others stay."""
    folder = Path(desk.context.state, sessions.FOLDER)
    for name in ("aged", "gone", "kept", "young"):
        path = desk.edits(name, 1)
        desk.end(name, path)
        sessions.update(desk.context, name, digested={"size": os.path.getsize(path)})
    for name, days in {"aged": 61, "gone": 3, "kept": 3, "young": 0}.items():
        (file,) = (one for one in folder.iterdir() if json.loads(one.read_text())["session_id"] == name)
        desk.age(file, days * timestamps.DAY + 60)
    for name in ("gone", "young"):
        os.unlink(desk.home / "transcripts" / name)
    left = folder / f".x.json.sleepwake-tmp-{2**22 + 1}"
    left.write_text("half")
    desk.open("kept")
    assert left.exists()
    desk.open("new")
    assert sorted(one.session_id for one in sessions.all(desk.context)) == ["kept", "new", "young"]
    assert not left.exists()


def test_nothing_there(desk):
    """Without a state folder everything reads as nothing, and nothing is made."""
    assert sessions.all(desk.context) == []
    assert sessions.missed(desk.context, desk.now) == []
    assert sessions.troubles(desk.context) == []
    assert desk.catch_up() == []
    assert desk.state() == {}
