"""Two rankings as one, and what is answered where rows come by their meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.recall import fusion, query, search
from sleep.recall.index import access
from sleep.recall.lookup import Matches
from sleep.recall.passages import MEANS
from sleep.recall.postings import Limits
from sleep.store.tree import InMemory

CAR = "- We sold the old tandem to a neighbour. [i1abc.1]"
ROOF = "- The roof of the barn leaks in the north corner. [i1abc.2]"
TEXTS = {
    "journal/instance-1.md": "---\ninstance: 1\ntag: abc\nstarted: 2023-05-08T09:00:00Z\n---\n# Journal: instance 1\n\n"
    f"{CAR}\n{ROOF}\n"
}


def meaning(*words):
    """Return a search that finds the rows that have a word very near, the others far; without words none."""

    def near(base, _text, _limits):
        rows = base.execute("SELECT id, text FROM row ORDER BY id").fetchall()
        return {row: 0.8 if any(word in text for word in words) else 0.1 for row, text in rows} if words else {}

    return near


@pytest.fixture(scope="module")
def memory():
    """Return the index of two lines."""
    return access.index_tree(InMemory(TEXTS))


def test_scores_of_two_kinds_are_compared():
    """What counts is how far a row stands out among its like, not the size of its score."""
    order = [row for row, _ in fusion.fuse({1: 900.0, 2: 100.0, 3: 100.0}, {1: 0.2, 2: 0.2, 3: 0.2, 4: 0.9}, [4])]
    assert order[:2] == [1, 4] or order[:2] == [4, 1]
    assert [row for row, _ in fusion.fuse({1: 2.0, 2: 1.0}, {1: 0.1, 2: 0.9, 3: 0.1}, [])] == [2, 1]


def test_a_row_that_words_do_not_find_has_the_least_of_them():
    """Only what is ranked by its meaning joins the rows that words find, with the least score of words."""
    scores = dict(fusion.fuse({1: 3.0, 2: 1.0}, {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5}, [3]))
    assert scores == {1: 1.0, 2: -1.0, 3: -1.0}


@given(st.dictionaries(st.integers(0, 30), st.floats(-1, 1), max_size=12))
def test_nothing_is_lost_and_nothing_twice(near):
    """Each row of either comes once, from most to least."""
    pairs = fusion.fuse({1: 0.5, 2: 0.25}, near, near)
    assert sorted(row for row, _ in pairs) == sorted({1, 2, *near})
    sums = [score for _, score in pairs]
    assert sums == sorted(sums, reverse=True)


def test_a_row_with_a_word_keeps_its_reason():
    """Only a row that shares no word says that it means nearly the same; a neighbour that is not near says nothing."""
    shift = 1 << 20
    looked = Matches(((5.0, shift, 0b1), (4.0, shift + 1, 0), (3.0, shift + 2, 0)), ("cat",), (), 1.0, (), ())
    found = fusion.blend(looked, {shift + 1: 0.9, shift: 0.8, 7 * shift: 0.7, 8 * shift: 0.1})
    assert found.terms == ("cat", MEANS)
    assert {number: shared for _, number, shared in found.rows} == {
        shift: 0b1,
        shift + 1: 0b10,
        shift + 2: 0,
        7 * shift: 0b10,
    }


def test_a_row_without_a_shared_word(memory):
    """A row comes by its meaning alone where words find nothing, and says so; without it nothing fits."""
    asked = "who procured a velocipede"
    assert not search.recall(memory, asked).passages
    found = search.recall(memory, asked, near=meaning("tandem"))
    assert [line.text for one in found.passages for line in one.lines] == [CAR.removeprefix("- ").partition(" [")[0]]
    assert found.passages[0].best.why == (MEANS,)
    assert f"8 May 2023 · journal · {MEANS}\n" in query.Answer(found, 2000).text
    assert f"matches {MEANS}" not in query.Answer(found, 2000).text


def test_both_come_where_both_find(memory):
    """What words find and what means nearly the same stand in one answer, each with its reason."""
    found = search.recall(memory, "the leaking roof, the velocipede", near=meaning("tandem"))
    assert {line.addresses[0]: line.why for one in found.passages for line in one.lines} == {
        "i1abc.1": (MEANS,),
        "i1abc.2": ("leak", "roof"),
    }
    assert "matches leaks, roof" in query.Answer(found, 2000).text


def test_no_meaning_makes_up_for_a_name(memory):
    """A question about somebody whom nothing here knows stays unanswered, whatever means nearly the same."""
    found = search.recall(memory, "did Zacharias buy an velocipede", near=meaning("tandem"))
    assert not found.passages
    assert "zacharias" in found.nothing
    assert search.recall(memory, "Velocipede procured?", near=meaning("tandem")).passages  # a capital of the first word


def test_nothing_near_changes_nothing(memory):
    """Where nothing means nearly the same the answer is that of words alone, to its scores."""
    for asked in ("the leaking roof", "zeppelin", "i1abc.1"):
        assert search.recall(memory, asked, near=meaning()) == search.recall(memory, asked)


def test_a_search_is_given_question_and_limits(memory):
    """The search by meaning gets the question as it was asked, and what may be found."""
    told = []
    limits = Limits(tiers=("journal",), since="2023-01-01")
    search.recall(memory, "who procured a velocipede", limits=limits, near=lambda _, *given: told.append(given) or {})
    assert told == [("who procured a velocipede", limits)]
