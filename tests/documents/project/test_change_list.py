"""The list of changes: an entry by span, in any form of the file, once, and out again without a trace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents.project import change_list

ENTRY = {"date": "2026-11-23", "type": "sleep", "scope": "memory", "description": "x", "cycle": 3, "instance": "i3abc"}
HAND = [{"date": "2026-02-02", "type": "fix", "description": "b"}, {"date": "2026-01-01", "description": "a"}]


def _plain(text):
    value = json.loads(text.removeprefix("\ufeff"))
    return value if isinstance(value, list) else next(value[key] for key in change_list.WRAPPERS if key in value)


@pytest.mark.parametrize(("indent", "newline"), [(None, "\n"), (1, "\n"), (2, "\n"), (4, "\r\n"), ("\t", "\r\n")])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("hand", [[], HAND, HAND[::-1], ["just words"]])
def test_an_entry_is_put_in_by_span(indent, wrap, hand, newline):
    """The entry is the newest where the list's own order has it; other bytes stay, and split takes it out again."""
    value = {"version": [1, "]"], "entries": hand, "end": {}} if wrap else hand
    before = (json.dumps(value, indent=indent) + "\n").replace("\n", newline)
    after = change_list.added(before, ENTRY)
    at = len(hand) if hand == HAND[::-1] else 0
    assert _plain(after) == [*hand[:at], ENTRY, *hand[at:]]
    assert change_list.added(after, ENTRY) == after
    assert change_list.is_kept(before, after)
    bare, ours = change_list.split(after)
    assert ours == (ENTRY,)
    assert bare == before if hand else _plain(bare) == []
    assert change_list.join(bare, ours) == after


def test_an_indented_list_gets_an_indented_entry():
    """A list of one item a line is written on as it was."""
    text = '[\n  {\n    "date": "2026-01-01"\n  }\n]\n'
    head = '[\n  {\n    "date": "2026-11-23",\n    "type": "sleep",\n'
    assert change_list.added(text, ENTRY).startswith(head)
    assert change_list.added(text, ENTRY).endswith('  },\n  {\n    "date": "2026-01-01"\n  }\n]\n')


@pytest.mark.parametrize("text", ["", "{", "no", "3", '{"a": 1}', '{"entries": 3}', "[1,]"])
def test_what_holds_no_list_is_refused(text):
    """A file that is no JSON or holds no list raises ValueError, and is no file that only we changed."""
    with pytest.raises(ValueError, match=r"."):
        change_list.added(text, ENTRY)
    assert not change_list.is_kept(text, "[]")


VALUE = st.sampled_from([*HAND, "words", 3, [], {}, {"cycle": 1}])


@given(st.lists(st.tuples(st.booleans(), VALUE), max_size=6), st.sampled_from([None, 2]))
def test_whatever_stands_between_entries_of_ours_stays(items, indent):
    """Entries of ours anywhere in a list are taken out together, and all others stay in their order."""
    ours = [{**ENTRY, "cycle": number} for number in range(len(items))]
    text = json.dumps([ours[at] if is_ours else value for at, (is_ours, value) in enumerate(items)], indent=indent)
    bare, taken = change_list.split(text)
    assert json.loads(bare) == [value for is_ours, value in items if not is_ours]
    assert list(taken) == [ours[at] for at, (is_ours, _) in enumerate(items) if is_ours]
    assert change_list.is_kept(text, bare)
