"""Noun phrases: what a text names."""

from __future__ import annotations

import pytest
from document_strategies import TEXTS
from hypothesis import given

from sleep.records import noun_phrases


@given(TEXTS)
def test_phrases_are_of_words_that_say_something(text):
    """No phrase has an empty word or more than three, and what is sure stands among the phrases."""
    reading = noun_phrases.read(text)
    assert all(1 <= len(phrase) <= 3 and all(phrase) for phrase in reading.phrases)
    assert {(word,) for word in reading.sure} <= set(reading.phrases)


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("the relay is slow", "relay"),
        ("moved out of memory, into the index.", "index"),
        ("the debt ledger", "ledger"),
        ("Authentication", "authentication"),
        ("Die Datenbank wird ersetzt", "datenbank"),
        ("wir nutzen jetzt Kafka", "kafka"),
        ("la passerelle est lente", "passerelle"),
        ("stored in cache.", "cache"),
    ],
)
def test_nouns(text, noun):
    """A word between an article or a preposition and an end is a noun, and a capital inside a sentence names one."""
    assert noun in noun_phrases.read(text).nouns


@pytest.mark.parametrize("text", ["we hook it", "to hook", "Hook the relay", "please hook", "by hooking."])
def test_verbs(text):
    """A word that a pronoun or `to` leads, or that opens a sentence before an article, is a verb there and no noun."""
    reading = noun_phrases.read(text)
    assert not {"hook", "hooking"} & reading.nouns
    assert ("hook" in reading.verbs) == ("hooking" not in text)  # `by hooking` is neither


@pytest.mark.parametrize(
    "text",
    [
        "a cache hooks the relay",
        "the old relay hooks its cache",
        "it hooks fast",
        "each relay hooks fast",
        "what hooks it",
    ],
)
def test_what_one_thing_does_is_a_verb(text):
    """A word with an `s` behind one thing is a verb, and so is what stands before an article or `its`."""
    reading = noun_phrases.read(text)
    assert "hook" in reading.verbs
    assert "hook" not in reading.nouns


@pytest.mark.parametrize(
    ("text", "noun"),
    [("the hooks are red", "hook"), ("a corpus of relays", "corpu"), ("a new corpus is", "corpu"), ("a hook.", "hook")],
)
def test_a_plural_is_no_verb(text, noun):
    """A plural behind an article, and a word of one thing, stay nouns."""
    reading = noun_phrases.read(text)
    assert noun in {*reading.nouns, *(word for phrase in reading.phrases for word in phrase)}
    assert noun not in reading.verbs


def test_an_article_behind_a_word_tells_a_verb_in_english_alone():
    """`a` and `an` are other words elsewhere: `la passerelle a été` has no verb `passerelle`."""
    assert "passerelle" not in noun_phrases.read("la passerelle a été remplacée par le relais que nous avons").verbs
    assert "datenbank" not in noun_phrases.read("wir geben die Datenbank an den neuen Kunden").verbs


@pytest.mark.parametrize(
    "word",
    ["none", "says", "the", "it", "between", "really", "focused", "myself", "und", "files", "don't", "ab", "elsewhere"],
)
def test_words_that_name_nothing(word):
    """Function words, adverbs, participles and words of any text stand in no phrase."""
    assert not noun_phrases.is_content(word)


def test_names_of_code():
    """A path names its parts, an abbreviation itself; neither joins the words beside it."""
    reading = noun_phrases.read("see sleep/recall/index_page.py and MCP")
    assert {"sleep", "recall", "index", "mcp"} <= reading.sure
    assert not any(len(phrase) > 1 for phrase in reading.phrases)
    assert noun_phrases.read("see load_balancer, THE one of HTTP2").sure == {"load", "balancer", "http2"}


def test_phrases_end_at_signs():
    """A phrase has no sign inside, and a small word parts it."""
    phrases = noun_phrases.read("the load balancer tier, dashboard of the relay").phrases
    assert ("load", "balancer", "tier") in phrases
    assert ("balancer", "tier") in phrases
    assert not {("tier", "dashboard"), ("dashboard", "relay")} & set(phrases)


def test_a_label_is_no_part_of_what_is_said():
    """Who speaks, and what kind of line it is, names nothing."""
    assert ("ana",) not in noun_phrases.read("**Ana:** the relay").phrases
    assert ("ana",) not in noun_phrases.read("Ana: the relay").phrases


def test_scripts_without_spaces():
    """Chinese and Japanese are cut at their small words, and no phrase begins or ends with one."""
    chinese = noun_phrases.read("我们使用数据库和消息队列").phrases
    assert {("数据库",), ("消息队列",)} <= set(chinese)
    assert ("データベース",) in noun_phrases.read("データベースを更新する").phrases


def test_a_long_run_is_no_phrase():
    """A run of more than six characters is told by its parts alone."""
    assert ("布式数据缓存",) in noun_phrases.read("布式数据缓存").phrases
    assert ("布式数据缓存器",) not in noun_phrases.read("布式数据缓存器").phrases


def test_no_phrase_cuts_a_known_word():
    """A part of a run begins and ends between words where they are known."""
    phrases = {word for (word,) in noun_phrases.read("保质期管理系统上线").phrases}
    assert "保质期" in phrases
    assert not {"保质期管", "期管", "理系统", "管理系"} & phrases
