"""Identifiers, their pairs, and what a wake holds of them, on small cases made by hand."""

from __future__ import annotations

import pytest

from sleep.evaluation.measures import coverage


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("see `git gc` in src/store/step.py", {"git gc", "src/store/step.py"}),
        ("readFile and read_file, #12, v1.2.3", {"readfile", "read_file", "#12", "v1.2.3"}),
        ("commit 1a2b3c4, not deadbeef", {"1a2b3c4"}),  # the latter could be a word
        ("Ada Lovelace met IBM", {"ada lovelace", "ibm"}),
        ("2026-11-21, 3.5 and 17, then TODO", set()),  # dates, numbers and general words tell nothing
    ],
)
def test_identifiers_are_told_by_their_form(line, found):
    """Paths, code, names, versions and hashes are identifiers; dates and numbers are not."""
    assert coverage.identifiers(line) == found


def test_a_pair_stands_on_one_line():
    """Two identifiers are a pair where one line has both, and neither is a part of the other."""
    assert coverage.pairs(["read_file #12", "write_file"]) == {("#12", "read_file")}
    assert coverage.pairs(["src/a.py src/a.py.bak"]) == frozenset()
    assert coverage.pairs([f"read_file {'x ' * 300} write_file"]) == frozenset()


EARLIER = ["read_file broke #12", "read_file again", "write_file, SQL and LRU", "cut_file"]
JOURNAL = ["read_file fixed #12", "write_file dropped SQL", "LRU stays", "new_file"]


def test_a_target_is_what_was_known_before():
    """Only what an earlier journal said can be referred back to; what was said once weighs most."""
    target = coverage.target(EARLIER, JOURNAL)
    assert set(target.weights) == {"read_file", "#12", "write_file", "sql", "lru"}
    assert target.weights["read_file"] < target.weights["sql"] == 1
    assert target.pairs == {("#12", "read_file"), ("sql", "write_file")}


def test_a_journal_that_refers_to_little_is_not_asked_about():
    """Below five identifiers there is no target."""
    assert coverage.target(EARLIER, JOURNAL[:1]) is None


def test_a_list_of_names_has_no_pairs():
    """A list with a name a line holds every reference and no pair; a line that says both holds the pair."""
    target = coverage.target(EARLIER, JOURNAL)
    assert coverage.covered(target, "read_file\n(#12)\nwrite_file\nthe SQL\nthe LRU") == (1, 0, 2)
    assert coverage.covered(target, "read_file broke #12")[1:] == (1, 2)
    assert coverage.covered(target, "") == (0, 0, 2)
