"""The words of a line as a wake shows them."""

from __future__ import annotations

import pytest

from sleep.wake.journal_lines import line_text


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Commit: `a7691d9` on `workspace`", True),
        ("Message: feat(kiln): light it at noon", True),
        ("Changed: src/kiln.py,src/glaze.py", True),
        ("SESSION_START: 2026-02-18 06:31:02 UTC", True),
        ("Duration: 45 minutes", True),
        ("Commit: never without the glaze tests", False),
        ("Message: the kiln is cold", False),
        ("Changed: the kiln burns at 900 degrees now", False),
        ("Kiln: `a7691d9`", False),
        ("a7691d9", False),
    ],
)
def test_what_a_clock_or_git_says_of_a_session(text, is_one):
    """By its label, and by values alone behind it: a label with a sentence says something."""
    assert line_text.is_of_log(text) == is_one
