"""The book: what the requirement says, what it is silent about, and what must never be booked twice."""

from __future__ import annotations

import fcntl
import json
import re
from pathlib import Path

import pytest

from sleep.debt import book, sessions, storage
from sleep.debt import settlement as settlements
from sleep.errors import HeldError, SleepError, UsageError

HOME = "/" + "home/ada"  # in two parts: no home stands in a tracked file

ISO = re.compile(r"2026-11-21T\d\d:\d\d:\d\d\.\d{3}Z")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def lines(count, tool="Write"):
    """Return so many edits without ids, as the requirement's fixtures have them."""
    line = {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": tool, "input": {}}]}}
    return (json.dumps(line) + "\n") * count


# --- the requirement's cases -----------------------------------------------------------------------------------------


def test_a_stop_with_a_missing_transcript_is_pending(desk):
    """A stop keeps what it was given, and its score is null, not 0, while the transcript is missing."""
    missing = str(desk.home / "none.jsonl")
    desk.stop("sess-abc", missing, "I refactored...")
    (record,) = desk.json["sessions"]
    assert list(record) == [
        "session_id",
        "transcript_path",
        "stopped_at",
        "last_assistant_message",
        "change_count",
        "score",
    ]
    assert ISO.fullmatch(record.pop("stopped_at"))
    assert record == {
        "session_id": "sess-abc",
        "transcript_path": missing,
        "last_assistant_message": "I refactored...",
        "change_count": None,
        "score": None,
    }


def test_the_same_session_twice_and_another(desk):
    """A session that stops twice has one record with the second values, and the newest stands first."""
    first, second = desk.transcript("a.jsonl", lines(5)), desk.transcript("b.jsonl", lines(2))
    desk.stop("a", first, "one")
    desk.stop("a", second, "two")
    assert desk.records() == [("a", 2, 1)]
    assert desk.json["sessions"][0]["last_assistant_message"] == "two"
    desk.stop("b", second)
    desk.stop("a", second)
    assert [one[0] for one in desk.records()] == ["a", "b"]


def test_edits_are_counted_and_booked_once(desk):
    """Five Writes are debt 2; a transcript that was written anew with four Edits, stopped twice, is debt 2."""
    path = desk.transcript("a.jsonl", lines(5))
    desk.stop("a", path)
    assert (desk.json["debt"], desk.records()) == (2, [("a", 5, 2)])
    desk.transcript("a.jsonl", lines(4, "Edit"))
    desk.stop("a", path)
    desk.stop("a", path)
    assert (desk.json["debt"], desk.records()) == (2, [("a", 4, 2)])


@pytest.mark.parametrize(("count", "score"), [(0, 0), (1, 1), (3, 1), (4, 2), (8, 2), (9, 3), (50, 3)])
def test_scores(desk, count, score):
    """0, 1 to 3, 4 to 8, 9 and more changes score 0, 1, 2, 3."""
    desk.stop("a", desk.transcript("a.jsonl", lines(count) or '{"type":"user","message":{"content":"hi"}}\n'))
    assert desk.records() == [("a", count, score)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"type":"assistant","message":{"content":[{"type":"tool_use","name": "Write","input":{}}]}}\n', 1),
        (
            '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Write"},{"type":"tool_use","name":"Edit"}]}}',
            2,
        ),
        (lines(2, "Read") + lines(3, "Bash") + lines(1, "Glob"), 0),
        (json.dumps({"type": "user", "message": {"content": 'say "name":"Write"'}}) + "\n", 0),
    ],
)
def test_what_counts(desk, text, count):
    """Blocks count, however they are written; other tools and what a person quotes do not."""
    desk.stop("a", desk.transcript("a.jsonl", text))
    assert desk.records()[0][1] == count


def test_a_pending_session_is_scored_at_the_next_start(desk):
    """A session of score null is analysed when its transcript can be read; a scored one is left alone."""
    path = desk.transcript("a.jsonl", lines(5))
    scored = {"session_id": "b", "transcript_path": path, "stopped_at": "", "last_assistant_message": None}
    pending = {**scored, "session_id": "a", "change_count": None, "score": None}
    desk.write({"debt": 1, "sessions": [pending, {**scored, "change_count": 1, "score": 1}]})
    assert [one.session_id for one in desk.catch_up()] == ["a"]
    assert (desk.json["debt"], desk.records()) == (3, [("a", 5, 2), ("b", 1, 1)])
    before = desk.state()
    assert desk.catch_up() == []
    assert desk.state() == before


