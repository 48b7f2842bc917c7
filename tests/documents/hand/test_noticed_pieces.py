"""What the model notices in a page, and what it is never asked about."""

from __future__ import annotations

import pytest
from imported_page import IMPORTED, OWN

from sleep.documents import journal
from sleep.documents.hand.annotation import mark
from sleep.language.acts.likelihood import log_piece, piece_features, scorer

PAGE = """# 2026-03-01

The gate was painted in the morning, and all of us went there to look at it.

## Notes

- You must never open the gate without two people
- {}
- Opened the gate at noon
"""


def noticed(text):
    """Return the kinds and the words of what is noticed in a page."""
    done = mark(f"{journal.start(OWN, IMPORTED)}\n{text}", OWN, {})
    return [(entry.kind, entry.title) for entry in journal.read(done, OWN).entries if entry.noticed]


def test_a_rule_in_prose_is_noticed_and_a_report_is_not():
    """The model says so, where no form states it."""
    found = noticed(PAGE.format("It rained"))
    assert ("constraint", "You must never open the gate without two people") in found
    assert all("noon" not in words for _, words in found)


def test_of_one_page_the_likeliest_two_are_noticed():
    """However many sound like it."""
    rules = "\n".join(f"- You must never open gate number {number} without two people" for number in range(9))
    assert len(noticed(PAGE.format(f"It rained\n{rules}"))) == 2


@pytest.mark.parametrize(
    "line",
    [
        "user: you must never open the gate without two people",
        "\u2705 You must never open the gate without two people",
        "This must never happen without two people",
    ],
)
def test_what_is_anothers_done_or_part_of_the_line_before_is_not_asked_about(line):
    """Though the model, if it were asked, would notice it."""
    assert scorer.guess_piece(log_piece.LogPiece(line, kind="constraint", noticed=True, in_list=True)) is not None
    page = "# 2026-03-01\n\nThe gate is there and it was open all the day.\n\n## Notes\n\n- {}\n"
    assert noticed(page.format(line)) == []
    assert noticed(page.format("You must never open the gate without two people")) != []


@pytest.mark.parametrize("rule", ["Das Tor muss immer zu sein", "\u5927\u95e8\u5fc5\u987b\u5173\u95ed"])
def test_a_language_that_the_model_does_not_know_is_read_by_forms(rule, monkeypatch):
    """So a page in German or Chinese is read as it was."""
    monkeypatch.setattr(scorer, "guess_piece", lambda _: pytest.fail("asked"))
    assert noticed(f"# 2026-03-01\n\n- {rule}\n") == [("constraint", rule)]


def test_features_of_a_piece():
    """Words, first word, label, heading, signs and forms have names that a person can read."""
    piece = log_piece.LogPiece(
        "**Rule:** never push `main`", ("Log", "Working rules"), "constraint", "constraint", True, True
    )
    found = piece_features.find(piece)
    assert {
        "labelled",
        "label: rule",
        "first: never",
        "heading: work",
        "code",
        "an item",
        "section constraint",
    } <= found
    assert {"says constraint", "forms notice constraint", "box None", "short"} <= found
    assert "introduces" not in found


def test_weights_have_no_kind_but_those_of_the_table():
    """Four kinds, each with a least probability."""
    known = scorer.model(scorer.DOCUMENTS)
    assert known.least.keys() == {"constraint", "decision", "task", "blocker"}
    assert all(0 < least < 1 for least in known.least.values())
