"""What is said already: the quick reading of many texts is that of each by itself."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from sleep.language import similarity, tokenizer
from sleep.memory import noticed
from sleep.records import address, known_texts
from sleep.records.fragment import Fragment
from sleep.records.known_texts import KnownTexts

WORDS = st.lists(
    st.sampled_from(
        [
            "the",
            "store",
            "takes",
            "flock",
            "not",
            "with",
            "a",
            "timeout",
            "of",
            "30",
            "s",
            "31",
            "B.py",
            "pending",
            "never",
            "server",
            "lock",
        ]
    ),
    max_size=9,
).map(" ".join)


@given(st.lists(WORDS, max_size=6), WORDS)
def test_what_is_repeated_is_found_wherever_it_stands(texts, text):
    """A text is found among many where it is found alone, and each that it repeats, or that repeats it, is found."""
    known = KnownTexts(texts)
    alone = [at for at, other in enumerate(texts) if next(KnownTexts((other,)).repeating(text), None) is not None]
    assert list(known.repeating(text)) == alone
    repeated = {
        at for at, other in enumerate(texts) if similarity.repeats(text, other) or similarity.repeats(other, text)
    }
    assert repeated <= set(alone)
    assert repeated <= set(known.saying(text))
    assert known.has(text) == any(KnownTexts((other,)).has(text) for other in texts)


def _turns(words):
    return {"not", "never"}.intersection(words.split())


@given(st.lists(WORDS, max_size=6), WORDS)
@example(["the the the not"], "the the the")
def test_what_is_not_looked_at_is_not_repeated(texts, text):
    """Among many texts those are found that hold the words, stand in them at four fifths of the length, or repeat.

    One that holds the words and a `not` besides says otherwise.
    """
    spoken = [f" {' '.join(tokenizer.words(other))} " for other in (*texts, text)]
    own = spoken.pop()
    meant = [
        at
        for at, (other, words) in enumerate(zip(texts, spoken, strict=True))
        if own == words
        or (_turns(words) == _turns(own) and len(words) >= 0.8 * len(own) and words in own)
        or (_turns(words) == _turns(own) and len(own.split()) >= 3 and own in words)
        or similarity.repeats(text, other)
        or similarity.repeats(other, text)
    ]
    assert list(KnownTexts(texts).repeating(text)) == meant


def test_what_was_noticed_is_read_once_however_many_records_there_are(monkeypatch):
    """What was noticed of an instance is read once, not once for each of its records."""
    read = []
    add = KnownTexts.add
    monkeypatch.setattr(KnownTexts, "add", lambda self, text: (read.append(text), add(self, text))[1])
    names = ["alpha", "bravo", "carbon", "delta", "engine", "falcon", "garnet", "harbour", "iris", "jasper"]
    stated = [
        Fragment("decision", f"Use {name} for the {name} queue because it is fast", (address.parse(f"i1abc.{at}"),))
        for at, name in enumerate(names, 1)
    ]
    found = [
        Fragment("decision", f"We use {name} for the {name} queue because it is fast", (address.parse(f"i1abc.{at}"),))
        for at, name in enumerate(names, 50)
    ]
    assert noticed.equals(found, stated) == {
        mine.identity: theirs.identity for mine, theirs in zip(found, stated, strict=True)
    }
    assert all(read.count(fragment.text) == 1 for fragment in found)


def test_a_text_is_read_once(monkeypatch):
    """A text that is held against many is cut into words once, whichever set of texts it is held against."""
    read = []
    words = known_texts.tokenizer.words
    monkeypatch.setattr(known_texts.tokenizer, "words", lambda text: read.append(text) or words(text))
    known_texts._statement.cache_clear()
    texts = [f"record {number} binds the store of node {number}" for number in range(5)]
    for other in texts:
        assert [text for text in texts if KnownTexts([other]).has(text)] == [other]
    assert sorted(read) == texts


@pytest.mark.parametrize(
    "text",
    [
        "Try a {}th test that takes minutes",  # they share their longest word: those alone that have a rarer one
        "We decided to use the lock of node {} because it is fast",  # eight words: those alone that go on as it does
    ],
)
def test_what_all_say_leads_to_none(monkeypatch, text):
    """Of many texts that begin alike those alone are compared that say what the text says besides."""
    known = KnownTexts(text.format(number) for number in range(100))
    asked = []
    repeats = known_texts.repeats
    monkeypatch.setattr(known_texts, "repeats", lambda own, other: asked.append(other) or repeats(own, other))
    assert list(known.repeating(text.format(7))) == [7]
    assert len(asked) == 1


@pytest.mark.parametrize("count", [1, 3, 60, 64, 70, 200])
def test_a_text_of_any_length_is_found_in_a_longer_one(count):
    """A text is found by a text that holds it with a few words more, before it or behind it, whatever its length."""
    words = [f"word{number}" for number in range(count)]
    known = KnownTexts([" ".join(words)])
    for more in range(count // 5 + 1):
        before, behind = [f"b{number}" for number in range(more)], [f"e{number}" for number in range(more)]
        for text in (" ".join([*before, *words]), " ".join([*words, *behind])):
            is_near = len(f" {' '.join(words)} ") >= 0.8 * len(f" {text} ")
            assert list(known.repeating(text)) == ([0] if is_near else [])
