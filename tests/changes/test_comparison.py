"""What became of fragments is read off the documents, and no reason is made up."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sleep.changes import comparison as passage
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE, Fate
from sleep.records.address import InstanceId
from sleep.records.fragment import SUPERSEDED_BY, Fragment

HOT, WARM = "memory/hot/context.md", "memory/warm/auth.md"
ONE = InstanceId(1, "abc")


def fragment(ordinal, text, kind="insight", number="", **fields):
    """Return a fragment of instance 1."""
    named = tuple((name.replace("_", " "), value) for name, value in fields.items())
    return Fragment(kind, text, (ONE.entry(ordinal),), number, named)


def single(before, after):
    """Return the passage of the one fragment that changed."""
    (found,) = passage.between(before, after)
    return found


def test_what_stands_is_not_told():
    """A fragment that stands as it was where it stood has no passage."""
    assert passage.between({HOT: [fragment(1, "a")]}, {HOT: [fragment(1, "a")]}) == []


def test_what_went_to_another_tier_moved():
    """A fragment that stands in another tier's file was kept, and moved."""
    found = single({HOT: [fragment(1, "a")], WARM: []}, {HOT: [], WARM: [fragment(1, "a")]})
    assert (found.fate, found.source, found.target, found.moved) == (WHOLE, HOT, WARM, True)


def test_fewer_words_are_shortened_and_others_are_reworded():
    """Words left out make a fragment shortened; words that were not there are said to be other words."""
    before = fragment(1, "The lock holds. It was raced. Nothing was lost.")
    found = single({HOT: [before]}, {HOT: [], WARM: [fragment(1, "The lock holds. Nothing was lost.")]})
    assert (found.fate, found.detail) == (SHORTENED, "33 of 47 characters")
    found = single({HOT: [before]}, {HOT: [], WARM: [fragment(1, "It locks well.")]})
    assert found.fate == SHORTENED
    assert found.detail.startswith("in other words")


def test_a_field_that_is_less_is_named():
    """A record that lost or changed a field is shortened, and the field is named; a new state is told as one."""
    before = fragment(1, "Use flock", "decision", "D-001", why="long; and more", confidence="high")
    found = single({HOT: [before]}, {WARM: [fragment(1, "Use flock", "decision", "D-001", why="long")]})
    assert (found.fate, found.detail) == (SHORTENED, "less of: why, confidence")
    after = before.with_field("status", "reversed (too slow)")
    assert single({HOT: [before]}, {HOT: [after]}).detail == "standing -> reversed (too slow)"


def test_merged_only_where_it_is_sure():
    """A fragment is merged where its address went along; of several of one entry only the one with the same words."""
    kept = fragment(2, "The same.")._replace(addresses=(ONE.entry(2), ONE.entry(1)))
    first, other = fragment(1, "the same"), fragment(1, "another sentence")
    found = passage.between({HOT: [first, other, fragment(2, "The same.")]}, {HOT: [], WARM: [kept]})
    assert [one.fate for one in found] == [MERGED, DROPPED, WHOLE]
    assert found[0].detail == "i1abc.2"


def test_the_same_words_elsewhere_are_named():
    """What is gone, while the same words stand under another address, is told as merged with that."""
    there = fragment(9, "The SAME words")
    found = single({HOT: [fragment(1, "The same words."), there]}, {HOT: [there]})
    assert (found.fate, found.after, found.detail) == (MERGED, None, "says the same as i1abc.9")


def test_what_is_new_arrived():
    """What no fragment before became has arrived."""
    assert single({}, {HOT: [fragment(1, "a")]}).fate == passage.ARRIVED


def test_a_steps_own_fate_is_believed():
    """Where the step says why, its words are told, fragment by fragment, also for two that are equal."""
    twice = fragment(1, "a")
    fates = [Fate(twice, WHOLE, twice), Fate(twice, DROPPED, None, "over the budget")]
    found = passage.between({HOT: [twice, twice]}, {WARM: [twice]}, fates)
    assert [(one.fate, one.target, one.detail) for one in found] == [
        (WHOLE, WARM, ""),
        (DROPPED, "", "over the budget"),
    ]


def test_words_within():
    """A text is within another when its words stand there in order; one without words is within none."""
    assert passage.within("a, C!", "A b c")
    assert not passage.within("c a", "a b c")
    assert not passage.within("...", "a")


def test_what_is_superseded_says_by_what():
    """Words in whose place newer ones stand are kept, and the passage names the entry of those."""
    before = fragment(1, "The lock is slow")
    one = single({HOT: [before]}, {HOT: [before.with_field(SUPERSEDED_BY, "i9abc.4")]})
    assert (one.fate, one.detail) == (WHOLE, "superseded by i9abc.4")


_FEW = st.lists(st.builds(fragment, st.integers(1, 2), st.sampled_from("ab")), max_size=4)


@given(stay=_FEW, gone=_FEW, come=_FEW)
def test_what_changed_is_what_a_count_of_all_tells(stay, gone, come):
    """Beside objects that stay, the same ones and others that say the same are counted by what they say, in order."""
    before, after = [*gone, *stay], [*stay, *come]
    left = Counter(after)
    less = []
    for each in before:
        left[each] -= 1
        less += [each] if left[each] < 0 else []
    assert [
        placed.fragment
        for placed in passage._difference({HOT: before}, {HOT: after}, passage._changed({HOT: before}, {HOT: after}))
    ] == less


class Unhashed(Fragment):
    """A fragment that nobody may count."""

    __hash__ = None


def test_what_stays_is_not_looked_into():
    """Of a long page that loses a line what stays costs no more than telling that it is the same object."""
    stay = [Unhashed(*fragment(ordinal, f"{ordinal} stays")) for ordinal in range(2, 9)]
    found = single({HOT: [fragment(1, "a"), *stay]}, {HOT: stay})
    assert (found.fate, found.before.text) == (DROPPED, "a")
