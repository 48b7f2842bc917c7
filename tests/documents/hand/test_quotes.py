"""Quotes of a document that hold its author's records."""

from __future__ import annotations

import pytest
from imported_page import IMPORTED, OWN, records

from sleep.documents import journal, register
from sleep.documents.hand.annotation import mark, unmark


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("> **Decision:** use stone.\n", ["decision: **Decision:** use stone."]),
        ("> Never open the gate.\n", ["constraint: Never open the gate."]),
        ("> **Never open the gate.**\n", ["constraint: **Never open the gate.**"]),
        ("> [!IMPORTANT]\n> Never open the gate.\n", ["constraint: Never open the gate."]),
        ("> **⚠️ CRITICAL: NEVER open the gate.**\n", ["constraint: **⚠️ CRITICAL: NEVER open the gate.**"]),
        ("- > **Decision: stone for now.**\n", ["decision: **Decision: stone for now.**"]),
        ("> A book says so.\n> It goes on.\n", []),
        ("> The gate must be small, said nobody.\n", []),
        ("> On Monday, Ana wrote:\n> **Decision:** use stone\n", []),
        ("> From: ana@example.com\n> Subject: stones\n>\n> Never open the gate.\n", []),
        ('> "Never open the gate", she said.\n', []),
        ("```\n> Never open the gate.\n```\n", []),
    ],
)
def test_a_quote_holds_its_author_s_records(text, found):
    """What begins with a label or as a rule is a record in a quote too, if it is no mail and not of others."""
    assert records(text) == found


def test_the_lines_of_a_quote_are_one_text_without_its_signs():
    """A quote's further lines are told without signs, a part of a record among them, and marks can be taken out."""
    text = "# Log\n\n> Of the wall.\n>\n> **Decision:** use stone, for\n> it lasts.\n> **Why:** It is near.\n\nMore.\n"
    start = journal.start(OWN, IMPORTED)
    marked = mark(f"{start}\n{text}", OWN, {})
    assert unmark(marked, OWN) == f"{start}\n{text}"
    entries = [entry for entry in journal.read(marked, OWN).entries if entry.kind == "decision"]
    told = register.from_entry(entries[0])
    assert (told.text, told.field("why")) == ("use stone, for it lasts.", "It is near.")
    assert mark(marked, OWN, {}) == marked
