"""JSON without the standard library's modules for it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep import lean_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([0, 1, 2]))
def test_the_text_is_the_standard_librarys(value, ascii_only, indent):
    """Every value is written as json writes it, in every form, and read again as it was."""
    ours = lean_json.dumps(value, ascii_only=ascii_only, indent=indent)
    assert ours == json.dumps(value, ensure_ascii=ascii_only, indent=indent or None)
    assert lean_json.dumps(value, compact=True) == json.dumps(value, separators=(",", ":"))
    assert lean_json.loads(f"\n {ours}\t\r") == value


@given(st.text(alphabet='{}[]:,"\\u01e.-tTrue \n\ufeffN', max_size=12))
def test_the_same_texts_are_refused(text):
    """What json cannot read is a ValueError here too, and what it can read is the same value."""
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            lean_json.loads(text)
    else:
        assert repr(lean_json.loads(text)) == repr(expected)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", '{"a": [NaN]}'])
def test_numbers_that_are_none(text):
    """What JSON has no number for is read as json reads it."""
    assert repr(lean_json.loads(text)) == repr(json.loads(text))


def test_scan_goes_on_where_a_value_ended():
    """Two objects on one line are read one after the other."""
    text = '{"a": 1}{"b": 2}'
    first, end = lean_json.scan(text)
    assert (first, *lean_json.scan(text, end)) == ({"a": 1}, {"b": 2}, len(text))


def test_nothing_of_json_is_loaded():
    """A process that only reads and writes JSON loads neither json nor re."""
    work = "from sleep import lean_json; lean_json.loads(lean_json.dumps({'a': [1]}, indent=2))"
    code = f"import sys; sys.path[:0] = {sys.path!r}; {work}; print({{'json', 're'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("text", ['{"a": "b', '{"a" 1}', "[1,", '"\\u12', '{"a": 1 "b"}', "{1:2}", "x"])
def test_a_torn_text_is_refused_where_json_is_not_loaded(text):
    """A line that is still being written is a ValueError in a hook too, which has no json whose error C could raise.

    From Python 3.12 on C loads json by itself to raise it.
    """
    work = f"try:\n    lean_json.loads({text!r})\nexcept ValueError:\n    print('refused')"
    code = (
        f"import sys\nsys.path[:0] = {sys.path!r}\n"
        f"from sleep import lean_json\nassert 'json' not in sys.modules\n{work}"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"


def test_what_json_lacks_is_refused():
    """A value that JSON has no form for is a TypeError, as json's."""
    with pytest.raises(TypeError):
        lean_json.dumps({"a": {1, 2}})
