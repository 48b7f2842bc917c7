"""The subset reader against ruamel.yaml, and the form that we write."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import YAMLError

from sleep.documents import yaml_oracle, yaml_reader, yaml_values
from sleep.documents.yaml_values import Unsupported


class Written(SafeConstructor):
    """ruamel's own constructor, but for dates, which stay as written."""


Written.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)
Written.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)

WORDS = st.one_of(
    st.sampled_from(
        [
            "a",
            "two words",
            "true",
            "False",
            "yes",
            "no",
            "null",
            "~",
            "1",
            "-1",
            "007",
            "1.5",
            "1e5",
            "0x1f",
            "1_000",
            ".5",
            "2026-01-05",
            "2026-01-05T10:00:00Z",
            "2026-1-5",
            "12:30",
            "0.3.1",
            "12345678-aaaa",
            "i7qxk.12",
            "T-001",
            "-x",
            "a:b",
            "http://x.y/z#f",
            "a#b",
            "it's",
            'say "x"',
            "é 界 😀",
            "- x",
            "a: b",
            "a #b",
            "#",
            "",
            " ",
            "x ",
            "[a",
            "}",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "|",
            ">",
            "? a",
            "<<",
            "---",
            "...",
            "a,b",
            "\\n",
            "tab\there",
            "-",
            ":",
        ]
    ),
    st.text(max_size=8),
    st.text("ab1-:# ,.[]{}'\"\\", max_size=8),
)
SCALARS = st.one_of(WORDS, st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.floats(allow_nan=False))
KEYS = st.sampled_from(["a", "b", "key", "two words", "session_id", "x-y", "a.b", "1", "é"])
VALUES = st.recursive(
    SCALARS, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=3), max_leaves=8
)
FIELDS = st.dictionaries(KEYS | st.sampled_from(["true", "null", "2026-01-05", "x" * 200]), VALUES, max_size=4)


def judge(text):
    """What ruamel.yaml says, asked directly: not through our own walk over its nodes."""
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = Written
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.load(text)


def same(one, other):
    return repr(one) == repr(other)


@st.composite
def written(draw, deep=3):
    """A YAML map in one of the many ways to write it: right by intention, not by certainty."""
    lines = draw(st.sampled_from([[], ["---"], ["# comment"], ["", "# c", ""]]))
    lines = [*lines, *_map(draw, 0, deep)]
    if draw(st.integers(0, 9)) == 0:
        lines.append(draw(st.sampled_from(["...", "# end", "  # end", "", "---", "%TAG"])))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n", "\n", "\n\n"]))
    return draw(st.sampled_from(["", "", "", "\ufeff"])) + (text.replace("\n", "\r\n") if draw(st.booleans()) else text)


def _map(draw, indent, deep):
    out = []
    for key in draw(st.lists(KEYS, min_size=1, max_size=3, unique=draw(st.integers(0, 9)) > 0)):
        quote = draw(st.sampled_from(["{}", "{}", "{}", "{} ", "'{}'", '"{}"']))
        out += _node(draw, " " * indent + quote.format(key) + ":", indent, deep)
        out += draw(st.sampled_from([[], [], [], [""], ["# between"], [" " * indent + "  # between"], ["   "]]))
    return out


