"""Options in a list, and which of them a reply names."""

from __future__ import annotations

import pytest

from sleep.language.acts import alternatives


@pytest.mark.parametrize(
    "text",
    [
        "Which one?\nA) a file\nB) the metadata\nC) on demand",
        "- **A)** a file\n- **B)** the metadata\n- **C)** on demand\n\nWhich one?",
        "Option 1: a file\nOption 2: the metadata\nOption 3: on demand",
    ],
)
def test_a_list_is_read_by_its_signs(text):
    """Letters, numbers and words before them; marks around them are no words."""
    assert alternatives.of_text(text) == {1: "a file", 2: "the metadata", 3: "on demand"}


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Two ways: a) poll it, or b) subscribe. Polling is simpler.\nOK?", {1: "poll it", 2: "subscribe"}),
        ("Ich sehe zwei: (1) abfragen oder (2) abonnieren.", {1: "abfragen", 2: "abonnieren"}),
        (
            "一是首页自己请求，拿到再显示；二是给缓存一个默认值。",
            {1: "首页自己请求，拿到再显示", 2: "给缓存一个默认值"},
        ),
        ("f(a) b) c", {}),
        ("see b) and c)", {}),
        ("唯一是 x，第二是 y", {}),
    ],
)
def test_a_sentence_may_list_the_options(text, options):
    """They count up from one, each to the next, the last to the end of its sentence."""
    assert alternatives.of_text(text) == options


@pytest.mark.parametrize(
    "answer",
    [
        *("a) was too slow last time", "a) is out", "not a)", "anything but b)", "what does a) cost"),
        *("look at #2 again", "a) hatten wir, zu langsam", "a) bitte nicht", "第一种不行", "第一个怎么修"),
    ],
)
def test_what_a_reply_speaks_against_or_asks_about_is_not_its_choice(answer):
    """A sign with a verdict, or in a question, takes nothing: the opposite of what was said would be decided."""
    assert alternatives.number_of(answer) == 0


@pytest.mark.parametrize(("answer", "number"), [("it was slow, so a)", 1), ("b) was slow, so a).", 0), ("选二吧", 2)])
def test_a_sign_names_an_option_anywhere_in_a_reply_if_it_is_the_only_one(answer, number):
    """Who names two by their signs may weigh them."""
    assert alternatives.number_of(answer) == number


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("A", [1]),
        ("B) yeah, let's go json", [2]),
        ("I think A) is fine, let's add it", [1]),
        ("let's go with #2 and #3 please", [2, 3]),
        ("the second one", [2]),
        ("C.", [3]),
        ("Implement 1,2 and 3.", [1, 2, 3]),
        ("1, 3 please", [1, 3]),
        ("nimm 1 und 3", [1, 3]),
        ("那就1和3吧", [1, 3]),
        ("1、3", [1, 3]),
        ("方案1和方案3都要，谢谢", [1, 3]),
        ("die 1 und die 3", [1, 3]),
        ("option 1 and option 3", [1, 3]),
        ("I'd take A and C", [1, 3]),
        ("A) and C)", [1, 3]),
        ("a good idea", []),
        ("1 or 3", []),
        ("we saw 2 and 3 errors", []),
        ("A few things first", []),
        ("2 tests fail", []),
        ("f(a) must be b", []),
    ],
)
def test_a_reply_names_options_by_their_signs(answer, numbers):
    """By letter, number or order, several of them too; an article or a figure in a sentence names none."""
    assert alternatives.numbers_of(answer) == numbers