@pytest.mark.parametrize(
    ("text", "debt", "trouble"),
    [
        (None, 0, False),
        ('{"debt": 10}', 10, False),
        ('{"debt": 4, "last_sleep": "2026-02-24", "last_sleep_summary": "x", "sessions": null}', 4, False),
        ("\ufeff{}", 0, False),
        ("[1, 2]", 0, True),
        ("garbage", 0, True),
        ('{"debt": 4, "sess', 0, True),
        ("", 0, True),
        ("null", 0, True),
        ("[" * 100_000, 0, True),
        ('{"debt": "four"}', 0, True),
        ('{"debt": 1e400}', 0, True),
        ('{"debt": -3}', 0, True),
        ('{"debt": true}', 0, True),
        ('{"sessions": "none"}', 0, True),
        ('{"debt": 2, "sessions": [7, {"score": 1}, {"session_id": "a", "score": 2}]}', 2, True),
        ('{"debt": 2, "sessions": [{"session_id": "a", "score": "2"}]}', 0, True),
        ('{"debt": 5, "epoch": 7, "sleeping": "x", "history": [1]}', 5, True),
    ],
)
def test_whatever_stands_there(desk, text, debt, trouble):
    """Any state file is read without an error and unchanged; what cannot be read is set aside before the next write."""
    if text is not None:
        desk.write(text)
    before = desk.state()
    assert (desk.ledger.debt, bool(desk.ledger.trouble)) == (debt, trouble)
    assert desk.state() == before
    desk.add(2)
    assert desk.ledger.debt == debt + 2
    assert desk.ledger.trouble == ""
    assert desk.aside() == ([text] if trouble else [])
    desk.add(1)
    assert len(desk.aside()) == trouble


def test_bytes_that_are_no_text(desk):
    """A state file of any bytes is set aside byte for byte."""
    Path(desk.context.state).mkdir()
    Path(desk.context.ledger).write_bytes(b"\xff\x00\xfe{")
    desk.add(1)
    (kept,) = [content for name, content in desk.state().items() if ".corrupt-" in name]
    assert kept == b"\xff\x00\xfe{"
    assert desk.ledger.debt == 1


def test_keys_of_others_stay(desk):
    """Keys that are not ours stay through every change, at the top and in a session."""
    desk.write({"debt": 2, "theirs": {"x": [1]}, "sessions": [{"session_id": "a", "score": 2, "also": "theirs"}]})
    desk.add(1)
    desk.stop("a", desk.edits("a", 5))
    assert desk.json["theirs"] == {"x": [1]}
    assert desk.json["sessions"][0]["also"] == "theirs"
    assert list(desk.json)[:4] == ["debt", "last_sleep", "last_sleep_summary", "sessions"]


def test_added_by_hand(desk):
    """An entry by hand has its text exactly, an id of its time, no transcript, and is never analysed."""
    made = desk.add(2, "Bug fix: auth token refresh")
    assert (desk.json["debt"], made.session_id) == (2, f"manual-{round(desk.now * 1000)}")
    assert made.last_assistant_message == "Bug fix: auth token refresh"
    assert made.transcript_path is None
    book.add(desk.context, 1, "the same moment", desk.now)
    assert len({one[0] for one in desk.records()}) == 2
    assert desk.catch_up() == []


@pytest.mark.parametrize("score", [0, 4, -1, "abc", "2", True, 2.5, None])
def test_a_score_that_is_none(desk, score):
    """A score that is not 1, 2 or 3 is refused, and nothing is written."""
    with pytest.raises(UsageError, match="1, 2 or 3") as caught:
        book.add(desk.context, score, "x", desk.now)
    assert caught.value.exit_code
    assert desk.state() == {}


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_entry_without_words(desk, text):
    """An entry or a sleep that says nothing is refused, and nothing is written."""
    with pytest.raises(UsageError):
        book.add(desk.context, 1, text, desk.now)
    with pytest.raises(UsageError):
        book.done(desk.context, text, desk.now)
    assert desk.state() == {}


