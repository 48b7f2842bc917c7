"""What a person would have to say again: a prompt is given what answers it, though something else mentions it."""

from __future__ import annotations

import json
import os
import time


def prompt(person, event, session="s", **said):
    """Return what a hook says in a session."""
    given = {"session_id": session, "cwd": str(person.folder), **said}
    return person.sleepwake("hook", event, stdin=json.dumps(given))


def aged(person):
    """Make all files some seconds old, and have the index know them."""
    for folder in ("journal", "memory"):
        for path in (person.folder / folder).rglob("*.md"):
            os.utime(path, (time.time() - 20,) * 2)
    person.sleepwake("recall", "anything")


def test_a_line_that_mentions_an_entry_does_not_silence_its_reason(person):
    """A page that each session reads names an entry without its reason; a prompt that asks why gets the reason."""
    person.write("memory/sleep.yaml", "format: 1\nrecall:\n  inject: on\n")
    why = "Portuguese tax law wants a gapless series, and the ministry checks them"
    text = "Invoices are numbered per country in a gapless series"
    person.sleepwake("journal.add", "--kind", "insight", "--text", text, "--field", f"why={why}")
    person.sleepwake("journal.add", "--text", "The crane was painted yellow for the museum.")
    for at in range(12):
        person.sleepwake("journal.add", "--text", f"Matter {at} of the harbour was seen to.")
    address = person.sleepwake("recall", "gapless invoices").split()[0].partition("-")[0]
    person.write("memory/core/2.memory.md", f"# Memory\n\nInvoices are numbered per country [{address}].\n")
    aged(person)
    assert address in prompt(person, "session-start", source="startup")
    answer = prompt(person, "user-prompt-submit", prompt="How are invoices numbered per country, why a gapless series?")
    assert "Portuguese tax law" in answer
