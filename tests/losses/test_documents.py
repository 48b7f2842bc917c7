"""What a document written by hand may not turn into: rules, decisions and open points that nobody stated."""

from __future__ import annotations

import re

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
