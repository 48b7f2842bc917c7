"""JSON edited by span."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.clients.installation import json_spans

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from(["a", "hooks", 'q"{', "ü,"]), VALUES, max_size=4)
FORMS = st.sampled_from([{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}])
NEW = st.dictionaries(st.text(max_size=4), VALUES, max_size=2)


def text_of(value, form, newline, end):
    """Return a value as a person's editor may have written it."""
    return json.dumps(value, ensure_ascii=False, **form).replace("\n", newline) + end


@given(OBJECTS, FORMS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n", " \n\n"]), st.booleans(), NEW)
def test_what_is_put_in_and_taken_out_leaves_no_trace(value, form, newline, end, bom, new):
    """A member put into any text is there, all else is as it was, and taking it out gives the very bytes back."""
    text = ("\ufeff" if bom else "") + text_of(value, form, newline, end)
    after = json_spans.put(text, ("new",), new)
    assert json_spans.parse(after) == {**value, "new": new}
    assert list(json_spans.parse(after)) == [*value, "new"]
    back = json_spans.drop(after, ("new",))
    assert back == text or (not value and json_spans.parse(back) == {})


@given(OBJECTS.filter(bool), FORMS, st.data(), NEW)
def test_a_replaced_value_changes_nothing_else(value, form, data, new):
    """A member that is replaced has the new value, and the bytes around it stay."""
    text = text_of(value, form, "\n", "\n")
    name = data.draw(st.sampled_from(sorted(value)))
    after = json_spans.put(text, (name,), new)
    assert json_spans.parse(after) == {**value, name: new}
    assert list(json_spans.parse(after)) == list(value)


@given(st.lists(VALUES, min_size=1, max_size=4), FORMS, st.data())
def test_an_item_is_taken_out_of_a_list(items, form, data):
    """Any item of a list can be dropped, and one can be added at its end."""
    text = text_of({"hooks": {"Stop": items}}, form, "\n", "\n")
    at = data.draw(st.integers(0, len(items) - 1))
    left = [*items[:at], *items[at + 1 :]]
    assert json_spans.parse(json_spans.drop(text, ("hooks", "Stop", at)))["hooks"]["Stop"] == left
    assert json_spans.parse(json_spans.put(text, ("hooks", "Stop", -1), {"x": 1}))["hooks"]["Stop"] == [
        *items,
        {"x": 1},
    ]


@given(OBJECTS, st.lists(st.sampled_from(["a", "hooks", "Stop", 0, 5]), min_size=1, max_size=3))
def test_dropping_what_is_not_there_changes_nothing(value, path):
    """A path that leads nowhere leaves the text alone."""
    text = text_of(value, {"indent": 2}, "\n", "\n")
    after = json_spans.drop(text, tuple(path))
    assert after == text or json_spans.parse(after) != value


def test_an_indented_file_keeps_its_form():
    """What is added to an indented file is indented as the file is."""
    text = '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"n": 1.50\n}'
    assert json_spans.put(text, ("hooks", "Stop", -1), {"x": [1]}) == (
        '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"n": 1.50,\n'
        '\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"x": [\n'
        "\t\t\t\t\t1\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"
    )


@pytest.mark.parametrize("text", ["", "{", "// c\n{}", '{"a": 1,}', "{a: 1}", "[" * 100_000])
def test_what_is_no_json_is_refused(text):
    """Comments and trailing commas are not taken for JSON."""
    with pytest.raises((ValueError, RecursionError)):
        json_spans.parse(text)
