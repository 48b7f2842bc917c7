"""Attend: digests that were missed, and a sleep by itself, within the time that there is."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from clones import clone, commit
from scene import command, environment
from talk import Talk
from world import in_child

from sleep.cycle import session_start as attending
from sleep.debt import due, sessions, storage, timestamps
from sleep.debt.ledger import Session
from sleep.errors import StorageError
from sleep.journal.capture import session_journal as captures
from sleep.store import context as contexts
from sleep.store import files

NOW = timestamps.seconds("2026-11-21T12:00:00Z") or 0.0


@pytest.fixture
def known(scene, tmp_path):
    """Return a function that lets a session with work in it be known, over or living."""
    context = contexts.of(scene.place.root)

    def known(name, *, living=False, digested=False, hours=0, work=True):
        talk = Talk(tmp_path / "client" / f"{name}.jsonl", name)
        talk = talk.work(f"the {name} lock") if work else talk.prompt("hi")
        started = timestamps.iso(NOW - 3_600 * (hours + 1))
        ended = None if living else timestamps.iso(NOW - 60)
        sessions.update(
            context, name, client="codex", transcript_path=str(talk.path), started_at=started, ended_at=ended
        )
        if digested:
            captures.capture_session(scene.place, scene.now(), sessions.read(context, name))
        return talk

    return known


@pytest.fixture
def attend(scene, monkeypatch):
    """Return a function that attends in the scene's memory, in a mode."""

    def attend(auto="run", session="new", **options):
        monkeypatch.setenv("SLEEP_SLEEP_AUTO", auto)
        return attending.attend(scene.place, NOW, session=session, **options)

    return attend


def booked(scene, **fields):
    """Set fields of the ledger."""
    context = contexts.of(scene.place.root)
    with storage.hold(context, "test"):
        before = storage.read(context)
        storage.write(context, before, before._replace(**fields))


