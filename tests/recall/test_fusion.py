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

CAR = "- We sold the old car to a neighbour. [i1abc.1]"
ROOF = "- The roof of the barn leaks in the north corner. [i1abc.2]"
TEXTS = {
    "journal/instance-1.md": "---\ninstance: 1\ntag: abc\nstarted: 2023-05-08T09:00:00Z\n---\n# Journal: instance 1\n\n"
    f"{CAR}\n{ROOF}\n"
}


def meaning(*words):
    """Return a search that finds, in this order, the rows that have a word."""

    def near(base, _text, _limits):
        rows = base.execute("SELECT id, text FROM row ORDER BY id").fetchall()
        return [row for word in words for row, text in rows if word in text]

    return near


@pytest.fixture(scope="module")
def memory():
    """Return the index of two lines."""
    return access.index_tree(InMemory(TEXTS))


def test_the_first_of_all_is_first():
    """A row that both rankings have beats one that either has first; the first of both has all there is."""
    assert fusion.fuse(([1, 2, 3], [1, 4]))[0] == (1, pytest.approx(1.0))
    assert [row for row, _ in fusion.fuse(([1, 2], [3, 2]))] == [2, 1, 3]
    assert fusion.fuse(([1, 2], [3, 2]))[0][1] == pytest.approx(61 / 62)


def test_less_k_listens_more_to_first_places():
    """With a small k two firsts outweigh a row that is second and third."""
    rankings = ([1, 2, 9], [3, 9, 2])
    assert [row for row, _ in fusion.fuse(rankings)][:2] == [2, 9]
    assert [row for row, _ in fusion.fuse(rankings, k=0)][:2] == [1, 3]


@given(st.lists(st.lists(st.integers(0, 30), unique=True, max_size=12), min_size=1, max_size=3))
def test_nothing_is_lost_and_nothing_twice(rankings):
    """Each row of any ranking comes once, from most to least, its share above none and at most all."""
    found = fusion.fuse(rankings)
    assert sorted(row for row, _ in found) == sorted(set().union(*rankings))
    shares = [share for _, share in found]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share <= 1 + 1e-9 for share in shares)


@given(st.lists(st.integers(0, 99), unique=True, max_size=20))
def test_one_ranking_keeps_its_order(ranking):
    """With nothing to fuse the order stays."""
    assert [row for row, _ in fusion.fuse((ranking, []))] == ranking


def test_a_row_with_a_word_keeps_its_reason():
    """Only a row that shares no word says that it means nearly the same; a neighbour that is not near says nothing."""
    shift = 1 << 20
    looked = Matches(((5.0, shift, 0b1), (4.0, shift + 1, 0), (3.0, shift + 2, 0)), ("cat",), (), 1.0, (), ())
    found = fusion.blend(looked, [shift + 1, shift, 7 * shift])
    assert found.terms == ("cat", MEANS)
    assert {number: shared for _, number, shared in found.rows} == {
        shift: 0b1,
        shift + 1: 0b10,
        shift + 2: 0,
        7 * shift: 0b10,
    }


def test_a_row_without_a_shared_word(memory):
    """A row comes by its meaning alone where words find nothing, and says so; without it nothing fits."""
    asked = "who bought an automobile"
    assert not search.recall(memory, asked).passages
    found = search.recall(memory, asked, near=meaning("car"))
    assert [line.text for one in found.passages for line in one.lines] == [CAR.removeprefix("- ").partition(" [")[0]]
    assert found.passages[0].best.why == (MEANS,)
    assert f"8 May 2023 · journal · {MEANS}\n" in query.Answer(found, 2000).text
    assert f"matches {MEANS}" not in query.Answer(found, 2000).text


def test_both_come_where_both_find(memory):
    """What words find and what means nearly the same stand in one answer, each with its reason."""
    found = search.recall(memory, "the leaking roof, the automobile", near=meaning("car"))
    assert {line.addresses[0]: line.why for one in found.passages for line in one.lines} == {
        "i1abc.1": (MEANS,),
        "i1abc.2": ("leak", "roof"),
    }
    assert "matches leaks, roof" in query.Answer(found, 2000).text


def test_no_meaning_makes_up_for_a_name(memory):
    """A question about somebody whom nothing here knows stays unanswered, whatever means nearly the same."""
    found = search.recall(memory, "did Zacharias buy an automobile", near=meaning("car"))
    assert not found.passages
    assert "zacharias" in found.nothing
    assert search.recall(memory, "Automobile sold?", near=meaning("car")).passages  # a capital of the first word


def test_nothing_near_changes_nothing(memory):
    """Where nothing means nearly the same the answer is that of words alone, to its scores."""
    for asked in ("the leaking roof", "zeppelin", "i1abc.1"):
        assert search.recall(memory, asked, near=meaning()) == search.recall(memory, asked)


def test_a_search_is_given_question_and_limits(memory):
    """The search by meaning gets the question as it was asked, and what may be found."""
    told = []
    limits = Limits(tiers=("journal",), since="2023-01-01")
    search.recall(memory, "who bought an automobile", limits=limits, near=lambda _, *given: told.append(given) or [])
    assert told == [("who bought an automobile", limits)]
