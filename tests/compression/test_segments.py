"""What a journal's entries become in a tier: words that tell something by themselves, each said once."""

from __future__ import annotations

from sleep.compression import segments
from sleep.documents import journal
from sleep.records.address import InstanceId

ME = InstanceId(7, "qxk")
HEAD = "---\ninstance: 7\ntag: qxk\ndate: 2017-08-16\n---\n# Journal: instance 7\n\n"
ADR = """# 26. Remove the Balancers

Date: 2017-08-16 [i7qxk.1]

## Status

Accepted [i7qxk.2]

## Decision

The balancers go. [i7qxk.3]

![hosts](./hosts.png) [i7qxk.4]

https://example.org/docs/health.html [i7qxk.5]

## Decision: Remove the Balancers: [i7qxk.6 D-019]

- why: they cost a tier

The balancers go.
"""
CHANGES = """## Changelog [i7qxk.1]
<!-- LIFO: newest entry at top -->

### 2026-03-24 - Phase 2 complete: CLI install
- `install` has a flag `--packs` [i7qxk.2]
"""


def texts(body):
    """Return the words of the fragments that a journal with this body is cut into."""
    pieces = segments.cut(journal.read(HEAD + body, ME))
    return [piece.fragment.text for piece in pieces if piece.fragment]


def test_a_document_leaves_no_debris():
    """Of a decision record neither its title (the record says it) nor its status, a picture or a bare link is told."""
    found = texts(ADR)
    assert found[0] == "The balancers go."
    assert [text for text in found[1:] if text != "Remove the Balancers: The balancers go."] == []


def test_a_comment_and_a_heading_are_no_words_of_a_sentence():
    """What a page does not show is not told; a heading inside an entry stands alone, or goes where it names nothing."""
    assert texts(CHANGES) == ["2026-03-24 - Phase 2 complete: CLI install", "`install` has a flag `--packs`"]


def test_fields_of_a_long_entry_are_no_words():
    """Of a change with many files the words alone are told, and the files go with the first of them."""
    files = "; ".join(f"src/pages/part{number:02}/SignIn{number:02}.tsx" for number in range(12))
    where = f"- source: agent\n- time: 2026-01-21T06:22:47.000Z\n- transcript: cd61:27\n- files: {files}"
    pieces = segments.cut(
        journal.read(f"{HEAD}## Change: The row is a button. [i7qxk.1]\n\n{where}\n\nThe list is gone.\n", ME)
    )
    told = [piece.fragment for piece in pieces if piece.fragment]
    assert [fragment.text for fragment in told] == ["The row is a button.", "The list is gone."]
    assert [fragment.field("files") for fragment in told] == [files, ""]


def test_fields_of_a_note_by_hand_are_its_words():
    """Who writes `Status: blocked` into a long note of a log says it; nothing of it is taken for a mark of ours."""
    body = (
        "## Billing [i7qxk.1]\n\n"
        + "The export of invoices waits for the bank. " * 13
        + "\n\n- Status: blocked by the bank\n"
    )
    assert "Status: blocked by the bank" in texts(body)


def test_what_was_written_with_a_command_is_told():
    """A link that somebody noted is kept, as is a comment in code."""
    assert texts("## Note: https://example.org/docs [i7qxk.1 note]\n") == ["https://example.org/docs"]
    assert texts("Ask for `<!-- note -->` in the page. [i7qxk.1]\n") == ["Ask for `<!-- note -->` in the page."]


def test_a_heading_is_no_rule():
    """A heading above a rule that was only noticed is a note: nobody is told it as a rule."""
    body = "## Agent Behaviors of CLI\n\nNever push to main. [i7qxk.1 noticed constraint]\n"
    heading = segments.cut(journal.read(HEAD + body, ME))[0].fragment
    assert (heading.text, heading.kind) == ("Agent Behaviors of CLI", "note")


def test_every_character_is_accounted_for():
    """What is not told is referred to: pieces and the frame cover the journal."""
    for body in (ADR, CHANGES):
        read = journal.read(HEAD + body, ME)
        cut = segments.cut(read)
        spans = [*segments.frame(read.text, cut), *(segments.Span(p.start, p.end, "kept") for p in cut)]
        at = 0
        for span in sorted(spans):
            assert span.start == at
            at = span.end
        assert at == len(read.text)


def test_a_row_of_a_table_is_told_as_one_would_say_it():
    """No tier has the pipes of a table: its cells stand on a line, with names of columns where these are needed."""
    table = "| # | Path | Price |\n|---|---|---|\n| 1 | `/search` | $0.25 |\n| 2 | `/all` | free |\n"
    keyed = "| Host | db.local:5432 |\n|---|---|\n| Port | 80 |\n"
    found = texts(f"The shop has these. [i7qxk.1]\n\n{table}\nThen we left. [i7qxk.2]\n\n{keyed}")
    assert found == [
        *("The shop has these.", "`/search` · Price: $0.25", "`/all` · free"),
        *("Then we left.", "Host · db.local:5432", "Port · 80"),
    ]


def test_a_ticked_box_is_told_as_done():
    """What was ticked keeps its tick: without it `Turn off the writer` would be an order to whoever reads it."""
    assert texts("- [x] Turn off the writer [i7qxk.1 change]\n") == ["✅ Turn off the writer"]
    assert texts("- [x] ✅ Turn it off for good [i7qxk.1 change]\n") == ["✅ Turn it off for good"]
    assert texts("- [ ] Turn off the reader [i7qxk.1 task]\n") == ["Turn off the reader"]
    whole = texts(f"- [x] Turn it off. {'The writer was slow. ' * 30}[i7qxk.1 change]\n")
    assert [words.startswith("✅") for words in whole] == [True, False]


def test_of_a_machines_lines_the_last_is_told():
    """Lines that differ by figures alone are one: the last. The piece still has the place of them all."""
    beats = "".join(f"09:0{minute} worker heartbeat ok queue={minute * 3}\n" for minute in range(1, 6))
    body = f"The worker moved.\n{beats}It ran 2 hours. [i7qxk.1]\n"
    assert texts(body) == ["The worker moved. 09:05 worker heartbeat ok queue=15 It ran 2 hours."]
    (piece,) = (piece for piece in segments.cut(journal.read(HEAD + body, ME)) if piece.fragment)
    assert piece.end - piece.start >= len(beats)


def test_two_lines_that_differ_by_figures_are_both_told():
    """Twice is no machine."""
    assert texts("Build 7 took 12 minutes.\nBuild 8 took 14 minutes. [i7qxk.1]\n") == [
        "Build 7 took 12 minutes. Build 8 took 14 minutes."
    ]