def test_done_without_a_start_clears_all(desk):
    """Without an epoch `done` settles everything, pending sessions and unexplained debt too."""
    desk.write({"debt": 4})
    desk.add(2)
    desk.add(3)
    desk.stop("a", str(desk.home / "none.jsonl"))
    assert desk.ledger.debt == 9
    desk.done("Consolidated auth decisions")
    assert (desk.json["debt"], desk.json["sessions"]) == (0, [])
    assert (desk.json["last_sleep"], desk.json["last_sleep_summary"]) == ("2026-11-21", "Consolidated auth decisions")
    assert desk.json["last_sleep_at"].startswith(desk.json["last_sleep"])


def test_done_after_a_start_leaves_what_came_later(desk):
    """With an epoch `done` settles what stood then; a session that stopped later keeps its debt."""
    desk.add(2)
    desk.start()
    desk.stop("late", desk.edits("late", 5))
    desk.done()
    assert (desk.json["debt"], desk.records()) == (2, [("late", 5, 2)])
    assert desk.ledger.epoch is None


def test_a_session_that_goes_on_after_the_epoch_keeps_the_difference(desk):
    """Of a session that was there at the epoch and went on, only what came after it stays."""
    path = desk.edits("a", 7)
    desk.stop("a", path)
    desk.start()
    desk.append(path, "".join(desk_line(f"more-{at}") for at in range(3)))
    desk.stop("a", path)
    assert desk.records() == [("a", 10, 3)]
    desk.done()
    assert desk.records() == [("a", 3, 1)]


def desk_line(call):
    """Return an edit with an id."""
    use = {"type": "tool_use", "name": "Edit", "id": call, "input": {}}
    return json.dumps({"type": "assistant", "message": {"content": [use]}}) + "\n"


def test_a_second_start_is_refused_until_the_first_is_old(desk):
    """A second start names since when the first runs; after 30 minutes it takes its place."""
    first = desk.start()
    before = desk.state()
    with pytest.raises(HeldError, match=re.escape(first.at)):
        desk.start()
    assert desk.state() == before
    desk.tick(1799)
    assert desk.start().at > first.at


def test_old_folders_keep_their_ledger(tmp_path, desk):
    """A tree of an older tool keeps its ledger where it is, and git is told to ignore it."""
    old = type(desk)(tmp_path / "old", "_agent_context")
    old.stop("a", old.edits("a", 4))
    assert Path(old.home, "_agent_context", "state", ".sleep.json").exists()
    assert ".*" in Path(old.context.state, ".gitignore").read_text().splitlines()


# --- beyond it -------------------------------------------------------------------------------------------------------


def test_what_was_settled_is_never_booked_again(desk):
    """However long a session goes on after sleeps, each of its changes is booked exactly once."""
    path = desk.edits("a", 7)
    desk.stop("a", path)
    desk.sleep(1)
    assert desk.records() == []
    desk.stop("a", path)
    assert desk.records() == [("a", 0, 0)]
    desk.append(path, "".join(desk_line(f"x{at}") for at in range(4)))
    desk.stop("a", path)
    assert desk.records() == [("a", 4, 2)]
    desk.sleep(2)
    desk.append(path, desk_line("y"))
    desk.end("a", path)
    assert desk.records() == [("a", 1, 1)]
    assert sum(one.change_count or 0 for entry in desk.ledger.history for one in entry.sessions) == 11


def test_a_session_that_stops_during_a_sleep_keeps_the_difference(desk):
    """A sleep settles exactly what stood when it began: a session that went on keeps the rest, a new one everything."""
    path, other = desk.edits("a", 5), desk.edits("b", 4)
    desk.stop("a", path)

    def meanwhile():
        desk.append(path, desk_line("x"))
        desk.stop("a", path)
        desk.stop("b", other)

    desk.sleep(meanwhile=meanwhile)
    assert desk.records() == [("b", 4, 2), ("a", 1, 1)]


def test_settled_even_if_what_is_known_of_sessions_is_gone(desk):
    """Without the files of sessions, the history still says how much of one was settled."""
    path = desk.edits("a", 7)
    desk.stop("a", path)
    desk.sleep()
    for file in Path(desk.context.state, ".sessions").iterdir():
        file.unlink()
    desk.append(path, desk_line("x"))
    desk.stop("a", path)
    assert desk.records() == [("a", 1, 1)]


