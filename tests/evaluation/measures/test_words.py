"""Content words: folded, stemmed, numbers and months in one form."""

from __future__ import annotations

import pytest

from sleep.evaluation.measures import words


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("parties", "party"),
        ("classes", "class"),
        ("class", "class"),
        ("stopping", "stop"),
        ("falling", "fall"),
        ("planned", "plan"),
        ("cats", "cats"),  # short words stay
        ("horses", "hors"),
        ("horse", "hors"),
        ("seven", "7"),
        ("7th", "7"),
        ("sept", "september"),
        ("anna's", "anna"),
        ("2024s", "2024s"),
    ],
)
def test_a_word_has_one_form(word, form):
    """A word and its inflections, a number and its name, are compared by one form."""
    assert words.stem(word) == form


def test_stop_words_carry_no_content():
    """Stop words are left out, order and repetitions stay."""
    assert words.content("The lock of the locks, and why: Locks!") == ["lock", "lock", "lock"]


def test_wide_text_is_pairs_of_characters():
    """Text without spaces is cut into pairs of neighbours, so that it can be compared at all."""
    assert words.content("数据库锁") == ["数据", "据库", "库锁"]


def test_a_text_of_stop_words_is_said_by_them():
    """Where there are only stop words, they are what was said."""
    assert words.content_or_all("that is it") == {"that", "is", "it"}
    assert words.content_or_all("that is the lock") == {"lock"}
