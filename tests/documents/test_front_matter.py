"""Front matter: finding, reading and changing it by span."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sleep.documents import yaml_reader
from sleep.documents.front_matter import Front, read, render, set_fields

KEYS = ["a", "b", "session_id", "two words"]
BODIES = ["", "# T\n", "text", "---\n", "\n---\na: 1\n---\n", "\n\n", "...\n", "\udc80\r\n"]
ENTRIES = st.sampled_from(
    [
        "{k}: x",
        "{k}: 2026-01-05 # why",
        "{k}: [x, 'y, z']",
        "{k}: [x,\n  y]",
        "{k}:\n- x\n- y",
        "{k}:\n  - x\n  # c\n  - y",
        "{k}: |\n  x\n\n   y",
        "{k}: >-\n  x\n  y\n",
        "{k}: |+\n  x\n\n",
        "{k}:",
        "{k}: ~",
        "{k}:\n  p: 1\n  q:\n    r: z",
        "{k}: x\n  y",
        "'{k}': \"l\\n\"",
        "{k}   : 1",
        "{k}: 'it''s'   ",
        '{k}: "x\n\n  y"',
        "{k}: {{p: 1}}",
        "{k}:\tx",
        "{k}: �",
        "{k}: 界",
    ]
)
GAPS = st.sampled_from(["", "", "", "\n", "# c\n", "\n# c\n\n", "  # deep\n"])
VALUES = st.one_of(
    st.text(max_size=6),
    st.integers(),
    st.booleans(),
    st.none(),
    st.lists(st.text(max_size=4), max_size=3),
    st.dictionaries(st.sampled_from(KEYS), st.text(max_size=3), max_size=2),
    st.sampled_from(["x", "1", "true", "2026-01-05", "a: b", "#", "two\nlines", "\udc80"]),
)


@st.composite
def pages(draw):
    """A page with front matter as people and programs write it, and its body."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True))
    inner = "".join(draw(GAPS) + draw(ENTRIES).format(k=key) + "\n" for key in keys) + draw(GAPS)
    opening, closing = draw(st.sampled_from(["---", "---  "])), draw(st.sampled_from(["---", "...", "--- "]))
    body = draw(st.sampled_from(BODIES))
    text = f"{opening}\n{inner}{closing}\n{body}"
    if draw(st.booleans()):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


def attempt(text):
    """The front matter, or what is wrong."""
    try:
        return read(text)
    except yaml_reader.Broken as broken:
        return broken


def readable(text):
    try:
        return read(text)
    except yaml_reader.Broken:
        assume(False)
        raise


@given(pages(), st.dictionaries(st.sampled_from([*KEYS, "new", "1"]), VALUES, max_size=3))
@example("---\na: |+\n  x\n\nb: 1\n\nc: 2\n---\n", {"b": None})
@example("---\na: 1\n# c\n---\nbody", {"a": None})
@example("---\na: 1\n---\n---\n", {"a": None})
def test_set(text, changes):
    """Afterwards the fields are the old ones updated, and the body is the same."""
    front = readable(text)
    new = set_fields(text, changes)
    after = read(new)
    expected = {**front.fields, **changes}
    expected = {key: value for key, value in expected.items() if changes.get(key, 0) is not None}
    assert after.fields == expected
    assert list(after.fields) == list(expected)
    assert new[after.body :] == text[front.body :]


@given(pages(), st.sampled_from([*KEYS, "new"]), VALUES)
def test_bytes(text, key, value):
    """Every line that does not belong to the changed key stays as it was, to the byte."""
    front = readable(text)
    assume(front.fields)
    new = set_fields(text, {key: value})
    lines = list(difflib.ndiff(text.splitlines(keepends=True), new.splitlines(keepends=True)))
    gone = "".join(line[2:] for line in lines if line.startswith("- "))
    if "|+" not in text and read(new).fields and "# c" not in text:
        assert yaml_reader.load(gone).keys() <= {key}
    added = [line[2:] for line in difflib.ndiff(text.splitlines(), new.splitlines()) if line.startswith("+ ")]
    assert len(added) <= 1 + (len(value) if isinstance(value, dict) else 0)


@given(pages())
def test_same(text):
    """Setting what is already there changes nothing."""
    front = readable(text)
    assert set_fields(text, {key: value for key, value in front.fields.items() if value is not None}) == text
    assert set_fields(text, {}) == text
    assert set_fields(text, {"absent": None}) == text


