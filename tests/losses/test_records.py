"""What was lost of records: dead ends, tasks and blockers, standing decisions, handoffs, and who said it."""

from __future__ import annotations

import json

import pytest
from talk import Talk

COOL = "format: 1\nkeep:\n  hot: 1\n  warm: 1\n"


def handoff(person):
    """Return the lines of the main page's handoff."""
    return person.read("main.md").partition("## HANDOFF")[2].partition("\n## ")[0]


def memory(person):
    """Return all that the tiers hold."""
    return "".join(text for path, text in person.everything().items() if path.startswith("memory/"))


def add(person, kind, text, *words):
    """Journal an entry and return its address."""
    return json.loads(person.sleepwake("journal.add", "--kind", kind, "--text", text, *words, "--json"))["address"]


def test_dead_ends_tasks_and_blockers_stand_until_they_are_closed(person):
    """What failed, is to be done and is in the way stays whole in memory until a command closes it."""
    person.write("memory/sleep.yaml", COOL)
    ended = add(person, "dead_end", "Redis streams lost events on restart", "--why", "no ack before the crash")
    task = add(person, "task", "Write the migration for the users table, oldest rows first")
    blocked = add(person, "blocker", "staging has no disk space")
    person.sleepwake("sleep")
    for number in range(2):
        add(person, "note", f"Renamed part {number} to room {number}")
        person.sleepwake("sleep")
    kept = memory(person)
    for words in ("Redis streams lost events", "no ack before the crash", "oldest rows first", "no disk space"):
        assert words in kept
    for number in range(2):  # and of so little nothing is dropped
        assert f"Renamed part {number} to room {number}" in kept
    assert "- open tasks: 1 (`sleepwake task.list`)" in person.read("main.md")
    (shown,) = json.loads(person.sleepwake("deadend.list", "--json"))
    assert (shown["kind"], shown["address"], shown["state"]) == ("dead_end", ended, "standing")
    person.sleepwake("task.done", task)
    person.sleepwake("blocker.resolve", blocked, "--outcome", "a bigger disk")
    assert "--why is needed" in person.sleepwake("deadend.retry", ended, code=None)
    person.sleepwake("deadend.retry", ended, "--why", "streams acknowledge now")
    person.sleepwake("sleep")
    for command in ("task", "blocker", "deadend"):
        assert json.loads(person.sleepwake(f"{command}.list", "--json")) == []
    assert "done" in person.sleepwake("task.list", "--all")
    assert "a bigger disk" in person.sleepwake("blocker.show", blocked)


def test_what_an_import_left_open_does_not_bind_for_ever(person):
    """What only the words of an imported log leave to do is noticed; what stands under its heading binds until done."""
    log = "# Log\n\nThe printer came. We still need to order the new labels.\n\n## Tasks\n\n- Call the carrier\n\n"
    person.write("log.md", f"{log}## Decisions\n\n- We ship by rail.\n")
    person.sleepwake("journal.import", "log.md")
    person.sleepwake("sleep")
    (task,) = json.loads(person.sleepwake("task.list", "--json"))
    assert (task["says"], task["standing"]) == ("Call the carrier", "stated")
    noticed = memory(person).partition("## Tasks noticed\n")[2].partition("\n## ")[0]
    assert "order the new labels" in noticed
    assert "Call the carrier" not in noticed
    person.sleepwake("task.done", task["address"])
    person.sleepwake("sleep")
    assert json.loads(person.sleepwake("task.list", "--json")) == []
    (decided,) = json.loads(person.sleepwake("decision.list", "--json"))
    assert decided["fields"]["source"] == "imported: log.md"


