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


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ('![Zones](./zones.png "Zones")\n\nEach stack has a zone.', "Each stack has a zone."),
        ("It was chosen because:\n\na) it is one step.\n\nb) no more.", "It was chosen because: a) it is one step."),
        (
            "The ranges are:\n\n| net | range |\n|---|---|\n| Test | 10.1/16 |\n| Live | 10.2/16 |",
            "The ranges are: Test: 10.1/16; Live: 10.2/16",
        ),
    ],
)
def test_what_is_decided_is_told_with_what_follows_its_colon(decision, says):
    """A picture is no decision, and a lead is told with the letters or the table that it leads to."""
    found = adr.read(
        f"# Nets\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n\n## Consequences\n\nMore.\n", "3.md"
    )
    assert found
    assert found.says == says


def test_what_a_consequence_needs_is_no_task():
    """A task of a decision record stands below a heading of tasks or in a box."""
    text = "# Nets\n\n## Decision\n\nOne net.\n\n## Consequences\n\nThe backup needs to be updated.\n"
    assert "task" in adr.refused(text)
    assert "task" not in adr.refused(text + "- [ ] update the backup\n")
    assert "task" not in adr.refused(text + "\n## Next steps\n\n- update the backup\n")
