"""One line, cut where a reader would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.wake.snapshot import prose

# fmt: off
CUTS = [
    ("fits exactly", "one two", 7, "one two"),
    ("between words", "one two three", 10, "one two..."),
    ("not inside one", "one twofold", 9, "one..."),
    ("no comma is left", "one, two three", 9, "one..."),
    ("one long word", "x" * 50, 10, "xxxxxxx..."),
    ("not inside a link", "see [the long page](docs/page.md) now", 24, "see..."),
    ("nor behind its words", "see [a](docs/page.md) and so on", 26, "see [a](docs/page.md)..."),
    ("a link that begins the line gives its words", "[a page](docs/a/very/long/path.md) is here", 20, "a page is here"),
    ("not inside code", "run `sleepwake snapshot` now", 20, "run..."),
    ("not inside an address", "see https://example.org/a/b/c/d now and", 25, "see..."),
    ("not inside a wiki link", "see [[the other page]] now", 18, "see..."),
    ("Chinese between characters", "记忆是会话之间的桥梁与根本", 10, "记忆是会话之间..."),
    ("an accent stays with its letter", "e\u0301" * 20, 8, "e\u0301e\u0301..."),
    ("a vowel of Thai with a mark stays with its letter", "น้ำ" * 9, 8, "น้ำ..."),
    ("a family stays together", "\U0001f469\u200d\U0001f467" * 9, 8, "\U0001f469\u200d\U0001f467..."),
    ("no room", "word", 2, ""),
]
# fmt: on


@pytest.mark.parametrize(("text", "limit", "said"), [one[1:] for one in CUTS], ids=[one[0] for one in CUTS])
def test_cut(text, limit, said):
    """A line is cut between words, outside of what must stay whole."""
    assert prose.cut(text, limit) == said


@given(st.text(st.sampled_from("ab c1-[]()`<>é记\u0301\u200d😀. "), max_size=80), st.integers(4, 60))
def test_a_cut_line_is_short_and_begins_the_line(text, limit):
    """A cut line never has more characters than the limit, and no half of a word where a space was near."""
    cut = prose.cut(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text
    elif cut and text.startswith(kept := cut.removesuffix("...")) and " " in text[: limit - 3].strip():
        follows = text[len(kept)]
        assert (
            not (kept[-1].isascii() and kept[-1].isalnum() and follows.isascii() and follows.isalnum()) or "[" in text
        )


def test_flat():
    """A text becomes one line: line feeds, tabs and runs of spaces are one space, what does not show is gone."""
    assert prose.flat(" a\n\tb  c\x1b[0m\u202e ") == "a b c"
    assert prose.flat("plain") == prose.flat(" plain ") == "plain"
    assert prose.flat("half \ud83d pair") == "half ? pair"


@pytest.mark.parametrize(
    "text",
    ["", " ", "(To be defined)", "(Add rules here).", "{{WHY}}", "TBD", "todo", "N/A", "...", "…", "---", "[user]"],
)
def test_placeholders(text):
    """A line that only keeps a place is known."""
    assert prose.is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["(Optional) use the lock", "Todo lists are kept", "a", "(one) and (two", "use {{X}} here"]
)
def test_words_are_no_placeholders(text):
    """A line that says something is kept, brackets or not."""
    assert not prose.is_placeholder(text)