def _node(draw, head, indent, deep):  # noqa: PLR0911  # one return for each style
    """The lines of a value that stands after `head`, a key with its colon or a dash."""
    kind = draw(st.sampled_from(["plain", "plain", "quoted", "flow", "block", "list", "map", "empty"]))
    tail = draw(st.sampled_from(["", "", "", " ", " # why", "  #", "# tight"]))
    inner = indent + draw(st.sampled_from([1, 2, 2, 4]))
    if kind == "plain":
        return [f"{head} {draw(WORDS)}{tail}"]
    if kind == "quoted":
        return [f"{head} {_quoted(draw)}{tail}"]
    if kind == "flow":
        return [f"{head} {_flow(draw, 2)}{tail}"]
    if kind == "block":
        header = draw(st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-"]))
        rows = draw(
            st.lists(st.sampled_from(["text", "more words", "", "  deeper", "# no", "a: b", "- x", "end "]), max_size=5)
        )
        return [f"{head} {header}{tail}", *(" " * inner + row if row else row for row in rows)]
    if kind == "list" and deep:
        dash = draw(st.sampled_from([indent, inner]))
        body = [line for _ in range(draw(st.integers(1, 3))) for line in _node(draw, " " * dash + "-", dash, deep - 1)]
        return [head + tail, *body]
    if kind == "map" and deep:
        body = _map(draw, inner, deep - 1)
        if head.endswith("-") and draw(st.booleans()):
            width = len(head) + 1
            body = _map(draw, width, deep - 1)
            return [head + " " + body[0][width:], *body[1:]]
        return [head + tail, *body]
    return [head + tail]


def _quoted(draw):
    word = draw(WORDS)
    if draw(st.booleans()):
        return "'" + word.replace("'", draw(st.sampled_from(["''", "''", "'"]))) + "'"
    escape = draw(
        st.sampled_from(["", "", "\\n", "\\x41", "\\u00e9", "\\U0001F600", "\\q", "\\/", "\\_", "\\u12", "\\ "])
    )
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + escape + '"'


def _flow(draw, deep):
    kind = draw(st.sampled_from(["word", "word", "quoted", "list", "map"] if deep else ["word", "quoted"]))
    comma = draw(st.sampled_from([", ", ",", " , "]))
    last = draw(st.sampled_from(["", "", "", ",", ", "]))
    if kind == "word":
        return draw(WORDS)
    if kind == "quoted":
        return _quoted(draw)
    parts = [_flow(draw, deep - 1) for _ in range(draw(st.integers(0, 3)))]
    if kind == "list":
        return "[" + comma.join(parts) + last + "]"
    colon = draw(st.sampled_from([": ", ": ", ":", " : "]))
    return "{" + comma.join(draw(KEYS) + colon + part for part in parts) + last + "}"


def assert_judged(text):
    """Where the subset reader answers, ruamel says the same."""
    try:
        value = yaml_reader.subset(text)
    except Unsupported:
        return False
    try:
        said = judge(text) or {}
    except (YAMLError, ValueError) as error:
        raise AssertionError(f"only the subset reader reads {text!r}") from error
    assume(_stringed(said))
    assert same(value, said), text
    return True


def attempt(text):
    """The value, or what is wrong."""
    try:
        return yaml_reader.load(text), None
    except yaml_reader.Broken as broken:
        return None, broken


def _stringed(value):
    """Whether all keys are strings: for us they always are."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _stringed(item) for key, item in value.items())
    return all(map(_stringed, value)) if isinstance(value, list) else True


@given(written())
@example("a: |\n  x")
@example("a: |+\n  x\n\n")
@example("a:\n  - b: 1\n    c: 2\n")
def test_judge_written(text):
    """Where the subset reader answers for YAML in many styles, ruamel.yaml says the same."""
    assert_judged(text)


@given(written(deep=1), st.data())
def test_judge_mutated(text, more):
    """Where the subset reader answers for YAML that was tampered with, ruamel.yaml says the same."""
    for _ in range(more.draw(st.integers(1, 3))):
        at = more.draw(st.integers(0, len(text)))
        piece = more.draw(
            st.sampled_from(
                ["", ":", " ", "\n", "#", "'", '"', "-", "- ", ": ", "[", "]", ",", "\t", "x", "\r", "|", "}"]
            )
        )
        text = text[:at] + piece + text[at + more.draw(st.integers(0, 2)) :]
    assert_judged(text)


@given(FIELDS)
def test_judge_ruamel(fields):
    """The subset reader agrees on what ruamel.yaml itself writes."""
    from io import StringIO  # noqa: PLC0415

    out = StringIO()
    try:
        YAML(typ="safe", pure=True).dump(fields, out)
    except (YAMLError, ValueError):
        assume(False)
    assert_judged(out.getvalue())


@given(written())
def test_load_is_judged(text):
    """Loading gives what ruamel.yaml gives, and fails where it fails."""
    value, broken = attempt(text)
    if broken:
        assert 1 <= broken.line <= text.count("\n") + text.count("\r") + 1
        assert str(broken).startswith(f"line {broken.line}: ")
        try:
            said = judge(text)
        except (YAMLError, ValueError):
            return
        assert not isinstance(said, dict) or not _stringed(said) or "<<" in text or "!" in text
        return
    said = judge(text) or {}
    assume(_stringed(said))
    assert same(value, said)


@given(FIELDS)
@example({"a": "\udc80"})
@example({"a": "\U0010fe80"})
@example({"a": float("inf"), "b": "1e5", "c": "2026-01-05"})
def test_dump(fields):
    """What we write is read back as it was, by us and by ruamel.yaml."""
    text = yaml_values.dump(fields)
    if not fields:
        assert text == "{}"
        return
    assert same(yaml_reader.load(text), fields)
    said = judge(text.replace("\udc80", "x"))
    assert "\udc80" in text or same(said, fields)


@given(FIELDS)
def test_dump_subset(fields):
    """What we write of plain words, whole numbers and flat lists is read without loading ruamel.yaml."""
    flat = {
        key: value
        for key, value in fields.items()
        if isinstance(value, int | str) and str(value).isascii() and len(key) < 20
    }
    if flat:
        assert same(yaml_reader.subset(yaml_values.dump(flat)), flat)


def test_dump_form():
    """There is one canonical form: flow lists, block maps, quotes only where they are needed."""
    fields = {
        "a": 1,
        "b": ["x", "y, z"],
        "c": {"d": {}, "e": None},
        "f": "a: b",
        "g": True,
        "h": "l\n",
        "i": "2026-01-05",
    }
    assert yaml_values.dump(fields) == (
        'a: 1\nb: [x, "y, z"]\nc:\n  d: {}\n  e: null\nf: "a: b"\ng: true\nh: "l\\n"\ni: 2026-01-05\n'
    )
    assert yaml_values.dump("x") == "x"
    assert yaml_values.dump("") == '""'
    assert yaml_values.dump(math.nan) == ".nan"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# only\n", {}),
        ("---\na: 1\n...\n", {"a": 1}),
        ("\ufeffa: 1\r\nb: x # y\r\n", {"a": 1, "b": "x"}),
        (
            "date: 2026-01-05\nat: 2026-01-05T10:00:00+02:00\n",
            {"date": "2026-01-05", "at": "2026-01-05T10:00:00+02:00"},
        ),
        ("a:\n- x\n- y\nb:\n  - 1\n", {"a": ["x", "y"], "b": [1]}),
        ("a: [x, 'y, z'] # why\nb:\n  c: 1\n  d: []\n", {"a": ["x", "y, z"], "b": {"c": 1, "d": []}}),
        ("a: ~\nb: null\nc:\nd: ''\n", {"a": None, "b": None, "c": None, "d": ""}),
        ("a: 'it''s'\nb: \"\\u00e9\\n\"\n", {"a": "it's", "b": "é\n"}),
        ("a: 0.3.1\nb: 1.50\nc: -3\nd: 3f2a-11\n", {"a": "0.3.1", "b": 1.5, "c": -3, "d": "3f2a-11"}),
    ],
)
def test_subset(text, value):
    """Front matter as people write it is read by the subset reader."""
    assert same(yaml_reader.subset(text), value)
    assert same(yaml_oracle.read(text), value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: x\n  y\n", {"a": "x y"}),
        ("a: [x, {k: v}]\nb: {c: 1, d: []}\n", {"a": ["x", {"k": "v"}], "b": {"c": 1, "d": []}}),
        ("a: |\n  x\n   y\n\n  z\nb: >-\n  x\n  y\n\n  z\n", {"a": "x\n y\n\nz\n", "b": "x y\nz"}),
        ("hooks:\n- on: stop\n  run: x\n- on: start\n", {"hooks": [{"on": "stop", "run": "x"}, {"on": "start"}]}),
        ("a: [x,\n  y]\n", {"a": ["x", "y"]}),
        ("a: =\n", {"a": "="}),
        ("a: &b x\nc: *b\n", {"a": "x", "c": "x"}),
        ("a: !!str 1\n", {"a": "1"}),
        ("1: x\ntrue: y\n", {"1": "x", "true": "y"}),
        ("{a: 1}\n", {"a": 1}),
        ("a: \udc80\n", {"a": "\udc80"}),
        ("a: 0x1F\nb: 007\nc: .inf\n", {"a": 31, "b": 7, "c": math.inf}),
    ],
)
def test_load(text, value):
    """What only ruamel.yaml understands is loaded too, keys as written, bytes that are not UTF-8 kept."""
    assert same(yaml_reader.load(text), value)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: c: d\n", 2, "mapping values"),
        ("a: 1\na: 2\n", 2, "twice"),
        ("a:\n  b: 1\n  b: 2\n", 3, "twice"),
        ("- x\n", 1, "not a map"),
        ("a: [\n", 2, "expected"),
        ("a: 1\nb: \x01\n", 2, "U\\+0001"),
        ("a: !x 1\n", 1, "the tag !x"),
        ("a: &x {b: 1}\n<<: *x\n", 2, "merge keys"),
        ("? [a]\n: 1\n", 1, "one word"),
        ('a: \udc80\nb: "\\U0010FE80"\n', 1, "not UTF-8"),
        ("a: 1\n---\nb: 2\n", 2, "another document"),
        ("a: " + "[" * 600, 1, "deep"),
        (
            "a: &a [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in pairwise("abcdef")),
            1,
            "multiply",
        ),
    ],
)
def test_broken(text, line, what):
    """Broken YAML is refused with its line and what is wrong there, and so is what would multiply."""
    with pytest.raises(yaml_reader.Broken, match=what) as caught:
        yaml_reader.load(text)
    assert what == "multiply" or caught.value.line == line
    with pytest.raises(ValueError, match=f"line {caught.value.line + 1}: "):
        yaml_reader.load(text, 2)


def test_loads_nothing():
    """Reading and writing the subset loads neither ruamel.yaml nor dataclasses."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from sleep.documents import front_matter, yaml_reader;"
        "yaml_reader.load('a: [x]'); front_matter.set_fields('x', {'a': 'b'});"
        "print({'dataclasses', 'ruamel.yaml', 'mistune'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(Path(yaml_reader.__file__).parents[2])],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
