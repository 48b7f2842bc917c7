"""Decision records of ten forms: each is one decision with its state, options, choice and outcome, also compressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleep.compression import document
from sleep.journal.imports import adr

FORMS = Path(__file__).resolve().parents[2] / "golden" / "adr"
# Half `a` was looked at while the readers were made, half `b` was judged on: name, state, choice, others, outcome.
RECORDS = [
    ("a-madr-queue", adr.STANDING, "A table in PostgreSQL", "RabbitMQ; Redis streams", "vacuumed"),
    ("a-madr-long-title", adr.STANDING, "We take NetCDF 4", "Apache Parquet", "one reader"),
    ("a-nygard-superseded", adr.SUPERSEDED, "We will store sessions as files", "", "second server"),
    ("a-table", adr.STANDING, "Use GeoDNS", "Anycast; A redirect by the application", "Resolvers"),
    ("a-rejected", adr.REVERSED, "We do not move to web components", "", "templates"),
    ("b-madr-proposed", adr.PROPOSED, "A token bucket", "A fixed window of a minute", ""),
    ("b-log4brains", adr.STANDING, "OpenTelemetry", "The agent of the vendor; Zipkin libraries", "collectors"),
    ("b-y-statement", adr.STANDING, "we decided for Rust", "C with stricter reviews", "radio"),
    ("b-nygard-list", adr.STANDING, "what it does, as one noun", "", "Nineteen services"),
    ("b-deprecated", adr.REVERSED, "The manual is written in AsciiDoc", "Markdown; ", "Writers learn git"),
]


def test_every_form_is_here():
    """Each file of the folder is one of the records below."""
    assert sorted(path.stem for path in FORMS.glob("*.md")) == sorted(record[0] for record in RECORDS)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record[0])
def test_a_decision_record_is_one_decision(record):
    """Its state is that of its status, its choice and outcome are told, and the options that were not taken."""
    name, state, choice, others, outcome = record
    found = adr.read((FORMS / f"{name}.md").read_text(encoding="utf-8"), f"{name}.md")
    assert found
    assert found.state == state
    assert choice in found.says
    assert others in found.alternatives
    assert "chosen" not in found.alternatives
    assert outcome in found.consequences
    draft = adr.draft(found, f"docs/adr/{name}.md:1", lambda _: "")
    assert draft.kind == ("question" if state == adr.PROPOSED else "decision")
    assert dict(draft.fields).get("status", state).partition(" ")[0] in (state, adr.STANDING)


@pytest.mark.parametrize("ratio", [2, 6])
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record[0])
def test_the_choice_is_kept_when_it_is_compressed(record, ratio):
    """At 2:1 and at 6:1 the chosen option stands in what is left, which has at most so many characters."""
    text = (FORMS / f"{record[0]}.md").read_text(encoding="utf-8")
    short = document.compress(text, len(text) // ratio)
    assert record[2] in short.replace("**", "")
    assert len(short) <= len(text) // ratio