@given(st.text(st.sampled_from("ab:- \n\r.#{}[]'\ufeff\udc80"), max_size=40))
@example("---\r\na: 1\r\n---")
def test_any(text):
    """Any text is read or refused with a line of the text, and its offsets are in order."""
    front = attempt(text)
    if isinstance(front, yaml_reader.Broken):
        assert 2 <= front.line <= text.count("\n") + text.count("\r") + 1
        return
    assert 0 <= front.start <= front.end <= front.body <= len(text)
    assert (front.body > front.start) or not front.fields
    new = set_fields(text, {"zz": "1"})
    assert read(new).fields == {**front.fields, "zz": "1"}
    assert new[read(new).body :] == text[front.body :]


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_render(fields):
    """What is rendered is read back, and the body begins right after it."""
    text = render(fields)
    assert read(text + "# T\n") == Front(fields, 4, len(text) - 4, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# T\n",
        "---\n",
        "---",
        "---\na: 1\n",
        "---\ntext\n---\n",
        "---\n\nSay: a: b\n\n---\n",
        "--- a\nb: 1\n---\n",
        "---\n# T\n---\n",
        " ---\na: 1\n---\n",
        "\n---\na: 1\n---\n",
        "----\na: 1\n----\n",
        "---\n- a: 1\n---\n",
        "---\n> a: 1\n---\n",
    ],
)
def test_none(text):
    """A thematic break, an open marker or a marker that is not at the top is no front matter."""
    assert read(text) == Front({}, 0, 0, 0)
    assert read("\ufeff" + text) == Front({}, 1, 1, 1)
    assert set_fields(text, {"k": "v"}) == "---\nk: v\n---\n" + text


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("---\na: 1\n---\nb", {"a": 1}, "b"),
        ("\ufeff---  \r\na: 1\r\n---\t\r\nb", {"a": 1}, "b"),
        ("---\ra: 1\r---\rb", {"a": 1}, "b"),
        ("---\na: 1\n...\nb", {"a": 1}, "b"),
        ("---\na: 1\n---", {"a": 1}, ""),
        ("---\n---\nb", {}, "b"),
        ("---\n# c\n\na: 1\n---\nb", {"a": 1}, "b"),
        ("---\na: |\n  ---\n---\nb", {"a": "---\n"}, "b"),
        ("---\n{a: 1}\n---\nb", {"a": 1}, "b"),
        ("---\nstarted: 2026-01-05\n---\n", {"started": "2026-01-05"}, ""),
    ],
)
def test_read(text, fields, body):
    """Front matter is read whatever line ends, markers and comments it has."""
    front = read(text)
    assert (front.fields, text[front.body :]) == (fields, body)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: b: c\n---\n", 2),
        ("---\na: 1\r\nb: [\r\n---\r\n", 4),
        ("---\na: 1\na: 2\n---\n", 3),
        ("---\nx\na: 1\n---\n", 3),
    ],
)
def test_broken(text, line):
    """Broken front matter is refused with its line in the file."""
    with pytest.raises(yaml_reader.Broken) as caught:
        read(text)
    assert caught.value.line == line
    with pytest.raises(ValueError, match=f"line {line}: "):
        set_fields(text, {"k": "v"})


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("---\na: 1 # c\nb: 2\n---\nx", {"a": 3}, "---\na: 3\nb: 2\n---\nx"),
        ("---\r\na:\r\n- x\r\n\r\n# c\r\nb: 2\r\n---\r\n", {"a": ["y"]}, "---\r\na: [y]\r\n\r\n# c\r\nb: 2\r\n---\r\n"),
        ("---\na: |\n  x\n  y\nb: 2\n---\n", {"a": None}, "---\nb: 2\n---\n"),
        ("---\na: 1\n...\n", {"b": {"c": 1}}, "---\na: 1\nb:\n  c: 1\n...\n"),
        ("---\n{a: 1}\n---\nx", {"b": 2}, "---\na: 1\nb: 2\n---\nx"),
        ("---\na: 1\n---\nx", {"a": None}, "---\n---\nx"),
        ("\ufeffx\r\n", {"a": 1}, "\ufeff---\r\na: 1\r\n---\r\nx\r\n"),
        ("---\na: 1\n---\n", {"a": True}, "---\na: true\n---\n"),
        ("---\na: [x,\nb]  # c\n---\n", {"k": 1}, "---\na: [x,\nb]  # c\nk: 1\n---\n"),
        ("---\na: [\n  x,\n]\nb: 'y'  # c\nc: 1\n---\n", {"c": 2}, "---\na: [\n  x,\n]\nb: 'y'  # c\nc: 2\n---\n"),
    ],
)
def test_set_form(text, changes, expected):
    """A key's lines are replaced, a new key comes before the closing marker, None removes, line ends are kept."""
    assert set_fields(text, changes) == expected
