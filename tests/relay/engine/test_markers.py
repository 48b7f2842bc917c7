"""The grammar of markers: what is one, what is text, and how long it takes to tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processor_time import spent

from sleep.relay.engine.markers import Callback, Parsed, Sleep, mentions, parse

MEBI = 2 * 2**20


@pytest.mark.parametrize(
    ("content", "text", "sleep"),
    [
        ("@@sleep:30s@@", "", Sleep(30, "default")),
        ("good night @@sleep:2.5s@@", "good night", Sleep(2.5, "default")),
        ("@@sleep:5s:buffer@@ bye", "bye", Sleep(5, "buffer")),
        ("@@sleep:5s:drop@@", "", Sleep(5, "drop")),
        ("@@sleep:5s:default@@ bye", "bye", Sleep(5, "default")),
        ("@@sleep:.5s@@", "", Sleep(0.5, "default")),
        ("`@@sleep:.5s@@` @@sleep:.25:drop@@", "`@@sleep:.5s@@`", Sleep(0.25, "drop")),
        ("@@sleep:5@@", "", Sleep(5, "default")),
        ("a @@sleep:5s@@ b @@sleep:7s:drop@@ c", "a  b  c", Sleep(7, "drop")),
        ("x @@sleep:0s@@", "x", Sleep(0, "default")),
        ("@@sleep:5s@@ @@sleep:0s@@", "", Sleep(0, "default")),
        ("@@sleep:" + "9" * 5000 + "s@@", "", Sleep(float("inf"), "default")),
        ("@@sleep:" + "0" * 5000 + "7s@@", "", Sleep(0, "default")),
    ],
)
def test_sleep(content, text, sleep):
    """A sleep marker is taken out wherever it stands, and the last one counts."""
    assert parse(content) == Parsed(text, sleep, (), marked=True)


@pytest.mark.parametrize(
    "content",
    [
        "@@sleep:-5s@@",
        "@@sleep:1e3s@@",
        "@@sleep:s@@",
        "@@sleep:5.s@@",
        "@@sleep:.s@@",
        "@@sleep:..5s@@",
        "@@sleep:5s:@@",
        "@@sleep:5m@@",
        "@@sleep:5s:quiet@@",
        "@@sleep:٥s@@",
        "@@SLEEP:5s@@",
        "@@sleep: 5s@@",
        "@@sleep:5s@",
        "@sleep:5s@@",
        "@@wake@@",
        "@@nap:5s@@",
        "  spaces stay  @@",
        "`@@sleep:5s@@`",
        "say `` `@@sleep:5s@@` `` to sleep",
        "a `code\nspan @@sleep:5s@@` over two lines",
        "```\n@@sleep:5s@@\n```",
        "```@@sleep:5s@@```",
        "~~~ text\n@@sleep:5s@@\n~~~\nafter",
        "before\n```\n@@sleep:5s@@",
        "- item\n  ```\n  @@sleep:5s@@\n  ```",
        "> ```\n> @@sleep:5s@@\n> ```",
        "text\n\n    @@sleep:5s@@",
        "\t@@sleep:5s@@",
        "`@@cb:5s@@x`",
        "```\n@@cb:5s@@x\n```",
        "@@cb:5@@x",
        "@@cb:-5s@@x",
        "@@cb:5s#@@x",
    ],
)
def test_text(content):
    """What is no marker, and what stands in code, is text and stays as it is."""
    assert parse(content) == Parsed(content, None, (), marked=False)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("it`s\n\n@@sleep:5s@@\n\nwon`t", "it`s\n\n\n\nwon`t"),
        ("a ` b @@sleep:5s@@", "a ` b"),
        (r"\`@@sleep:5s@@\`", r"\`\`"),
        (r"`a\` @@sleep:5s@@ `", r"`a\`  `"),
        ("``` a ` b\n@@sleep:5s@@", "``` a ` b"),
        ("it`s\n```\nx `y`\n```\n@@sleep:5s@@", "it`s\n```\nx `y`\n```"),
        ("- item\n\n    @@sleep:5s@@", "- item"),
        ("para\n    @@sleep:5s@@", "para"),
        ("```\ncode\n```\n@@sleep:5s@@", "```\ncode\n```"),
        ("~~~\n```\n~~~\n@@sleep:5s@@", "~~~\n```\n~~~"),
        ("`` a ` b `` @@sleep:5s@@", "`` a ` b ``"),
    ],
)
def test_beside_code(content, text):
    """A marker outside code counts, however many backticks stand around it."""
    assert parse(content) == Parsed(text, Sleep(5, "default"), (), marked=True)


@pytest.mark.parametrize(
    ("content", "text", "callbacks"),
    [
        ("@@cb:5s@@ping me", "", [Callback(5, "", "ping me")]),
        ("hi @@cb:1.5s#love@@ look ", "hi", [Callback(1.5, "#love", "look")]),
        ("@@cb:.5s@@look", "", [Callback(0.5, "", "look")]),
        ("@@cb:5s@@a\nb@@cb:6s@@c", "", [Callback(5, "", "a\nb"), Callback(6, "", "c")]),
        ("@@cb:5s@@", "", [Callback(5, "", "")]),
        ("@@cb:5s@@a @@cb:x@@ b", "@@cb:x@@ b", [Callback(5, "", "a")]),
        ("@@cb:5s@@run `@@cb:6s@@x` now", "", [Callback(5, "", "run `@@cb:6s@@x` now")]),
    ],
)
def test_callback(content, text, callbacks):
    """A callback's payload runs to the next one or the end."""
    assert parse(content) == Parsed(text, None, tuple(callbacks), marked=True)


