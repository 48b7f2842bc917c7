"""Fragments and their written form."""

from __future__ import annotations

import pytest
from document_strategies import FLAT, FRAGMENTS, TEXTS
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.records.address import Address, InstanceId
from sleep.records.fragment import Fragment, flat, parse_item, render

AT = Address(7, "qxk", 2)


def back(fragment, newline="\n"):
    return parse_item(render(fragment, newline).removesuffix(newline).split("\n"), fragment.kind)


@given(FRAGMENTS, st.sampled_from(["\n", "\r\n"]))
@example(Fragment("decision", "**D-001** text", (AT,)), "\n")
@example(Fragment("decision", "\\**D-001** text", (AT,)), "\n")
@example(Fragment("decision", "", (AT,), "D-001"), "\n")
@example(Fragment("note", "see [i1abc.2]", (AT,), "", (("why", "x [i1abc.3]"),)), "\n")
def test_round_trip(fragment, newline):
    """A fragment reads back from its written form, whatever its text and fields imitate."""
    assert back(fragment, newline) == fragment._replace(when="")


@given(TEXTS, TEXTS)
def test_never_breaks_the_item(text, value):
    """A fragment made without care for line ends is still written as one item with one line a field."""
    written = render(Fragment("note", text, (AT,), "", (("why", value),)))
    assert written.count("\n") == 1 + bool(flat(value))
    assert back(Fragment("note", text, (AT,), "", (("why", value),))).text == flat(text)


@given(st.text(max_size=40))
def test_flat(text):
    """Flat text is one line by every count of lines, has no white space at its ends, and stays as it is."""
    once = flat(text)
    assert len(once.splitlines()) <= 1
    assert once == once.strip()
    assert flat(once) == once


@pytest.mark.parametrize(
    ("item", "text", "fields"),
    [
        ("- long text\n  goes on [i7qxk.2]", "long text goes on", ()),
        ("- text [i7qxk.2]\n  - a nested thought", "text - a nested thought", ()),
        ("- text [i7qxk.2]\n  more words\n  - why: so\n    because", "text more words", (("why", "so because"),)),
        ("- text [i7qxk.2]\n  - why:", "text", ()),
        ("- text [i7qxk.2]\n  - why: see https://x.y", "text", (("why", "see https://x.y"),)),
        ("- text [i7qxk.2]\n  - http://x.y", "text - http://x.y", ()),
        ("-   text   [i7qxk.2]  ", "text", ()),
        ("- a [i1abc.1]\n  b [i7qxk.2]", "a [i1abc.1] b", ()),
    ],
)
def test_by_hand(item, text, fields):
    """An item that a person wrapped or added to is read with all its words."""
    assert parse_item(item.split("\n"), "note") == Fragment("note", text, (AT,), "", fields)


def test_wrapped_mark():
    """A mark that an editor wrapped between its addresses is still a mark."""
    found = parse_item(["- text [i7qxk.2", "  i7qxk.3]"], "note")
    assert found.addresses == (AT, AT._replace(ordinal=3))


@given(FLAT)
def test_unaddressed(text):
    """An item without a mark at the end of a line is no fragment."""
    found = parse_item([f"- {text}."], "note")
    assert found is None


@given(FRAGMENTS, FLAT)
def test_with_field(fragment, value):
    """A field that was set is there once with its value, one set to nothing is gone, and no other field changes."""
    after = fragment.with_field("why", value)
    assert [one for key, one in after.fields if key == "why"] == [value][: bool(value)]
    assert [one for one in after.fields if one[0] != "why"] == [one for one in fragment.fields if one[0] != "why"]


@pytest.mark.parametrize(
    ("kind", "status", "state", "reason", "is_open"),
    [
        ("thread", "", "active", "", True),
        ("thread", "paused (waiting (for review))", "paused", "waiting (for review)", True),
        ("thread", "resolved (shipped)", "resolved", "shipped", False),
        ("thread", "sleeping", "active", "", True),
        ("decision", "superseded (by D-002)", "superseded", "by D-002", False),
        ("note", "paused", "", "", False),
        ("nonsense", "paused", "", "", False),
    ],
)
def test_state(kind, status, state, reason, is_open):
    """A record's state is what its status says, the first state of its kind without one; prose has none."""
    fragment = Fragment(kind, "x", (AT,)).with_field("status", status)
    assert (fragment.state, fragment.is_open) == (state, is_open)
    assert not reason or fragment.reason == reason


def test_names():
    """A fragment is called by its number, else by the address of the entry that created it."""
    fragment = Fragment("decision", "x", (AT, Address(8, "abc", 1)), "D-001")
    assert (fragment.handle, fragment._replace(number="").handle) == ("D-001", "i7qxk.2")
    assert fragment.identity == AT
    assert fragment.instances == {InstanceId(7, "qxk"), InstanceId(8, "abc")}


@pytest.mark.parametrize(("kind", "is_open"), [("note", False), ("insight", False), ("decision", True)])
def test_state_without_fields(kind, is_open, monkeypatch):
    """Whether a fragment without fields is open is told by its kind alone: no field is looked for."""
    monkeypatch.setattr(Fragment, "field", lambda *_: pytest.fail("a field was looked for"))
    assert Fragment(kind, "text", (AT,)).is_open == is_open


@pytest.mark.parametrize(
    ("kind", "fields", "noticed", "asked"),
    [
        ("decision", (("source", "agent"),), False, False),
        ("noticed decision", (), True, False),
        ("noticed decision", (("why", "it is fast"),), True, False),
        ("noticed decision", (("why", "it is fast"), ("source", "agent")), True, True),
    ],
)
def test_what_is_noticed_is_asked_about_where_it_says_who_said_it(kind, fields, noticed, asked):
    """Somebody is asked about what was noticed and has a source; what was stated was said by somebody already."""
    fragment = Fragment(kind, "Use the lock", (Address(1, "abc", 2),), fields=fields)
    assert (fragment.is_noticed, fragment.is_asked) == (noticed, asked)
