"""Records that documents list in tables, in the forms that people write them."""

from __future__ import annotations

import pytest

from sleep.journal.imports import table_records


def records(text):
    """Return kind, words and fields but `source` of what the tables of a text state."""
    return [
        (draft.kind, draft.title, {name: value for name, value in draft.fields if name != "source"})
        for draft in table_records.drafts(text, "log.md")
    ]


def table(heading, *rows):
    """Return a heading with a table below it, the first row its head."""
    head, *others = rows
    rule = "|" + " --- |" * (head.count("|") + 1)
    return "\n".join((f"# Log\n\n## {heading}\n", f"| {head} |", rule, *(f"| {row} |" for row in others), ""))


@pytest.mark.parametrize(
    ("heading", "head", "row", "record"),
    [
        (
            "Key Decisions",
            "Decision | Rationale | Outcome",
            "Keep `jose` for tokens | no native code | — Pending",
            ("decision", "Keep `jose` for tokens", {"why": "no native code"}),
        ),
        (
            "Decision Log",
            "Date | Decision | Reason | Revisit trigger",
            "2026-08-29 | Keep the renderer | it works | when pages are slow",
            ("decision", "Keep the renderer", {"why": "it works", "revisit when": "when pages are slow"}),
        ),
        (
            "3. Storage",
            "Topic | Decision | Rationale",
            "Index | SQLite | no server",
            ("decision", "Index: SQLite", {"why": "no server"}),
        ),
        (
            "Entscheidungen",
            "Entscheidung | Begründung",
            "SQLite statt Postgres | ein Server weniger",
            ("decision", "SQLite statt Postgres", {"why": "ein Server weniger"}),
        ),
        (
            "Dead ends — do not retry",
            "Approach | Why it failed | Time spent",
            "Patch the parser | tokens are shared | 2 h",
            ("dead end", "Patch the parser", {"why": "tokens are shared"}),
        ),
        (
            "Decisions",
            "Decision | Why | Owner",
            "No new tables<br>in v1 | they cost a migration | TBD",
            ("decision", "No new tables in v1", {"why": "they cost a migration"}),
        ),
        ("Decisions", "Plan | Decision", "01-02 | Packets are big-endian", ("decision", "Packets are big-endian", {})),
        (
            "Open Questions",
            "ID | Question | Status | Decision",
            "Q-301 | Is the token revoked? | Open | proposed: yes",
            ("question", "Is the token revoked?", {}),
        ),
        (
            "Pending tasks",
            "# | Task | Status",
            "5 | Refund a cancelled order | planned",
            ("task", "Refund a cancelled order", {}),
        ),
        (
            "Rules",
            "Rule | Why",
            "Never push on a Friday | nobody is there",
            ("constraint", "Never push on a Friday", {"why": "nobody is there"}),
        ),
        (
            "Challenges & decisions needed",
            "Topic | Decision",
            "Index | Postgres or SQLite?",
            ("question", "Index: Postgres or SQLite?", {}),
        ),
    ],
)
def test_a_row_is_a_record(heading, head, row, record):
    """A row of a table that lists records is one, with the reason that its row gives."""
    assert records(table(heading, head, row)) == [record]


@pytest.mark.parametrize(
    ("heading", "head", "row"),
    [
        ("Open Questions", "Question | Status", "Should the lamp flash? | Answered"),
        ("Open Questions", "Question | Answer", "Should the lamp flash? | No, it disturbs"),
        ("Open Questions", "Question | Owner", "[Technical question] | Ana"),
        ("Tasks", "# | Task | Status", "1 | Write the release notes | ✅"),
        ("Tasks", "# | Task | Status", "1 | Write the release notes | done"),
        ("Tasks ✅", "# | Task", "1 | Write the release notes"),
        ("Tasks", "Task | Status", "T8.1 | not started"),
        ("Decision log", "Topic | Decision | Rationale", " | | "),
        ("Decision log", "Decision | Status", "Keep transports out of it | superseded on Monday"),
        ("Decision log", "Decision | Status", "Keep transports out of it | proposed"),
        ("Decision log", "Date | Decision", "TBD | iOS first or Android first"),
        ("Decision log", "Topic | Decision | Why | Date", "Phones | iOS first or Android first | depends | TBD"),
        ("[SUPERSEDED] Decision log", "Decision | Rationale", "Only phase 0 is done | no scope"),
        ("Decision", "Network | Range", "Test | 10.200.0.0/16"),
        ("Files", "File | Change", "a.py | holds the lock now"),
        ("Dead ends", "Attempt | Why", "None so far, all went well | the work was planned"),
        ("Checks", "Task | Status", "Write the release notes | open"),
    ],
)
def test_a_row_is_none(heading, head, row):
    """A row that is done, answered, proposed, empty, or of a table that lists other things, is no record."""
    assert records(table(heading, head, row)) == []


def test_each_names_its_line():
    """An entry says in which line of its file the row stands, wherever the text begins there."""
    text = table(
        "Decisions", "Decision | Why", "Keep JSON for export | clients read it", "Use flock for locks | it ends"
    )
    drafts = table_records.drafts(text, "notes/log.md", line=11)
    assert [dict(draft.fields)["source"] for draft in drafts] == ["notes/log.md:17", "notes/log.md:18"]
    assert text.split("\n")[6].startswith("| Keep JSON")


@pytest.mark.parametrize("lead", ["**Decisions:**", "Decisions:"])
def test_a_label_says_what_a_table_lists(lead):
    """A short line right above a table names its kind, as a heading does, and a sentence does not."""
    rows = "| What | Note |\n| --- | --- |\n| Keep the lock in a file | as before |\n"
    assert [kind for kind, *_ in records(f"## Monday\n\n{lead}\n\n{rows}")] == ["decision"]
    assert records(f"## Monday\n\nThe decisions of others were read.\n\n{rows}") == []


def test_quotes_code_and_talks_state_nothing():
    """A table that somebody quotes or shows as code, and one in a talk, is nobody's statement."""
    rows = table("Decisions", "Decision | Why", "Keep JSON for export | clients read it")
    _, heading, _, *lines = rows.split("\n\n")[0], "## Decisions", "", *rows.split("\n")[4:]
    quoted = "\n".join(f"> {line}" for line in lines)
    assert records(f"{heading}\n\n{quoted}\n") == []
    assert records(f"{heading}\n\n```\n" + "\n".join(lines) + "\n```\n") == []


def test_a_refused_kind_is_not_given():
    """What a document's pieces may not be its rows are not either."""
    text = table("Rules", "Rule", "Never push on a Friday")
    assert table_records.drafts(text, "a.md", refused=frozenset({"constraint"})) == ()
