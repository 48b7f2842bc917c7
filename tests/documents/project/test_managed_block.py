"""The block of decisions and rules: written once, and what people do in and around it stays theirs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.project import managed_block
from sleep.documents.project.managed_block import OPEN, Row

ROWS = [Row(f"i1abc.{at}", f"- D-00{at} Use part {at} [i1abc.{at}]") for at in range(1, 5)]
HAND = "# Memory\n\nBy hand.\n"


def _write(text, rows=ROWS, known=()):
    return managed_block.written(text, rows, known)


def test_the_block_is_put_at_the_end():
    """A page gets the block below what a person wrote; one without records gets none; twice is once."""
    text = _write(HAND)
    head, _, block = text.partition(OPEN)
    assert head == HAND + "\n"
    assert block.count("\n- ") == 4
    assert _write(text) == text
    assert _write(HAND, []) == HAND
    assert _write(_write(HAND), []) == HAND + "\n"


def test_what_stands_around_stays():
    """Words above, below and between stay byte for byte when the block is written anew."""
    text = _write(HAND).replace(OPEN, f"x\n{OPEN}") + "\nbelow \n"
    after = _write(text, ROWS[:2])
    assert after.startswith(HAND + "\nx\n")
    assert after.endswith("\nbelow \n")
    assert managed_block.is_kept(text, after)
    assert after.count("Use part") == 2


def test_a_line_that_a_person_changed_is_theirs():
    """A changed line moves below the block as it is and is not told twice; it stays when the record is closed."""
    text = _write(HAND).replace("Use part 2", "Use part 2, never on NFS")
    after = _write(text)
    assert after.endswith("-->\n- D-002 Use part 2, never on NFS [i1abc.2]\n")
    assert after.count("i1abc.2]") == 1
    assert managed_block.is_kept(text, after)
    assert _write(after) == after
    closed = _write(after, [row for row in ROWS if row.address != "i1abc.2"])
    assert closed.endswith("-->\n- D-002 Use part 2, never on NFS [i1abc.2]\n")


def test_a_line_that_a_person_added_is_theirs():
    """A line of a person's inside the block moves below it."""
    text = _write(HAND).replace("- D-003", "- mine\n- D-003")
    after = _write(text)
    assert after.endswith("-->\n- mine\n")
    assert managed_block.without(after) == f"{HAND}\n- mine\n"


def test_a_line_that_a_person_took_out_stays_out():
    """A line that was taken out does not come back while its record holds; another record may come."""
    text = _write(HAND, ROWS[:3]).replace(ROWS[1].line + "\n", "")
    after = _write(text)
    assert [row.line in after for row in ROWS] == [True, False, True, True]
    assert "taken out by hand: i1abc.2;" in after
    assert _write(after) == after
    assert "i1abc.2" not in _write(after, [ROWS[0]])


def test_a_record_that_is_closed_leaves():
    """The line of a record that no longer holds goes, also from a block that a person edited elsewhere."""
    text = _write(HAND).replace("- D-003", "- mine\n- D-003")
    after = _write(text, ROWS[:3], [ROWS[3].line])
    assert "part 4" not in after
    assert "- mine\n" in after


@pytest.mark.parametrize("text", [OPEN, f"a\n{OPEN}\n- mine", "<!-- end of what sleep wrote: ; 00000000 -->\n"])
def test_half_a_block_loses_nothing(text):
    """Where somebody took out one end of the block, what stood in it is theirs."""
    after = _write(text)
    assert managed_block.is_kept(text, after)
    assert _write(after) == after
    assert all(row.line in after for row in ROWS)


def _merge(mine, base, theirs):
    return theirs if mine == base else mine if theirs == base else None


def test_a_persons_edit_is_laid_over_another_block():
    """Laid over a page with another block or none, an edit keeps every word of the person's, and what they took out."""
    before = _write(HAND, ROWS[:3])
    edited = before.replace(ROWS[1].line + "\n", "- mine\n").replace("By hand", "By Bo") + "below\n"
    merged = managed_block.merged(_write(HAND, ROWS[1:]), before, edited, _merge)
    assert merged.startswith("# Memory\n\nBy Bo.\n\n" + managed_block.OPEN)
    assert merged.endswith("-->\n- mine\nbelow\n")
    assert [row.line in merged for row in ROWS] == [False, False, True, True]
    assert _write(merged, ROWS[1:]) == merged
    assert managed_block.merged(HAND, before, edited, _merge) == "# Memory\n\nBy Bo.\n- mine\nbelow\n"
    assert managed_block.merged(before, HAND, "By Bo\n" + HAND, _merge).startswith("By Bo\n")
    assert managed_block.merged("other\n", before, edited, _merge) is None


LINES = st.sampled_from([OPEN, "- mine", "", "words [i1abc.2]", *(row.line for row in ROWS), "# T", "<!-- x -->"])


@given(st.lists(LINES, max_size=10), st.lists(LINES, max_size=4), st.integers(0, 4), st.booleans())
def test_every_line_of_a_persons_stays(rows, inside, count, written_before):
    """Whatever a page is, and whatever is put into the block, a person's lines stay, twice is once, and parts join."""
    text = "\n".join(rows)
    if written_before:
        text = _write(text, ROWS[:3])
        text = text.replace(OPEN + "\n", "\n".join([OPEN, *inside, ""]), 1)
    after = _write(text, ROWS[:count], [row.line for row in ROWS])
    assert _write(after, ROWS[:count], [row.line for row in ROWS]) == after
    theirs = {line.strip() for line in text.split("\n")} - {OPEN} - {row.line for row in ROWS}
    kept = {line.strip() for line in after.split("\n")}
    assert {line for line in theirs if line and "end of what sleep" not in line} <= kept
    for row in ROWS[:count]:
        told = [line for line in after.split("\n") if f"[{row.address}]" in line]
        assert told or f"hand: {row.address}" in after or "taken out" in after
    assert managed_block.blanked(after).count("\n") == after.count("\n")