def test_undo_gives_back(desk):
    """What a cycle settled comes back once: its sessions, its entries and unexplained debt."""
    desk.write({"debt": 3})
    path = desk.edits("a", 5)
    desk.stop("a", path, "x" * 500)
    desk.add(1, "talk")
    before = desk.records()
    desk.sleep(3, "i7abc")
    assert desk.ledger.debt == 0
    assert desk.ledger.settled_by(3, "i7abc").debt == 6
    back = settlements.give_back(desk.context, 3, "i7abc", desk.settings)
    assert (back.debt, desk.ledger.debt, desk.records()) == (6, 6, before)
    assert len(desk.ledger.find("a").last_assistant_message) == 200
    assert settlements.give_back(desk.context, 3, "i7abc") is None
    assert settlements.give_back(desk.context, 3, "i8abc") is None
    desk.append(path, desk_line("x"))
    desk.stop("a", path)
    assert desk.ledger.find("a").change_count == 6


def test_undo_joins_what_went_on(desk):
    """A session that went on after the sleep has one record again, with what it did before and after."""
    path = desk.edits("a", 5)
    desk.stop("a", path)
    desk.sleep()
    desk.append(path, "".join(desk_line(f"x{at}") for at in range(4)))
    desk.stop("a", path, "later")
    settlements.give_back(desk.context, 1, "i1abc", desk.settings)
    assert desk.records() == [("a", 9, 3)]
    assert desk.ledger.find("a").last_assistant_message == "later"
    desk.sleep(2, "i2abc")
    desk.stop("a", path)
    assert desk.records() == [("a", 0, 0)]


def test_undo_of_the_older_of_two(desk):
    """Undoing the older of two sleeps gives back what that one settled, and no more."""
    path = desk.edits("a", 5)
    desk.stop("a", path)
    desk.sleep(1)
    desk.append(path, desk_line("x"))
    desk.stop("a", path)
    desk.sleep(2)
    settlements.give_back(desk.context, 1, "i1abc", desk.settings)
    assert desk.records() == [("a", 5, 2)]
    desk.append(path, desk_line("y"))
    desk.stop("a", path)
    assert desk.records() == [("a", 6, 2)]


def test_a_sleep_of_some_sessions(desk):
    """A sleep that is about some sessions leaves the others, and the debt that no session explains."""
    desk.write({"debt": 2})
    for name in "ab":
        desk.stop(name, desk.edits(name, 4))
    (settlement,) = settlements.begin(desk.context, desk.tick(), only=("a", "other"))
    assert (settlement.debt, settlement.sessions) == (2, ("a",))
    settlements.settle(desk.context, settlement, "one", desk.tick(), desk.settings)
    assert (desk.records(), desk.ledger.debt) == ([("b", 4, 2)], 4)


@pytest.mark.parametrize("landed", [True, False])
def test_a_sleep_that_was_cut_off(desk, monkeypatch, landed):
    """Whoever writes next settles a dead sleep whose cycle landed, and forgets one whose cycle did not."""
    path = desk.edits("a", 5)
    desk.stop("a", path)
    desk.begin()
    if landed:
        desk.land(1, "i1abc")
    desk.add(1)
    assert desk.ledger.sleeping  # it lives: nobody touches it
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: False)
    before = desk.state()
    assert desk.ledger.sleeping
    assert desk.state() == before
    desk.catch_up()
    assert desk.ledger.sleeping is None
    assert desk.ledger.debt == (1 if landed else 3)
    desk.stop("a", path)
    assert desk.ledger.find("a").change_count == (0 if landed else 5)


def test_a_cut_off_sleep_waits_for_git(desk, monkeypatch):
    """While git still has a step to finish, nobody says yet whether a dead sleep landed."""
    git = desk.home / ".git"
    (git / "sleepwake").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "sleepwake" / "intent.json").write_text("{}")
    desk.add(3)
    desk.begin()
    desk.land(1, "i1abc")
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: False)
    desk.catch_up()
    assert desk.ledger.debt == 3
    (git / "sleepwake" / "intent.json").unlink()
    desk.catch_up()
    assert desk.ledger.debt == 0


