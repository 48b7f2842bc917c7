"""Pairs at odds: what a cycle knows of the one before changes nothing but the time."""

from __future__ import annotations

import marshal
import random
from collections import Counter
from itertools import combinations

import pytest

from sleep import memo
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from sleep.review import tensions
from sleep.review.tensions import Compared

_SUBJECTS = ("the store", "the cache", "the relay", "a lock", "the parser", "the queue", "tests", "the api")
_VERBS = ("is", "uses", "keeps", "no longer uses", "must use", "is not", "returns", "is dropped instead of")
_OBJECTS = ("sqlite", "redis", "8080", "9090", "json", "yaml", "3 s", "5 s", "files", "postgres", "nothing")


def _text(chance):
    words = (chance.choice(_SUBJECTS), chance.choice(_VERBS), chance.choice(_OBJECTS))
    return f"{' '.join(words)} for {chance.choice(_SUBJECTS)}"


def test_as_if_all_were_compared_anew(monkeypatch):
    """Records come, go, change and stand twice, words become common and rare: the pairs are those of all compared."""
    monkeypatch.setattr(tensions, "_COMMON", 6)
    assert sum(map(_pairs_of_a_life, range(20)))


def _pairs_of_a_life(seed):
    """Let records come and go for some cycles; return how many pairs were found."""
    chance = random.Random(seed)
    known, standing, found = Compared(), {}, 0
    for _ in range(12):
        _change(standing, chance)
        fragments = list(standing.values())
        fragments += fragments[: chance.randrange(8) == 0]
        chance.shuffle(fragments)
        pairs = tensions.tensions(fragments, known)
        assert pairs == tensions.tensions(fragments), seed
        told = [(pair.older.text, pair.newer.text) for pair in pairs if pair.how not in tensions._LISTED]
        assert told == _at_odds(standing), seed
        found += len(pairs)
    return found


def _change(standing, chance):
    """Let some records go, say others otherwise, and add some, by chance."""
    for address in list(standing):
        if chance.random() < 0.2:
            del standing[address]
        elif chance.random() < 0.1:
            standing[address] = standing[address]._replace(text=_text(chance))
    for _ in range(chance.randrange(8)):
        address = InstanceId(chance.randrange(1, 40), "abc").entry(chance.randrange(1, 9))
        standing[address] = Fragment("decision", _text(chance), (address,))


def _at_odds(standing):
    """Return the texts of all pairs at odds that share a rare word, but for those of lists."""
    signs, compare = tensions.oppositions.signs, tensions.oppositions.compare
    subjects = {fragment.text: signs(fragment.text).subject for fragment in standing.values()}
    times = Counter(word for fragment in standing.values() for word in subjects[fragment.text])
    pairs = combinations([standing[address].text for address in sorted(standing)], 2)
    rare = (pair for pair in pairs if any(times[word] <= 6 for word in subjects[pair[0]] & subjects[pair[1]]))
    return [pair for pair in rare if compare(*pair) not in ("", *tensions._LISTED)]


def test_what_stood_before_is_not_compared_again(monkeypatch):
    """A cycle that brings one record compares that one, and one that brings none compares nothing."""
    asked = []
    monkeypatch.setattr(tensions.oppositions, "compare", lambda *texts: asked.append(texts) or "")
    instance = InstanceId(1, "abc")
    fragments = [
        Fragment("decision", f"we use port {number} for the relay", (instance.entry(number),)) for number in range(1, 9)
    ]
    known = Compared()
    tensions.tensions(fragments[:7], known)
    assert len(asked) == 21
    tensions.tensions(fragments, known)
    assert len(asked) == 28
    tensions.tensions(fragments, known)
    assert len(asked) == 28


@pytest.fixture
def kept():
    """What a run knows of the one before; nothing is left behind."""
    yield
    memo.empty()


@pytest.mark.usefixtures("kept")
def test_what_the_last_run_found_is_what_this_one_would(monkeypatch):
    """Records come, go and change between runs and in them: the pairs are those of all compared."""
    monkeypatch.setattr(tensions, "_COMMON", 6)
    assert sum(map(_pairs_of_runs, range(20)))


def _pairs_of_runs(seed):
    chance = random.Random(seed)
    standing, known, count = {}, {}, 0
    for _ in range(6):
        memo.fill(known)
        compared = Compared()
        for _ in range(chance.randrange(1, 4)):
            _change(standing, chance)
            fragments = list(standing.values())
            pairs = tensions.tensions(fragments, compared)
            count += len(pairs)
            told = [(pair.older.text, pair.newer.text) for pair in pairs if pair.how not in tensions._LISTED]
            assert told == _at_odds(standing), seed
        answers = memo.empty()
        known = known if answers is None else marshal.loads(marshal.dumps(answers))  # noqa: S302  # our own
    return count


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("many", [20, 40])
def test_a_run_compares_what_came_since_the_last_one(monkeypatch, many):
    """However many records stand, a run that finds one more compares that one alone."""
    asked = []
    monkeypatch.setattr(tensions.oppositions, "compare", lambda *texts: asked.append(texts) or "")
    instance = InstanceId(1, "abc")
    fragments = [
        Fragment("decision", f"we use port {number} for the relay", (instance.entry(number),))
        for number in range(1, many)
    ]
    memo.fill({})
    tensions.tensions(fragments[:-1])
    known = memo.empty()
    asked.clear()
    memo.fill(known)
    tensions.tensions(fragments)
    assert {newer for _, newer in asked} == {fragments[-1].text}
    assert len(asked) == many - 2


@pytest.mark.usefixtures("kept")
def test_what_shared_but_common_words_is_compared_once_they_are_rare(monkeypatch):
    """Two records that the last run did not compare, for many had their words, are compared when few have them."""
    monkeypatch.setattr(tensions, "_COMMON", 2)
    texts = ("the port of the relay is 30", "the port of the relay is 31", "the relay opens its port late")
    instance = InstanceId(1, "abc")
    fragments = [Fragment("decision", text, (instance.entry(at),)) for at, text in enumerate(texts, 1)]
    memo.fill({})
    assert not tensions.tensions(fragments)
    memo.fill(memo.empty())
    (pair,) = tensions.tensions(fragments[:2])
    assert [pair.older, pair.newer] == fragments[:2]