def owe(scene, debt):
    """Book this debt, for sessions that nobody knows."""
    several = (Session(f"m{one}", None, "2026-11-21T09:00:00Z", None, 9, 3) for one in range(debt // 3))
    booked(scene, sessions=tuple(several))


def test_what_was_missed_is_journaled_oldest_first(scene, known, attend):
    """Sessions that are over and not digested become instances in the order in which they began."""
    known("late", hours=1)
    known("early", hours=5)
    known("living", living=True, hours=9)
    known("empty", hours=7, work=False)
    done = attend("off")
    assert [(name, path) for name, path, _ in done.captured] == [
        ("early", "journal/instance-1.md"),
        ("late", "journal/instance-2.md"),
    ]
    assert (done.errors, done.deferred, done.slept) == ((), (), ())
    assert attend("off").captured == ()
    assert len(scene.view.journals) == 2


def test_journals_that_do_not_write_themselves_are_not_written(scene, known, attend, monkeypatch):
    """With `journal.auto` off nothing is captured."""
    monkeypatch.setenv("SLEEP_JOURNAL_AUTO", "off")
    known("s1")
    assert attend().captured == ()
    assert scene.view.journals == ()


def test_what_there_is_no_time_for_is_left_for_the_next_start(scene, known, attend, monkeypatch):
    """A transcript too long for the time that is left is named and left; a shorter one behind it is not held up."""
    known("long", hours=5)
    known("short", hours=1)
    size = sessions.size
    monkeypatch.setattr(sessions, "size", lambda path: 10**9 if "long" in path else size(path))
    done = attend("off", limit=5)
    assert ([name for name, _, _ in done.captured], done.deferred) == (["short"], ("long",))
    assert attend("off", limit=0.01).deferred == ("long",)


def test_what_goes_wrong_with_one_keeps_no_other_from_being_done(scene, known, attend):
    """A transcript that cannot be read is an error that is told once; the next one is captured."""
    talk = known("broken", hours=5)
    talk.path.write_text("no transcript\n")
    known("whole", hours=1)
    done = attend("off")
    assert [name for name, _, _ in done.captured] == ["whole"]
    assert len(done.errors) == 1
    assert "broken" in done.errors[0]
    assert attend("off").errors == ()


def test_it_sleeps_on_what_was_missed(scene, known, attend):
    """In mode `run` the instances of sessions that are over are slept on, and their debt is settled."""
    known("s1")
    known("s2", digested=True)
    done = attend()
    assert [number for number, _ in done.slept] == [1, 2]
    assert all(commits for _, commits in done.slept)
    assert done.reason == "instance 2 is not slept on"
    assert {cycle.sessions for cycle in scene.view.cycles} == {("s1",), ("s2",)}
    assert scene.check() == []
    assert storage.read(contexts.of(scene.place.root)).last_sleep_at


@pytest.mark.parametrize("auto", ["off", "suggest", ""])
def test_it_sleeps_only_where_it_may(scene, known, attend, auto):
    """In every other mode, and by default beside the code, it says that a sleep is due, and does not begin one."""
    known("s1", digested=True)
    owe(scene, 12)
    done = attend(auto)
    assert (done.slept, done.reason, done.waits) == ((), "debt is 12", f"sleep.auto is {auto or 'suggest'}")
    assert scene.view.cycles == ()


def test_the_mode_that_a_hook_has_found_holds(scene, known, attend):
    """A hook that has come by the code's repository knows that the memory is separate."""
    known("s1", digested=True)
    assert attend("", mode="run").slept


def test_it_cools_after_a_sleep_and_a_sleep_by_hand_does_not_ask(scene, known, attend):
    """Within the cooldown nothing is slept on by itself; by hand it is."""
    known("s1", digested=True)
    booked(scene, last_sleep_at=timestamps.iso(NOW - 600))
    done = attend()
    assert (done.slept, done.waits) == ((), "a sleep was less than 60 minutes ago")
    assert scene.sleep().steps
    assert len(scene.view.cycles) == 1


def test_the_session_that_starts_and_those_that_live_are_left_alone(scene, known, attend):
    """Neither the instance of the session that starts nor one that may still be written to is slept on."""
    known("new", digested=True)
    known("other", digested=True)
    known("gone", digested=True)
    sessions.update(contexts.of(scene.place.root), "other", ended_at=None, started_at=timestamps.iso(time.time()))
    owe(scene, 12)
    assert [number for number, _ in attend().slept] == [3]
    assert not scene.view.journal("journal/instance-1.md").sealed
    assert not scene.view.journal("journal/instance-2.md").sealed


def test_debt_that_was_only_just_caught_up_makes_no_sleep_due(scene, known, attend):
    """Where only debt speaks for a sleep, what this very start has booked does not count."""
    known("old", digested=True)
    known("living", digested=True)
    sessions.update(contexts.of(scene.place.root), "living", ended_at=None, started_at=timestamps.iso(NOW))
    owe(scene, 12)
    assert attend(but_debt=3).reason == ""
    assert attend(but_debt=2).slept


def test_no_sleep_is_begun_without_time(scene, known, attend):
    """With less than two seconds left the sleep waits for the next start, and says so."""
    known("s1", digested=True)
    done = attend(limit=1)
    assert (done.slept, done.waits) == ((), "no time was left for instance 1")


def test_a_model_is_not_asked(scene, known, attend, monkeypatch):
    """Where another compressor is set up, a start does not ask it, and says so."""
    monkeypatch.setenv("SLEEP_COMPRESSOR_USE", "llm")
    known("s1", digested=True)
    done = attend()
    assert done.slept == ()
    assert done.waits.startswith("llm compresses here")


def test_what_git_refuses_is_told(scene, known, attend, monkeypatch):
    """A merge under way, or a disk that is full, is an error in the answer, and nothing was slept on."""
    known("s1", digested=True)
    (scene.top / ".git" / "MERGE_HEAD").write_text(f"{scene.head()}\n")
    done = attend()
    assert (done.slept, len(done.errors)) == ((), 1)
    assert "merge" in done.errors[0]

    def full(*_, **__):
        raise StorageError("the disk is full")

    monkeypatch.setattr(captures, "capture_session", full)
    known("s2")
    assert any("the disk is full" in one for one in attend("off").errors)


def test_the_command_says_one_line_and_ends_well(scene, known, tmp_path):
    """`sleep.attend` prints JSON on one line; with odd flags, and where no memory is, an error with exit code 0."""
    known("s1")
    code, out, err = scene.run("sleep.attend", "--session", "new", "--limit", "20", "--json", SLEEP_SLEEP_AUTO="run")
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert [one[0] for one in json.loads(out)["captured"]] == ["s1"]
    for words in (("--root", str(tmp_path)), ("--limit", "soon"), ("--but-debt", "x"), ("--mode", "on")):
        code, out, _ = scene.run("sleep.attend", *words)
        assert code == 0
        assert json.loads(out)["error"]
    log = scene.top / ".git" / "sleepwake" / "hooks.log"
    assert "sleep.attend ERROR" in log.read_text()


def test_what_a_kill_left_of_a_step_is_finished(scene, attend):
    """Killed with its commit made and git's index not yet in its place: the next start puts it there, in every mode."""
    scene.open()
    scene.add("decision", "Keep the lock")
    replace = files.replace

    def killed(temporary, path, **options):
        if path.endswith("/.git/index"):
            os._exit(9)
        replace(temporary, path, **options)

    def sleep():
        files.replace = killed
        scene.sleep()

    assert in_child(sleep) == 9
    assert (scene.top / ".git" / "index.lock").exists()
    done = attend("off", "")
    assert (done.errors, done.slept) == ((), ())
    assert not (scene.top / ".git" / "index.lock").exists()
    assert not os.path.exists(scene.place.root.intent)
    assert scene.git("diff", "--cached", "--name-only") == ""


def test_who_is_at_a_step_is_left_at_it(scene, attend):
    """A record of a step under the lock of another is no crash: the start neither waits nor complains."""
    scene.open()
    state = Path(scene.place.root.state_dir)
    with (state / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        (state / "intent.json").write_text("{}")
        assert attend("off", "").errors == ()
    assert "cannot be read" in attend("off", "").errors[0]


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_killed_at_any_moment_it_is_done_once(scene, known, share):
    """After a SIGKILL the next start finishes what is left: every session one instance, every instance one cycle."""
    for name in ("s1", "s2"):
        known(name)
    begun = time.monotonic()
    process = subprocess.Popen(
        command("sleep.attend", "--limit", "20"),
        cwd=scene.home,
        env=environment(SLEEP_SLEEP_AUTO="run"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(share * 1.6)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert time.monotonic() - begun < 60
    code, out, _ = scene.run("sleep.attend", "--limit", "60", SLEEP_SLEEP_AUTO="run", SLEEP_SLEEP_COOLDOWN="0.0001")
    assert code == 0
    assert not json.loads(out)["errors"]
    assert sorted(cycle.sessions for cycle in scene.view.cycles) == [("s1",), ("s2",)]
    assert len(scene.view.journals) == 2
    assert scene.check() == []
    assert scene.git("status", "--porcelain") == ""


def test_an_instance_of_another_clone_is_neither_due_nor_named(scene, tmp_path, monkeypatch):
    """A journal that a colleague left open and committed makes no sleep due, and no start says that it was slept on."""
    scene.open()
    scene.add("decision", "Name exports by month", why="the manager said so")
    commit(scene)
    other = clone(scene, tmp_path / "other", "bob@x.example")
    now = float(other.git("log", "-1", "--format=%at")) + 3_600
    monkeypatch.setenv("SLEEP_SLEEP_AUTO", "run")
    monkeypatch.setattr(due, "QUIET", -1e9)
    assert attending.attend(other.place, now).reason == ""
    other.add("decision", "Keep drafts for a year", why="the auditor asks for them")
    commit(other)
    done = attending.attend(other.place, now)
    assert (done.reason, [number for number, shas in done.slept if shas]) == ("instance 2 is not slept on", [2])
    assert [number for number, _ in done.slept] == [2]
