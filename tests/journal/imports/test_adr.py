"""Decision records of every manner, read into one value."""

from __future__ import annotations

import pytest

from sleep.journal.imports import adr, daily, detection, notes

MADR = """\
---
status: accepted
date: 2024-02-03
decision-makers: Ana, Bo
---

# Keep sessions in Postgres

## Context and Problem Statement

Where do sessions live, now that there are two servers?

## Decision Drivers

* one thing less to run
* sessions must outlive a restart

## Considered Options

* Postgres
* Redis
* signed cookies

## Decision Outcome

Chosen option: "Postgres", because it is there already and is backed up each night. The table is small.

### Consequences

* Good, because nothing new is run
* Bad, because every request reads a row

## Pros and Cons of the Options

### Redis

* Good, because it is fast
"""

LOG4BRAINS = """\
# Use Kafka between the services

- Status: superseded by [20230401-use-nats](20230401-use-nats.md)
- Deciders: Ana
- Date: 2022-11-05

Technical Story: the queue of July

## Context and Problem Statement

The services call one another and wait.

## Considered Options

- Option 1: Kafka
- Option 2: RabbitMQ

## Decision Outcome

Chosen option: "Kafka", because orders can be read again.

### Positive Consequences

- nobody waits
"""

NYGARD = """\
# 7. Write the reports by night

Date: 2019-05-06

## Status

Accepted

Superseded by [9. Write the reports at once](0009-write-the-reports-at-once.md)

## Context

Reports take an hour, and the machine is busy by day.

## Decision

We will write them at two in the morning.

## Consequences

A report is a day old.
"""

INLINE = """\
# ADR-012: One lock for all writers

**Status:** Accepted
**Date:** March 4, 2025

**Context.** Two writers tore a file.

**Decision.** All writers take one lock.

**Alternatives.** A lock a file: deadlocks.

**Consequences.** Writers wait.
"""


def test_madr():
    """A madr record gives its title, its choice with the reason, the options that were not chosen, and its day."""
    found = adr.read(MADR, "0003-keep-sessions-in-postgres.md")
    assert (found.title, found.state, found.date) == ("Keep sessions in Postgres", "standing", "2024-02-03")
    assert found.says.startswith('Chosen option: "Postgres", because it is there already')
    assert found.why == "it is there already and is backed up each night."
    assert found.alternatives == "Redis; signed cookies"
    assert found.consequences == "Good, because nothing new is run; Bad, because every request reads a row"
    assert MADR.split("\n")[found.line - 1] == "# Keep sessions in Postgres"


def test_log4brains():
    """A log4brains record says in its list that it was superseded, and by which."""
    found = adr.read(LOG4BRAINS, "20221105-use-kafka.md")
    assert (found.state, found.date) == ("superseded", "2022-11-05")
    assert "20230401-use-nats" in found.successors
    assert found.alternatives == "Option 2: RabbitMQ"


def test_nygard():
    """A record in Nygard's manner loses the number of its title; its status is a section, the last of which counts."""
    found = adr.read(NYGARD, "0007-write-the-reports-by-night.md")
    assert (found.title, found.state, found.date) == ("Write the reports by night", "superseded", "2019-05-06")
    assert {"0009-write-the-reports-at-once", "9"} <= set(found.successors)
    assert found.why == "Reports take an hour, and the machine is busy by day."


def test_bold_words_for_headings():
    """Parts may stand behind bold words instead of under headings."""
    found = adr.read(INLINE, "adr-012.md")
    assert (found.title, found.date, found.state) == ("One lock for all writers", "2025-03-04", "standing")
    assert (found.says, found.why) == ("All writers take one lock.", "Two writers tore a file.")
    assert (found.alternatives, found.consequences) == ("A lock a file: deadlocks.", "Writers wait.")


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("accepted", "standing"),
        ("Implemented", "standing"),
        ("proposed", "proposed"),
        ("draft", "proposed"),
        ("rejected", "reversed"),
        ("deprecated", "reversed"),
        ("superseded by ADR-0005", "superseded"),
        ("~~accepted~~ rejected", "reversed"),
        ("~~rejected~~ accepted", "standing"),
        ("", "standing"),
    ],
)
def test_what_a_status_says(status, state):
    """Every status that the templates know has a state; without one the decision stands."""
    assert adr.read(MADR.replace("status: accepted", f"status: {status}"), "0001-x.md").state == state


