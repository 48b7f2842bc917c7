"""What a page of fates says of the pieces of an entry."""

from __future__ import annotations

from scene import Memory

from sleep.compression.contract import DROPPED, MERGED, WHOLE
from sleep.compression.segments import Span
from sleep.cycle import fate_record
from sleep.documents import fates_page, paths
from sleep.documents.fates_page import BETWEEN, JOURNAL, Page, Row, Run, Section
from sleep.records.address import Address
from sleep.records.fragment import Fragment


def piece(ordinal, text):
    """A fragment of an entry."""
    return Fragment("note", text, (Address(1, "abc", ordinal),))


def test_pieces_are_numbered_by_their_entry():
    """Each piece has its place among those of its entry, from 1, wherever it stands; of equal ones the first tells."""
    first, second, other, third = piece(1, "a"), piece(1, "b"), piece(2, "a"), piece(1, "c")
    numbers = fate_record._numbered([first, other, second, first, third])
    assert numbers == {first: 1, other: 1, second: 2, third: 4}


def test_what_was_merged_is_a_row_of_its_own_address_alone(scene):
    """The row of what went into another fragment names no address but its own."""
    scene.open()
    _, repetition = (scene.add("insight", "The parser reads the file twice").address for _ in range(2))
    scene.sleep()
    page = fates_page.read(scene.text(fates_page.path(1, scene.view.cycles[0].instance)))
    assert [row.addresses for row in page.sections[0].rows if row.fate == MERGED] == [(repetition,)]


def test_no_character_is_accounted_for_twice():
    """Where the runs of an entry are written down, its row alone tells nothing more of it."""
    memory = Memory()
    memory.journal("- The parser reads the file twice\n")
    journal = memory.view.journal(paths.journal(1))
    (entry,) = journal.entries
    runs = (Run(str(entry.address), entry.start, entry.end, DROPPED, "too long"),)
    rows = (Row(WHOLE, "note", (entry.address,), JOURNAL),)
    spans = fate_record.account(journal, Section("journal to hot", "", rows, runs, len(journal.text)))
    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
    assert spans[-1].end == len(journal.text)
    (behind,) = fate_record.runs(journal, [Span(entry.end, entry.end + 1, DROPPED, "too long")])
    assert behind.of == BETWEEN
    middle = entry.start + 4
    parts = [Span(entry.start, middle, DROPPED, "too long"), Span(middle, entry.end, DROPPED, "a repetition")]
    assert [run.why for run in fate_record.runs(journal, parts)] == ["too long", "a repetition"]


def test_what_a_page_says_of_a_step_stays():
    """A step that a page tells of already is not told again; another is added."""
    first, again, other = Section("journal to hot", "a"), Section("journal to hot", "b"), Section("hot to warm", "b")
    text = fate_record.page_with(None, 1, "i1abc", Page((first,), (1, 2, 3)))
    text = fate_record.page_with(text, 1, "i1abc", Page((again, other), ()))
    assert fates_page.read(text) == Page((other, first), (1, 2, 3))
