"""Counting and clipping tokens."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.language.tokens import clip, count

PARTS = [
    "word",
    " ",
    "longer-word",
    "\n",
    "决定",
    "日本語",
    "한국어",
    "。",
    "سلام",
    "😀",
    "\ud83d\ude00",
    "\ud800",
    "\udc00",
    "\t",
    "é",
    "",
]
TEXTS = st.one_of(st.lists(st.sampled_from(PARTS), max_size=20).map("".join), st.text(max_size=60))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fiver", 2),
        ("决定", 2),
        ("决定 a", 3),
        ("한국어", 3),
        ("カタカナ", 4),
        ("😀", 1),
        ("𠀀", 1),
    ],
)
def test_count(text, tokens):
    """Four characters of Latin text are a token, rounded up; a CJK character is one."""
    assert count(text) == tokens


@given(TEXTS, TEXTS)
def test_count_grows(one, other):
    """A longer text never counts less, and two together never more than apart."""
    assert max(count(one), count(other)) <= count(one + other) <= count(one) + count(other)


@given(TEXTS, st.integers(-2, 30))
@example("\ud83d\ude00" * 8, 2)
@example(" a", 1)
def test_clip(text, budget):
    """A clipped text fits the budget and is the beginning of the text, which comes back whole where it fits."""
    short = clip(text, budget)
    assert count(short) <= max(budget, 0)
    if count(text) <= budget:
        assert short == text
    elif short:
        assert short.endswith("…")
        assert text.startswith(short[:-1])


@given(
    st.lists(st.sampled_from(["a", "word", "longer-word", "x" * 30, "é"]), min_size=1),
    st.sampled_from([" ", "\n", "\t", "  "]),
    st.integers(2, 20),
)
def test_whole_words(words, space, budget):
    """Words are never cut where there is space before them."""
    text = space.join(words)
    kept = clip(text, budget).removesuffix("…").split()
    assert kept == words[: len(kept)] or len(kept) == 1


@given(st.integers(0, 12), st.integers(2, 12))
def test_pairs(before, budget):
    """Two surrogates that make one character are never parted."""
    cut = clip("x" * before + "\ud83d\ude00" * 20, budget).removesuffix("…")
    assert not cut.endswith("\ud83d")


@pytest.mark.parametrize(
    ("text", "budget", "short"),
    [
        ("one two three four", 3, "one two…"),
        ("one\ntwo\nthree\nfour", 3, "one\ntwo…"),
        ("结论 使用文件锁而不是进程锁因为它更快", 8, "结论 使用文件…"),
        ("use 锁 and nothing else", 3, "use 锁…"),
        ("extraordinarily", 2, "extr…"),
        ("words", 1, ""),
        ("words", 0, ""),
        ("", 0, ""),
    ],
)
def test_where(text, budget, short):
    """A cut falls behind a word, or anywhere in CJK text; a budget of one token leaves nothing."""
    assert clip(text, budget) == short


@pytest.mark.parametrize("part", ["word ", "x", "决", "\n"])
def test_large(part):
    """A text of millions of characters is clipped in a moment."""
    text = part * 2_000_000
    start = time.process_time()
    assert count(clip(text, 1000)) <= 1000
    assert time.process_time() - start < 5
