"""States: what a text says of its thing by its words."""

import pytest

from sleep.language.acts import states
from sleep.language.acts.states import BROKEN, DONE, GONE, OPEN, WORKS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The store is deployed", {DONE}),
        ("The store is not yet deployed", {OPEN}),
        ("The upload fails", {BROKEN}),
        ("The old queue was removed", {GONE}),
        ("The upload works", {WORKS}),
        ("`src/fixed.py` holds the words", set()),
        ("Der Import ist erledigt", {DONE}),
        ("数据库连接问题待解决", {OPEN}),  # to be solved
        ("需要修复登录页面", {OPEN}),  # has to be repaired
        ("登录页面已修复", {DONE}),
    ],
)
def test_the_states_of_a_text(text, said):
    assert states.of(text) == said


def test_the_label_of_a_report():
    assert states.is_report("Fix (commit 12ab): the lock is kept")
    assert not states.is_report("Fix the lock")
