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