def test_sleep_first():
    """A sleep marker in a payload puts to sleep and is no part of the payload."""
    assert parse("@@cb:5s@@ping @@sleep:9s@@") == Parsed("", Sleep(9, "default"), (Callback(5, "", "ping"),), True)


def test_too_many():
    """The first callback too many ends the message, and that is said."""
    found = parse("hello " + "@@cb:1s@@x" * 51, 50)
    assert (found.text, len(found.callbacks), found.excess) == ("hello", 50, True)
    assert not parse("@@cb:1s@@x" * 50, 50).excess


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hi @Bob, and @carol.", {"bob", "carol"}),
        ("(@bob)", {"bob"}),
        ("@bob-smith", {"bob-smith"}),
        ("@bob- and _@dan_", {"bob-", "bob", "dan_", "dan"}),
        ("bob@example.org x@bob @@bob @", set()),
        ("@bobé", {"bobé"}),
        ("`@bob` and\n```\n@carol\n```", set()),
        ("`code` @bob", {"bob"}),
    ],
)
def test_mentions(text, found):
    """A mention is a whole name behind an `@`, in any case, outside code and addresses."""
    assert mentions(text) == found


_PIECES = st.sampled_from(
    [
        "@@sleep:",
        "5",
        "s",
        ":drop",
        "@@",
        "`",
        "```",
        "~~~",
        "\n",
        "    ",
        "@@cb:",
        "#a",
        "x",
        "- ",
        "\\",
        "@@sleep:1s@@",
    ]
)


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any(content):
    """Any text can be parsed; unmarked it stays as it is, and marked it only loses."""
    found = parse(content)
    assert found.marked or found.text == content
    assert found.marked or (found.sleep is None and not found.callbacks)
    assert len(found.text) + sum(len(one.payload) for one in found.callbacks) <= len(content)
    mentions(content)


@given(st.text("`@s:leep5 \n~-", max_size=60), st.integers(0, 60))
def test_fence(content, cut):
    """A marker in a fence that is longer than any in its text is never taken."""
    fenced = f"~~~~~~~~~~~~{'~' * len(content)}\n{content[:cut]}@@sleep:5s@@{content[cut:]}"
    assert parse(fenced).text == fenced


@pytest.mark.parametrize(
    "piece",
    [
        "@@sleep:1s@@",
        "@@sleep:1s:drop@@ ",
        "@@cb:1s@@x",
        "@@sleep:",
        "@@cb:",
        "@",
        "1",
        "@@sleep:1s@@@@cb:1s@@x",
        "@bob ",
    ],
)
def test_linear(piece):
    """Markers, or what might become one, take linear time; how long 2 MiB take `benchmarks/markers.py` says."""
    _linear(lambda size: "@@sleep:" + piece * (size // len(piece)) + "@@cb:1s@@x")


@pytest.mark.parametrize(
    "piece", ["` ", "`@@sleep:1s@@` ", "`@@sleep:1s@@\n\n", "```\n", "~~~\n", "\n    x\n\n", "\\`", "> > `", "1. ` "]
)
def test_code_is_linear(piece):
    """Code, however it is heaped up, takes linear time."""
    _linear(lambda size: piece * (size // len(piece)) + "@@sleep:1s@@")


@pytest.mark.parametrize("piece", ["` ", "`\n", "```\n", "~~~\n", "\\`", "\n\n    x", "\n\n\t`", "- `", "\n", "x"])
def test_delimiters_are_linear(piece):
    """So does nothing but what delimits code, behind a marker and before one."""
    _linear(lambda size: f"`x` @@sleep:1s@@{piece * (size // len(piece))}@@cb:1s@@x")


def test_long_code():
    """Where a message has code, markers are found in its first 128 Ki characters, and what is behind stays as it is."""
    filler = "word\n\n" * 30_000
    near, far = "`@@sleep:1s@@` @@sleep:2s@@ ", "@@sleep:3s@@ @@cb:1s@@x"
    found = parse(near + filler + far)
    assert found.sleep == Sleep(2.0, "default")
    assert found.text == f"`@@sleep:1s@@`  {filler}{far}"
    assert not found.callbacks
    plain = parse(filler + far)
    assert (plain.sleep, len(plain.callbacks)) == (Sleep(3.0, "default"), 1)


def _linear(made):
    """Four times as much takes about four times as long; what else the machine does is no reason."""
    part, whole = made(MEBI // 4), made(MEBI)
    assert any(spent(parse, whole) < 12 * max(spent(parse, part), 1e-4) for _ in range(5))
