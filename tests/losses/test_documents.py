"""What a document written by hand may not turn into: rules, decisions and open points that nobody stated."""

from __future__ import annotations

import re

from sleep.memory import dates

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
