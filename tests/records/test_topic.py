"""Topics and their file names."""

from __future__ import annotations

import pytest
from document_strategies import TEXTS
from hypothesis import given
from hypothesis import strategies as st

from sleep.records import classification
from sleep.records.topic import GENERAL, assign, from_heading, slug, words

ITEMS = st.lists(
    st.tuples(
        TEXTS,
        st.lists(st.sampled_from(["Auth", "Log 2026", "Decisions", "Sync engine"]), max_size=2),
        st.sampled_from(["", "", "T-001", "mine"]),
    ),
    max_size=6,
)


@given(st.one_of(st.text(max_size=60), TEXTS))
def test_slug(name):
    """A slug is a file name that is never empty, made of letters, digits and hyphens, and the slug of itself."""
    found = slug(name)
    assert 0 < len(found) <= 40
    assert found == slug(found) == found.strip("-")
    assert not set(found) & set("/\\.: \n\0")
    found.encode()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Sync engine", "sync-engine"),
        ("Café Ünïcode", "cafe-unicode"),
        ("Straße", "strasse"),
        ("Tiếng Việt", "tieng-viet"),
        ("İstanbul", "istanbul"),
        ("数据库 迁移", "数据库-迁移"),
        ("がぎぐ", "がぎぐ"),
        ("ガイド", "ガイド"),
        ("한국어", "한국어"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("Чайка йод", "чайка-йод"),
        ("ภาษาไทย", "ภาษาไทย"),
        ("⚠️ Warning", "warning"),
        ("a/b\\c..d", "a-b-c-d"),
        ("../../etc/passwd", "etc-passwd"),
        ("---", GENERAL),
        ("", GENERAL),
        ("x" * 100, "x" * 40),
    ],
)
def test_slugs(name, found):
    """Diacritics of Latin letters are folded; letters of every other script keep what makes them letters."""
    assert slug(name) == found


@pytest.mark.parametrize(
    ("heading", "topic"),
    [
        ("Sync engine", "sync-engine"),
        ("2026-11-21 Sync engine (done)", "sync-engine"),
        ("`auth` ✅", "auth"),
        ("Decisions", ""),
        ("Open questions", ""),
        ("Session 12", ""),
        ("2026-11-21", ""),
        ("", ""),
    ],
)
def test_from_heading(heading, topic):
    """A heading names a topic unless it says only what kind of thing, or when."""
    assert from_heading(heading) == topic


@given(ITEMS, st.lists(st.sampled_from(["auth", "sync-engine", "locks"]), unique=True), st.randoms())
def test_assign(items, existing, random):
    """Each item gets one topic that is a file name, and the order of the topics that exist plays no part."""
    threads = {"T-001": "Sync engine rewrite for speed"}
    found = assign(items, existing, threads)
    assert len(found) == len(items)
    assert all(slug(topic) == topic for topic in found)
    shuffled = list(existing)
    random.shuffle(shuffled)
    assert assign(items, shuffled, threads) == found


def test_named():
    """What a person named wins: a topic of its own, a thread's title, a topic that exists, then what three ask for."""
    threads = {"T-001": "Sync engine rewrite for speed"}
    assert assign([("x", [], "Café")], [], threads) == ["cafe"]
    assert assign([("x", [], "T-001")], [], threads) == ["sync-engine-rewrite"]
    assert assign([("x", ["Auth"], "")], ["auth"], threads) == ["auth"]
    assert assign([("x", ["Auth"], "")] * 3, [], threads) == ["auth"] * 3
    assert assign([("x", ["Auth"], "")] * 2, [], threads) == [GENERAL] * 2
    assert assign([("the lock file is slow", [], "")], ["lock-file"], threads) == ["lock-file"]
    assert assign([("see src/sync/engine.py", [], "")], ["engine"], threads) == ["engine"]


def test_words():
    """Words that tell topics apart are folded and leave out what any text has."""
    assert words("The Lock and the lock: x") == {"lock"}


def test_long():
    """Long runs of signs are no trap."""
    assert assign([("-." * 50_000, [], ""), ("a." * 50_000, [], "")], ["x"], {}) == [GENERAL] * 2
    assert not classification.heading_kind("a" + "." * 100_000 + "a")


@pytest.mark.parametrize(("name", "found"), [("Python 3", "python3"), ("ltx-2", "ltx2"), ("a 1 2", "a12"), ("7", "7")])
def test_a_number_is_no_part(name, found):
    """A number at a name's end is joined to it, for a hyphen and a number say which part of a topic a file is."""
    assert slug(name) == found == slug(found)


def test_names_that_overlap():
    """A heading that says more or less than a topic that exists, or the same in the plural, is that topic."""
    for heading in ("Token budget", "Tokens", "The token budgets"):
        assert assign([("x", [heading], "")] * 3, ["token-budget"], {}) == ["token-budget"] * 3
    assert assign([("x", [], "tokens")], ["token"], {}) == ["token"]
    assert assign([("x", [], "token")], ["token-budget"], {}) == ["token"]


def test_few_are_opened():
    """Headings open no topic where there are many; a person's word does."""
    many = [f"{chr(97 + number)}x" for number in range(20)]
    assert assign([("y", ["Auth"], "")] * 3, many, {}) == [GENERAL] * 3
    assert assign([("y", [], "auth")], many, {}) == ["auth"]
