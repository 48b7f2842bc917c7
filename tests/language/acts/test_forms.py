"""Phrases: searched fast, and finding what the pattern as it is written finds."""

from __future__ import annotations

import functools
import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.language import lexicon
from sleep.language.acts.forms import Phrase, form

SEARCHED = ("headings.", "labels.", "phrases.", "signs.", "stated.", "rules.rule")
ALL = [form(name) for name in lexicon._sections("en") if name.startswith(SEARCHED)]
WORDS = sorted({word for one in ALL for word in re.findall(r"[^\W\d_]{2,}|[:：✅~(]", one.source)})
SAID = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=7).map(" ".join)


@functools.cache  # each worker imports this module, and one asks
def _written():
    return [(one, re.compile(one.source, re.IGNORECASE)) for one in dict.fromkeys(ALL)]


@given(SAID, st.sampled_from([str, str.upper, str.title]))
@example("DECIDED TO keep İ", str)
@example("TODO: fix", str)
@example("todo: fix", str)
@example("ſhould never", str)
def test_finds_what_the_written_pattern_finds(text, case):
    """Grouped alternatives and small letters change nothing about whether a phrase is found."""
    text = case(text)
    for one, written in _written():
        assert one.search(text) == (written.search(text) is not None), (one.source, text)
        assert one.fullmatch(text) == (written.fullmatch(text) is not None), (one.source, text)


def test_no_letter_of_a_pattern_has_another_case_than_its_small_one():
    """Whatever letter a pattern's letter matches in any case has the same small letter, or is known to be odd."""
    cased = "".join(one for one in map(chr, range(sys.maxunicode + 1)) if one.lower() != one or one.upper() != one)
    cases = {}
    for one in cased:
        cases.setdefault(one.lower(), set()).add(one)
    for letter in sorted({letter for one in ALL for letter in one.source if letter.isalpha()}):
        found = {one for one in re.findall(re.escape(letter), cased, re.IGNORECASE) if one not in "İıſᲀᲁᲂᲃᲄᲅᲆᲇᲈ"}
        assert found == cases.get(letter.lower(), set()) - {"İ"}, letter


@pytest.mark.parametrize(
    ("patterns", "text", "found"),
    [
        ((r"\bnext\b|^later", "(?:a|b)[|)]c"), "see a|c", True),
        ((r"\bnext\b|^later",), "not later", False),
        ((r"^(?:now|then)\b", r"\bwhy(?=\?)"), "But WHY?", True),
        ((r"[^]|]x",), "|x", False),
        (("(?:决|改)定", "改?ok", "(?:选)?ja"), "ok", True),
        (("(?:决|改)定", "改?ok", "(?:选)?ja"), "ja", True),
        (("(?:决|改)定", "选"), "他 改定", True),
        (("(?:决|改)定", "选"), "decided", False),
    ],
)
def test_alternatives_are_taken_apart_at_the_top_only(patterns, text, found):
    """A `|` in a group or a set parts nothing."""
    assert Phrase("|".join(patterns)).search(text) is found
