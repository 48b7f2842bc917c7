"""Change of mind: the pairs of `benchmarks/labels/changes_of_mind.jsonl`, written before the code was looked at."""

from __future__ import annotations

import json
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from sleep.records.relations import oppositions
from sleep.records.relations.opposition_index import OppositionIndex

LABELS = Path(__file__).resolve().parents[3] / "benchmarks" / "labels" / "changes_of_mind.jsonl"
PAIRS = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def found(pair):
    """Return how the newer text of a pair is at odds with the older one."""
    return oppositions.compare(pair["older"]["text"], pair["newer"]["text"])


@pytest.mark.parametrize("half", ["a", "b"])
def test_changes_of_mind_are_seen_and_nothing_else(half):
    """Of thirty pairs, half of them contradictory, nearly all are seen, and none that is of another subject."""
    own = [pair for pair in PAIRS if pair["half"] == half]
    is_one = [pair["relation"] != "none" for pair in own]
    said = [bool(found(pair)) for pair in own]
    hits = sum(one and is_said for one, is_said in zip(is_one, said, strict=True))
    precision, recall = hits / max(1, sum(said)), hits / sum(is_one)
    print(f"changes of mind, half {half}: {len(own)} pairs, precision {precision:.2f}, recall {recall:.2f}")
    assert (len(own), sum(is_one)) == (30, 15)
    assert precision == 1.0
    assert recall >= 0.9


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['newer']['text'][:40]}")
def test_only_words_that_say_so_supersede(pair):
    """What no word says is never taken to be said in so many words: it is offered."""
    if pair["relation"] != "explicit":
        assert found(pair) != oppositions.REVERSAL


@pytest.mark.parametrize(
    ("older", "newer", "is_one"),
    [
        ("Keep the importer in Perl", "Switch the exporter from Perl to Python", False),
        ("Store plans in SQLite", "Keep plans in JSON, not SQLite", True),
        ("Pläne in SQLite speichern", "Pläne in JSON speichern, nicht SQLite", True),
        ("Store plans in SQLite", "Keep the notes in JSON, not SQLite", False),
        ("Run the tests of SQLite", "Use JSON for plans, not SQLite", False),
        ("Gemini is the model of the agent", "Retry with another model of the agent (Claude, not Gemini)", False),
        ("Use spaces in YAML files", "Use tabs in Makefiles, not spaces", False),
        ("Notes are plain files, not SQLite", "Notes are Markdown files, not SQLite", False),
        ("Use requests in the importer", "Use httpx instead of requests in the exporter", False),
        ("Use requests for outgoing calls", "Use httpx instead of requests for outgoing calls", True),
        ("Publish the docs with Sphinx", "Sphinx is replaced by MkDocs for the docs", True),
        ("Keep the queue in SQLite", "Sphinx is replaced by MkDocs for the docs", False),
        ("Keep the queue in SQLite", "The cache is dropped", False),
        ("Never edit the schema by hand", "Never edit the schema by hand; run the generator instead", False),
        ("Never cache the price list", "We no longer ask before the price list is cached", False),
        ("Ship on Fridays", "We no longer ship on Fridays", True),
        ("Use tabs", "Stop using tabs", False),
    ],
)
def test_what_is_dropped_has_to_be_what_the_older_one_says(older, newer, is_one):
    """The thing that goes and its subject are both named, else nothing is superseded."""
    assert oppositions.supersedes(older, newer) is is_one


WORDS = [
    "use",
    "flock",
    "not",
    "instead of",
    "for",
    "the",
    "lock",
    "30",
    "31",
    "no longer",
    "as",
    "store",
    "is",
    "never",
]


def may_differ(older, newer):
    """Return whether an index of two texts leads from each to the other."""
    index = OppositionIndex()
    index.add(1, oppositions.signs(older))
    index.add(2, oppositions.signs(newer))
    assert (index.likely(1, {2}) == {2}) == (index.likely(2, {1}) == {1})
    return bool(index.likely(1, {2}))


@given(*[st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)] * 2)
def test_what_the_index_does_not_lead_to_is_at_odds_in_no_way(older, newer):
    """Pairs of which the signs say that they cannot differ are at odds in no way."""
    if not may_differ(older, newer):
        assert oppositions.compare(older, newer) == oppositions.compare(newer, older) == ""


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['newer']['text'][:40]}")
def test_the_index_leads_to_what_is_at_odds(pair):
    """No pair of the labels that is at odds is passed over by its signs."""
    assert may_differ(pair["older"]["text"], pair["newer"]["text"]) or not found(pair)


def test_what_is_removed_is_led_to_no_more():
    """An index from which all was removed holds nothing."""
    index = OppositionIndex()
    texts = ("we no longer use redis", "port 30 is taken", "port 31 is taken")
    for number, text in enumerate(texts):
        index.add(number, oppositions.signs(text))
    for number in range(len(texts)):
        index.remove(number)
    assert not any(vars(index).values())


def test_what_denies_nothing_has_one_set_of_words():
    """What a text affirms is its subject itself where it denies nothing: a long memory holds thousands of both."""
    plain = oppositions.signs("The parser keeps the lock")
    assert plain.affirmed is plain.subject
