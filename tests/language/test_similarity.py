"""What says the same in other words, and what tells a change of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, Request
from sleep.language import similarity
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from tests.support import present

LONG = "The importer of the billing service reads all invoices from the archive before the nightly report"
SAID = ["import", "invoice", "archive", "report", "nightly", "not", "12", "14", "v1.2", "Redis", "from"]
WORDS = st.lists(st.sampled_from(SAID), max_size=9)


def _fragment(text, number, kind="note", instance=1):
    return Fragment(kind, text, (Address(instance, "abc", number),))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (LONG, f"**Note:** {LONG}."),
        (LONG, LONG.replace("importer", "slow importer")),
        (LONG, LONG.replace("invoices", "invoice")),
        ("Enforces file size limits for uploads", "Enforces max file size limits for uploads"),
    ],
)
def test_repeats(text, other):
    """A text repeats one that has all of its words and few more."""
    assert similarity.repeats(text, other)


@pytest.mark.parametrize(
    "other",
    [
        LONG.replace("reads", "never reads"),
        LONG.replace("reads", "doesn't read"),
        LONG.replace("from", "into"),
        LONG.replace("billing", "Redis"),
        LONG.replace("billing", "shipping"),
        LONG.replace("nightly", "weekly"),
        LONG.replace("the archive", "the archive of 2024"),
        f"{LONG} — pending",
        f"❌ {LONG}",
        f"{LONG}?",
        f"{LONG}, which somebody from another group should look at once more next month",
    ],
)
def test_repeats_not(other):
    """A negation, a sign of state, a figure, a name, or a word in another's place makes another statement."""
    assert not similarity.repeats(LONG, other)
    assert not similarity.repeats(other, LONG)


def test_order():
    """Names and figures in another order say something else."""
    one = "Moved the session store of the web shop from RedisCache to PostgresStore after the outage"
    two = "Moved the session store of the web shop from PostgresStore to RedisCache after the outage"
    assert not similarity.repeats(one, two)
    assert not similarity.repeats("数据库从甲迁移到乙，备份照旧", "数据库从乙迁移到甲，备份照旧")


@pytest.mark.parametrize(
    ("text", "other", "found"),
    [
        ("Coverage of the parser module is 91%", "Coverage of the parser module is 87%", True),
        ("The parser service runs version v1.3.0", "The parser service runs version v1.2.9", False),
        ("The parser service now runs release v1.3.0", "The parser service runs release v1.2.9", True),
        ("Deployed the parser for PR #12 today", "Deployed the parser for PR #11 today", False),
        ("Parser of the service, phase 3 begins", "Parser of the service, phase 2 begins", False),
        ("12 tests of the parser module pass", "11 tests of the parser module pass", False),
        ("The parser does not read 12 files", "The parser does read 11 files", False),
        ("Port: 80", "Port: 81", False),
        ("Log of the parser service, 2026-01-02", "Log of the parser service, 2026-01-01", False),
    ],
)
def test_tells_anew(text, other, found):
    """Only a measure may differ: not one that says which thing is meant, nor one that a text begins with."""
    assert similarity.tells_anew(text, other) is found
    assert not similarity.tells_anew(text, text)


def test_a_list_is_no_change():
    """Of several of a kind that come, none supersedes; nor does what has no measures."""
    new = ["Latency of the search endpoint: 12 ms", "Coverage of the parser module: 91%", "The parser is slow"]
    assert similarity.single(new) == {0: similarity.masked(new[0]), 1: similarity.masked(new[1])}
    assert similarity.single([*new, "Latency of the search endpoint: 13 ms"]) == {1: similarity.masked(new[1])}


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_what_repeats_is_led_to(text, other):
    """Two texts of which one repeats the other share one of what leads to them."""
    if similarity.repeats(text, other):
        assert set(similarity.leads(text)) & set(similarity.leads(other))


def test_of_two_the_fuller_stays():
    """Of two that repeat each other the one that says more stays, else the newer, with the addresses of both."""
    fuller = LONG.replace("importer", "slow importer")
    for texts, stays in (((LONG, fuller), 1), ((fuller, LONG), 0), ((LONG, f"{LONG}: the"), 1)):
        one, two = (_fragment(text, number) for number, text in enumerate(texts, 1))
        answer = extractive.compress(Request("x", 1.0, 500, (one, two)))
        (kept,) = answer.fragments
        assert kept.text == texts[stays]
        assert set(kept.addresses) == {*one.addresses, *two.addresses}
        assert answer.fates[1 - stays].fate == MERGED


def test_chains_end_in_what_stays():
    """What repeats a fragment that is merged itself goes where that goes, or is dropped with it."""
    texts = [LONG, LONG.replace("importer", "slow importer"), LONG.replace("importer", "slow lazy importer")]
    every = tuple(_fragment(text, number) for number, text in enumerate(texts, 1))
    answer = extractive.compress(Request("x", 1.0, 500, every))
    assert [one.text for one in answer.fragments] == [texts[2]]
    assert len(answer.fragments[0].addresses) == 3
    none = extractive.compress(Request("x", 1.0, 1, every))
    assert [one.fate for one in none.fates] == [DROPPED] * 3


def test_what_stands_there_already():
    """A candidate that says no more than what stands in memory is merged into it; one that says more stays."""
    fuller = LONG.replace("importer", "slow importer")
    less = extractive.compress(Request("x", 1.0, 500, (_fragment(LONG, 1),), present.of(_fragment(fuller, 2))))
    assert (less.fates[0].fate, less.fragments) == (MERGED, ())
    more = extractive.compress(Request("x", 1.0, 500, (_fragment(fuller, 1),), present.of(_fragment(LONG, 2))))
    assert [one.text for one in more.fragments] == [fuller]


def test_other_kinds_are_not_merged():
    """A task and a note that say the same are two things."""
    both = (_fragment(LONG, 1), _fragment(LONG.replace("importer", "slow importer"), 2, "task"))
    assert len(extractive.compress(Request("x", 1.0, 500, both)).fragments) == 2


def test_a_label_with_brackets_hides_no_repetition():
    """The colon that ends a label is no word: what is said once with a label and once without is said twice."""
    text = "The parser reads `Index.build()` twice for a page, because the cache forgets what it held before"
    assert similarity.repeats(text, f"Lesson (technical): {text}")
