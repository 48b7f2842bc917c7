"""Commands of records: what a thread's own show, the next step said anew, and how sure a decision is."""

from __future__ import annotations

import pytest

from sleep.store import context
from sleep.wake.snapshot.held_records import Standing


def test_a_thread_shows_its_entries(run, facts, scene):
    """`thread.show` lists what journals say under the thread's number or address, and its moves, before and after."""
    facts("thread.open", "--text", "Move the lock")
    first = facts("journal.add", "--kind", "change", "--text", "measured it", "--thread", "t-1")["address"]
    facts("journal.add", "--kind", "note", "--text", "something else about T-001")
    scene.sleep()
    at = facts("thread.show", "T-001")["address"]
    second = facts("journal.add", "--kind", "insight", "--text", "flock is held by the child too", "--thread", at)
    moved = facts("thread.pause", "T-001", "--reason", "a release")["address"]
    shown = facts("thread.show", "T-001")["entries"]
    assert [entry["address"] for entry in shown] == [first, second["address"], moved]
    assert [entry["path"] for entry in shown] == ["journal/instance-1.md", *["journal/instance-2.md"] * 2]
    out = run("thread.show", "T-001")[1]
    assert f"[{first}] change: measured it" in out
    assert f"[{moved}] thread event: paused: a release" in out
    assert "something else" not in out


def test_a_thread_is_opened_as_a_decision_is_written(facts):
    """What a thread is about may stand behind the command, as that of `decide` and `note` does."""
    at = facts("thread.open", "Move the lock", "--next", "measure it")["address"]
    assert facts("thread.show", at)["says"] == "Move the lock"


def test_a_next_step_can_be_changed(run, facts, scene):
    """`thread.next` says the next step anew at once and through a sleep; the entry that says so stays traceable."""
    facts("thread.open", "--text", "Move the lock", "--next", "measure it")
    scene.sleep()
    said = facts("thread.next", "T-001", "--text", "write it down")
    assert said["was"] == "measure it"
    assert facts("thread.show", "T-001")["fields"]["next"] == "write it down"
    assert "(next: write it down)" in run("snapshot")[1]
    scene.sleep()
    thread = facts("thread.show", "T-001")
    assert (thread["fields"]["next"], thread["state"]) == ("write it down", "active")
    assert said["address"] in thread["addresses"]
    assert "  - next: write it down\n" in scene.text("memory/hot/threads.md")
    assert not scene.check()


def test_a_move_says_what_else_it_did(run, scene):
    """As of a new entry it is said that a journal was opened, and that a secret was taken out."""
    scene.open()
    thread = scene.add("thread", "Move the lock").number
    assert run("thread.pause", thread, "--reason", "a release")[1].count("\n") == 1
    scene.sleep()
    out = run("thread.resolve", thread, "--outcome", "the password: hunter2hunter2 works")[1]
    assert f"{thread}: paused -> resolved [i2" in out
    assert "no journal was open, so one was opened" in out
    assert "1 secret was taken out" in out


def test_a_closed_thread_has_no_next_step(run, facts, scene):
    """The next step of a thread that is closed cannot be said, nor can none be said; nothing is written."""
    facts("thread.open", "--text", "Move the lock")
    facts("thread.resolve", "T-001", "--outcome", "done")
    before = scene.everything()
    assert run("thread.next", "T-001", "--text", "go on")[0] == 5
    assert run("thread.next", "T-001")[0] == 2
    assert scene.everything() == before


def test_what_is_kept_or_amended_still_holds_in_the_snapshot(facts, scene):
    """A decision kept in review and a thread with another next step are still told before anybody sleeps on it."""
    scene.add("decision", "Use one worker", why="simple", revisit_when="after 2026-01-01")
    scene.add("thread", "Move the lock")
    scene.sleep()
    facts("review.confirm", "D-001")
    facts("thread.next", "T-001", "--text", "measure")
    held = Standing(context.of(scene.place.root)).records("decision", "thread")
    assert [record.number for record in held] == ["T-001", "D-001"]


def test_a_confidence_is_one_of_three(run, facts, scene):
    """A decision is high, medium or low, in any case of letters; another word is refused, and no journal is opened."""
    before = scene.everything()
    for words in (("--confidence", "maybe"), ("--field", "confidence=80 %")):
        code, out, err = run("journal.add", "--kind", "decision", "--text", "Use it", *words)
        assert (code, out) == (2, "")
        assert "confidence is high, medium or low" in err
    assert scene.everything() == before
    facts("journal.add", "--kind", "decision", "--text", "Use it", "--confidence", "High")
    assert facts("decision.show", "D-001")["fields"]["confidence"] == "high"


def test_a_list_says_its_words_whole_and_refuses_an_unknown_state(run, facts):
    """A long text ends with a whole word and a mark; a state that the kind never has is an error with those it has."""
    facts("decide", "Use the lock of the kernel " + "because it ends with its holder " * 6, "--why", "no server")
    row = run("decision.list")[1].splitlines()[2]
    assert row.endswith("…")
    assert row.removesuffix("…").split()[-1] in ["because", "it", "ends", "with", "its", "holder"]
    code, _, said = run("decision.list", "--state", "open")
    assert code == 2
    assert "would be right: standing," in said


