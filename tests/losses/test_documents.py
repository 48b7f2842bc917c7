"""What a document written by hand may not turn into: rules, decisions and open points that nobody stated."""

from __future__ import annotations

import re

from sleep.language import dates

NOTES = """# Rules and decisions of March

Lunch was at noon on Monday.

## What not to do when the rules change

Ana was ill that week.

## Decisions

Ship on Fridays only.

- Keep the old endpoint until v3

### How the meeting went

The demo lasted an hour.

## Open questions

Who owns the nightly job?

## Constraints

| limit | value |
| --- | --- |
| uploads | 20 MB |

## The failed night

2026-03-01 10:00:01 ERROR worker must not be null, never retry

[Queued messages while agent was busy]

The backup is on the second disk. Want me to push it?

Shall I open the pull request?
"""


def test_a_title_makes_no_line_below_it_a_rule(person):
    """Only what stands directly under a heading that is a kind's name is of that kind; the rest is prose."""
    person.write("notes.md", NOTES)
    person.sleepwake("journal.import", "notes.md")
    journal = person.read("journal/instance-1.md")
    marked = {line.split(" [i1", 1)[0].lstrip("- "): line for line in journal.split("\n") if " [i1" in line}
    assert " decision D-" in marked["Ship on Fridays only."]
    assert " decision D-" in marked["Keep the old endpoint until v3"]
    assert " question Q-" in marked["Who owns the nightly job?"]
    for prose in (
        "Lunch was at noon on Monday.",
        "Ana was ill that week.",
        "The demo lasted an hour.",
        "## Constraints",
        "2026-03-01 10:00:01 ERROR worker must not be null, never retry",
        "[Queued messages while agent was busy]",
        "The backup is on the second disk. Want me to push it?",
        "Shall I open the pull request?",
    ):
        assert re.search(r"\[i1[a-z]{3}\.\d+\]$", marked[prose]), marked[prose]


def test_the_day_of_the_import_is_not_the_day_of_the_event(person):
    """A date in a form of its country is read; a document without one has none, and never that of its import."""
    person.write("notes/29.12.2023.md", "# Log\n\nThe mirror moved to Oslo.\n")
    person.write("notes/02-01-2024.md", "# Log\n\nThe mirror moved to Bergen.\n")
    person.write("notes/16-01-2024.md", "# Log\n\nThe mirror moved to Narvik.\n")
    person.write("notes/neu.md", "# 29. Januar 2024\n\nThe mirror moved to Bodin.\n")
    person.write("notes/hand.md", "# 2024年2月3日\n\nThe mirror moved to Skien.\n")
    person.write("undated.md", "# Log of 05/06/2024\n\nThe mirror moved to Molde.\n")
    person.sleepwake("journal.import", "notes", "undated.md")
    days = {}
    for name, text in person.everything().items():
        if name.startswith("journal/instance-"):
            fields = dict(line.split(": ", 1) for line in text.split("---")[1].strip().split("\n") if ": " in line)
            days[fields["source"]] = fields.get("date")
    assert days == {
        "29.12.2023.md": "2023-12-29",
        "02-01-2024.md": "2024-01-02",
        "16-01-2024.md": "2024-01-16",
        "neu.md": "2024-01-29",
        "hand.md": "2024-02-03",
        "undated.md": None,
    }
    person.sleepwake("sleep")
    today = dates.spoken(person.git("log", "-1", "--format=%cs"))
    said = person.sleepwake("recall", "mirror Molde")
    assert "Molde" in said
    assert today not in said
    assert "29 December 2023" in person.sleepwake("recall", "when did the mirror move to Oslo?")


MADR = """# {short title of the solved problem and its solution}

## Context and Problem Statement

{Describe the context and problem statement, e.g. in free form}

## Considered Options

* {title of option 1}

## Decision Outcome

Chosen option: "{title of option 1}", because {justification of the choice made here}.
"""
RECORD = """# Keep sessions in Postgres

* Status: accepted
* Date: 2024-02-03

## Context and Problem Statement

Where do sessions live? The load balancer moves people between nodes at each release.

## Considered Options

* Postgres
* Redis

## Decision Outcome

Chosen option: "Postgres", because it is backed up already.
"""


def test_daily_files_in_the_memory_are_seen(person):
    """The dated notes of another tool in `memory/` are found and taken in; the pages of `init` beside them are not."""
    for day in ("12", "13", "14"):
        person.write(f"memory/2026-02-{day}.md", f"# Log\n\nThe mirror of day {day} moved to Oslo.\n")
    said = person.sleepwake("journal.sources")
    assert re.search(r"memory\b.*\b3\b", said), said
    person.sleepwake("journal.import", "memory")
    sources = [
        re.search(r"^source: (.*)$", text, re.MULTILINE)[1]
        for name, text in sorted(person.everything().items())
        if name.startswith("journal/instance-")
    ]
    assert sources == ["2026-02-12.md", "2026-02-13.md", "2026-02-14.md"]


def test_a_template_is_no_instance(person):
    """Forms that nobody filled in are left where they are: decision records, and the pages that `init` laid."""
    person.write("docs/adr/0001-sessions.md", RECORD)
    person.write("docs/adr/adr-template.md", MADR)
    person.write("docs/adr/form.md", MADR)
    person.write("old/memory/core/0.soul.md", person.read("memory/core/0.soul.md"))
    person.write("old/memory/notes.md", "# Notes\n\nThe mirror moved to Oslo.\n")
    said = person.sleepwake("journal.import", "docs/adr", "old/memory")
    assert "template" in said
    journals = [name for name in person.everything() if name.startswith("journal/instance-")]
    assert len(journals) == 2


def test_an_import_is_not_the_last_instance(person):
    """After an import the handoff, the closing tone and the hot memory are still those of the instance that lived."""
    person.sleepwake("wake")
    person.sleepwake("journal.add", "--kind", "tone", "--text", "calm after the cut-over")
    person.sleepwake("journal.add", "--kind", "change", "--text", "Moved the importer to the new queue")
    person.sleepwake("journal.add", "--kind", "handoff", "--text", "The roster half is done; crews are next.")
    person.sleepwake("sleep")
    handoff = person.read("main.md").split("## HANDOFF")[1].split("\n## ")[0]
    for number in (1, 2, 3):
        person.write(f"docs/adr/000{number}-sessions.md", RECORD.replace("Postgres", f"Postgres {number}"))
    person.sleepwake("journal.import", "docs/adr")
    person.sleepwake("sleep")
    assert person.read("main.md").split("## HANDOFF")[1].split("\n## ")[0] == handoff
    assert "roster half" in person.read("memory/hot/context.md")
    assert "new queue" in person.read("memory/hot/context.md")
    assert "nothing is wrong" in person.sleepwake("doctor")
    person.sleepwake("wake.check")
    person.sleepwake("wake")
    opened = max(name for name in person.everything() if name.startswith("journal/instance-"))
    assert "calm after the cut-over" in person.read(opened)
    decisions = person.read("memory/hot/decisions.md")
    assert 'Chosen option: "Postgres 3"' in decisions
    assert "source: imported: docs/adr/0003-sessions.md" in decisions