def test_a_standing_decision_is_whole_in_every_tier(person):
    """A decision that stands keeps its reason, confidence, alternatives and time to revisit, however old it is."""
    person.write("memory/sleep.yaml", COOL)
    words = ("--why", "the team knows it; nobody knows the other", "--confidence", "low")
    words += ("--alternative", "SQLite", "--revisit-when", "after 40 instances")
    add(person, "decision", "Use Postgres. It has run well for us.", *words)
    for number in range(3):
        add(person, "note", f"Renamed part {number} to room {number}")
        person.sleepwake("sleep")
    (decided,) = json.loads(person.sleepwake("decision.list", "--json"))
    assert decided["path"].startswith("memory/cold/")
    assert decided["says"] == "Use Postgres. It has run well for us."
    assert decided["fields"] == {
        "why": "the team knows it; nobody knows the other",
        "confidence": "low",
        "revisit when": "after 40 instances",
        "alternatives": "SQLite",
    }


def test_a_handoff_keeps_its_words_and_a_session_that_did_nothing_leaves_it(person, tmp_path):
    """What a handoff says in its own words is read next, with fields or without, until somebody did something."""
    words = "Read docs/concurrency.md first: the lock is held by a child. " * 12
    add(person, "handoff", words, "--field", "next priority=Go on with the parser")
    person.sleepwake("sleep")
    before = handoff(person)
    assert words.strip() in before
    assert "Go on with the parser" in before
    talk = Talk(tmp_path / "talk.jsonl").prompt("And now?").says("Everything is done. What would you like to do next?")
    talk.prompt("ok next.").says("Understood.")
    person.sleepwake("journal.capture", "--transcript", str(talk.path), code=None)
    person.sleepwake("sleep")
    assert handoff(person) == before
    add(person, "change", "The parser reads tables")
    person.sleepwake("sleep")
    assert "The parser reads tables" in handoff(person)
    assert "And now?" not in person.read("main.md")


@pytest.mark.parametrize("transcript", [None, "", "\x00\x01 no transcript\n"], ids=["none", "empty", "unknown"])
def test_what_only_the_debt_knew_is_journaled_before_it_is_settled(person, tmp_path, transcript):
    """A manual entry, and the last message of a session whose transcript says nothing, are in journal and memory."""
    path = tmp_path / "client/s1.jsonl"
    Talk(tmp_path / "client/s2.jsonl", "s2").prompt("Say it.").says("I decided to paint the fence.")  # a newer file
    if transcript is not None:
        path.write_text(transcript)
    person.sleepwake("sleep.add", "3", "Architecture talk: the queue stays in one process")
    gone = {"session_id": "s1", "transcript_path": str(path), "hook_event_name": "Stop"}
    gone["last_assistant_message"] = "Implemented the tokens; the keys rotate weekly"
    person.sleepwake("hook", "stop", stdin=json.dumps(gone))
    person.sleepwake("sleep")
    journals = "".join(text for path, text in person.everything().items() if path.startswith("journal/"))
    for text in (journals, memory(person)):
        assert "the queue stays in one process" in text
        assert "the keys rotate weekly" in text
    assert "paint the fence" not in journals
    assert "- source: sleep.add" in journals
    assert "- transcript: s1" in journals
    assert person.sleepwake("sleep.debt").strip() == "0"
    head = person.git("rev-parse", "HEAD")
    person.sleepwake("sleep")
    assert person.git("rev-parse", "HEAD") == head  # and nothing of it is journaled a second time


def test_who_said_it_goes_with_a_record(person, tmp_path):
    """A rule that a person gave in a conversation says so in the tiers, in its register and as JSON."""
    talk = Talk(tmp_path / "talk.jsonl").prompt("From now on, never touch the vendor folder.").edits("a.py")
    talk.says("I fixed the report in a.py and left the folder alone.")
    person.sleepwake("journal.capture", "--transcript", str(talk.path))
    person.sleepwake("sleep")
    (rule,) = json.loads(person.sleepwake("constraint.list", "--json"))
    assert rule["fields"]["source"] == "person"
    assert "source: person" in person.sleepwake("constraint.show", rule["address"])
    assert "person" in person.sleepwake("constraint.list")
    assert "  - source: person" in memory(person)