def test_a_missing_flag_is_shown(run, facts):
    """What is needed is said as it would be typed."""
    facts("thread.open", "--text", "Move the lock")
    assert 'Hint: sleepwake thread.resolve T-001 --outcome "..."\n' in run("thread.resolve", "T-001")[2]
    assert 'Hint: sleepwake topic.merge dns hosts --into "..."\n' in run("topic.merge", "dns", "hosts")[2]


def test_a_wrong_kind_is_answered_with_what_a_person_writes(run):
    """The kinds of moves, which commands write, are not offered."""
    for words in (("journal.add", "--kind", "dicision", "--text", "x"), ("recall", "lock", "--kind", "dicision")):
        code, _, said = run(*words)
        assert code == 2
        assert "decision, " in said
        assert "decision event" not in said


def test_what_cannot_take_a_place(scene, run):
    """A successor that is not there is not called another, and one that is the record itself is called that."""
    scene.add("decision", "Use flock", why="x")
    assert "there is no decision D-009 to replace it" in run("decision.supersede", "D-001", "--by", "D-009")[2]
    assert "D-001 is that decision itself" in run("decision.supersede", "D-001", "--by", "D-001")[2]
    run("decision.reverse", "D-001", "--reason", "slow")
    assert run("decision.list")[1] == "no decision is standing\n"


def test_records_of_one_number_are_listed_with_their_addresses(scene, run):
    """After a merge two records may have one number: their addresses, which commands then ask for, tell them apart."""
    scene.add("decision", "Use flock", why="x")
    scene.add("decision", "Keep the ledger in one file", why="y")
    assert "D-001  " in run("decision.list")[1]
    path = "journal/instance-1.md"
    scene.write(path, scene.text(path).replace(" D-002]", " D-001]"))
    rows = [line.split("]")[0] for line in run("decision.list")[1].splitlines()[2:]]
    assert len(rows) == len(set(rows)) == 2
    assert all(row.startswith("D-001 [i1") for row in rows)


@pytest.mark.parametrize(
    ("condition", "day"),
    [
        ("nach dem 31. März 2020", "2020-03-31"),
        ("2020年3月31日之后", "2020-03-31"),
        ("after 31 March 2020", "2020-03-31"),
    ],
)
def test_a_day_to_look_again_comes_however_it_is_written(condition, day, run, scene):
    """A decision whose day is written as people write days is due on that day."""
    assert run("decide", "Use one worker", "--revisit-when", condition)[0] == 0
    assert run("journal.add", "--kind", "decision", "--text", "Use one disk", "--revisit-when", condition)[0] == 0
    shown = run("decision.list")[1]
    assert shown.count("due:") == shown.count(day) == 2


def test_a_list_says_what_its_records_wait_for(run, scene):
    """`decision.list` shows when each is to be looked at again and marks what is due, `thread.list` what is next."""
    scene.add("decision", "Use one worker", why="simple", revisit_when="after 2020-01-01")
    scene.add("decision", "Use one queue", why="simple", revisit_when="the queue is slow")
    head, _, *rows = run("decision.list")[1].splitlines()
    assert head.split("  ")[-1] == "revisit when"
    assert [row.rpartition("  ")[2] for row in rows] == ["due: after 2020-01-01", "the queue is slow"]
    run("thread.open", "--text", "Move the lock", "--next", "measure it")
    assert run("thread.list")[1].splitlines()[-1].endswith("  measure it")
    run("review.confirm", "D-001")
    assert "due:" not in run("decision.list")[1]


def test_a_list_has_no_empty_column(run, scene):
    """A column that no record fills is left out."""
    scene.add("decision", "Use one worker", why="simple")
    assert run("decision.list")[1].split("\n")[0].split() == ["decision", "state", "says"]
    scene.add("decision", "Use one queue", why="simple", source="person")
    assert run("decision.list")[1].split("\n")[0].split() == ["decision", "state", "says", "source"]


def test_the_topic_of_a_record_is_shown(run, scene):
    """`show` names the topic that an entry asks for until its record stands in a topic, which is then its place."""
    scene.add("decision", "Use flock", why="simple", topic="auth")
    assert "  topic: auth\n" in run("decision.show", "D-001")[1]
    scene.sleep()
    assert "  topic: auth\n" in run("decision.show", "D-001")[1]
    for _ in range(2):
        scene.open()
        scene.add("note", "something else")
        scene.sleep()
    out = run("decision.show", "D-001")[1]
    assert ("  topic: " in out, "stands in: memory/warm/" in out) == (False, True)


def test_a_commit_is_a_field_of_a_record(run, facts, scene):
    """`--commit` says which commit a record is about, and is no part of its words, before a sleep and after it."""
    run("decide", "Use flock", "--why", "simple", "--commit", "abc1234")
    run("journal.add", "--kind", "question", "--text", "Who owns it?", "--commit", "abc1234")
    for _ in range(2):
        for name, says in (("decision.show", "Use flock"), ("question.show", "Who owns it?")):
            shown = facts(name, "D-001" if name.startswith("d") else "Q-001")
            assert (shown["says"], shown["fields"]["commit"]) == (says, "abc1234")
        scene.sleep()