SEVERAL = "# Decisions\n\n" + "".join(
    f"## D{number}. {title}\n\n**Decision.** {title} at each gate.\n\n**Why.** Nothing else fits there.\n\n"
    for number, title in enumerate(("One lock", "Two keys", "No bell"), 1)
)


# A page of a plan, as tools that plan keep it: it lists decisions among much else, and has a status.
STATE = (
    "# Project State\n\n## Current Position\n\nStatus: Phase complete\nLast activity: 2026-01-16 - plan 2 done\n\n"
    "## Accumulated Work\n\n### Decisions\n\nAll decisions are in the log.\nRecent ones:\n\n- Keep keys in one file\n\n"
    "### Blockers/Concerns\n\nNone yet.\n\n## Session Continuity\n\nStopped at: plan 2\n"
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (STATE, "STATE.md"),
        ("# Records\n\n- [0001](0001-x.md)\n", "README.md"),
        (MADR, "template.md"),
        (MADR, "0000-ADR_template-minimal.md"),
        (MADR.replace("Keep sessions in Postgres", "{short title of the problem and its solution}"), "0000-new.md"),
        ("# Notes\n\nWe talked.\n", "0001-notes.md"),
        (SEVERAL, "decisions.md"),
        ("---\nstatus: [\n---\n# X\n\n## Decision\n\nx\n", "0001-broken.md"),
    ],
)
def test_what_records_no_decision(text, name):
    """An index, a template, plain notes, a page of a plan and a page of several records are no decision."""
    assert adr.read(text, name) is None


@pytest.mark.parametrize("name", ["0007-use-jinja-templates.md", "template-engine.md", "0012-template-for-mails.md"])
def test_a_record_about_templates(name):
    """A record that decides something about templates is a record."""
    assert adr.read(MADR, name) is not None


def test_braces_of_code_make_no_template():
    """A record that shows code with braces is no template."""
    text = MADR.replace(
        "The table is small.", "Its name is `{schema name}_{table of users}`.\n\n```\n{a long name}\n```"
    )
    assert adr.read(text, "0001-x.md") is not None


def test_a_title_that_is_like_a_part():
    """The title is the title, also when it begins with the word that heads a part."""
    found = adr.read(MADR.replace("Keep sessions in Postgres", "Decisions are kept in Postgres"), "0001-x.md")
    assert (found.title, found.says[:6]) == ("Decisions are kept in Postgres", "Chosen")


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        (MADR.replace("date: 2024-02-03\n", ""), "0003-x.md", ""),
        (MADR.replace("date: 2024-02-03\n", ""), "20240507-x.md", "2024-05-07"),
        (MADR.replace("date: 2024-02-03\n", ""), "2024-05-08-x.md", "2024-05-08"),
        (MADR.replace("2024-02-03", "2024-02-33"), "0003-x.md", ""),
    ],
)
def test_the_day_of_a_record(text, name, day):
    """The day comes from front matter, a line or the name; what is no day is none, and none is made up."""
    assert adr.read(text, name).date == day


def test_a_day_of_a_path():
    """A path says its day in one name or in folders; a number that is no day is none."""
    assert daily.day_of("logs/2026/03/01.md") == "2026-03-01"
    assert daily.day_of("memory/2026-03-01-evening.md") == "2026-03-01"
    assert daily.day_of("20260301.md") == "2026-03-01"
    assert daily.day_of("logs/2026-13-01.md") == daily.day_of("notes/12345678901.md") == ""


LOG = "# Log\n\n## 2026-03-02\n\nb\n\n```\n## 2026-01-01\n```\n\n### later\n\nc\n\n## 2026-03-01 (Sunday)\n\na\n"


def test_a_log_of_many_days():
    """A log is cut at its days, not inside code; the title stays with the earliest, and no character is dropped."""
    parts = daily.split(LOG)
    assert [(one.date, one.line) for one in parts] == [("2026-03-02", 3), ("2026-03-01", 13)]
    assert parts[1].text == "# Log\n\n" + LOG[LOG.index("## 2026-03-01 (") :]
    assert parts[0].text == LOG[len("# Log\n\n") : LOG.index("## 2026-03-01 (")]
    assert [one.text for one in daily.split("## 2026-03-02\n\nonly one day\n")] == ["## 2026-03-02\n\nonly one day\n"]