@pytest.mark.parametrize("undone", [True, False])
def test_an_undo_that_was_cut_off(desk, monkeypatch, undone):
    """Whoever writes next gives back the debt of a cycle that is gone, and nothing of one that still stands."""
    desk.add(2)
    desk.sleep(1)
    settlements.begin_undo(desk.context, 1, "i1abc", desk.tick())
    if undone:
        Path(desk.context.folder, "cycles.md").unlink()
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: False)
    desk.add(1)
    assert (desk.ledger.debt, desk.ledger.sleeping) == (3 if undone else 1, None)


def test_secrets_and_homes_are_taken_out_before_the_first_write(desk, monkeypatch):
    """A message, an entry and a summary are redacted, values of this environment too; other words stay exact."""
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setenv("MY_API_TOKEN", "correct-Horse-9battery")
    said = f"used {SECRET} and correct-Horse-9battery in {HOME}/x"
    desk.stop("a", "", said)
    desk.add(1, said)
    desk.done(said)
    everything = b"".join(desk.state().values()).decode()
    assert SECRET not in everything
    assert "correct-Horse" not in everything
    assert desk.ledger.history[0].sessions[0].last_assistant_message == (
        "used [REDACTED:github-token] and [REDACTED:environment] in ~/x"
    )


@pytest.mark.parametrize("session", ["a\nsessions: [x]", "../../up", "a b", "ö", "x" * 500, "a/b", "\ud83d"])
def test_an_id_that_is_no_id(desk, session):
    """An id that could break a path, a commit or front matter is replaced by a hash, the same each time."""
    desk.stop(session, desk.edits("a", 2))
    desk.stop(session, desk.edits("a", 2))
    ((name, _, _),) = desk.records()
    assert re.fullmatch(r"odd-[0-9a-f]{32}", name)
    assert {one for one in desk.state() if "/" not in one} == {".sleep.json", ".sleep.lock", ".gitignore"}


def test_a_message_stays_when_a_client_gives_none(desk):
    """A stop without a message keeps the last one; the very long ones end somewhere."""
    desk.stop("a", "", "first")
    desk.stop("a", "", None)
    assert desk.ledger.find("a").last_assistant_message == "first"
    desk.stop("a", "", "x" * 100_000)
    assert len(desk.ledger.find("a").last_assistant_message) == 20_000
    desk.stop("a", "", "half \ud83d")
    assert desk.json["sessions"][0]["last_assistant_message"] == "half ?"


def test_an_end_leaves_a_record_only_of_changes(desk):
    """A session that ends without a stop and without a change leaves no record; one with a change leaves its own."""
    talk = desk.transcript("a.jsonl", '{"type":"user","message":{"content":"hi"}}\n')
    assert desk.end("a", talk) is None
    assert desk.ledger.sessions == ()
    assert desk.known("a").ended_at
    assert desk.end("b", desk.edits("b", 2)).score == 1
    assert desk.end("c", str(desk.home / "none")) is None
    desk.stop("d", desk.edits("d", 4), "kept")
    before = desk.ledger
    assert desk.end("d", desk.edits("d", 4)).last_assistant_message == "kept"
    assert desk.ledger == before
    assert desk.known("d").reason == "exit"


def test_a_stop_after_an_end_begins_a_new_stretch(desk):
    """A stop that comes right after the end belongs to it; one that comes later means that the session lives again."""
    path = desk.edits("a", 1)
    desk.end("a", path)
    desk.stop("a", path)
    assert desk.known("a").ended_at
    desk.tick(60)
    desk.stop("a", path)
    assert desk.known("a").ended_at is None


def test_over_the_cap(desk):
    """A transcript over the cap scores 0 and says why, and is not tried again; what was counted before stays."""
    desk.settings = desk.settings._replace(debt_cap=0)
    path = desk.edits("a", 9)
    record = desk.stop("a", path)
    assert (record.score, record.skipped) == (0, "a is over 0 MB (debt.cap)")
    assert desk.json["sessions"][0]["skipped"] == record.skipped
    desk.age(path, 90)
    assert desk.catch_up() == []
    desk.settings = desk.settings._replace(debt_cap=50)
    assert desk.stop("a", path).score == 3
    desk.settings = desk.settings._replace(debt_cap=0)
    desk.append(path, desk_line("x"))
    assert (desk.stop("a", path).change_count, desk.ledger.debt) == (9, 3)


