"""What is asked of many texts at once answers as asking each of them does."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sleep.conversation.summary import marks, people, results, sieve
from sleep.conversation.summary.sequels import revocation, supersession
from sleep.language import tokens
from sleep.redaction import secret_text

PIECES = ["error", "Fail", "x", "12", "\n", "TIMED OUT", "not ", "found", "é", ".", " ", "pan", "ic"]
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=5)


@given(TEXTS)
def test_no_word_that_stands_in_a_text_is_missed(texts):
    found = sieve.standing(marks.broken(), texts)
    there = [text.lower() for text in texts if text.isascii()]
    assert set(found) >= {word for word in marks.broken() if any(word in text for text in there)}


def test_a_word_that_stands_nowhere_is_left_out():
    assert sieve.standing(marks.broken(), ["row 1 of 7", "copied 12 blocks\nfatal: none"]) == ["fatal"]


@given(st.text(st.one_of(st.characters(), st.sampled_from("aé漢カ한！\U00020000\ud800\udc00")), max_size=40))
def test_wide_signs_are_counted_as_the_pattern_finds_them(text):
    wide = sum(map(len, tokens._CJK.findall(text)))
    assert tokens.count(text) == wide + -(-(len(text) - wide) // 4)


@given(st.text(st.sampled_from("ab é9/_`漢"), max_size=6))
def test_a_text_is_telling_by_its_signs(text):
    assert results.is_telling(text) == bool(re.search(r"[0-9/_`]", text))


def test_signs_of_conversations_stand_in_the_words_of_a_long_text():
    """Each sign of speech that is looked for in the words of a long text is known there where the text has it."""
    signs = (*people._ANY, *marks.broken(), *revocation._signs(), *supersession._signs(), "pin:")
    log = "".join(f"row {number} of the listing\n" for number in range(1_000))
    for sign in filter(str.isascii, signs):
        assert sieve.known((sign,), secret_text.project(f"{log}({sign})").words) == [sign]
