"""The words of a line as a wake shows them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2. the lock", "the lock"),
        ("Change: 2. `a.go` opens", "Change: `a.go` opens"),
        ("3) Fire it", "Fire it"),
        ("2. August was warm", "2. August was warm"),
        ("12. M\u00e4rz 2026", "12. M\u00e4rz 2026"),
        ("1.5 tons of clay", "1.5 tons of clay"),
        ("Step 2. Fire it", "Step 2. Fire it"),
    ],
)
def test_a_number_in_a_list_says_nothing_alone(text, told):
    """Its neighbours are not there; a day is no such number."""
    assert line_text.unnumbered(text) == told


def test_no_line_ends_with_the_number_of_what_was_cut():
    """The full stop behind it ends no sentence."""
    text = f"Of the kiln we say: {'wood ' * 14}· 3. {'clay ' * 30}"
    assert line_text.cut(text).endswith("wood ·\u2026") or line_text.cut(text).endswith("clay\u2026")


def test_a_line_is_cut_where_much_would_be_left_and_before_a_bracket():
    """A few words more than the room are told; what was opened and not closed is not begun."""
    line = f"The kiln was rebuilt {'with bricks ' * 7}(three of clay and four of sand) on Monday."
    assert 110 < len(line) <= 150
    assert line_text.cut(line) == line
    longer = line.replace(" and four of sand", ", four of sand and two of shells from the sea")
    assert line_text.cut(longer) == f"The kiln was rebuilt {'with bricks ' * 7}".rstrip() + "\u2026"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("_Kiln rebuilt, ready for Monday._", "Kiln rebuilt, ready for Monday."),
        ("*Kiln rebuilt.*", "Kiln rebuilt."),
        ("_name_", "_name_"),
        ("*a* and *b*", "*a* and *b*"),
        ("* bricks *", "* bricks *"),
    ],
)
def test_a_line_in_italics_is_told_without(text, told):
    """The signs around a whole remark say nothing; those of a name or of one word stay."""
    assert line_text.plain(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"The kiln (which {'was rebuilt ' * 20}) is warm", f"The kiln (which {'was rebuilt ' * 7}was)…"),
        (f"The kiln {'was rebuilt ' * 6}(by Ada (of Riga) with {'red bricks ' * 9}) is warm", None),
        (f"The kiln {'was rebuilt ' * 6}[by Ada with {'red bricks ' * 9}] is warm", None),
        (
            f"炉子{'已经重建' * 10}（由阿达和她的朋友们从里加带来的红色的砖块和白色的石灰以及{'沙子' * 12}）完工",
            f"炉子{'已经重建' * 10}…",
        ),
        (f"Call `kiln(warm` and {'rebuilt ' * 20}", f"Call `kiln(warm` and {'rebuilt ' * 11}".rstrip() + "…"),
        (f"The kiln (see `kiln {'was rebuilt ' * 20}` there)", f"The kiln (see `kiln {'was rebuilt ' * 7}was`)…"),
    ],
)
def test_no_line_is_cut_inside_a_bracket(text, told):
    """A bracket of any form that is cut is not begun, or closed where half of the line stands in it; code has none."""
    assert line_text.cut(text) == (told or f"The kiln {'was rebuilt ' * 6}".rstrip() + "…")


@example("(" * 200)
@example("— " * 100)
@example("`" * 199)
@given(st.lists(st.sampled_from("ab (（)）[]「」`.;。—, 漢😀…"), max_size=300).map("".join))
def test_a_line_of_anything_can_be_cut(text):
    """Whatever a line holds, some of it is told, and it ends with a sentence or says that it was cut."""
    shown = line_text.cut(text)
    assert shown == text or (shown[-1] in ".;。!?…" and shown[:20] == text[:20])


def test_the_subject_of_a_commit_has_a_label_of_its_own():
    """`Fix: fix: ...` says twice of what kind it is; a title of words keeps the kind of its entry."""
    assert line_text.unlabelled("Fix: fix(hooks): guard worktrees without settings") == (
        "fix(hooks): guard worktrees without settings"
    )
    assert line_text.unlabelled("Change: guard worktrees without settings: two") == (
        "Change: guard worktrees without settings: two"
    )
