"""What a new session or a sub-agent was not told, though the memory had it."""

from __future__ import annotations

import json
import re

import pytest
from scene import Scene

START, AGENT = ("session-start", "SessionStart"), ("subagent-start", "SubagentStart")


def hook(person, event, **fields):
    """Run a hook as a client does and return what the model reads."""
    name, called = event
    said = json.dumps({"session_id": "s", "hook_event_name": called, "cwd": str(person.folder), **fields})
    out = person.sleepwake("hook", name, stdin=said)
    return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""


def add(person, kind, text, **fields):
    """Write an entry into the open journal."""
    person.sleepwake("journal.add", f"--kind={kind}", f"--text={text}", *(f"--{k}={v}" for k, v in fields.items()))


def session(person, *texts):
    """Live one session of notes, and sleep on it."""
    for text in texts:
        add(person, "note", text)
    person.sleepwake("sleep")


def test_a_decision_reaches_the_session_after_the_next_with_its_why(person):
    """What was decided, why, and what was tried in vain is in the snapshot after a sleep and an unrelated session."""
    add(person, "decision", "Bill by the hour, not by the day.", why="clients leave early")
    add(person, "dead end", "Threads for the import: the database locks.")
    add(person, "task", "Move the ledger to the new host.")
    person.sleepwake("sleep")
    session(person, "The tea room was painted green.")
    for said in (person.sleepwake("snapshot"), hook(person, START)):
        assert re.search(r"Bill by the hour, not by the day\. \(why: clients leave early\) \[i1[a-z]{3}\.\d+\]", said)
        assert "Threads for the import: the database locks." in said
        assert "Move the ledger to the new host." in said


def test_a_decision_of_any_age_is_told(person):
    """Sessions later, when it has left hot memory, a standing decision is in the snapshot, and once."""
    add(person, "decision", "Bill by the hour, not by the day.", why="clients leave early")
    person.sleepwake("sleep")
    for number in range(4):
        session(person, f"Room {number} was painted green.")
    said = hook(person, START)
    assert said.count("Bill by the hour, not by the day.") == 1
    assert "(why: clients leave early)" in said


def test_what_nobody_slept_on_is_told(person):
    """A rule and a decision of a session without a sleep are in the next session's snapshot and in the briefing."""
    add(person, "constraint", "Never round prices.")
    add(person, "decision", "Keep cents as integers.", why="floats drift")
    add(person, "handoff", "The rounding is half done; invoices come next.")
    for said in (
        hook(person, START, session_id="other"),
        person.sleepwake("snapshot"),
        hook(person, AGENT),
    ):
        assert "Never round prices." in said
        assert "Keep cents as integers." in said
    assert "The rounding is half done; invoices come next." in hook(person, START, session_id="other")


def test_what_was_lifted_since_is_not_told(person):
    """A rule that an unslept journal lifts, and a decision that it reverses, are told no more."""
    add(person, "constraint", "Never round prices.")
    add(person, "decision", "Keep cents as integers.", why="floats drift")
    person.sleepwake("sleep")
    person.sleepwake("decision.reverse", "D-001", "--reason=decimals are exact")
    said = hook(person, START)
    assert "Never round prices." in said
    assert "Keep cents as integers. (" not in said
    address = re.search(r"Never round prices\. \[(\S+)\]", said)[1]
    person.sleepwake("constraint.lift", address, "--reason=the bank rounds")
    assert "Never round prices." not in hook(person, START, session_id="other")


def test_a_sub_agent_knows_the_rules_without_a_purpose(person):
    """In a memory without purpose, tasks and pages a sub-agent is told the rule that its session has."""
    add(person, "constraint", "Never touch src/billing.py.", why="it is audited")
    person.sleepwake("sleep")
    assert "Never touch src/billing.py. (why: it is audited)" in hook(person, AGENT)


def test_a_sub_agent_is_told_no_page_of_the_agent(person):
    """The briefing adds records, at most 2,000 bytes of them, and neither soul, user nor memory."""
    for name in ("0.soul", "1.user", "2.memory"):
        person.write(f"memory/core/{name}.md", f"The {name} says so.\n")
    scene = Scene.copied(person.folder)
    scene.open()
    for number in range(30):
        scene.add("constraint", f"Rule {number}: never paint room {number} before it has dried for a whole day.")
        scene.add("decision", f"Room {number} is let by the hour, for those who ask are in a hurry.")
    add(person, "dead end", "Drying rooms with a heater cracked the plaster.")
    said = hook(person, AGENT, prompt="Dry the plaster of the cellar")
    section = re.search(r"## Rules and Records\n\n.*?(?=\n\n## |\Z)", said, re.DOTALL)[0]
    assert len(section.encode()) <= 2_000
    assert section.index("- Rule: Rule 29") < section.index("- Dead end: Drying rooms with a heater")
    assert re.search(r"\d+ more rules \(`\S*sleepwake\S* constraint.list`\)", section)
    assert not re.search(r"The \d\.\w+ says so", said)


@pytest.mark.parametrize("budget", [4_000, 9_500])
def test_decisions_are_not_starved_by_constraints(person, budget):
    """Over the cap constraints, decisions and dead ends each have their share, and the rest is counted."""
    for path, kinds in (("context", ("Constraints", "Dead ends")), ("decisions", ("Decisions",))):
        sections = "".join(
            f"\n## {kind}\n\n"
            + "".join(
                f"- {kind} {number} of the tea house, in some more words. [i{number + 1}abc.1]\n"
                for number in range(150)
            )
            for kind in kinds
        )
        person.write(f"memory/hot/{path}.md", f"# {path}\n{sections}")
    said = person.sleepwake("snapshot", f"--budget={budget}")
    for kind, command in (("Constraints", "constraint.list"), ("Decisions", "decision.list")):
        assert said.count(f"\n- {kind} ") > 2
        assert re.search(rf"\d+ more.* \(`\S*sleepwake\S* {command}`\)", said)
    assert "- Dead ends 149 of" in said


def test_who_said_it_is_told(person):
    """A record that a person said is told as a person's, and comes before those of agents."""
    person.write(
        "memory/hot/context.md",
        "# Context\n\n## Constraints\n\n- Never round prices. [i1abc.1]\n  - source: person\n- Use tabs. [i1abc.2]\n"
        "- Use ISO dates. [i1abc.3]\n  - source: imported: docs/style.md\n",
    )
    said = hook(person, START)
    assert "- Never round prices. (person) [i1abc.1]\n- Use ISO dates. (imported: docs/style.md) [i1abc.3]" in said
    assert "- Use tabs. [i1abc.2]" in said