def test_words_above_the_days_have_no_day():
    """What a log says above its first day is a part of its own, without a day."""
    parts = daily.split(LOG.replace("# Log\n", "# Log\n\nWe use UTC.\n"))
    assert [one.date for one in parts] == ["", "2026-03-02", "2026-03-01"]
    assert "".join(one.text for one in parts) == LOG.replace("# Log\n", "# Log\n\nWe use UTC.\n")


TOPIC = (
    "---\nname: real database\ndescription: no mocks\ntype: feedback\n---\n\n"
    "Test with a real database.\n\n**Why:** mocks hid a bug.\n"
)


@pytest.mark.parametrize(
    ("place", "texts", "form"),
    [
        ("/p/docs/adr", {"0001-x.md": MADR, "0002-y.md": NYGARD, "README.md": "# Records\n"}, "adr"),
        ("/p/logs", {"2026/03/01.md": "a", "2026/03/02.md": "b"}, "daily"),
        ("/p/log.md", {"log.md": LOG}, "daily"),
        ("/p/memory-bank", {"projectbrief.md": "# X"}, "memory-bank"),
        ("/p/.planning", {"PROJECT.md": MADR, "STATE.md": STATE}, "memory-bank"),
        ("/p/ctx", {"activeContext.md": "", "progress.md": "", "techContext.md": ""}, "memory-bank"),
        ("/h/.claude/projects/-p/memory", {"MEMORY.md": "- x"}, "claude"),
        ("/p/old", {"MEMORY.md": "- [a](a.md)", "a.md": TOPIC}, "claude"),
        ("/h/.codex/memories", {"MEMORY.md": "# Task Group: x"}, "codex"),
        ("/p/x", {"raw_memories.md": "", "rollout_summaries/a.md": ""}, "codex"),
        ("/p/_agent_context", {"core/0.soul.md": "x"}, "context"),
        ("/p/code", {"core/main.json": "{}", "a.md": "# A"}, "journal"),
        ("/p/notes", {"a.md": "# A", "b.md": "# B"}, "journal"),
    ],
)
def test_what_a_folder_is(place, texts, form):
    """Each form is told by its place, its names or its words; the rest are journals."""
    assert detection.form_of(place, texts) == form


def test_a_page_of_feedback_is_a_rule():
    """Claude Code's feedback is a constraint with its why; its index repeats and gives no records."""
    note = notes.read(TOPIC, "real.md", "claude", "memory/real.md:1")
    assert [(one.kind, one.title, dict(one.fields)["why"]) for one in note.drafts] == [
        ("constraint", "Test with a real database.", "mocks hid a bug.")
    ]
    index = notes.read("# Memory\n\n- [real](real.md) — never mock\n", "MEMORY.md", "claude", "")
    assert index.drafts == ()
    assert "constraint" in index.refused


@pytest.mark.parametrize(
    ("status", "kind"), [("in_progress", "thread"), ("todo", "task"), ("completed", "change"), ("blocked", "blocker")]
)
def test_a_task_page(status, kind):
    """A page of a context tree's `state/` is a thread, a task, a blocker or a change, by its status."""
    text = f"---\nname: Wire the queue\nstatus: {status}\nupdated: 2026-02-26\n---\n# Wire the queue\n"
    note = notes.read(text, "state/wire.md", "context", "x:1")
    assert (note.date, [(one.kind, one.title) for one in note.drafts]) == ("2026-02-26", [(kind, "Wire the queue")])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (STATE, "2026-01-16"),
        (f"# Plan\n\n{'What it is for. ' * 90}\n\n---\n*Last updated: 2026-04-27 — phase 1 complete*\n", "2026-04-27"),
        ("# Plan\n\nLast session: none\n", ""),
        ("# Active Context\n\n_Last updated: 2025-04-14_\n\n- The map is new (2025-04-10)\n", "2025-04-14"),
        ("# 計画\n\n最終更新: 2025-04-14\n", "2025-04-14"),
    ],
)
def test_the_day_of_a_page_of_a_plan(text, day):
    """A page says its day in a line at its beginning or at its end, whatever else that line says."""
    assert notes.read(text, "STATE.md", "memory-bank", "x:1").date == day