def test_catching_up_a_killed_client(desk, monkeypatch):
    """A session whose client is gone without a word is booked at the next start, torn as its transcript may be."""
    path = desk.edits("a", 4)
    desk.open("a", path, pid=4_000_000, pid_started="x")
    desk.append(path, '{"type":"assistant","message":{"con')
    assert desk.catch_up() == []  # whether it lives cannot be told, and its transcript is young
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: False)
    (record,) = desk.catch_up()
    assert (record.session_id, record.change_count, record.score) == ("a", 4, 2)
    assert desk.known("a").reason == "gone"
    assert desk.catch_up() == []
    desk.append(path, 'tent":[]}}\n' + desk_line("x"))
    assert desk.catch_up(but="a") == []
    assert [one.change_count for one in desk.catch_up()] == [5]


def test_catching_up_leaves_the_living(desk, monkeypatch):
    """A session whose client runs is not counted by another one's start, and one without changes gets no record."""
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda pid, _: pid == 1)
    desk.open("living", desk.edits("living", 4), pid=1, pid_started="x")
    desk.open("idle", desk.transcript("idle.jsonl", '{"type":"user","message":{"content":"hi"}}\n'), pid=2)
    assert desk.catch_up() == []
    assert desk.known("idle").ended_at
    assert desk.known("living").ended_at is None


def test_a_torn_transcript_is_pending_until_it_no_longer_grows(desk):
    """A line that is cut off makes a session pending; it is scored once a look finds the file as the last one did."""
    path = desk.edits("a", 4)
    desk.append(path, '{"type":"assistant","message":')
    assert desk.stop("a", path).score is None
    desk.append(path, '{"content":[]')
    assert desk.catch_up() == []
    assert desk.records() == [("a", 4, None)]
    assert [one.score for one in desk.catch_up()] == [2]
    assert desk.records() == [("a", 4, 2)]


def test_a_torn_transcript_that_is_old_is_scored_at_once(desk):
    """A line that has been cut off for a minute is how the file ends."""
    path = desk.edits("a", 4)
    desk.append(path, '{"type":"assistant","message":')
    desk.write({"sessions": [{"session_id": "a", "transcript_path": path, "score": None}]})
    desk.tick(61)
    assert [one.score for one in desk.catch_up()] == [2]


def test_bounded_catching_up(desk, monkeypatch):
    """One start catches up so many sessions and leaves the rest to the next."""
    monkeypatch.setattr(book, "_CAUGHT", 3)
    for number in range(5):
        desk.stop(f"s{number}", str(desk.home / "transcripts" / f"s{number}"))
    for number in range(5):
        desk.edits(f"s{number}", 1)
    assert (len(desk.catch_up()), len(desk.catch_up()), desk.ledger.debt) == (3, 2, 5)


def test_history_has_an_end(desk):
    """The last hundred sleeps are remembered, the newest first."""
    for number in range(103):
        desk.done(f"sleep {number}")
    assert len(book.read(desk.context).history) == 100
    assert [one.summary for one in book.read(desk.context).history[:2]] == ["sleep 102", "sleep 101"]


def test_a_disk_that_refuses(desk, monkeypatch):
    """When the ledger cannot be written the stop fails with a sentence, and nothing is half done."""
    desk.add(1)
    before = desk.state()

    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(SleepError, match="disk is full"):
        desk.stop("a", desk.edits("a", 2))
    monkeypatch.undo()
    assert desk.state() == before


def test_a_session_start_does_not_wait_long_for_the_lock(desk, monkeypatch):
    """Where another process holds the lock a session that opens is given up soon: its client waits with it."""
    desk.add(1)
    monkeypatch.setattr(book, "_OPENING", 0.1)
    with open(Path(desk.context.state, storage.LOCK)) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(HeldError, match=r"waited 0\.1 s"):
            book.record_start(desk.context, sessions.Sighting("a"), desk.tick())
    assert book.record_start(desk.context, sessions.Sighting("a"), desk.tick()).session_id == "a"
