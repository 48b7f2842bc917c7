"""The baselines: what each prefers, and that none takes more than it is given."""

from __future__ import annotations

import random

import pytest

from sleep.evaluation import baselines, summarisers
from sleep.evaluation.baselines import BASELINES, FULL, NONE, Line
from sleep.evaluation.measures import words

NAMED = {one.name: one for one in BASELINES}
OLD = "- the parrot sings\n- the lock is a file\n\n## x\n"
NEW = "- decided: use the lock\n- the parrot sings\n- the greenhouse fell on the bicycle in the storm\n"
FOUND = baselines.lines([OLD, NEW])


def kept(name, budget):
    """Return the lines that a baseline keeps of both journals."""
    one = NAMED[name]
    return baselines.fill(FOUND, one.rank(FOUND, words.distinct), budget, prefix=one.prefix).splitlines()


def test_lines_are_what_journals_say():
    """Empty lines and signs alone are no lines; every line knows its journal."""
    assert FOUND[2] == Line(0, "## x")
    assert [one.journal for one in FOUND] == [0, 0, 0, 1, 1, 1]


def a_history(seed):
    """Return journals of made-up lines of all lengths."""
    chance = random.Random(seed)
    said = ["lock", "parrot", "decided:", "greenhouse", "a", "the", "read_file", "数据库", "storm"]
    texts = ["\n".join(" ".join(chance.choices(said, k=chance.randrange(30))) for _ in range(20)) for _ in range(5)]
    return baselines.lines(texts)


@pytest.mark.parametrize("one", [*BASELINES, *summarisers.baselines()], ids=lambda one: one.name)
def test_a_budget_is_kept(one):
    """What a baseline keeps fits its budget, stands in the order of the journals, and is the same every time."""
    if one.name == FULL:
        return  # it is given the whole
    found = a_history(3)
    ranked = one.rank(found, words.distinct)
    assert len(set(ranked)) == len(ranked)
    assert one.rank(found, words.distinct) == ranked
    for budget in (0, 1, 50, 400, 3_000):
        text = baselines.fill(found, ranked, budget, prefix=one.prefix)
        assert len(text) <= budget
        rest = iter(found)
        assert all(any(line == other.text for other in rest) for line in text.splitlines())
    assert one.name == NONE or text


def test_lead_and_tail_are_the_two_ends():
    """Lead keeps the oldest lines, tail the newest, last journals the newest journal from its beginning."""
    assert kept("lead", 50) == ["- the parrot sings", "- the lock is a file", "## x"]
    assert kept("tail", 58) == ["- the greenhouse fell on the bicycle in the storm"]
    assert kept("last journals", 30) == ["- decided: use the lock"]
    assert kept(NONE, 1_000) == []


def test_the_keyword_consolidator_goes_by_its_words():
    """Beside the last lines, only lines with one of its words are kept."""
    found = baselines.lines(["Result: it works\nit is so\n" + "plain\n" * 9])
    one = NAMED["keywords"]
    text = baselines.fill(found, one.rank(found, words.distinct), 1_000)
    assert text == "Result: it works\n" + "plain\n" * 4


def test_coverage_says_nothing_twice():
    """A line that adds no word is not taken, whatever room there is."""
    assert kept("submodular", 10_000).count("- the parrot sings") == 1
    assert "## x" in kept("submodular", 10_000)
    assert len(kept("lead", 10_000)) == len(FOUND)


def test_recency_prefers_what_was_said_last():
    """Of two lines that say as much, the one of the newer journal is taken."""
    found = baselines.lines(["alpha beta", "the", "the", "the", "gamma delta"])
    ranked = {name: NAMED[name].rank(found, words.distinct)[0] for name in ("submodular", "submodular, recency")}
    assert found[ranked["submodular, recency"]].text == "gamma delta"
    assert found[ranked["submodular"]].text == "alpha beta"


def test_density_prefers_what_is_rare():
    """A line of rare words comes before a line of as many common ones."""
    found = baselines.lines(["lock lock1\nlock lock2\nlock lock3\nlock tide\nswan tide"])
    assert found[NAMED["idf density"].rank(found, words.distinct)[0]].text == "swan tide"
