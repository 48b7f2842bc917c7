"""Answer retention on small cases made by hand."""

from __future__ import annotations

import pytest

from sleep.evaluation.measures.retention import Memory, Question, Turn, age, third

TURNS = {
    "D1:1": Turn("D1:1", 1, "The parrot learned twelve German songs"),
    "D1:2": Turn("D1:2", 1, "Paula sold the blue bicycle"),
    "D2:1": Turn("D2:1", 2, "A storm broke the greenhouse"),
    "D3:1": Turn("D3:1", 3, "The greenhouse was rebuilt"),
}


def support(text, *evidence, sessions=()):
    """Return the support of a question that rests on these turns."""
    return Memory(text).score(Question("q", "", evidence, sessions), TURNS).support


def test_an_anchor_with_the_words_supports():
    """A turn counts when its anchor's line has at least half of its words."""
    assert support("- [D1:1] The parrot learned songs", "D1:1") == 1
    assert support("- [D1:1] The parrot", "D1:1") == 0


def test_a_bare_anchor_earns_nothing():
    """Anchors without words are no memory, and neither are words without their anchor."""
    assert support("[D1:1] [D1:2] [D2:1]", "D1:1", "D1:2") == 0
    assert support("The parrot learned twelve German songs", "D1:1") == 0


def test_a_range_is_the_anchor_of_every_turn_in_it():
    """`[D1:1-2]` stands for both turns."""
    assert support("[D1:1-2] the parrot learned German songs; Paula sold the blue bicycle", "D1:1", "D1:2") == 1


def test_lines_below_an_anchor_belong_to_it_until_the_next():
    """Words on following lines count until a line has an anchor of its own."""
    assert support("[D1:1]\nthe parrot learned\nGerman songs", "D1:1") == 1
    assert support("[D1:1]\n[D1:2] the parrot learned German songs", "D1:1") == 0


def test_evidence_of_whole_sessions_is_asked_by_session():
    """Of a question about whole sessions, one turn of each is enough."""
    text = "[D1:2] Paula sold the blue bicycle"
    assert support(text, "D1:1", "D1:2", "D2:1", sessions=(1, 2)) == 0.5
    assert support(text, "D1:1", "D1:2", "D2:1") == pytest.approx(1 / 3)


def test_an_answer_is_looked_for_in_one_window():
    """The answer's words count only where they stand within three lines."""
    question = Question("q", "blue bicycle sold", ())
    near = "a blue thing\na bicycle\nwas sold"
    far = "a blue thing\nx\ny\na bicycle\nx\ny\nwas sold"
    assert Memory(near).score(question, TURNS).answer == 1
    assert Memory(far).score(question, TURNS).answer == pytest.approx(1 / 3)
    assert Memory("").score(question, TURNS).answer == 0


def test_a_window_has_an_end():
    """A window spans 600 characters at the most."""
    long = " ".join(["stuff"] * 110)
    assert Memory(f"blue\n{long}\nbicycle").score(Question("q", "blue bicycle", ()), TURNS).answer == 0.5


def test_what_was_not_asked_has_no_score():
    """A question without evidence has no support, one without an answer none of that."""
    assert Memory("x").score(Question("q", "", ()), TURNS) == (None, None)


def test_the_age_is_that_of_the_newest_evidence():
    """A question is as old as the newest turn it rests on."""
    ages = [age(Question("q", "", one), TURNS, [1, 2, 3]) for one in (("D1:1",), ("D1:1", "D2:1"), ("D3:1",), ())]
    assert ages == ["old", "middle", "recent", ""]
    assert [third(position, 4) for position in range(4)] == ["old", "middle", "recent", "recent"]
