"""The fields above a page, as the words that were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import front_matter

WANTED = frozenset({"name", "tags", "pinned", "updated"})
READ = [
    ("plain", "name: A b", {"name": "A b"}),
    ("as written", "name: 1.10\nupdated: 2026-02-26", {"name": "1.10", "updated": "2026-02-26"}),
    ("quoted", "name: \"a: \\\"b\\\"\"\nupdated: 'it''s'", {"name": 'a: "b"', "updated": "it's"}),
    ("a comment", "name: a # b\npinned: true  # yes", {"name": "a", "pinned": "true"}),
    ("no YAML: the words", "name: a: b", {"name": "a: b"}),
    ("nothing", "name:\ntags: []\npinned: ~\nupdated: null", {}),
    ("a list in brackets", "tags: [a, 'b, c', \"d\"]", {"tags": ["a", "b, c", "d"]}),
    ("over lines", "tags: [a,\n  b]", {"tags": ["a", "b"]}),
    ("a list below", "tags:\n  - a\n  - 'b'\n  - \nname: x", {"tags": ["a", "b"], "name": "x"}),
    ("flush", "tags:\n- a\n- b\nname: x", {"tags": ["a", "b"], "name": "x"}),
    ("folded", "name: >-\n  one\n  two\ntags: x", {"name": "one two", "tags": "x"}),
    ("literal", "name: |\n  one\n\n  two\n", {"name": "one two"}),
    ("going on", "name: one\n  two\ntags: x", {"name": "one two", "tags": "x"}),
    ("quoted keys, other case", '"Name": a\nUPDATED: b', {"name": "a", "updated": "b"}),
    ("indented", "  name: a\n  tags: [b]", {"name": "a", "tags": ["b"]}),
    ("in braces", "{name: a, tags: [b, c], pinned: true}", {"name": "a", "tags": ["b", "c"], "pinned": "true"}),
    ("the first of two", "name: a\nname: b", {"name": "a"}),
    ("a list that nothing closes", "tags: [a, b", {"tags": ["a", "b"]}),
    ("a quote that nothing closes", 'name: "a b', {"name": "a b"}),
    ("not wanted", "other: x\n  name: y\nname: z", {"name": "z"}),
    ("tags and anchors", "name: !!str a\ntags: &x [b]\npinned: &y on", {"name": "a", "tags": ["b"], "pinned": "on"}),
    ("none", "name: '!!a'\ntags: & b\nupdated: !!! no", {"name": "!!a", "tags": "& b", "updated": "!!! no"}),
    ("a comment line", "# name: x\nname: a", {"name": "a"}),
]  # fmt: skip


@pytest.mark.parametrize(("written", "said"), [one[1:] for one in READ], ids=[one[0] for one in READ])
def test_read(written, said):
    """A field is read in any form that people give it, broken ones as their words."""
    assert front_matter.words(f"---\n{written}\n---\nbody\n", WANTED) == said


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\nname: a\n---\nbody", "body"),
        ("---\nname: a\n...\nbody", "body"),
        ("--- \nname: a\n---  \n\nbody", "\nbody"),
        ("---\n---\nbody", "body"),
        ("---\nname: a\n---", ""),
        ("---\nname: a\n----\nx: y\n---\nbody", "body"),
        ("---\nJust words.\n---\nmore", None),
        ("---\nname: a\nbody", None),
        ("body", None),
        ("---", None),
        ("", None),
    ],
)
def test_where_the_body_starts(text, body):
    """The body starts behind the closing line; without one, or without fields, all of the page is body."""
    assert text[front_matter.span(text)[2] :] == (text if body is None else body)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30)
VALUE = st.one_of(WORDS, st.booleans(), st.lists(WORDS.filter(str.strip), min_size=1, max_size=4))


@given(st.dictionaries(st.sampled_from(sorted(WANTED)), VALUE, min_size=1))
def test_the_words_are_those_of_the_judge(said):
    """Of front matter that is in order the words are those that YAML gives."""
    page = front_matter.render(said) + "body\n"
    read = front_matter.words(page, WANTED)
    for name, value in front_matter.read(page).fields.items():
        if isinstance(value, list):
            assert [one.split() for one in read[name]] == [str(one).split() for one in value]
        elif isinstance(value, bool):
            assert read[name] == str(value).lower()
        else:
            assert read.get(name, "").split() == str(value or "").split()


@given(st.text(st.sampled_from("-:. #[]{}'\"|>\nab"), max_size=60))
def test_anything_is_read(text):
    """No front matter makes the reader fail."""
    front_matter.words(f"---\n{text}\n---\n", WANTED | {"a", "b", "ab"})
    front_matter.words(text, WANTED)


def test_forms():
    """A field is one line, a list, or a yes, as the reader of it wants."""
    assert front_matter.as_line(["a", "b"]) == "a, b"
    assert front_matter.as_line(None) == ""
    assert front_matter.as_list("a, b ,") == ["a", "b"]
    assert front_matter.as_list(None) == []
    assert [front_matter.is_true(one) for one in ("true", "Yes", "1", "no", ["true"], None)] == [True] * 3 + [False] * 3


def test_line_of():
    """A field's line is counted from the top of the page."""
    assert front_matter.line_of("---\nname: a\ntags: [b]\n---\ntags: c\n", "tags") == 3
    assert front_matter.line_of("no fields", "tags") == 1
