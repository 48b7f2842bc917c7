"""Addresses and marks."""

from __future__ import annotations

import pytest
from document_strategies import ADDRESSES, FLAT, INSTANCES, NUMBERS
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.records.address import (
    Address,
    InstanceId,
    Mark,
    addresses,
    number,
    number_of,
    parse,
    parse_instance,
    trailing_mark,
)
from sleep.records.kinds import names

MARKS = st.builds(
    Mark,
    st.lists(ADDRESSES, min_size=1, max_size=3).map(tuple),
    st.sampled_from(["", *names()]),
    st.one_of(st.just(""), NUMBERS),
)


@given(ADDRESSES)
def test_address(address):
    """An address reads back from what it is written as, and its instance from what that is written as."""
    assert parse(str(address)) == address
    assert parse_instance(str(address.instance)) == address.instance
    assert address.instance.entry(address.ordinal) == address


@given(st.text(max_size=12))
def test_one_form(text):
    """What reads as an address is written as it was read: an address has one form."""
    found = parse(text)
    assert found is None or str(found) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "i7qxk",
        "i7qxk.",
        "7qxk.1",
        "i7QXK.1",
        "i7qx.1",
        "i07qxk.1",
        "i7qxk.01",
        "i٧qxk.1",
        "i7qxk.1 ",
        "i7qxk.12345678",
    ],
)
def test_not_an_address(text):
    """What is not exactly an address is none."""
    assert parse(text) is None
    assert parse_instance(text) in {None, InstanceId(7, "qxk")}


@given(MARKS)
def test_mark(mark):
    """A mark reads back with its addresses, kind and number."""
    assert trailing_mark(str(mark)) == ("", mark)


@given(FLAT, MARKS)
@example("see [i1abc.2]", Mark((Address(9, "xyz", 1),)))
@example("see [i", Mark((Address(9, "xyz", 1),), "decision", "D-001"))
def test_last_mark_counts(text, mark):
    """Whatever text stands before a mark, also one that ends like a mark, comes back whole."""
    assert trailing_mark(f"{text} {mark}") == (text, mark)


def test_a_mark_of_another_instance_is_a_reference():
    """In a journal the mark of its own instance begins an entry, and that of another one is a word."""
    assert trailing_mark("as in [i7qxk.2]", 7) == ("as in", Mark((Address(7, "qxk", 2),)))
    assert trailing_mark("as in [i7qxk.2]", 70) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "text [i7qxk.2].",
        "text [i7qxk.2 see above]",
        "text [i7qxk.2 D-1234567]",
        "text [ i7qxk.2]",
        "text [i7qxk.2,i7qxk.3]",
        "[i7qxk]",
        "[i7qxk.2] tail",
    ],
)
def test_not_a_mark(text):
    """What only resembles a mark is ordinary text."""
    assert trailing_mark(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("i7qxk.2 and (i8abc.3), i7qxk.2", ["i7qxk.2", "i8abc.3", "i7qxk.2"]),
        ("见i7qxk.2。", ["i7qxk.2"]),
        ("xi7qxk.2 i7qxk.2x i7qxk.02 i7qxk", []),
    ],
)
def test_addresses(text, found):
    """Every address in a text is found, also next to Chinese words, and nothing that is part of a word."""
    assert [str(one) for one in addresses(text)] == found


@given(st.sampled_from("DTQ"), st.integers(1, 999_999))
def test_number(letter, count):
    """A record's number reads back, in either case and with spaces around it."""
    assert number_of(number(letter, count)) == (letter, count)
    assert number_of(f" {number(letter, count).lower()} ") == (letter, count)


@given(INSTANCES)
def test_instance(instance):
    """An instance reads back from what it is written as."""
    assert parse_instance(str(instance)) == instance
