"""The quick look at whether a text may be an instruction: it never misses what `untrusted` takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.redaction import instruction_words, untrusted
from tests.redaction.test_untrusted import ORDERS

PRINTABLE = st.characters(min_codepoint=32, max_codepoint=126)


@pytest.mark.parametrize("text", ORDERS)
def test_every_order_may_be_one(text):
    """What is an instruction by its form has the words of one."""
    assert instruction_words.may_instruct(text)


@given(st.from_regex(untrusted._INSTRUCTION.pattern, alphabet=PRINTABLE), st.text(PRINTABLE, max_size=9))
def test_no_form_is_missed(text, rest):
    """Whatever the patterns take, in any case, is looked at."""
    for form in (text, text.upper(), f"{text} {rest}"):
        assert instruction_words.may_instruct(form) or not untrusted.is_instruction(form)


@pytest.mark.parametrize(
    "text",
    [
        *("Fix the login", "docs: say what the lock does", "Show all users", "feat(system): do not log twice"),
        *("Merge branch 'main' of x", "Bump requests from 2.1 to 2.2", "[ci] Update message of the task", ""),
    ],
)
def test_what_people_commit_is_seldom_looked_at(text):
    """Ordinary subjects need no patterns."""
    assert not instruction_words.may_instruct(text)
