"""The index of decisions against the records that it lists."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "adr"
RECORDS = sorted(FOLDER.glob("[0-9][0-9][0-9][0-9]-*.md"))
LINE = re.compile(r"(?m)^- \[(\d+)\]\(([^)]+)\) (.+?)(?: (\*+)((?:Amended|Superseded) by [\d, ]+)\.\4)?$")
MARKS = ("Amended by", "Superseded by")
CLAIMS = ("Amends", "Takes the place of")
MOST = 20  # words that say what was decided


def listed():
    """Return the lines of the index: number, file, sentence, mark."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return [(int(one[1]), one[2], one[3], one[5] or "") for one in LINE.finditer(text)]


def number(record):
    """Return the number that a record's file name begins with."""
    return int(record.name[:4])


def below_the_title(record, words):
    """Return the numbers of the records that the paragraph below a record's title names, if it begins so."""
    paragraph = record.read_text(encoding="utf-8").split("\n\n", 2)[1]
    return [int(one) for one in re.findall(r"\[ADR (\d+)\]\(", paragraph)] if paragraph.startswith(words) else []


def test_each_record_is_in_the_index_once():
    """The index has a line for each record, by its number and file, and no other line that begins with a link."""
    assert sorted((at, name) for at, name, _, _ in listed()) == [(number(one), one.name) for one in RECORDS]
    assert len(listed()) == (FOLDER / "README.md").read_text(encoding="utf-8").count("\n- [")


def test_a_record_has_the_number_of_its_file():
    """The title of a record begins with the number in its file's name."""
    titles = {one: one.read_text(encoding="utf-8").partition("\n")[0] for one in RECORDS}
    assert [one.name for one, title in titles.items() if not title.startswith(f"# {number(one)}. ")] == []


def test_a_decision_is_told_in_few_words():
    """The index says what was decided in one sentence of at most 20 words."""
    wrong = [at for at, _, words, _ in listed() if len(words.split()) > MOST or not words.endswith(".")]
    assert wrong == []


def test_what_changed_a_record_is_marked():
    """A line of the index names the later records that the paragraph below its record's title names."""
    marks = {at: [int(one) for one in re.findall(r"\d+", mark)] for at, _, _, mark in listed()}
    assert marks == {number(one): below_the_title(one, MARKS) for one in RECORDS}


def test_a_record_that_changes_another_is_named_there():
    """Where a record says that it amends another or takes its place, that one names it below its title."""
    by_number = {number(one): one for one in RECORDS}
    claims = [(at, other) for at, one in by_number.items() for other in below_the_title(one, CLAIMS)]
    assert claims
    assert [one for one in claims if one[0] not in below_the_title(by_number[one[1]], MARKS)] == []
