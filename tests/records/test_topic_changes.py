"""The page of topics: what was renamed, merged, split and folded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.records import topic_changes
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from sleep.records.topic_changes import FOLDED, MERGED, RENAMED, SPLIT, Change

NAMES = st.sampled_from(["auth", "dns", "load-balancer", "general", "数据库", "a-b-c", "is-in-warm"])
WHEN = st.sampled_from(["", "2026-11-23"])
NONE = {"addresses": st.just(()), "words": st.just(())}
CHANGES = st.one_of(
    st.builds(Change, st.just(RENAMED), st.tuples(NAMES), NAMES, **NONE, tier=st.just(""), when=WHEN),
    st.builds(
        Change,
        st.just(MERGED),
        st.lists(NAMES, min_size=1, max_size=3).map(tuple),
        NAMES,
        **NONE,
        tier=st.just(""),
        when=WHEN,
    ),
    st.builds(
        Change,
        st.just(FOLDED),
        st.tuples(NAMES),
        NAMES,
        **NONE,
        tier=st.sampled_from(["warm", "cold"]),
        when=st.just(""),
    ),
    st.builds(
        Change,
        st.just(SPLIT),
        st.tuples(NAMES),
        NAMES,
        st.lists(st.sampled_from(["i1abc.2", "i12xyz.34"]), unique=True).map(tuple),
        st.lists(st.sampled_from(["index", "two words", "记忆"]), unique=True).map(tuple),
        tier=st.just(""),
        when=WHEN,
    ),
)


def _fragment(text="the index", ordinal=1):
    return Fragment("note", text, (Address(1, "abc", ordinal),))


@given(st.lists(CHANGES, max_size=6))
def test_round_trip(changes):
    """What is written is read again, in its order; what folded is told once."""
    page = topic_changes.append(None, changes)
    people = tuple(change for change in dict.fromkeys(changes) if change.what != FOLDED)
    assert topic_changes.read(page).by_people == people
    assert set(topic_changes.read(page).all) == set(changes)
    assert topic_changes.read(f"{page}\nsomebody's words\n- a list\n").all == topic_changes.read(page).all


def test_names_are_followed_in_the_order_of_changes():
    """A topic that was renamed twice has its last name, and one that came back to its first has that."""
    changes = topic_changes.Changes(
        (Change(RENAMED, ("a",), "b"), Change(MERGED, ("b", "x"), "c"), Change(RENAMED, ("q",), "a"))
    )
    assert [changes.home(name) for name in ("a", "b", "x", "c", "q", "z")] == ["c", "c", "c", "c", "a", "z"]
    back = topic_changes.Changes((Change(RENAMED, ("a",), "b"), Change(RENAMED, ("b",), "a")))
    assert (back.home("a"), back.home("b")) == ("a", "a")
    assert back.aliases == {"b": "a"}


def test_a_split_takes_fragments_by_address_and_by_word():
    """What is named goes, and what comes later and says a word goes; the rest stays."""
    changes = topic_changes.Changes((Change(SPLIT, ("recall",), "index", ("i1abc.7",), ("posting list",)),))
    assert changes.home("recall", _fragment("x", 7)) == "index"
    assert changes.home("recall", _fragment("a Posting List, in short")) == "index"
    assert changes.home("recall", _fragment("reposting lists")) == "recall"
    assert changes.home("other", _fragment("x", 7)) == "other"
    assert changes.home("recall") == "recall"


def test_what_folded_is_found_and_binds_nobody():
    """A topic that folded is told where it went, and may come again."""
    changes = topic_changes.Changes((Change(FOLDED, ("dns",), "networking", tier="warm"),))
    assert changes.became("dns") == "networking"
    assert changes.home("dns") == "dns"
    assert not changes.aliases
    assert not changes.is_chosen("networking")
