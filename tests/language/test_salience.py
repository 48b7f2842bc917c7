"""Salience: what is likely to be spoken of again."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import salience

LINES = st.lists(st.text(alphabet="abAB_1/ `.", max_size=40), max_size=4)


def weigh(said, make=salience.Worths):
    """What is worth what after instances said these lines, the newest first."""
    return salience.weigh({-age: lines for age, lines in enumerate(said)}, make)


def test_what_is_said():
    """A line says its names, their pairs, and its words; a name and a part of it are no pair."""
    found = salience.mentions("The lock of `src/lock_file.py` broke in v1.2.3")
    assert found.names == ("lock_file", "lock_file.py", "src/lock_file.py", "v1.2.3")
    assert found.pairs == ("lock_file\0v1.2.3", "lock_file.py\0v1.2.3", "src/lock_file.py\0v1.2.3")
    assert found.words == (" broke", " lock")


def test_a_sign_that_parts_names_is_in_no_pair():
    """A name with a zero byte in it stands in no pair, which would have three names then."""
    found = salience.mentions("a\0b_c stands by x_y and z_z")
    assert all(pair.count("\0") == 1 for pair in found.pairs)
    assert "x_y\0z_z" in found.pairs
    weigh([["a\0b_c stands by x_y", "a\0b_c stands by x_y"]], salience.Returns)


def test_far_apart_is_no_pair():
    """Names of one line that are more than 400 characters apart do not stand together."""
    near, far = (f"a_a {'so ' * count}b_b" for count in (100, 200))
    assert salience.mentions(near).pairs == ("a_a\0b_b",)
    assert salience.mentions(far).pairs == ()


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ([["x_x"], ["x_x"]], [["x_x"], []]),
        ([["x_x"], []], [[], ["x_x"]]),
        ([["x_x"], ["x_x"], []], [["x_x"], [], ["x_x"]]),
        ([["x_x"]], []),
    ],
)
def test_often_and_lately(more, less):
    """What was spoken of in more instances, and more lately, is worth more; what was not, least."""
    assert salience.worth("x_x", weigh(more))["x_x"] > salience.worth("x_x", weigh(less))["x_x"]


def test_two_instances_are_more_than_twice_one():
    """The chance grows faster than the number of instances, but for what stood in many lines."""
    once, twice = (weigh([["a_a b_b"]] * count)["a_a\0b_b"] for count in (1, 2))
    assert twice > 2 * once * (1 + 0.5**0.5) / 2


def test_a_pair_returns_with_its_names():
    """Of two pairs that were said as often, that is worth more of whose names more was said."""
    said = [["a_a b_b", "c_c d_d", "a_a alone", "b_b alone"]] * 3
    known, before = (weigh(said, make) for make in (salience.Returns, salience.Worths))
    assert known["a_a\0b_b"] > known["c_c\0d_d"] > 0
    assert before["a_a\0b_b"] == before["c_c\0d_d"]


def test_a_name_is_worth_more_than_a_word():
    """A word counts for little beside a name that was spoken of as often."""
    known = weigh([["the parser in src/a.py"]])
    assert known["src/a.py"] > 20 * known[" parser"] > 0


@given(st.lists(LINES, max_size=4), st.text(alphabet="abAB_1/ `.", max_size=60))
def test_worth_is_a_share(instances, text):
    """A worth is positive and below 1.1, and what a line says is worth something whatever was heard."""
    found = salience.worth(text, weigh(instances))
    assert all(0 < value < 1.1 for value in found.values())
    assert {*salience.mentions(text).names, *salience.mentions(text).words} <= found.keys()


def test_the_same_in_every_process():
    """The worths and their order do not depend on how a process hashes."""
    code = (
        "from sleep.language import salience as s;"
        "k = s.weigh({2: ['a_a `b c` d/e f_f XYZ two words', 'a_a d/e'], 1: ['f_f XYZ']});"
        "print(list(k.items()), list(s.worth('XYZ a_a f_f d/e words', k).items()))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


@given(st.lists(st.dictionaries(st.integers(1, 5), LINES, max_size=4), max_size=4))
def test_what_follows_is_worth_what_is_read_anew(memories):
    """Whatever instances and lines come, change and go, all is worth what it is where only the last are known."""
    spoken = salience.Spoken()
    for instances in memories:
        assert dict(salience.weigh(instances, spoken=spoken)) == dict(salience.weigh(instances))


def test_a_line_is_counted_once(monkeypatch):
    """What the tiers keep of older instances changes from step to step: only what came or went is counted."""
    newest = {age: [f"lock_{age}_{line} holds" for line in range(50)] for age in (7, 8, 9)}
    read = []
    mentions = salience.mentions
    monkeypatch.setattr(salience, "mentions", lambda text: read.append(text) or mentions(text))
    spoken = salience.Spoken()
    for step in range(4):
        kept = [f"older_{line} stays" for line in range(60 - step)]
        worths = salience.weigh({**newest, 1: kept}, spoken=spoken)
        assert worths["older_0"] < worths["lock_9_0"]
    assert len(read) == 3 * 50 + 60 + 3


SPEECH = st.lists(
    st.sampled_from(
        ["`lock.py` waits", "the `store` and `lock.py`", "`store` is full", "a plain line", "Ana and `hub`"]
    ),
    max_size=4,
)
MEMORY = st.dictionaries(st.integers(1, 4), SPEECH, max_size=4)


@given(st.lists(MEMORY, min_size=1, max_size=5))
def test_what_follows_a_memory_is_what_is_counted_anew(memories):
    """However lines and instances come and go, worths are those of the memory as it is."""
    spoken = salience.Spoken()
    for memory in memories:
        followed = salience.weigh(memory, spoken=spoken)
        assert dict(followed) == dict(salience.weigh(memory))


def test_nothing_is_left_of_what_is_gone():
    """A memory that is empty again holds no name, no word and no pair."""
    spoken = salience.Spoken()
    salience.weigh({1: ["the `store` and `lock.py`"], 2: ["`lock.py` waits"]}, spoken=spoken)
    assert spoken.single
    assert spoken.pairs
    salience.weigh({}, spoken=spoken)
    assert not spoken.single
    assert not spoken.pairs


def test_a_word_is_one_object_for_all_texts():
    """A word that two texts speak of is held once, however many speak of it."""
    first, second = (salience.mentions(text).words for text in ("the journal waits", "a journal came"))
    (word,) = set(first) & set(second)
    assert first[first.index(word)] is second[second.index(word)]
