"""Parts of a pattern: what stands between its `|`, and the letters that whatever it matches has."""

from __future__ import annotations

import pytest

from sleep.language.acts import pattern_parts


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [("a|b", ["a", "b"]), ("(?:a|b)|[|)]c", ["(?:a|b)", "[|)]c"]), (r"a\|b|c", [r"a\|b", "c"]), ("", [""])],
)
def test_alternatives(pattern, parts):
    """A `|` in a group, in a set or behind an escape parts nothing."""
    assert pattern_parts.alternatives(pattern) == parts


@pytest.mark.parametrize(
    ("pattern", "runs"),
    [
        (r"\bdecided (?:to|on)\b", {"decided "}),
        ("(?:to|on) decide", {" decide"}),
        ("(?:chose|decided)", {"chose", "decided"}),
        ("chose|(?:not )?", set()),
        ("a|chose", set()),
        ("choses?", {"chose"}),
        ("chose+n", {"chose"}),
        ("ab{0,12}cd", {"cd"}),
        ("abc{2}", {"ab"}),
        ("(?:chose){1,12}", {"chose"}),
        ("(?:chose)*", set()),
        ("(?:chose){0,12}", set()),
        ("(?:chose){,2}", set()),
        ("(?:chose)?", set()),
        ("(?!chose|not)(?<=chose)x", set()),
        (r"\W\w\d[chose].", set()),
        (r"etc\.\(", {"etc"}),
        ("(?-i:TODO|FIXME)", {"todo", "fixme"}),
        ("decided|decide", {"decide"}),
        ("(ab)cde", {"cde"}),
        ("{ab", {"ab"}),
        ("决定", {"决定"}),
    ],
)
def test_needed(pattern, runs):
    """Only what has to be there is told, in small letters: the longest runs, and none that another one implies."""
    assert pattern_parts.needed(pattern) == runs
