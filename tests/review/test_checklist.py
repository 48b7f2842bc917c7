"""The checklist's form: what a person writes is read, and what is kept stands where it belongs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.review import checklist
from sleep.review.checklist import OUTDATED, POINT, QUESTION, Item

WRITTEN = """\
# What I want them to know

Written by me.

## must be told

* The lock is a file.
  - Weight: 12
  - told by: lock, NFS
  - told by: flock
- Releases are cut on Mondays

## Notes

- nobody reads this

### Outdated

- Backups run every hour
    - told by: every hour
    - unless: five minutes

## Questions

- What does she earn?
  - no answer
"""


def test_a_persons_form_is_read():
    """Any bullet, depth and case of a section is read; other sections and lines are passed over."""
    assert checklist.read(WRITTEN) == [
        Item(POINT, "The lock is a file.", (("lock", "NFS"), ("flock",)), 9),
        Item(POINT, "Releases are cut on Mondays"),
        Item(OUTDATED, "Backups run every hour", (("every hour",),), 1, ("five minutes",)),
        Item(QUESTION, "What does she earn?", has_answer=False),
    ]


def test_what_is_added_leaves_the_rest_as_it_was():
    """An item goes to the end of its section, and every other line stays."""
    item = Item(POINT, "The gate is strict", (("gate",),), 3)
    text = checklist.add(WRITTEN, item)
    assert [known for known in checklist.read(text) if known != item] == checklist.read(WRITTEN)
    assert checklist.read(text)[2] == item
    assert [line for line in text.split("\n") if line not in WRITTEN.split("\n")] == [
        "- The gate is strict",
        "  - weight: 3",
        "  - told by: gate",
    ]


_words = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
_items = st.builds(
    Item,
    st.sampled_from(checklist.SECTIONS),
    _words,
    st.lists(st.lists(_words, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple),
    st.integers(1, 9),
    st.lists(_words, max_size=2).map(tuple),
    st.booleans(),
)


@given(st.lists(_items, max_size=5))
def test_what_is_kept_is_read_back(items):
    """Whatever is kept comes back as it was, section by section."""
    text = ""
    for item in items:
        text = checklist.add(text, item)
    assert checklist.read(text) == [item for name in _order(items) for item in items if item.section == name]


def _order(items):
    return dict.fromkeys(item.section for item in items)
