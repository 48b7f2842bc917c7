"""The page of edits: what people changed or took out, and what that makes of what journals say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import edits
from sleep.documents.edits import Edits
from sleep.records.address import Address
from sleep.records.fragment import Fragment

FIRST, SECOND = Address(1, "abc", 1), Address(1, "abc", 2)
CLOCK = Fragment("insight", "The clock drifts by three seconds", (FIRST,))
RULE = Fragment("constraint", "Never log a password", (SECOND,), "", (("why", "law"),))
BY = "2026-11-22 by Ann"
TEXTS = st.text("abc d-:\n[]", min_size=1, max_size=12).filter(lambda text: text.strip(" \n-:[]"))


def noted(before, after, known=None):
    """Return the page with what is different between two states of a tier."""
    return edits.read(edits.append(None, edits.between(before, after, BY, known or Edits())))


def test_what_is_gone_is_gone():
    """A fragment that was taken out is no fragment any more, and its line in the journal is overruled."""
    found = noted([CLOCK, RULE], [RULE])
    assert found.applied(CLOCK) is None
    assert found.applied(RULE) == RULE
    assert found.overruling(FIRST, "The clock drifts by three seconds")
    assert found.overruling(FIRST, "Something else entirely was said") is None
    assert noted([CLOCK, RULE], [CLOCK]).removed() == {SECOND}


def test_the_last_words_count():
    """Of several changes of one fragment the last one holds, its fields too."""
    once = RULE._replace(text="Never log a token", fields=())
    twice = RULE._replace(text="Never log anything", fields=(("why", "taste"),))
    page = edits.append(None, edits.between([RULE], [once], BY, Edits()))
    page = edits.append(page, edits.between([once], [twice], BY, edits.read(page)))
    assert edits.read(page).applied(RULE) == twice
    assert edits.read(page).removed() == frozenset()


def test_what_is_put_back_holds():
    """What was taken out and is back is as it was."""
    page = edits.append(None, edits.between([CLOCK], [], BY, Edits()))
    page = edits.append(page, edits.between([], [CLOCK], BY, edits.read(page)))
    assert edits.read(page).applied(CLOCK) == CLOCK
    assert edits.read(page).overruling(FIRST, CLOCK.text) is None


def test_a_move_is_no_edit():
    """What stands in another order, under another kind or with further addresses was not edited."""
    merged = CLOCK._replace(addresses=(FIRST, SECOND))
    assert edits.between([CLOCK, RULE], [RULE, CLOCK._replace(kind="note")], BY, Edits()) == []
    assert edits.between([CLOCK], [merged], BY, Edits()) == []


@given(TEXTS, TEXTS)
def test_the_page_gives_back_what_it_was_given(before, after):
    """Whatever the words, the page is read as it was written, and is only ever added to."""
    old, new = (CLOCK._replace(text=" ".join(text.split())) for text in (before, after))
    made = edits.between([old], [new], BY, Edits())
    page = edits.append("# Edits by hand\n", made)
    assert page.startswith("# Edits by hand\n")
    assert edits.read(page).all == tuple(made)
