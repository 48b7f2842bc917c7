"""Features and weights: what a sentence is known by, and what that is worth."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from sleep.language.acts.likelihood import features, message_features, scorer
from sleep.language.acts.likelihood.features import Sentence


def every() -> frozenset[str]:
    """Return the names of all features that there are."""
    words = (*features.NAMES, *features.SHAPES)
    places = (
        *(f"length {number}" for number in range(len(features._LENGTHS) + 1)),
        *(f"message {number}" for number in range(len(features._SIZES) + 1)),
        *(f"quarter {number}" for number in range(1, 5)),
        *(f"a {sort}" for sort in ("sentence", "item", "row", "heading")),
        *("first", "last", "alone", "begins", "under a heading", "led"),
        *(f"states {kind}" for kind in scorer.KINDS),
    )
    around = (
        *(f"{where} {name}" for where in ("under", "deep under", "led by") for name in features.HEADINGS),
        *(f"before: {name}" for name in features.BEFORE),
        *(f"after: {name}" for name in features.AFTER),
    )
    plain = {*words, *(f"{first} & {second}" for first, second in features.PAIRS), *places, *around}
    return frozenset({*plain, *(f"person: {name}" for name in plain), "person"})


def every_of_messages() -> frozenset[str]:
    """Return the names of all features that a sentence may have by its message."""
    graded = {**message_features._COUNTS, "again": message_features._SHARES}
    numbers = {f"{name} {grade}" for name, edges in graded.items() for grade in range(len(edges) + 1)}
    hints = {f"message: {name}" for name in (*features.NAMES, *features.SHAPES)}
    return frozenset(numbers | hints | {"message introduces", "message asks"})


def test_a_sentence_has_features_by_words_shape_place_and_neighbours():
    """Words, phrases, beginnings, endings, shape, headings, place and the sentences beside it are features by name."""
    sentence = Sentence(
        "Kept `fcntl` because it survives a fork.",
        "agent",
        "item",
        ("Plan", "Design decisions"),
        "What I chose:",
        before="The root cause was a race.",
        size=3,
    )
    found = features.find(sentence)
    assert {"kept", "because", "code", "kept & because", "because & code", "a item", "under decision"} <= found
    assert {"deep under plan", "led", "before: cause", "first", "quarter 1", "message 1"} <= found
    assert not {"moves", "asks", "person", "last"} & found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ok, so let me look", "moves"),
        ("Wir haben uns entschieden", "chose"),
        ("这里必须用 UTC", "demands"),
        ("把日志删掉", "imperative"),
        ("They were misconfigured; it regressed.", "breaks"),
    ],
)
def test_words_hint_in_each_language(text, name):
    """Phrases at the beginning, words, stems and Chinese signs hint at what a sentence does."""
    assert name in features.hints(text)


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("We keep the lock in the ledger.", True),
        ("Wir behalten die Sperre im Journal.", False),
        ("锁保留在账本里。", False),
        ("`x` -> `y`", True),
    ],
)
def test_small_words_tell_the_language(text, is_english):
    """German and Chinese are told from English; what has no words counts as English."""
    assert features.is_english(text) is is_english


def test_a_phrase_at_the_beginning_is_none_in_the_middle():
    """`let me` announces a move only where the sentence begins with it."""
    assert "moves" not in features.hints("They let me in")


def test_every_feature_of_a_person_is_told_apart():
    """What a person says has each feature twice: for anybody, and for a person."""
    found = features.find(Sentence("Never push to main.", "person"))
    assert {"demands", "person: demands", "person"} <= found
    assert found <= every()


@pytest.mark.parametrize("path", [scorer.ENGLISH, scorer.ELSEWHERE])
def test_weights_name_features_that_there_are(path):
    """Each row of the weights is of a known feature and stands once; each kind has a bias and its least probability."""
    rows = scorer.rows(path)
    names = [name for _, name, _ in rows]
    assert {kind for kind, _, _ in rows} == set(scorer.KINDS)
    assert set(names) <= every() | every_of_messages() | {scorer.BIAS, scorer.LEAST}
    assert len({(kind, name) for kind, name, _ in rows}) == len(rows)
    assert len(set(names)) <= 500
    assert all(0 < weight <= 1 for _, name, weight in rows if name == scorer.LEAST)
    assert names.count(scorer.LEAST) == names.count(scorer.BIAS) == len(scorer.KINDS)


def test_other_languages_have_weights_of_their_own(monkeypatch):
    """What is no English is scored by the weights that were fitted for other languages."""
    asked = []
    monkeypatch.setattr(scorer, "model", lambda path: asked.append(path) or scorer.of([("task", "(bias)", -1.0)]))
    monkeypatch.setattr(scorer, "probabilities", lambda *_: {})
    for text in ("We keep the lock in the ledger.", "Wir behalten die Sperre im Journal.", "锁保留在账本里。"):
        scorer.guess(Sentence(text))
    assert asked == [scorer.ENGLISH, scorer.ELSEWHERE, scorer.ELSEWHERE]


def test_what_is_looked_at_together_is_looked_at():
    """Each feature of a neighbour, and each of a pair, is one that a sentence can have."""
    named = {*features.BEFORE, *features.AFTER, *(name for pair in features.PAIRS for name in pair)}
    assert named <= {*features.NAMES, *features.SHAPES}
    assert {len(pair) for pair in features.PAIRS} == {2}


def test_a_probability_is_the_sum_of_what_features_weigh():
    """The bias and the weights of the features that are there add up to the log-odds."""
    model = scorer.of(
        [("task", "(bias)", -1.0), ("task", "todo", 1.0), ("task", "asks", 5.0), ("task", "(least)", 0.5)]
    )
    assert scorer.probabilities({"todo", "unknown"}, model) == {"task": 0.5}


def test_a_sentence_is_scored_in_less_than_a_millisecond():
    """A hundred sentences that are looked at for the first time take less than a tenth of a second."""
    scorer.guess(Sentence("Warm up."))
    texts = [f"We kept the lock number {number} in `store/lock.py` because a fork loses it." for number in range(100)]
    start = time.process_time()
    for text in texts:
        scorer.guess(Sentence(text, "agent"))
    assert time.process_time() - start < 0.1


def test_the_weights_are_read_when_a_sentence_is_scored():
    """Loading the module reads no file."""
    code = "import sleep.language.acts.likelihood.scorer as s; print(s.model.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "0\n"


@pytest.mark.parametrize("text", ["We kept it.", "锁保留在账本里。", "- [ ]"])
def test_each_feature_by_message_has_a_name_that_is_known(text):
    """What is found is among all that there are."""
    message = message_features.Message([("heading", text), ("item", text), ("row", text)])
    assert message.around(1) <= every_of_messages()
